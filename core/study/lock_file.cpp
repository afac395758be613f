#include "study/lock_file.hpp"

#include "data/toml_table.hpp"
#include "tempo/version.hpp"

namespace tempo {

std::string lock_file(const Study& study, const Plan& plan) {
  auto table = study.lock;
  ParameterValue versions;
  auto& entries = versions.value.emplace<ParameterTable>();
  const auto add = [&](const std::string& key, const std::string& version) {
    ParameterValue value;
    value.value = version;
    entries.set(key, std::move(value));
  };
  add("tempo", TEMPO_VERSION);
  add("build", TEMPO_BUILD_TAG);
  for (const auto& [plugin, version] : plan.versions) add(plugin, version);
  table.set("versions", std::move(versions));
  return "# What was run, defaults filled in but where a sweep decides: tempo run takes this file "
         "again.\n" +
         to_toml(table);
}

}  // namespace tempo
