// A plugin's page says what the plugin says.

#include "support.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

TEST_CASE("the README of a plugin has a row for each of its keys, with the default in force",
          "[documentation]") {
  const auto [kind, folder] = GENERATE(
      table<InterfaceKind, std::string>({{InterfaceKind::stage_prior, "stage_priors"},
                                         {InterfaceKind::measurement_model, "measurement_models"},
                                         {InterfaceKind::generative_process, "hypotheses"},
                                         {InterfaceKind::inference_method, "methods"},
                                         {InterfaceKind::trainable_method, "methods"}}));
  const auto ids = shipped().usable_ids(kind);
  if (kind == InterfaceKind::trainable_method && ids.empty()) {
    SUCCEED("built without LibTorch");
    return;
  }
  REQUIRE_FALSE(ids.empty());
  for (const auto& id : ids) {
    CAPTURE(id);
    const auto page = read_text(source("plugins/" + folder + "/" + id + "/README.md"));
    REQUIRE_THAT(page, Contains("# " + id + "\n") && Contains("```toml") && Contains("Source: ") &&
                           Contains(id));
    for (const auto& parameter : shipped().find(kind, id)->parameters) {
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
