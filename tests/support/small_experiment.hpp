#pragma once

// An experiment that runs in milliseconds, and edits to it.

#include <stdexcept>
#include <string>
#include <string_view>

#include "support.hpp"

namespace tempo::test {

/// Five biomarkers; an event takes each from N(0, 1) to a normal of its own.
inline constexpr const char* kTable = R"(schema = 1
name = "five"
biomarker = [
  { name = "b0", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 3.0, sd = 1.0 } },
  { name = "b1", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 3.0, sd = 1.5 } },
  { name = "b4", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = -3.0, sd = 1.0 } },
  { name = "b3", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 4.0, sd = 1.0 } },
  { name = "b2", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = -2.0, sd = 2.0 } },
]
)";

/// Two hypotheses x one method x three cohorts. Line 4 names the table.
inline constexpr const char* kExperiment = R"(schema = 1
seed = 7
[cohorts]
biomarkers = "five.toml"
participants = 60
test = 3
[[hypothesis]]
plugin = "h3"
[[hypothesis]]
id = "late"
plugin = "composed"
event_times = "permutation"
stage_prior = { plugin = "beta", alpha = 8.0, beta = 2.0 }
measurement_model = "ebm_normal"
[[method]]
plugin = "probe"
)";

/// The text with one passage, which it must hold, replaced.
inline std::string edited(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no '" + std::string(from) + "' to replace");
  return text.replace(at, from.size(), to);
}

/// The small experiment with one passage replaced.
inline std::string edited(std::string_view from, std::string_view to) {
  return edited(kExperiment, from, to);
}

/// A folder with the table, for experiments beside it.
struct Workplace : TemporaryFolder {
  Workplace() { write("five.toml", kTable); }
};

}  // namespace tempo::test
