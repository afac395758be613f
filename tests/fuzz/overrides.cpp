// --set, an argument a line, on a small experiment with a sweep.

#include "study/overrides.hpp"

#include <string>

#include "data/toml_table.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

constexpr const char* kSweptExperiment = R"(
seed = 7
cohorts = { biomarkers = "adni-12", participants = 60 }
[[hypothesis]]
plugin = "h3"
[[hypothesis]]
id = "late"
plugin = "composed"
stage_prior = { plugin = "beta", alpha = 8.0 }
[[method]]
plugin = "debm"
[sweep]
cohorts.participants = [60, 90]
)";

void read_overrides_input(std::string_view lines) {
  Problems problems;
  auto experiment = read_toml_text(kSweptExperiment, "experiment", problems);
  std::vector<Override> overrides;
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    overrides.push_back(parse_override(std::string(lines.substr(0, end)), problems));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  expect_clear(problems);
  if (!problems.empty()) return;
  apply_all(overrides, experiment, problems);
  const auto points = sweep_points(experiment, problems);
  expect(points.size() <= kMostPoints, "a sweep has its most points");
  if (!points.empty()) refuse_swept(overrides, points.front(), problems);
  expect_clear(problems);
}

const Added kOverridesTarget("overrides", read_overrides_input);

}  // namespace
}  // namespace tempo::fuzz
