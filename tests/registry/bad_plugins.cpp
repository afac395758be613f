#include "bad_plugins.hpp"

#include <unistd.h>

#include <algorithm>

namespace tempo::test {
namespace fs = std::filesystem;

const Registry& bad_plugins() {
  static const Registry registry({{TEMPO_BAD_PLUGINS, "test", true}});
  return registry;
}

std::string problem_of(const Registry& registry, const std::string& id) {
  const auto& records = registry.records();
  const auto record = std::find_if(records.begin(), records.end(),
                                   [&](const PluginRecord& one) { return one.id == id; });
  return record == records.end() ? "not listed" : record->problem;
}

fs::path copy_plugin(const std::string& id, const fs::path& folder, const std::string& name) {
  fs::create_directories(folder);
  fs::copy_file(fs::path(TEMPO_BAD_PLUGINS) / (id + ".so"), folder / name);
  return folder / name;
}

Nobody::Nobody() : root_(geteuid() == 0) {
  if (root_) REQUIRE(seteuid(65534) == 0);
}

Nobody::~Nobody() {
  if (root_) static_cast<void>(seteuid(0));
}

}  // namespace tempo::test
