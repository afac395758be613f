#include "results/codec.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "results/training_history.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

/// Everything that a fit may find, of two biomarkers and three participants.
FitDetails rich() {
  FitDetails out;
  out.biomarkers = {"a", "b"};
  out.participants = {"p", "q", "r"};
  out.true_ranks = {2, 1};
  out.event_scores = {0.1, 1e-300};
  out.event_times = {0.25, 0.75};
  out.stages = {0.0, 1.5, 2.0};
  out.event_time_spreads = {{0.1, 0.0, 0.5}, {0.2, 0.5, 1.0}};
  out.rank_posterior = matrix({{0.25, 0.75}, {0.75, 0.25}});
  out.stage_posterior = matrix({{1, 0, 0}, {0, 0.5, 0.5}, {0, 0, 1}});
  out.evidence = Evidence{{-1.0, -2.5, -3.0}, -6.5, 0.5, -6.75, 0.25, kMissing, 1, 100, 7, {1}};
  out.chains = ChainAgreement{1.01, 50.0, kMissing, 60.0, 1.03};
  out.log_likelihood_trace = matrix({{-3.5, -std::numeric_limits<double>::infinity()}});
  out.checks = {{"b", true, "mean", 1.5, 1.0, 0.25, 0.125}};
  out.diagnostics = {{"acceptance", 0.25}, {"unknown", kMissing}};
  out.subtypes = SubtypeInference{matrix({{1, 2}, {2, 1}}),
                                  {0.25, 0.75},
                                  matrix({{1, 0}, {0, 1}, {0.5, 0.5}}),
                                  {-9.0, -8.5},
                                  {matrix({{0.5, 0.5}, {0.5, 0.5}}), matrix({{0, 1}, {1, 0}})}};
  out.rank_calibration = Calibration{2, 1.75, {0.5, 0, 0, 0, 1, 0, 0, 0, 0.25, 0.25}};
  out.stage_calibration = Calibration{3, 3, {0, 0, 0, 0, 3, 0, 0, 0, 0, 0}};
  return out;
}

FitDetails read(const FitDetails& details, DetailParts parts = DetailParts::all()) {
  return codec::details_from(codec::to_text(details), parts);
}

}  // namespace

TEST_CASE("details come back as they were", "[results][codec]") {
  const auto before = rich();
  const auto after = read(before);
  REQUIRE(after.biomarkers == before.biomarkers);
  REQUIRE(after.participants == before.participants);
  REQUIRE(after.true_ranks == before.true_ranks);
  REQUIRE(after.event_scores == before.event_scores);
  REQUIRE(after.event_times == before.event_times);
  REQUIRE(after.stages == before.stages);
  REQUIRE(after.event_time_spreads->size() == 2);
  REQUIRE(after.event_time_spreads->at(1).low == 0.5);
  REQUIRE(*after.rank_posterior == *before.rank_posterior);
  REQUIRE(*after.stage_posterior == *before.stage_posterior);
  REQUIRE(*after.log_likelihood_trace == *before.log_likelihood_trace);
  SECTION("evidence, what is not known included") {
    const auto& evidence = *after.evidence;
    REQUIRE(evidence.log_scores == before.evidence->log_scores);
    REQUIRE(std::vector{evidence.elpd_loo, evidence.elpd_loo_se, evidence.elpd_waic,
                        evidence.elpd_waic_se} == std::vector{-6.5, 0.5, -6.75, 0.25});
    REQUIRE(std::isnan(evidence.elpd_mcse));
    REQUIRE(evidence.pareto_k_high == 1);
    REQUIRE(evidence.draws == 100);
    REQUIRE(evidence.states == 7);
    REQUIRE(evidence.clipped_biomarkers == std::vector<std::size_t>{1});
  }
  SECTION("chains") {
    const auto& chains = *after.chains;
    REQUIRE(std::vector{chains.r_hat, chains.effective_samples,
                        chains.effective_samples_log_likelihood,
                        chains.r_hat_traits.value()} == std::vector{1.01, 50.0, 60.0, 1.03});
    REQUIRE(std::isnan(chains.r_hat_log_likelihood));
  }
  SECTION("checks and free numbers") {
    REQUIRE(after.checks.size() == 1);
    REQUIRE(after.checks[0].biomarker == "b");
    REQUIRE(after.checks[0].diseased);
    REQUIRE(after.checks[0].p == 0.125);
    REQUIRE(after.diagnostics.size() == 2);
    REQUIRE(after.diagnostics.at("acceptance") == 0.25);
    REQUIRE(std::isnan(after.diagnostics.at("unknown")));
  }
  SECTION("calibration") {
    REQUIRE(after.rank_calibration->truths == 2);
    REQUIRE(after.rank_calibration->inside == 1.75);
    REQUIRE(after.rank_calibration->tenths == before.rank_calibration->tenths);
    REQUIRE(after.stage_calibration->truths == 3);
    REQUIRE(after.stage_calibration->tenths == before.stage_calibration->tenths);
  }
  SECTION("subtypes") {
    REQUIRE(after.subtypes->event_scores == before.subtypes->event_scores);
    REQUIRE(after.subtypes->shares == before.subtypes->shares);
    REQUIRE(after.subtypes->posterior == before.subtypes->posterior);
    REQUIRE(after.subtypes->log_evidence == before.subtypes->log_evidence);
    REQUIRE(after.subtypes->rank_posteriors == before.subtypes->rank_posteriors);
  }
}

