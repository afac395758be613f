#pragma once

// A clinic's table with a participant per row, and an experiment on it.

#include <fmt/format.h>

#include <string>

#include "program.hpp"

namespace tempo::test {

inline const std::string kClinicExperiment = R"(schema = 1
seed = 7
[cohorts]
source = "table"
path = "clinic.toml"
biomarkers = "estimate"
[analysis]
bootstrap = 3
[[hypothesis]]
plugin = "h3"
[[hypothesis]]
plugin = "h1"
[[method]]
plugin = "probe"
noise = 1.0
[[method]]
plugin = "learner"
bootstrap = false
[[method]]
plugin = "bayes"
iterations = 200
bootstrap = false
)";

inline constexpr const char* kClinicTable = R"(file = "clinic.csv"
participant = "ID"
missing = "marginal"
diagnosis = { column = "DX", healthy = ["CN"], diseased = ["MCI", "AD"] }
)";

/// 60 participants p0, p1, ..., of whom 20 are CN, 20 MCI and 20 AD; b0 .. b4 rise one after the
/// other.
inline std::string clinic() {
  auto noise = stream(11);
  std::string text = "ID,DX,b0,b1,b2,b3,b4\n";
  for (int j = 0; j < 60; ++j) {
    const int stage = j < 20 ? 0 : 1 + j % 5;
    text += fmt::format("p{},{}", j, j < 20 ? "CN" : j < 40 ? "MCI" : "AD");
    for (int b = 0; b < 5; ++b)
      text += fmt::format(",{}", noise.normal() + (stage > b ? 4.0 : 0.0));
    text += "\n";
  }
  return text;
}

struct Clinic : Program {
  Clinic() {
    write("clinic.csv", clinic());
    write("clinic.toml", kClinicTable);
    experiment(kClinicExperiment);
  }
};

}  // namespace tempo::test
