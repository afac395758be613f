// What speaks against believing a model about a cohort: found where it is, and nowhere else.

#include "cohort_doubts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "data/biomarker_file.hpp"
#include "tempo/error.hpp"
#include "training_support.hpp"

namespace tempo::test {
namespace {

using amortised::Columns;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using Sentences = std::vector<std::string>;

/// Cohorts of one hypothesis with the shipped table of twelve.
class Published final : public TrainingCohorts {
 public:
  Published(const std::string& hypothesis, std::size_t participants)
      : hypotheses_{hypothesis}, size_{.participants = participants} {
    Problems problems;
    const auto table = find_biomarkers("adni-12", {}, {}, problems);
    problems.throw_if_any();
    names_ = table.names();
    process_ = shipped().hypothesis(part(hypothesis), table);
  }
  SimulatedCohort draw(Purpose purpose, std::uint64_t number) const override {
    RandomStream stream(/*seed=*/1, purpose == Purpose::training ? "training" : "test",
                        hypotheses_[0], number);
    return process_->simulate(size_, stream);
  }
  const std::vector<std::string>& biomarkers() const override { return names_; }
  const std::vector<std::string>& hypotheses() const override { return hypotheses_; }

 private:
  std::vector<std::string> names_, hypotheses_;
  std::unique_ptr<GenerativeProcess> process_;
  CohortSize size_;
};

Cohort test_cohort(const Published& cohorts, std::uint64_t number = 0) {
  return cohorts.draw(TrainingCohorts::Purpose::validation, number).cohort;
}

Columns columns_of(const std::string& hypothesis) {
  return amortised::standardisation(Published(hypothesis, 300), /*count=*/20, /*threads=*/1);
}

Sentences doubts(const Cohort& cohort, const Columns& columns) {
  return amortised::doubts(cohort, find_columns(cohort, columns.biomarkers).columns, columns);
}

/// How many of the biomarkers are called unlike the training cohorts, each changed by itself.
int found_by_itself(const Cohort& cohort, const Columns& columns,
                    const std::function<double(double)>& change) {
  int count = 0;
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b) {
    auto changed = cohort;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      changed.measurements(j, b) = change(cohort.measurements(j, b));
    const auto found = doubts(changed, columns);
    if (found.empty()) continue;
    REQUIRE_THAT(found[0], StartsWith("unlike the training cohorts, what is found is doubtful: " +
                                      cohort.biomarkers[b] + " ("));
    REQUIRE(found.size() == 1);
    ++count;
  }
  return count;
}

/// Twenty participants, half of them diseased, with values around the mean of their biomarker.
Cohort plain(const Columns& columns) {
  Cohort out;
  out.biomarkers = columns.biomarkers;
  out.measurements = Matrix(20, columns.biomarkers.size());
  auto draw = stream(1);
  for (std::size_t j = 0; j < 20; ++j) {
    out.participants.push_back(fmt::format("p{}", j));
    out.diseased.push_back(j % 2);
    for (std::size_t b = 0; b < columns.biomarkers.size(); ++b)
      out.measurements(j, b) = columns.mean[b] + columns.sd[b] * draw.normal();
  }
  return out;
}

const Columns kThree{{"a", "b", "c"}, {10.0, 0.0, -5.0}, {2.0, 1.0, 1.0}};

}  // namespace

TEST_CASE("cohorts of the nine hypotheses are doubted by a model of none", "[tempo][doubts]") {
  for (int trained = 1; trained <= 9; ++trained) {
    const auto columns = columns_of(fmt::format("h{}", trained));
    for (int applied = 1; applied <= 9; ++applied)
      for (const std::size_t participants : {60, 726}) {
        CAPTURE(trained, applied, participants);
        const Published cohorts(fmt::format("h{}", applied), participants);
        for (std::uint64_t number = 0; number < 3; ++number)
          REQUIRE(doubts(test_cohort(cohorts, number), columns).empty());
      }
  }
}

