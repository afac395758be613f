#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tempo/export.hpp"
#include "tempo/plugin_call.hpp"

namespace tempo {

/// What a plugin can be. The numbers are part of the plugin boundary: never reuse one.
enum class InterfaceKind : std::uint32_t {
  stage_prior = 1,
  measurement_model = 2,
  generative_process = 3,
  inference_method = 4,
  trainable_method = 5,
  metric = 6,
};

/// `stage_prior`, `measurement_model`, `hypothesis`, `method`, `trainable_method` or `metric`: the
/// name users read and write.
TEMPO_API std::string_view to_string(InterfaceKind kind);

/// What every object made by a plugin has: the id of its plugin, for messages.
class TEMPO_API PluginObject {
 public:
  PluginObject() = default;
  PluginObject(const PluginObject&) = delete;
  PluginObject& operator=(const PluginObject&) = delete;
  virtual ~PluginObject();

  /// The id of the plugin that made this object; empty where it was made by hand (unit tests).
  const std::string& plugin_id() const { return plugin_id_; }
  /// Called once by the registry. A class that holds other objects of its plugin passes it on.
  virtual void set_plugin_id(std::string id) { plugin_id_ = std::move(id); }

 protected:
  /// `plugin ID, while DOING: `, the beginning of every complaint about what a plugin did.
  std::string blame(std::string_view doing) const;
  /// Runs a private virtual; whatever it throws becomes a PluginError that begins with `blame` (a
  /// FitFailure keeps its kind, and Stopped is as it was), a crash is told of, and a change of the
  /// surroundings is a failure (PluginCall).
  template <class Work>
  void guard(std::string_view doing, Work&& work,
             PluginCall::Look look = PluginCall::Look::all) const;
  /// The same for what is called by the thousand: PluginCall::Look::quick.
  template <class Work>
  void guard_quickly(std::string_view doing, Work&& work) const {
    guard(doing, work, PluginCall::Look::quick);
  }

 private:
  [[noreturn]] void rethrow(std::string_view doing) const;  // from inside a catch block

  std::string plugin_id_;
};

template <class Work>
void PluginObject::guard(std::string_view doing, Work&& work, PluginCall::Look look) const {
  try {
    PluginCall call(plugin_id_, doing, look);
    work();
    call.expect_unchanged();
  } catch (...) {
    rethrow(doing);
  }
}

}  // namespace tempo
