// A model applied to cohorts: columns by name, missing cells, what it refuses.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tempo/error.hpp"
#include "training_support.hpp"

namespace tempo::test {
namespace {

using amortised::Preset;
using Catch::Matchers::Contains;

/// An untrained model of biomarkers a, b, c, through the plugin.
std::unique_ptr<InferenceMethod> loaded(Preset preset) {
  const TemporaryFolder folder;
  amortised::write_model(untrained(preset, 3), folder.path() / "model");
  return small_tempo()->load(folder.path() / "model", 1);
}

Cohort cohort() {
  Cohort out;
  out.biomarkers = {"b", "a", "c"};
  out.measurements = Matrix(6, 3);
  auto draw = stream(2);
  for (std::size_t j = 0; j < 6; ++j) {
    out.participants.push_back(fmt::format("p{}", j));
    out.diseased.push_back(j > 1);
    for (std::size_t b = 0; b < 3; ++b) out.measurements(j, b) = 1.0 + 2.0 * draw.normal();
  }
  return out;
}

Inference fit(const InferenceMethod& method, const Cohort& cohort) {
  auto draw = stream(1);
  return method.fit(cohort, draw);
}

}  // namespace

TEST_CASE("a model says what it does with labels and missing cells", "[tempo][infer]") {
  const auto method = loaded(Preset::compact);
  REQUIRE(method->plugin_id() == "tempo");
  REQUIRE(method->label_use() == LabelUse::infer);
  REQUIRE(method->missing_data() == MissingData::imputed);
}

TEST_CASE("columns are found by name: their order does not matter", "[tempo][infer]") {
  const auto method = loaded(GENERATE(Preset::compact, Preset::paper));
  const auto one = fit(*method, cohort());
  const auto other = fit(*method, with_columns(cohort(), {2, 0, 1}));
  REQUIRE(other.event_scores ==
          std::vector<double>{one.event_scores[2], one.event_scores[0], one.event_scores[1]});
  REQUIRE(other.stages == one.stages);
  for (const auto time : *one.event_times) REQUIRE((time >= 0.0 && time <= 1.0));
  for (const auto stage : one.stages) REQUIRE((stage >= 0.0 && stage <= 3.0));
  REQUIRE(one.warnings.empty());
  REQUIRE(one.rank_posterior.has_value() == other.rank_posterior.has_value());
  for (std::size_t rank = 0; one.rank_posterior && rank < 3; ++rank)
    for (const auto& [here, there] : {std::pair{0, 2}, {1, 0}, {2, 1}})
      REQUIRE((*other.rank_posterior)(static_cast<std::size_t>(here), rank) ==
              (*one.rank_posterior)(static_cast<std::size_t>(there), rank));
}

TEST_CASE("ranks are drawn as orders: every rank is somebody's", "[tempo][infer]") {
  const auto found = fit(*loaded(Preset::compact), cohort());
  const auto& ranks = found.rank_posterior.value();
  for (std::size_t rank = 0; rank < 3; ++rank) {
    double sum = 0.0;
    for (std::size_t b = 0; b < 3; ++b) sum += ranks(b, rank);
    REQUIRE(sum == Approx(1.0));
  }
  // What has learnt nothing is sure of nothing.
  for (std::size_t b = 0; b < 3; ++b)
    for (std::size_t rank = 0; rank < 3; ++rank) REQUIRE(ranks(b, rank) > 0.0);
}

TEST_CASE("the compact network stages the healthy at 0 and gives a posterior", "[tempo][infer]") {
  const auto found = fit(*loaded(Preset::compact), cohort());
  REQUIRE(found.stages[0] == 0.0);
  REQUIRE(found.stages[1] == 0.0);
  REQUIRE((*found.stage_posterior)(0, 0) == 1.0);
}

TEST_CASE("biomarkers that the cohort lacks are all named", "[tempo][infer]") {
  auto other = cohort();
  other.biomarkers = {"x", "a", "y"};
  REQUIRE_THROWS_WITH(
      fit(*loaded(Preset::compact), other),
      Contains("the cohort lacks 2 of the model's 3 biomarkers: b, c; the model does "
               "not know x, y: leave them out"));
}

TEST_CASE("a biomarker that the model does not know is refused", "[tempo][infer]") {
  auto more = cohort();
  more.biomarkers.emplace_back("new");
  more.measurements = Matrix(6, 4);
  REQUIRE_THROWS_WITH(fit(*loaded(Preset::compact), more),
                      Contains("the model does not know new: leave it out"));
}

TEST_CASE("several cohorts in one pass are what each is alone", "[tempo][infer]") {
  const auto method = loaded(GENERATE(Preset::compact, Preset::paper));
  // Of 6 and 9 participants, in turns and with columns in turns.
  std::vector<Cohort> cohorts;
  auto draw = stream(4);
  for (std::size_t i = 0; i < 40; ++i) {
    cohorts.push_back(cohort());
    auto& one = cohorts.back();
    if (i % 2 == 1)
      for (const auto* id : {"q0", "q1", "q2"}) {
        one.participants.emplace_back(id);
        one.diseased.push_back(1);
      }
    one.measurements = Matrix(one.participant_count(), 3);
    for (auto& value : one.measurements.values()) value = 1.0 + 2.0 * draw.normal();
    if (i % 3 == 1) one = with_columns(one, {2, 0, 1});
  }
  for (std::size_t b = 0; b < 3; ++b)
    cohorts[7].measurements(0, b) = kMissing;  // a participant of whom nothing is known
  std::vector<RandomStream> streams(cohorts.size(), stream(1));
  const auto found = method->fit_all(cohorts, streams);
  REQUIRE(found.size() == cohorts.size());
  for (std::size_t i = 0; i < cohorts.size(); ++i) {
    const auto alone = fit(*method, cohorts[i]);
    for (std::size_t b = 0; b < 3; ++b)
      REQUIRE(found[i].event_scores[b] == Approx(alone.event_scores[b]).margin(1e-5));
    for (std::size_t j = 0; j < alone.stages.size(); ++j)
      REQUIRE(found[i].stages[j] == Approx(alone.stages[j]).margin(1e-4));
    REQUIRE(found[i].stage_posterior.has_value() == alone.stage_posterior.has_value());
    if (alone.stage_posterior)
      REQUIRE((*found[i].stage_posterior)(3, 1) ==
              Approx((*alone.stage_posterior)(3, 1)).margin(1e-5));
    REQUIRE(found[i].warnings.size() == (i == 7 ? 1 : 0));
  }
  cohorts[5].biomarkers[0] = "other";
  REQUIRE_THROWS_WITH(method->fit_all(cohorts, streams), Contains("the cohort lacks 1 of"));
}

TEST_CASE("cohorts go through the network in groups of one size", "[tempo][infer]") {
  std::vector<amortised::Samples> samples(6);
  for (std::size_t i = 0; i < 6; ++i) {
    samples[i].S = 1;
    samples[i].J = i == 3 ? 50 : 10;
    samples[i].B = 2;
    samples[i].x.assign(samples[i].J * 2, static_cast<float>(i));
  }
  const auto found = amortised::groups(samples, /*most_cells=*/45);
  REQUIRE(found == std::vector<std::vector<std::size_t>>{{0, 1}, {2, 4}, {3}, {5}});
  const auto both = amortised::joined(samples, found[1]);
  REQUIRE(both.S == 2);
  REQUIRE(both.J == 10);
  REQUIRE(both.x[19] == 2.0F);
  REQUIRE(both.x[20] == 4.0F);
}

TEST_CASE("a missing cell takes the mean of the training cohorts", "[tempo][infer]") {
  const auto method = loaded(GENERATE(Preset::compact, Preset::paper));
  auto missing = cohort(), imputed = cohort();
  missing.measurements(3, 1) = missing.measurements(4, 0) = kMissing;
  imputed.measurements(3, 1) = imputed.measurements(4, 0) = 1.0;  // the model's mean
  const auto found = fit(*method, missing), expected = fit(*method, imputed);
  REQUIRE(found.event_scores == expected.event_scores);
  REQUIRE(found.stages == expected.stages);
  REQUIRE(found.warnings == expected.warnings);  // callers count them
}

TEST_CASE("values beyond all reason are refused, not passed through", "[tempo][infer]") {
  auto odd = cohort();
  odd.measurements(2, 0) = 1e200;
  REQUIRE_THROWS_WITH(fit(*loaded(Preset::paper), odd), Contains("participant 'p2', b: 1e+200"));
}

TEST_CASE("files that are no models are refused", "[tempo][infer]") {
  const TemporaryFolder folder;
  const auto path = folder.write("model", "no model");
  REQUIRE_THROWS_WITH(small_tempo()->load(path, 1), Contains("loading " + path.string()));
  REQUIRE_THROWS_AS(small_tempo()->load(folder.path() / "absent", 1), PluginError);
}

}  // namespace tempo::test