TEST_CASE("what a fit has not found is absent", "[results][codec]") {
  FitDetails plain;
  plain.event_scores = {1.0, 2.0};
  const auto after = read(plain);
  REQUIRE(after.event_scores == plain.event_scores);
  REQUIRE_FALSE(after.event_times);
  REQUIRE_FALSE(after.event_time_spreads);
  REQUIRE_FALSE(after.rank_posterior);
  REQUIRE_FALSE(after.stage_posterior);
  REQUIRE_FALSE(after.evidence);
  REQUIRE_FALSE(after.chains);
  REQUIRE_FALSE(after.log_likelihood_trace);
  REQUIRE_FALSE(after.subtypes);
  REQUIRE_FALSE(after.rank_calibration);
  REQUIRE_FALSE(after.stage_calibration);
  REQUIRE(after.stages.empty());
  REQUIRE(after.checks.empty());
  REQUIRE(after.diagnostics.empty());
}

TEST_CASE("parts that nobody asks for are not read", "[results][codec]") {
  const auto order = read(rich(), {DetailPart::order});
  REQUIRE(order.event_scores == rich().event_scores);
  REQUIRE(order.event_times == rich().event_times);
  REQUIRE(order.biomarkers.empty());
  REQUIRE(order.stages.empty());
  REQUIRE_FALSE(order.stage_posterior);
  REQUIRE_FALSE(order.evidence);
  const auto evidence = read(rich(), {DetailPart::evidence, DetailPart::names});
  REQUIRE(evidence.evidence->log_scores == rich().evidence->log_scores);
  REQUIRE(evidence.participants == rich().participants);
  REQUIRE(evidence.event_scores.empty());
  REQUIRE_FALSE(evidence.chains);
}

TEST_CASE("details of version 1 get types", "[results][codec][version_1]") {
  const auto details = codec::details_from(
      R"({"event_scores": [1.0], "log_scores": [-1.0, -2.0], "diagnostics": {"elpd_mcse": 3.5,
      "elpd_loo": -3.0, "pareto_k_high": 1.0, "evidence_draws": 100.0, "r_hat": null,
      "effective_samples": 50.0, "acceptance": 0.25},
      "log_likelihood_trace": [[-3.5, -2.25], [null, -1.0]]})",
      DetailParts::all());
  REQUIRE(details.evidence->log_scores == std::vector{-1.0, -2.0});
  REQUIRE(details.evidence->elpd_mcse == 3.5);
  REQUIRE(details.evidence->elpd_loo == -3.0);
  REQUIRE(details.evidence->pareto_k_high == 1);
  REQUIRE(details.evidence->draws == 100);
  REQUIRE(std::isnan(details.chains->r_hat));
  REQUIRE(details.chains->effective_samples == 50.0);
  REQUIRE_FALSE(details.chains->r_hat_traits);
  REQUIRE(details.diagnostics == std::map<std::string, double>{{"acceptance", 0.25}});
  // JSON has no infinity: of a log-likelihood null is one.
  REQUIRE(*details.log_likelihood_trace ==
          matrix({{-3.5, -2.25}, {-std::numeric_limits<double>::infinity(), -1.0}}));
}

TEST_CASE("how far fits of bayes 1.2 with several families were off is not known",
          "[results][codec][version_1]") {
  const auto details = codec::details_from(
      R"({"log_scores": [-1.0], "diagnostics": {"elpd_mcse": 3.5, "families": 6}})",
      {DetailPart::evidence});
  REQUIRE(std::isnan(details.evidence->elpd_mcse));
}