TEST_CASE("other units, signs and constants are noticed in every hypothesis", "[tempo][doubts]") {
  int turned = 0;
  for (int h = 1; h <= 9; ++h) {
    CAPTURE(h);
    const auto id = fmt::format("h{}", h);
    const auto columns = columns_of(id);
    const auto cohort = test_cohort(Published(id, 60));
    const auto count = static_cast<int>(cohort.biomarker_count());
    REQUIRE(found_by_itself(cohort, columns, [](double x) { return 1000.0 * x; }) == count);
    REQUIRE(found_by_itself(cohort, columns, [](double x) { return x / 1000.0; }) == count);
    const double value = cohort.measurements(0, 0);
    REQUIRE(found_by_itself(cohort, columns, [&](double) { return value; }) == count);
    turned += found_by_itself(cohort, columns, [](double x) { return -x; });
  }
  // Where values reach zero within a standard deviation of their mean a sign can pass unnoticed.
  REQUIRE(turned >= 100);  // of 108
}

TEST_CASE("doubts say which biomarker, what was found and what was trained on", "[tempo][doubts]") {
  auto cohort = plain(kThree);
  REQUIRE(doubts(cohort, kThree).empty());
  SECTION("units") {
    for (std::size_t j = 0; j < 20; ++j)
      cohort.measurements(j, 0) = 10000.0 + static_cast<double>(j);
    REQUIRE(
        doubts(cohort, kThree) ==
        Sentences{"unlike the training cohorts, what is found is doubtful: a (median 1.001e+04, "
                  "trained on mean 10, standard deviation 2: other units?)"});
  }
  SECTION("a sign") {
    for (std::size_t j = 0; j < 20; ++j) cohort.measurements(j, 2) *= -1.0;
    REQUIRE_THAT(doubts(cohort, kThree).at(0),
                 Contains("c (median ") && Contains(": other sign?)"));
  }
  SECTION("a constant") {
    for (std::size_t j = 0; j < 20; ++j) cohort.measurements(j, 1) = 0.5;
    REQUIRE_THAT(doubts(cohort, kThree).at(0), Contains("b (0.5 in everybody, trained on "));
  }
  SECTION("single values") {
    cohort.measurements(3, 1) = 26.0;
    cohort.measurements(4, 1) = -26.0;
    REQUIRE_THAT(doubts(cohort, kThree).at(0), Contains("b (2 values over 25 standard deviations"));
  }
  SECTION("whoever is not measured, and what is not") {
    for (std::size_t j = 0; j < 20; ++j) cohort.measurements(j, 0) = kMissing;
    for (std::size_t b = 0; b < 3; ++b) cohort.measurements(5, b) = kMissing;
    REQUIRE(doubts(cohort, kThree) ==
            Sentences{"nobody has a value of a: its place in the order says nothing of this cohort",
                      "nothing was measured of 'p5': the stage says nothing"});
    cohort.measurements = Matrix(20, 3, kMissing);
    REQUIRE_THROWS_WITH(doubts(cohort, kThree), "nobody has a value of any of the 3 biomarkers");
  }
  SECTION("groups without a participant") {
    cohort.diseased.assign(20, 0);
    REQUIRE_THAT(doubts(cohort, kThree).at(0), StartsWith("nobody is diseased"));
    cohort.diseased.assign(20, 1);
    REQUIRE_THAT(doubts(cohort, kThree).at(0), StartsWith("nobody is healthy"));
    const Cohort one{{"p"}, {"a", "b", "c"}, matrix({{11, 0.2, -4}}), {1}, {}};
    REQUIRE(doubts(one, kThree) == Sentences{"one participant says next to nothing of an order"});
  }
}

TEST_CASE("doubts do not depend on units or signs that the model shares", "[tempo][doubts]") {
  auto cohort = plain(kThree);
  for (std::size_t j = 0; j < 20; ++j) cohort.measurements(j, 2) *= -1.0;
  for (const double scale : {1e-6, 1e6, -1.0}) {
    auto scaled = cohort;
    auto columns = kThree;
    for (auto& value : scaled.measurements.values()) value *= scale;
    for (auto& mean : columns.mean) mean *= scale;
    for (auto& sd : columns.sd) sd *= std::abs(scale);
    const auto found = doubts(scaled, columns);
    REQUIRE(found.size() == 1);
    REQUIRE_THAT(found[0], Contains("doubtful: c (median "));
  }
}

}  // namespace tempo::test
