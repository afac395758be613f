#pragma once

// Cohorts of which tempo compare is asked.

#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

namespace tempo::test {

/// Ends in the hypotheses that are compared.
inline const std::string kKnown = "compare c.csv --biomarkers five.toml --hypotheses ";

/// c.csv: 120 participants of h3 with the biomarkers of five.toml.
struct Compared : Program {
  Compared() {
    experiment(edited("participants = 60", "participants = 120"));
    REQUIRE(shell("tempo simulate e.toml --out cohorts && cp cohorts/exp3/*_m0.csv c.csv").code ==
            0);
  }
};

/// The hypotheses of the first cohort, from JSON.
inline nlohmann::json ranking(const Outcome& outcome) {
  return nlohmann::json::parse(outcome.output)["cohorts"][0]["hypotheses"];
}

}  // namespace tempo::test
