#include "tempo/plugin_object.hpp"

#include <exception>

#include "fault_text.hpp"
#include "tempo/error.hpp"
#include "tempo/part_factory.hpp"

namespace tempo {

PluginObject::~PluginObject() = default;
PartFactory::~PartFactory() = default;

std::string_view to_string(InterfaceKind kind) {
  switch (kind) {
    case InterfaceKind::stage_prior:
      return "stage_prior";
    case InterfaceKind::measurement_model:
      return "measurement_model";
    case InterfaceKind::generative_process:
      return "hypothesis";
    case InterfaceKind::inference_method:
      return "method";
    case InterfaceKind::trainable_method:
      return "trainable_method";
    case InterfaceKind::metric:
      return "metric";
  }
  return "unknown kind";
}

std::string PluginObject::blame(std::string_view doing) const {
  return "plugin " + (plugin_id_.empty() ? std::string("(unnamed)") : plugin_id_) + ", while " +
         std::string(doing) + ": ";
}

void PluginObject::rethrow(std::string_view doing) const {
  try {
    throw;
  } catch (const PluginError&) {
    throw;  // a part has already named its plugin and what it did
  } catch (const FitFailure& failure) {
    throw FitFailure(failure.kind(), blame(doing) + failure.what());
  } catch (const Stopped&) {
    throw;  // nobody is to blame
  } catch (const std::exception& error) {
    throw PluginError(blame(doing) + fault_text(error));
  } catch (...) {
    throw PluginError(blame(doing) + "threw something that is no exception");
  }
}

}  // namespace tempo
