// What holds for every measurement model. A new one adds its name.

#include <algorithm>
#include <cmath>

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
