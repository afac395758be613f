#pragma once

#include <string>

#include "results/fit_result.hpp"

namespace tempo::test {

inline FitRow row(const std::string& hypothesis, std::size_t cohort, const std::string& method,
                  FitStatus status, double value = 0.0) {
  FitRow row;
  row.id.axis_values = {"100"};
  row.id.hypothesis = hypothesis;
  row.id.cohort = cohort;
  row.id.method = method;
  row.id.labels = method == "sa_ebm" ? "fit" : "none";
  row.result.status = status;
  if (status != FitStatus::ok) return row;
  row.result.scores = {
      .tau_distance = value, .stage_mae = 10.0 * value, .sequence_mae = 20.0 * value};
  row.result.seconds = value / 10.0;
  return row;
}

inline FitRow scored(const std::string& hypothesis, std::size_t cohort, const std::string& method,
                     double value) {
  return row(hypothesis, cohort, method, FitStatus::ok, value);
}

inline FitRow failed(const std::string& hypothesis, std::size_t cohort, const std::string& method,
                     const std::string& error) {
  auto out = row(hypothesis, cohort, method, FitStatus::failed);
  out.result.seconds = 0.25;
  out.result.error = error;
  return out;
}

inline FitRow pending(const std::string& hypothesis, std::size_t cohort,
                      const std::string& method) {
  return row(hypothesis, cohort, method, FitStatus::pending);
}

/// Two hypotheses, two methods with awkward ids, one axis: scored, failed, pending, and not
/// planned.
inline RunResults some_results() {
  const std::string awkward = R"(a|b, "c")";
  return {
      "name",
      {"cohorts.participants"},
      {scored("h1", 0, "sa_ebm", 0.25), failed("h1", 0, awkward, "a, \"quoted\" | thing"),
       scored("h1", 1, "sa_ebm", 0.5), pending("h1", 1, awkward), scored("h1", 2, "sa_ebm", 0.75),
       failed("h1", 2, awkward, "other"), failed("h1", 3, "sa_ebm", "did not converge"),
       failed("h1", 3, awkward, "other"), scored("h_2", 0, "sa_ebm", 0.125)}};
}

}  // namespace tempo::test
