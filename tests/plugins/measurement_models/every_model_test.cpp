// What holds for every measurement model. A new one adds its name.

#include <algorithm>
#include <cmath>
#include <limits>

#include "model_support.hpp"

namespace tempo::test {
using Catch::Matchers::WithinAbs;

/// The same biomarkers in other units: every value times `scale` plus `shift`.
BiomarkerTable rescaled(const BiomarkerTable& table, double scale, double shift) {
  std::vector<Biomarker> out;
  for (const auto& [name, phi, theta] : table)
    out.push_back({name,
                   {scale * phi.mean + shift, scale * phi.sd},
                   {scale * theta.mean + shift, scale * theta.sd}});
  return BiomarkerTable(std::move(out));
}

/// exp(log density) of biomarker 0, summed over cells of a fine grid: a distribution function over
/// the values strictly between `low` and `high`.
class Integrated {
 public:
  Integrated(const MeasurementLaw& law, int trait, double since, double low, double high)
      : low_(low), step_((high - low) / kCells), sums_{0.0} {
    for (std::size_t i = 0; i < kCells; ++i) {
      const std::vector<double> at{since};
      std::vector<double> log_density(1);
      law.log_density(0, trait, low + (static_cast<double>(i) + 0.5) * step_, at, log_density);
      sums_.push_back(sums_.back() + std::exp(log_density[0]) * step_);
    }
  }
  double mass() const { return sums_.back(); }
  double operator()(double x) const {
    const double place = std::clamp((x - low_) / step_, 0.0, static_cast<double>(kCells));
    const auto left = std::min(static_cast<std::size_t>(place), kCells - 1);
    return sums_[left] + (place - static_cast<double>(left)) * (sums_[left + 1] - sums_[left]);
  }

