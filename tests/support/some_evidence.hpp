#pragma once

#include "analysis/evidence.hpp"
#include "some_results.hpp"

namespace tempo::test {

/// 100 participants; under each hypothesis the first half scores `a`, the second `b`.
inline AssumedFit halves(const std::string& assumed, double a, double b) {
  AssumedFit out{assumed, std::vector<double>(50, a), 1.5, 2};
  out.log_scores.insert(out.log_scores.end(), 50, b);
  return out;
}

inline FitEvidence evidence(const std::string& generating, std::size_t cohort,
                            const std::string& method, double a, double b) {
  return {scored(generating, cohort, method, 0.0).id, halves(method, a, b).log_scores};
}

/// Two methods that assume and one that gives no scores; the second cohort of h_2 lacks a fit.
inline std::vector<FitEvidence> some_evidence() {
  return {evidence("h1", 0, "one", -1.0, -1.0),      evidence("h1", 0, "two", -2.0, -2.0),
          {scored("h1", 0, "debm", 0.0).id, {}},     evidence("h1", 1, "one", -1.0, -1.0),
          evidence("h1", 1, "two", -0.984375, -1.0), evidence("h_2", 0, "one", -3.0, -1.0),
          evidence("h_2", 0, "two", -1.0, -1.0),     {failed("h_2", 1, "one", "no").id, {}},
          evidence("h_2", 1, "two", -1.0, -1.0)};
}

}  // namespace tempo::test
