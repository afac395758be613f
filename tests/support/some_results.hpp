#pragma once

#include <string>

#include "results/store.hpp"

namespace tempo::test {

inline ResultRow row(const std::string& hypothesis, std::size_t cohort, const std::string& method,
                     ResultRow::Status status, double value = 0.0) {
  ResultRow row;
  row.axis_values = {"100"};
  row.hypothesis = hypothesis;
  row.cohort = cohort;
  row.method = method;
  row.labels = method == "sa_ebm" ? "fit" : "none";
  row.status = status;
  if (status != ResultRow::Status::ok) return row;
  row.tau_distance = value;
  row.stage_mae = 10.0 * value;
  row.sequence_mae = 20.0 * value;
  row.seconds = value / 10.0;
  return row;
}

inline ResultRow scored(const std::string& hypothesis, std::size_t cohort,
                        const std::string& method, double value) {
  return row(hypothesis, cohort, method, ResultRow::Status::ok, value);
}

inline ResultRow failed(const std::string& hypothesis, std::size_t cohort,
                        const std::string& method, const std::string& error) {
  auto out = row(hypothesis, cohort, method, ResultRow::Status::failed);
  out.seconds = 0.25;
  out.error = error;
  return out;
}

inline ResultRow pending(const std::string& hypothesis, std::size_t cohort,
                         const std::string& method) {
  return row(hypothesis, cohort, method, ResultRow::Status::pending);
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
