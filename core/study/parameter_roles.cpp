#include "study/parameter_roles.hpp"

namespace tempo {
namespace {

// Until plugins declare settings by their role, their names tell it.
constexpr const char* kDistributions = "parameters";
constexpr const char* kDevice = "device";

}  // namespace

std::optional<Distributions> distributions_of(const PartSpec& part) {
  const auto* value = part.settings.find(kDistributions);
  const auto* word = value == nullptr ? nullptr : std::get_if<std::string>(&value->value);
  if (word == nullptr) return std::nullopt;
  if (*word == "known") return Distributions::known;
  if (*word == "estimate") return Distributions::estimated;
  if (*word == "sample") return Distributions::sampled;
  return std::nullopt;
}

ParameterTable without_device(ParameterTable settings) {
  std::erase_if(settings.entries, [](const ParameterEntry& entry) { return entry.key == kDevice; });
  return settings;
}

}  // namespace tempo
