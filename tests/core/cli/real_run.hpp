#pragma once

// A run of a small real cohort, and what tests read of its tables.

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

namespace tempo::test {

/// Methods `probe` (sorts by mean, knows posterior and times) and `learner`, trained on h3; three
/// replicates.
inline const std::string kRealExperiment = R"(schema = 1
seed = 7
[experiment]
stage_posteriors = true
[cohorts]
source = "table"
path = "clinic.toml"
biomarkers = "three.toml"
[analysis]
bootstrap = 3
[[hypothesis]]
plugin = "h3"
[[method]]
plugin = "probe"
[[method]]
plugin = "learner"
)";

inline const std::string kPeopleTable = R"(file = "clinic.csv"
participant = "id"
diagnosis = { column = "dx", healthy = ["CN"], diseased = ["mild", "AD"] }
)";

inline const std::string kThree = R"(schema = 1
name = "three"
biomarker = [
  { name = "b0", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 4.0, sd = 1.0 } },
  { name = "b1", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 4.0, sd = 1.0 } },
  { name = "b2", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 4.0, sd = 1.0 } },
]
)";

/// Means of b0, b1, b2 fall: probe's order is b2, b1, b0.
inline const std::string kPeople =
    "id,dx,b0,b1,b2\nc1,CN,0.5,0,0\nc2,CN,0,0.5,-0.5\nm1,mild,4,0,0\nm2,mild,4,1,0\n"
    "a1,AD,5,4,0\na2,AD,4,5,3\n";

/// 60 participants of whom 20 are CN; b1 and b2 rise in the diseased, b0 is the same in all.
inline const std::string kMany = [] {
  auto noise = stream(3);
  std::string text = "id,dx,b0,b1,b2\n";
  for (int j = 0; j < 60; ++j)
    text += fmt::format("p{},{},{},{},{}\n", j,
                        j < 20   ? "CN"
                        : j < 40 ? "mild"
                                 : "AD",
                        noise.normal(), noise.normal() + (j < 40 ? 0.0 : 6.0),
                        noise.normal() + (j < 20 ? 0.0 : 6.0));
  return text;
}();

inline const std::string kNew =
    "participant,biomarker,measurement,diseased\nn1,b2,4,True\nn1,b1,0,True\nn1,b0,0,True\n"
    "n2,b2,4,True\nn2,b1,4,True\nn2,b0,,True\n";

/// A folder with its run, `run`.
struct RealRun : Program {
  RealRun() {
    experiment(kRealExperiment);
    write("clinic.toml", kPeopleTable);
    write("three.toml", kThree);
    write("clinic.csv", kPeople);
    write("new.csv", kNew);
    const auto outcome = tempo("run e.toml --out run");
    INFO(outcome.errors);
    REQUIRE(outcome.code == 0);
  }
};

/// The fields of a CSV without quotes.
inline std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> out;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    auto& row = out.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
  }
  return out;
}

}  // namespace tempo::test
