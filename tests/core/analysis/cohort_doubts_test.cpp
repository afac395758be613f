#include "analysis/cohort_doubts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support.hpp"

namespace tempo::test {
namespace {

using Kind = CohortDoubt::Kind;

/// 40 participants, every second one diseased; b0 differs between all, b1 is nobody's yet.
Cohort doubtful_cohort() {
  Cohort cohort;
  cohort.biomarkers = {"b0", "b1"};
  cohort.measurements = Matrix(40, 2, std::nan(""));
  for (std::size_t j = 0; j < 40; ++j) {
    cohort.participants.push_back(fmt::format("p{}", j));
    cohort.diseased.push_back(j % 2);
    cohort.measurements(j, 0) = static_cast<double>(j);
  }
  return cohort;
}

void set_column(Cohort& cohort, double healthy, double diseased) {
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    cohort.measurements(j, 1) = cohort.diseased[j] == 0 ? healthy : diseased;
}

/// The only doubt about b1.
CohortDoubt only_doubt(const Cohort& cohort, const BiomarkerTable* known = nullptr) {
  const auto doubts = cohort_doubts(cohort, known);
  REQUIRE(doubts.size() == 1);
  REQUIRE(doubts[0].biomarker == "b1");
  return doubts[0];
}

}  // namespace

TEST_CASE("a cohort is in doubt where its values say little", "[analysis][comparison]") {
  auto cohort = doubtful_cohort();
  REQUIRE(only_doubt(cohort).kind == Kind::not_measured);

  set_column(cohort, 2.0, 2.0);
  REQUIRE(only_doubt(cohort).kind == Kind::constant);
  REQUIRE(only_doubt(cohort).value == 2.0);

  set_column(cohort, 1.0, 2.0);
  REQUIRE(only_doubt(cohort).kind == Kind::constant_in_healthy);
  REQUIRE(only_doubt(cohort).value == 1.0);

  SECTION("four values are a scale among forty participants, five are not") {
    for (std::size_t j = 0; j < 40; ++j) cohort.measurements(j, 1) = static_cast<double>(j / 10);
    REQUIRE(only_doubt(cohort).kind == Kind::few_values);
    REQUIRE(only_doubt(cohort).distinct == 4);
    REQUIRE(only_doubt(cohort).measured == 40);
    cohort.measurements(0, 1) = std::nan("");  // 39 / 10 < 4
    REQUIRE(cohort_doubts(cohort, nullptr).empty());
    cohort.measurements(0, 1) = 9.0;
    REQUIRE(cohort_doubts(cohort, nullptr).empty());
  }
}

TEST_CASE("known distributions are compared with the healthy", "[analysis][comparison]") {
  auto cohort = doubtful_cohort();
  for (std::size_t j = 0; j < 40; ++j) cohort.measurements(j, 1) = static_cast<double>(j) + 100.0;
  const auto table = [](double mean) {
    return BiomarkerTable(
        {{"b0", {20.0, 10.0}, {40.0, 10.0}}, {"b1", {mean, 10.0}, {mean + 50.0, 10.0}}});
  };
  const auto near = table(70.5);  // the healthy's median is 120: 4.95 sds away
  REQUIRE(cohort_doubts(cohort, &near).empty());
  const auto far = table(60.0);
  const auto doubt = only_doubt(cohort, &far);
  REQUIRE(doubt.kind == Kind::far_from_table);
  REQUIRE(doubt.value == 120.0);
  REQUIRE(doubt.sds == 6.0);
  REQUIRE(doubt.mean == 60.0);

  // Where nothing has to be estimated, equal values of the healthy are no obstacle.
  set_column(cohort, 120.0, 130.0);
  const auto known = table(120.0);
  REQUIRE(only_doubt(cohort, &known).kind == Kind::few_values);
}

TEST_CASE("a group that is not there is the first doubt", "[analysis][comparison]") {
  auto cohort = doubtful_cohort();
  cohort.diseased.assign(40, 1);
  REQUIRE(cohort_doubts(cohort, nullptr).front().kind == Kind::no_healthy);
  cohort.diseased.assign(40, 0);
  REQUIRE(cohort_doubts(cohort, nullptr).front().kind == Kind::no_diseased);
}

}  // namespace tempo::test
