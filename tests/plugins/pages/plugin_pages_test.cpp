// A plugin's page agrees with the plugin.

#include "support.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

TEST_CASE("the README of a plugin has a row for each of its keys, with the default in force",
          "[documentation]") {
  const auto [kind, folder] = GENERATE(
      table<InterfaceKind, std::string>({{InterfaceKind::stage_prior, "stage_priors"},
                                         {InterfaceKind::measurement_model, "measurement_models"},
                                         {InterfaceKind::generative_process, "hypotheses"},
                                         {InterfaceKind::inference_method, "methods"}}));
  auto ids = shipped().usable_ids(kind);
  REQUIRE_FALSE(ids.empty());
  if (kind == InterfaceKind::inference_method)  // beside those that are trained, if any was built
    for (const auto& id : shipped().usable_ids(InterfaceKind::trainable_method)) ids.push_back(id);
  for (const auto& id : ids) {
    CAPTURE(id);
    const auto page = read_text(source("plugins/" + folder + "/" + id + "/README.md"));
    REQUIRE_THAT(page, Contains("# " + id + "\n") && Contains("```toml") && Contains("Source: ") &&
                           Contains(id));
    for (const auto& parameter : shipped().deciding(id)->parameters) {
      CAPTURE(parameter.key);
      const auto row_start = page.find("| `" + parameter.key + "` | " + parameter.type + " | ");
      REQUIRE(row_start != std::string::npos);
      const auto row = page.substr(row_start, page.find('\n', row_start) - row_start);
      if (!parameter.fallback.empty())
        REQUIRE_THAT(row, Contains("| " + parameter.fallback + " |") ||
                              Contains("| `" + parameter.fallback + "` |") ||
                              Contains("| " + parameter.fallback + ", paper: "));
    }
  }
}

}  // namespace tempo::test
