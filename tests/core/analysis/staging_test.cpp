#include "analysis/staging.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support.hpp"

namespace tempo::test {
namespace {

/// One participant per row; labels play no part.
Cohort people(Matrix measurements) {
  Cohort out;
  for (std::size_t j = 0; j < measurements.rows(); ++j)
    out.participants.push_back(std::to_string(j));
  for (std::size_t b = 0; b < measurements.cols(); ++b) out.biomarkers.push_back(std::to_string(b));
  out.measurements = std::move(measurements);
  return out;
}

/// Before N(0, 1), after N(2, 1): the log odds of x are 2 x - 2.
BiomarkerTable two_away(std::size_t B) {
  std::vector<Biomarker> out;
  for (std::size_t b = 0; b < B; ++b) out.push_back({std::to_string(b), {0.0, 1.0}, {2.0, 1.0}});
  return BiomarkerTable(std::move(out));
}

/// By one order, which everybody follows.
Matrix stages_by(const Cohort& cohort, const Sequence& order, const BiomarkerTable& biomarkers) {
  return event_based_stages(cohort, {{order}, {1.0}}, biomarkers).front();
}

/// A method to which all are the same: everybody is at the number of participants with a value
/// above 1 in the first column, up to B.
class CountsOthers final : public InferenceMethod {
 private:
  Inference do_fit(const Cohort& cohort, RandomStream&) const override {
    double count = 0.0;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      if (cohort.measurements(j, 0) > 1.0) count += 1.0;
    Inference out;
    out.event_scores.assign(cohort.biomarker_count(), 0.0);
    out.stages.assign(cohort.participant_count(),
                      std::min(count, static_cast<double>(cohort.biomarker_count())));
    return out;
  }
};

}  // namespace

TEST_CASE("a stage's probability is the product of its events' odds", "[report][staging]") {
  // Order 1, 0. Log odds of events: 2 * 1.5 - 2 = 1 for column 1, 2 * 0.5 - 2 = -1 for column 0.
  const auto found = stages_by(people(matrix({{0.5, 1.5}})), Sequence({1, 0}), two_away(2));
  const double sum = 1.0 + std::exp(1.0) + std::exp(0.0);
  REQUIRE(found(0, 0) == Approx(1.0 / sum));
  REQUIRE(found(0, 1) == Approx(std::exp(1.0) / sum));
  REQUIRE(found(0, 2) == Approx(1.0 / sum));
  REQUIRE(stage_posterior(found.row(0)).mode == 1.0);
}

TEST_CASE("missing values have no say, and far ones do not underflow", "[report][staging]") {
  const auto found =
      stages_by(people(matrix({{kMissing, kMissing}, {1e5, kMissing}, {-1e5, -1e5}, {1e5, 1e5}})),
                Sequence({0, 1}), two_away(2));
  REQUIRE(found(0, 1) == Approx(1.0 / 3.0));
  REQUIRE(stage_posterior(found.row(0)).mode == 0.0);
  REQUIRE(found(1, 1) == Approx(0.5));
  REQUIRE(found(2, 0) == 1.0);
  REQUIRE(found(3, 2) == 1.0);
}

TEST_CASE("stages do not depend on units or on the order of columns", "[report][staging]") {
  auto random = stream(1);
  Matrix x(20, 3), y(20, 3);
  for (std::size_t j = 0; j < 20; ++j)
    for (std::size_t b = 0; b < 3; ++b) {
      x(j, b) = 2.0 * random.normal() + 1.0;
      y(j, 2 - b) = -1e6 * x(j, b) + 3.0;
    }
  const BiomarkerTable negated({{"0", {3.0, 1e6}, {3.0 - 2e6, 1e6}},
                                {"1", {3.0, 1e6}, {3.0 - 2e6, 1e6}},
                                {"2", {3.0, 1e6}, {3.0 - 2e6, 1e6}}});
  const auto one = stages_by(people(x), Sequence({1, 2, 0}), two_away(3));
  const auto other = stages_by(people(y), Sequence({1, 0, 2}), negated);
  for (std::size_t i = 0; i < one.values().size(); ++i)
    REQUIRE(one.values()[i] == Approx(other.values()[i]).margin(1e-9));
}

TEST_CASE("a patient's stage by a model does not depend on the other patients",
          "[report][staging]") {
  CountsOthers method;
  method.set_abilities(LabelUse::none, MissingData::marginal);
  const auto reference = people(matrix({{0, 0, 0}, {2, 0, 0}, {0, 0, 0}}));
  auto patients = people(matrix({{2, 0, 0}, {0, 0, 0}, {2, 2, 2}, {kMissing, kMissing, kMissing}}));
  patients.participants = {"n0", "n1", "n2", "n3"};
  const auto together = stage_among(method, reference, patients, "new.csv");
  // One of the reference is above 1, and of the patients each counts for itself alone.
  REQUIRE(together.patients[0].stage == 2.0);
  REQUIRE(together.patients[1].stage == 1.0);
  REQUIRE(together.patients[2].stage == 2.0);
  REQUIRE_FALSE(together.patients[3].stage);
  REQUIRE(together.warnings ==
          std::vector<std::string>{"no stage, since no biomarker was measured: n3"});
  for (const std::size_t j : {0, 1, 2}) {
    auto alone = people(matrix({{patients.measurements(j, 0), 0, 0}}));
    alone.participants = {patients.participants[j]};
    REQUIRE(stage_among(method, reference, alone, "new.csv").patients[0].stage ==
            together.patients[j].stage);
  }
}

TEST_CASE("who is at stage 0 by the label alone has no interval, which is said",
          "[report][staging]") {
  /// Healthy at 0, whatever the values; sure of every stage.
  class ByLabel final : public InferenceMethod {
    Inference do_fit(const Cohort& cohort, RandomStream&) const override {
      Inference out;
      const auto J = cohort.participant_count(), B = cohort.biomarker_count();
      out.event_scores.assign(B, 0.0);
      out.stage_posterior = Matrix(J, B + 1);
      for (std::size_t j = 0; j < J; ++j) {
        out.stages.push_back(cohort.diseased[j] != 0 ? 1.0 : 0.0);
        (*out.stage_posterior)(j, cohort.diseased[j]) = 1.0;
      }
      return out;
    }
  };
  auto reference = people(matrix({{0, 0}, {2, 0}}));
  reference.diseased = {0, 1};
  auto patients = people(matrix({{2, 2}, {2, 2}}));
  patients.participants = {"n0", "n1"};
  patients.diseased = {0, 1};
  for (const auto use : {LabelUse::infer, LabelUse::fit}) {
    ByLabel method;
    method.set_abilities(use, MissingData::marginal);
    const auto found = stage_among(method, reference, patients, "new.csv");
    const bool by_label = use == LabelUse::infer;
    REQUIRE(found.patients[0].stage == 0.0);
    REQUIRE(found.patients[0].posterior.has_value() == !by_label);
    REQUIRE(
        found.patients[0].note ==
        (by_label ? "labelled healthy, and therefore at this stage whatever was measured" : ""));
    REQUIRE(found.patients[1].posterior->within.low == 1.0);
    REQUIRE(found.patients[1].note.empty());
    REQUIRE(found.warnings.size() == (by_label ? 1 : 0));
    if (by_label) REQUIRE(found.warnings[0].starts_with("1 of 2 patients are labelled healthy, "));
  }
}

TEST_CASE("who lacks every value has no stage by an order either", "[report][staging]") {
  const auto found = stage_by_orders({{Sequence({0, 1})}, {1.0}}, two_away(2),
                                     people(matrix({{2, 2}, {kMissing, kMissing}, {kMissing, 2}})));
  REQUIRE(found.patients[0].stage == 2.0);
  REQUIRE_FALSE(found.patients[1].stage);
  REQUIRE_FALSE(found.patients[1].posterior);
  REQUIRE(found.patients[1].note == "no biomarker was measured");
  REQUIRE(found.patients[2].stage == 2.0);
  REQUIRE(found.warnings.size() == 1);
}

TEST_CASE("with several orders a patient has a subtype, and its stage sums over orders",
          "[report][staging]") {
  // Log odds: column 0 has happened (+2), column 1 has not (-2). Order 0, 1 says stage 1 with odds
  // e^2 : 1 : 1; order 1, 0 has e^-2 there.
  const SharedOrders orders{{Sequence({0, 1}), Sequence({1, 0})}, {0.25, 0.75}};
  const auto found =
      stage_by_orders(orders, two_away(2), people(matrix({{2, 0}, {kMissing, kMissing}})));
  const double first = 0.25 * (2.0 + std::exp(2.0)), second = 0.75 * (2.0 + std::exp(-2.0));
  const auto& staged = found.patients[0];
  REQUIRE(staged.subtypes.size() == 2);
  REQUIRE(staged.subtypes[0] == Approx(first / (first + second)));
  REQUIRE(staged.subtypes[1] == Approx(second / (first + second)));
  REQUIRE(staged.stage == 1.0);
  const double at_two = 1.0 / (first + second), at_one = 1.0 - 2.0 * at_two;
  REQUIRE(staged.posterior->within.mean == Approx(at_one + 2.0 * at_two));
  REQUIRE(found.patients[1].subtypes.empty());
  // A participant before all events, or after all, is of a subtype as often as anybody.
  const auto ends =
      event_based_stages(people(matrix({{-1e4, -1e4}, {1e4, 1e4}})), orders, two_away(2));
  for (const std::size_t j : {0, 1}) {
    const auto row = ends[0].row(j);
    REQUIRE(std::accumulate(row.begin(), row.end(), 0.0) == Approx(0.25));
  }
}

TEST_CASE("far values are found whatever the unit, and means are the reference's",
          "[report][staging]") {
  for (const double unit : {1.0, 1e-6, -1e6}) {
    auto reference = people(matrix({{0, 5}, {10 * unit, 5}, {kMissing, 5}}));
    auto patients =
        people(matrix({{-5 * unit, 5}, {15 * unit, 5}, {15.1 * unit, kMissing}, {kMissing, 5.1}}));
    const auto found = far_values(reference, patients, ValuesAre::as_given);
    REQUIRE(found.warnings.size() == 2);
    REQUIRE(found.warnings[0].starts_with("'0': 1 of 3 values are far"));
    REQUIRE(found.biomarkers == std::vector<std::vector<std::string>>{{}, {}, {"0"}, {"1"}});
    REQUIRE(found.warnings[1].starts_with(
        "'1': 1 of 3 values are far from all of the cohort's (5 to 5), such as 5.1 of 3"));
    REQUIRE(fill_means(reference, patients) == 2);
    REQUIRE(patients.measurements(2, 1) == 5.0);
    REQUIRE(patients.measurements(3, 0) == 5.0 * unit);
  }
}

TEST_CASE("patients in another unit, or beyond all of the cohort, are doubted",
          "[report][staging]") {
  const auto reference = people(matrix({{276}, {900}, {1591}}));
  const auto warnings = [&](std::vector<double> values, double unit) {
    auto cohort = reference;
    auto patients = people(Matrix(values.size(), 1));
    std::copy(values.begin(), values.end(), patients.measurements.values().begin());
    for (Cohort* data : {&cohort, &patients})
      for (double& x : data->measurements.values()) x *= unit;
    return far_values(cohort, patients, ValuesAre::as_given).warnings;
  };
  for (const double unit : {1.0, -1.0, 1e-6}) {
    // Nanograms where the cohort has picograms: no value is far below zero.
    const auto small = warnings({0.4, 1.3, 0.9}, unit);
    REQUIRE(small.size() == 1);
    REQUIRE_THAT(small[0], Catch::Matchers::StartsWith("'0': 3 of 3 values are far from all") &&
                               Catch::Matchers::EndsWith(": another unit?"));
    const auto outside = warnings({250, 260, 300}, unit);
    REQUIRE(outside.size() == 1);
    REQUIRE_THAT(outside[0],
                 Catch::Matchers::StartsWith(fmt::format("'0': 2 of 3 values are {} all of",
                                                         unit > 0.0 ? "below" : "above")));
    REQUIRE(warnings({250, 300, 1600}, unit).empty());
    REQUIRE(warnings({250, 260}, unit).empty());  // two may be so by chance
  }
  const auto adjusted = far_values(reference, people(matrix({{-4000}})), ValuesAre::adjusted);
  REQUIRE_THAT(adjusted.warnings.at(0),
               Catch::Matchers::StartsWith("'0': 1 of 1 values, as adjusted, are far"));
}

TEST_CASE("an order of other biomarkers is refused", "[report][staging]") {
  REQUIRE_THROWS_WITH(stages_by(people(matrix({{1, 2}})), Sequence({0}), two_away(2)),
                      "stages: expected an order and distributions of B=2 biomarkers, got 1 and 2");
}

}  // namespace tempo::test