TEST_CASE("what tempo never wrote is refused in words", "[results][codec]") {
  const std::string deep =
      "{\"stages\": " + std::string(100'000, '[') + "0" + std::string(100'000, ']') + "}";
  constexpr DetailParts kStages{DetailPart::stages};
  REQUIRE_THROWS_WITH(codec::details_from(deep, kStages),
                      "it is damaged: lists and objects lie more than 64 deep in each other");
  REQUIRE_THROWS_WITH(codec::details_from("{\"stages\": [", kStages),
                      "it is damaged: a text stops being JSON at byte 13 of 12");
}

TEST_CASE("warnings have a kind", "[results][codec]") {
  const std::vector<Warning> warnings{{Warning::Kind::method, "one, \"quoted\""},
                                      {Warning::Kind::missing_values, "two"}};
  REQUIRE(codec::warnings_from(codec::to_text(warnings)) == warnings);
  REQUIRE(codec::warnings_from("").empty());
}

TEST_CASE("the kind of warnings of version 1 is told from their words",
          "[results][codec][version_1]") {
  const std::string count =
      "7 of 200 measurements are missing and were left out: b0 (1 healthy, 2 diseased)";
  const std::string imputed =
      "7 of 200 measurements are missing, and the method put values in their place: b0";
  for (const auto& text : {count, imputed})
    REQUIRE(codec::warnings_from(codec::to_text(std::vector<std::string>{text})) ==
            std::vector<Warning>{{Warning::Kind::missing_values, text}});
  for (const std::string other :
       {"b0: no measurements are missing", "some measurements are missing", "7 of 200 are far off",
        "participants whose measurements are missing are unlike the others: 7", ""})
    REQUIRE(codec::warnings_from(codec::to_text(std::vector{other})) ==
            std::vector<Warning>{{Warning::Kind::method, other}});
}

TEST_CASE("numbers that their type cannot hold are refused", "[results][codec]") {
  const std::string damaged = "it is damaged: ";
  for (const std::string number : {"-1", "256", "0.5", "1e300", "true", "\"1\""})
    REQUIRE_THROWS_WITH(codec::flags_from("[1, " + number + "]"),
                        Catch::Matchers::StartsWith(damaged));
  REQUIRE(codec::flags_from("[1, 0.0]") == std::vector<std::uint8_t>{1, 0});
  REQUIRE_THROWS_WITH(codec::integers_from("[3000000000]"), Catch::Matchers::StartsWith(damaged));
  REQUIRE(codec::integers_from("[-3]") == std::vector{-3});
  REQUIRE_THROWS_WITH(
      codec::details_from(R"({"layout": 2, "true_ranks": [-1]})", DetailParts::all()),
      Catch::Matchers::StartsWith(damaged));
  REQUIRE_THROWS_WITH(codec::description_from(R"({"seed": -1})"),
                      Catch::Matchers::StartsWith(damaged));
}

TEST_CASE("a history of a training has a number in each column of each epoch", "[results][codec]") {
  const std::string two = "epoch,loss\n1,0.5\n2,0.25\n";
  REQUIRE(to_csv(training_history_from(two)) == two);
  for (const std::string damaged : {"epoch,loss\n1\n", "epoch,loss\n1,2,3\n"})
    REQUIRE_THROWS_WITH(training_history_from(damaged),
                        Catch::Matchers::Contains("a training history is damaged"));
}

TEST_CASE("a description keeps no folder of a plugin", "[results][codec][privacy]") {
  const auto run = codec::description_from(
      R"({"plugins": [{"kind": "method", "id": "m", "version": "1", "file": "/home/u/m.so", "content": "k"}]})");
  REQUIRE(run->plugins.at(0).file == "m.so");
}

TEST_CASE("a description comes back as it was", "[results][codec]") {
  RunDescription run;
  run.tempo = "1";
  run.seed = 7;
  run.cohorts.source = RunDescription::Cohorts::Source::table;
  run.cohorts.path = "clinic.csv";
  run.cohorts.content = "key";
  run.limit = "limit";
  run.hypotheses.resize(2);
  run.hypotheses[0].id = "silent";
  run.hypotheses[1] = {"open", "p", "ranks", EventScale::ranks, "beta", "normal", false};
  run.methods = {{"m", "p", R"({"a":1})", Distributions::sampled}, {"n", "q", "{}", std::nullopt}};
  run.plugins = {{"method", "p", "1.0.0", "p.so", "key"}, {"method", "q", "1.0.0", "", ""}};
  const auto text = codec::to_text(run);
  const auto after = codec::description_from(text);
  REQUIRE(after);
  REQUIRE(codec::to_text(*after) == text);
  REQUIRE_FALSE(after->hypotheses[0].events);
  REQUIRE_FALSE(after->hypotheses[0].measures_normals);
  REQUIRE(after->hypotheses[1].events == EventScale::ranks);
  REQUIRE(after->hypotheses[1].measures_normals == false);
  REQUIRE(after->methods[0].distributions == Distributions::sampled);
  REQUIRE_FALSE(after->methods[1].distributions);
  REQUIRE(after->plugins[0].content == "key");
  REQUIRE_FALSE(codec::description_from(""));
}

}  // namespace tempo::test