 private:
  static constexpr std::size_t kCells = 40000;
  double low_, step_;
  std::vector<double> sums_;
};

TEST_CASE("log densities are those of the values drawn", "[measurement_model][log_density]") {
  const auto id = GENERATE(as<std::string>(), "ebm_non_normal", "ebm_normal", "sigmoid");
  const BiomarkerTable table({{"b", {10.0, 2.0}, {30.0, 5.0}}});
  const auto model = shipped().measurement_model(part(id), table);
  const auto& density = *model->law();
  const std::size_t J = 40000;
  for (const int trait : density.possible_traits())
    for (const double stage : {0.0, 1.0, 2.0, 3.5}) {
      CAPTURE(id, trait, stage);
      const double xi = 2.0;
      const double since = stage > 0.0 ? stage - xi : -std::numeric_limits<double>::infinity();
      const auto x = column(
          measured(*model, People(std::vector(J, stage), {xi}).timeline(), {trait}, stream(11)), 0);
      const auto& state = since >= 0.0 ? table[0].theta : table[0].phi;
      const bool clipped = id == "ebm_non_normal";
      const double low = clipped ? state.mean - 5.0 * state.sd : -60.0;
      const double high = clipped ? state.mean + 5.0 * state.sd : 90.0;
      const Integrated law(density, trait, since, low, high);
      std::vector<double> inside;
      double at_low = 0.0, at_high = 0.0;
      for (const double value : x)
        if (value <= low)
          ++at_low;
        else if (value >= high)
          ++at_high;
        else
          inside.push_back(value);
      REQUIRE(ks_p_value(inside, [&](double v) { return law(v) / law.mass(); }) > kRarely);
      REQUIRE(mean_p_value(static_cast<double>(inside.size()) / J, J, law.mass(),
                           std::sqrt(law.mass() * (1.0 - law.mass()) + 1e-9)) > kRarely);
      if (!clipped) continue;
      // An atom of mass m counts as m spread over e^-kAtomPrecision sd.
      const auto mass_at = [&](double end) {
        const std::vector<double> at{since};
        std::vector<double> log_density(1);
        density.log_density(0, trait, end, at, log_density);
        return std::exp(log_density[0] - MeasurementLaw::kAtomPrecision) * state.sd;
      };
      for (const auto& [count, end] : {std::pair(at_low, low), std::pair(at_high, high)}) {
        const double mass = mass_at(end);
        REQUIRE(std::abs(count - J * mass) < 4.5 * std::sqrt(J * mass) + 1.0);
      }
    }
}

TEST_CASE("values that participants share are atoms", "[measurement_model][log_density]") {
  // Two of 20000 values of a continuous law in 53 bits are equal once in many million such samples.
  const auto id = GENERATE(as<std::string>(), "ebm_non_normal", "ebm_normal", "sigmoid");
  const BiomarkerTable table({{"b", {10.0, 2.0}, {30.0, 5.0}}});
  const auto model = shipped().measurement_model(part(id), table);
  const std::size_t J = 20000;
  std::size_t shared = 0;
  for (const int trait : model->law()->possible_traits())
    for (const auto state : {EventState::pre, EventState::post}) {
      const bool is_post = state == EventState::post;
      CAPTURE(id, trait, is_post);
      const People people(std::vector(J, is_post ? 50.0 : 0.0), {2.0});
      auto x = column(measured(*model, people.timeline(), {trait}, stream(12)), 0);
      std::sort(x.begin(), x.end());
      const auto atoms = model->law()->atoms(0, trait, state);
      for (std::size_t j = 1; j < J; ++j) {
        if (x[j] != x[j - 1]) continue;
        ++shared;
        REQUIRE(std::find(atoms.begin(), atoms.end(), x[j]) != atoms.end());
      }
    }
  REQUIRE((shared > 100) == (id == "ebm_non_normal"));
}

TEST_CASE("every measurement model", "[measurement_model]") {
  const auto id = GENERATE(as<std::string>(), "ebm_non_normal", "ebm_normal", "sigmoid");
  CAPTURE(id);
  const auto table = plain_biomarkers(3);
  const auto model = shipped().measurement_model(part(id), table);
  const People people({0, 1, 2, 3, 0, 2.5}, {1, 2, 3});
  const auto draw = [&](std::uint64_t seed) {
    auto random = stream(seed);
    const auto traits = model->draw_traits(random);
    return measured(*model, people.timeline(), traits, random);
  };

  SECTION("the same stream gives the same values, another one others") {
    REQUIRE(draw(1) == draw(1));
    REQUIRE_FALSE(draw(1) == draw(2));
  }
  SECTION("one participant, one biomarker") {
    const auto smallest = shipped().measurement_model(part(id), plain_biomarkers(1));
    auto random = stream(3);
    const auto traits = smallest->draw_traits(random);
    const auto x = measured(*smallest, People({1}, {1}).timeline(), traits, random);
    REQUIRE(std::isfinite(x(0, 0)));
  }
  SECTION("other units change the values accordingly") {
    auto random = stream(4);
    const auto traits = model->draw_traits(random);
    const auto x = measured(*model, people.timeline(), traits, random);
    const auto in_units = [&](double scale, double shift) {
      const auto other = shipped().measurement_model(part(id), rescaled(table, scale, shift));
      auto again = stream(4);
      other->draw_traits(again);
      return measured(*other, people.timeline(), traits, again);
    };
    const auto doubled = in_units(2.0, 0.0);  // doubling is exact in binary
    for (std::size_t j = 0; j < x.rows(); ++j)
      for (std::size_t b = 0; b < x.cols(); ++b) REQUIRE(doubled(j, b) == 2.0 * x(j, b));
    const auto shifted = in_units(0.3, 100.0);  // values near 100: a few roundings of 1.4e-14
    for (std::size_t j = 0; j < x.rows(); ++j)
      for (std::size_t b = 0; b < x.cols(); ++b)
        REQUIRE_THAT(shifted(j, b), WithinAbs(0.3 * x(j, b) + 100.0, 1e-12));
  }
  SECTION("the healthy know of no event") {
    const std::vector<double> zeros(4, 0.0);
    auto random = stream(5);
    const auto traits = model->draw_traits(random);
    const auto early = measured(*model, People(zeros, {0, 0, 0}).timeline(), traits, stream(6));
    const auto late = measured(*model, People(zeros, {3, 3, 3}).timeline(), traits, stream(6));
    REQUIRE(early == late);
  }
  SECTION("a cell's own event time replaces the shared one") {
    auto random = stream(7);
    const auto traits = model->draw_traits(random);
    Matrix own(people.stages.size(), 3);
    const std::vector<double> xi{3, 2, 1};
    for (std::size_t j = 0; j < own.rows(); ++j)
      std::copy(xi.begin(), xi.end(), own.row(j).begin());
    auto timeline = people.timeline();
    timeline.cell_event_times = std::as_const(own).view();
    REQUIRE(measured(*model, timeline, traits, stream(8)) ==
            measured(*model, People(people.stages, xi).timeline(), traits, stream(8)));
  }
}

// Traits are drawn once per cohort and biomarker, all equally likely.
TEST_CASE("traits", "[measurement_model]") {
  const auto [id, values] = GENERATE(table<std::string, std::vector<int>>(
      {{"ebm_non_normal", {1, 2, 3, 4, 5, 6}}, {"ebm_normal", {}}, {"sigmoid", {-1, 1}}}));
  CAPTURE(id);
  const auto model = shipped().measurement_model(part(id), plain_biomarkers(6000));
  auto random = stream(1);
  const auto traits = model->draw_traits(random);
  REQUIRE(traits.size() == (values.empty() ? 0 : 6000));
  if (values.empty()) return;
  std::vector<double> counts;
  for (const int value : values)
    counts.push_back(static_cast<double>(std::count(traits.begin(), traits.end(), value)));
  REQUIRE(mean(counts) * static_cast<double>(counts.size()) == 6000.0);  // and nothing else
  REQUIRE(chi_square_p_value(counts, std::vector(counts.size(), 1.0)) > kRarely);
}

}  // namespace tempo::test
