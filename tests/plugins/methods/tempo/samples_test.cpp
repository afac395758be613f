// From simulated cohorts to what a network reads: parts of cohorts, knots, shared values.

#include "samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "compact_pass.hpp"
#include "training_support.hpp"

namespace tempo::test {
namespace {

using namespace amortised;

TempoSettings settings_with(std::int64_t participants) {
  ParameterTable table;
  for (const auto& [key, number] :
       {std::pair<const char*, std::int64_t>{"participants", participants},
        {"samples", 64},
        {"batch", 16}}) {
    ParameterValue value;
    value.value = number;
    table.set(key, value);
  }
  Problems problems;
  Parameters keys(table, "settings", problems);
  const TempoSettings settings(keys);
  problems.throw_if_any();
  return settings;
}

/// The values of a sample's participants for its first biomarker: no two are alike.
std::set<float> people(const Samples& samples, std::size_t s) {
  std::set<float> out;
  for (std::size_t j = 0; j < samples.J; ++j)
    out.insert(samples.x[(s * samples.J + j) * samples.B]);
  return out;
}

std::vector<float> times(const Samples& samples, std::size_t s) {
  const auto first = samples.xi.begin() + static_cast<std::ptrdiff_t>(s * samples.B);
  return {first, first + static_cast<std::ptrdiff_t>(samples.B)};
}

/// Remembers which cohorts were asked for.
class Noting final : public TrainingCohorts {
 public:
  SimulatedCohort draw(Purpose purpose, std::uint64_t number) const override {
    numbers.push_back(number);
    return cohorts_.draw(purpose, number);
  }
  const std::vector<std::string>& biomarkers() const override { return cohorts_.biomarkers(); }
  const std::vector<std::string>& hypotheses() const override { return cohorts_.hypotheses(); }

  mutable std::vector<std::uint64_t> numbers;

 private:
  FewCohorts cohorts_;
};

}  // namespace

TEST_CASE("small subsamples of a step are different participants of the same cohort",
          "[tempo][samples]") {
  const FewCohorts cohorts("h8");  // continuous times: no two cohorts have the same
  const auto columns = standardisation(cohorts, 4, 1);
  const SampleSource source(cohorts, columns, settings_with(10), stream(3));
  const auto samples = source.training(1, 16, 32, 10);  // 10 of 40: four parts
  std::set<std::vector<float>> truths;
  for (std::size_t s = 0; s < 16; ++s) {
    CAPTURE(s);
    REQUIRE(people(samples, s).size() == 10);
    truths.insert(times(samples, s));
    if (s % 4 == 0) continue;
    REQUIRE(times(samples, s) == times(samples, s - 1));
    for (std::size_t other = s - s % 4; other < s; ++other)
      for (const auto value : people(samples, other))
        REQUIRE_FALSE(people(samples, s).contains(value));
  }
  REQUIRE(truths.size() == 4);  // 16 subsamples, four of a cohort
  SECTION("whatever part of the step is asked for") {
    const auto last = source.training(1, 21, 32, 10);
    REQUIRE(times(last, 0) == times(samples, 5));
    REQUIRE(people(last, 0) == people(samples, 5));
  }
  SECTION("the next step has other cohorts") {
    const auto next = source.training(1, 32, 48, 10);
    for (std::size_t s = 0; s < 16; ++s) REQUIRE_FALSE(truths.contains(times(next, s)));
  }
}

TEST_CASE("numbers of a step's cohorts have no gaps, as hypotheses take turns by them",
          "[tempo][samples]") {
  const Noting cohorts;
  const auto columns = standardisation(cohorts, 4, 1);
  const SampleSource source(cohorts, columns, settings_with(10), stream(3));
  for (const auto& [participants, parts] :
       {std::pair<std::size_t, std::size_t>{10, 4}, {20, 2}, {30, 1}}) {
    CAPTURE(participants);
    cohorts.numbers.clear();
    source.training(1, 16, 32, participants);
    std::vector<std::uint64_t> expected(16 / parts);
    std::iota(expected.begin(), expected.end(), 16);
    REQUIRE(cohorts.numbers == expected);
  }
}

TEST_CASE("large subsamples are of a cohort each", "[tempo][samples]") {
  const FewCohorts cohorts("h8");
  const auto columns = standardisation(cohorts, 4, 1);
  const SampleSource source(cohorts, columns, settings_with(30), stream(3));
  const auto samples = source.training(1, 0, 16, 30);
  std::set<std::vector<float>> truths;
  for (std::size_t s = 0; s < 16; ++s) truths.insert(times(samples, s));
  REQUIRE(truths.size() == 16);
}

TEST_CASE("values that measurements are clipped to are found, and have places of their own",
          "[tempo][samples]") {
  // Non-normal measurements end 5 sd from the mean of their state. FewCohorts' sds are 1, its
  // means a whole number and that plus 3.
  const auto columns = standardisation(FewCohorts("h2", 1, 400), 64, 1);
  constexpr std::array<double, 4> kFirstMeans = {1.0, 3.0, 0.0, 2.0};  // alpha, beta, mu, zeta
  const CompactShape shape(columns, CompactSizes::latest(columns.biomarkers.size()));
  std::size_t found = 0;
  for (std::size_t b = 0; b < 4; ++b)
    for (std::size_t m = 0; m < kAtoms; ++m) {
      const auto atom = columns.atoms[b * kAtoms + m];
      if (atom == kNoAtom) continue;
      ++found;
      const double value = columns.mean[b] + columns.sd[b] * static_cast<double>(atom);
      const double from_mean = std::abs(value - kFirstMeans[b] - 1.5);  // between both means
      REQUIRE(std::min(std::abs(from_mean - 3.5), std::abs(from_mean - 6.5)) < 1e-5);
      const auto place = shape.place_of(b, atom);
      REQUIRE(place.entry == kKnots + m);
      REQUIRE(place.beyond == 0.0F);
    }
  REQUIRE(found >= 8);
}

TEST_CASE("values that nobody shares have no places of their own", "[tempo][samples]") {
  // As many as a training looks at by default: were values compared in single precision, three
  // would be equal by accident.
  const auto columns = standardisation(FewCohorts("h1", 1, 726), 256, 1);
  REQUIRE(std::ranges::all_of(columns.atoms, [](float atom) { return atom == kNoAtom; }));
}

TEST_CASE("a value stands between its knots", "[tempo][samples]") {
  const auto columns = standardisation(FewCohorts("h2", 1, 400), 16, 1);
  const CompactShape shape(columns, CompactSizes::latest(columns.biomarkers.size()));
  auto draw = stream(2);
  for (std::size_t b = 0; b < 4; ++b) {
    const auto* knots = &columns.knots[b * kKnots];
    REQUIRE(std::is_sorted(knots, knots + kKnots));
    for (int i = 0; i < 1000; ++i) {
      const auto x = static_cast<float>(2.0 * draw.normal());
      const auto [entry, beyond] = shape.place_of(b, x);
      REQUIRE(entry + 1 < kKnots);
      const auto between = std::lerp(knots[entry], knots[entry + 1], beyond);
      REQUIRE(std::abs(between - std::clamp(x, knots[0], knots[kKnots - 1])) < 1e-5F);
    }
  }
}

TEST_CASE("the stage is the median of its posterior", "[tempo][samples]") {
  // Half below counts as reached, as the composed network has it.
  REQUIRE(median_stages({0.2, 0.2, 0.6, 0.5, 0.0, 0.5, 0.0, 0.0, 1.0, 0.1, 0.5, 0.4}, 3) ==
          std::vector<double>{2.0, 0.0, 2.0, 1.0});
}

}  // namespace tempo::test
