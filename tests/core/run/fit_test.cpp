#include "run/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "small_experiment.hpp"
#include "tempo/error.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::WithinAbs;
using Lines = std::vector<std::string>;

constexpr std::size_t kParticipants = 40;

/// A method under watch.
class Watched {
 public:
  explicit Watched(const std::string& plugin = "probe") {
    entry_.part = part(plugin);
    set("log", log().string());
  }

  template <class T>
  Watched& set(const char* key, T value) {
    ParameterValue setting;
    setting.value = value;
    entry_.part.settings.set(key, setting);
    return *this;
  }
  Watched& order(ColumnOrder order) {
    entry_.column_order = order;
    return *this;
  }

  Watched& withhold_diagnosis() {
    entry_.withhold_diagnosis = true;
    return *this;
  }

  FitRecord fit(const SimulatedCohort& cohort, std::size_t number = 0,
                const Experiment& experiment = {}) const {
    static const Registry registry({{TEMPO_PROBES, "test", true}});
    return fit_and_score(*registry.method(entry_.part), entry_, cohort, experiment, "h", number);
  }

  /// What each fit saw: columns, number of labels, number of diagnoses.
  Lines seen() const {
    Lines lines;
    std::istringstream text(read_text(log()));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

 private:
  std::filesystem::path log() const { return folder_.path() / "log"; }

  TemporaryFolder folder_;
  MethodEntry entry_;
};

SimulatedCohort cohort() {
  auto random = stream(3);
  const auto process = shipped().hypothesis(part("h3"), plain_biomarkers(5));
  auto made = process->simulate({kParticipants, 0.5}, random);
  made.cohort.diagnoses.assign(kParticipants, "CN");
  return made;
}

/// The same cohort with its columns in another order, as a file may hold it.
SimulatedCohort reordered(const SimulatedCohort& from, const std::vector<std::size_t>& columns) {
  auto to = from;
  to.cohort = with_columns(from.cohort, columns);
  std::vector<std::size_t> ranks;
  for (std::size_t b = 0; b < columns.size(); ++b) {
    to.truth.event_times[b] = from.truth.event_times[columns[b]];
    ranks.push_back(from.truth.event_ranks[columns[b]]);
  }
  to.truth.event_ranks = Ranks(ranks);
  return to;
}

/// The names in a line of `seen`.
Lines columns_of(const std::string& line) {
  std::istringstream text(line);
  Lines names(5);
  for (auto& name : names) text >> name;
  return names;
}

}  // namespace

TEST_CASE("a method sees the columns in the order asked for", "[engine][fit]") {
  const auto truth = cohort();
  Watched method;

  SECTION("random: an order per cohort, the same each time") {
    for (const std::size_t number : {0, 1, 2, 0}) method.fit(truth, number);
    const auto seen = method.seen();
    REQUIRE(seen[0] == seen[3]);
    REQUIRE(Lines{seen[0], seen[1], seen[2]} != Lines(3, seen[0]));
    for (const auto& line : seen) {
      auto columns = columns_of(line);
      std::sort(columns.begin(), columns.end());
      REQUIRE(columns == truth.cohort.biomarkers);
    }
  }
  SECTION("random: whatever the order in the cohort") {
    const auto first = method.fit(truth);
    const auto again = method.fit(reordered(truth, {4, 2, 0, 1, 3}));
    const auto seen = method.seen();
    REQUIRE(seen[0] == seen[1]);
    REQUIRE(first.result.scores.tau_distance == again.result.scores.tau_distance);
  }
  SECTION("alphabetical") {
    method.order(ColumnOrder::alphabetical).fit(reordered(truth, {4, 2, 0, 1, 3}));
    REQUIRE(columns_of(method.seen()[0]) == Lines{"b0", "b1", "b2", "b3", "b4"});
  }
  SECTION("truth: the first event first") {
    method.order(ColumnOrder::truth).fit(truth);
    Lines in_order(5);
    for (std::size_t b = 0; b < 5; ++b)
      in_order[truth.truth.event_ranks[b] - 1] = truth.cohort.biomarkers[b];
    REQUIRE(columns_of(method.seen()[0]) == in_order);
  }
}

TEST_CASE("a method sees the diagnosis only if it says what for", "[engine][fit]") {
  const Watched blind("probe");
  blind.fit(cohort());
  REQUIRE(blind.seen()[0].ends_with(" 0 0"));

  const Watched labelled("labelled_probe");
  labelled.fit(cohort());
  REQUIRE(labelled.seen()[0].ends_with(" 40 40"));

  Watched optional("optional_probe");
  optional.fit(cohort());
  optional.withhold_diagnosis().fit(cohort());
  REQUIRE(optional.seen()[0].ends_with(" 40 40"));
  REQUIRE(optional.seen()[1].ends_with(" 0 0"));
}

TEST_CASE("results come back in the order of the cohort", "[engine][fit]") {
  const auto truth = reordered(cohort(), {4, 2, 0, 1, 3});
  const auto record = Watched().fit(truth);
  const auto& details = record.details;
  REQUIRE(details.biomarkers == truth.cohort.biomarkers);
  REQUIRE(details.participants.size() == kParticipants);
  for (std::size_t b = 0; b < truth.truth.event_ranks.size(); ++b)
    REQUIRE(details.true_ranks[b] == truth.truth.event_ranks[b]);
  REQUIRE(details.diagnostics == std::map<std::string, double>{{"columns", 5.0}});
  REQUIRE(details.stages == std::vector<double>(kParticipants, 1.0));
  std::vector<double> means(5, 0.0);
  for (std::size_t b = 0; b < 5; ++b) {
    for (std::size_t j = 0; j < kParticipants; ++j)
      means[b] += truth.cohort.measurements(j, b) / kParticipants;
    REQUIRE_THAT(details.event_scores[b], WithinAbs(means[b], 1e-12));
    // The probe gives biomarker bN the time N / 10 and, for certain, the rank N + 1.
    const auto number = static_cast<std::size_t>(truth.cohort.biomarkers[b].back() - '0');
    const auto time = static_cast<double>(number) / 10.0;
    REQUIRE(details.event_times->at(b) == time);
    const auto& spread = details.event_time_spreads->at(b);
    REQUIRE(std::vector{spread.sd, spread.low, spread.high} ==
            std::vector{static_cast<double>(number) / 100.0, time, 1.0});
    // ... and a check of bN whose observed number is N.
    const auto& check = details.checks[b];
    REQUIRE(check.biomarker == fmt::format("b{}", check.observed));
    REQUIRE(check.diseased);
    REQUIRE(check.p == 0.25);
    // Rows are biomarkers, columns are ranks, which no order of columns changes.
    for (std::size_t rank = 0; rank < 5; ++rank)
      REQUIRE((*details.rank_posterior)(b, rank) == (rank == number ? 1.0 : 0.0));
  }
  const auto& scores = record.result.scores;
  REQUIRE(scores.tau_distance == tau_distance(means, truth.truth.event_ranks));
  REQUIRE(scores.sequence_mae == sequence_mae(details.event_scores, truth.truth.event_times));
  REQUIRE(scores.stage_mae ==
          stage_mae(std::vector<double>(kParticipants, 1.0), truth.truth.ordinal_stages, 5));
}

namespace {

FitRecord fit_by_subtype_probe(const SimulatedCohort& cohort, const Experiment& experiment) {
  static const Registry registry({{TEMPO_ASSUMING_PROBES, "test", true}});
  MethodEntry entry;
  entry.part = part("subtype_probe");
  return fit_and_score(*registry.method(entry.part), entry, cohort, experiment, "h", 0);
}

}  // namespace

TEST_CASE("what a method says of subtypes is put back into the cohort's columns", "[engine][fit]") {
  const auto truth = cohort();
  const auto found = fit_by_subtype_probe(truth, {}).details.subtypes;
  for (std::size_t b = 0; b < 5; ++b) {
    const auto number = static_cast<std::size_t>(truth.cohort.biomarkers[b].back() - '0');
    REQUIRE(found->event_scores(0, b) == static_cast<double>(number));
    for (std::size_t rank = 0; rank < 5; ++rank)
      REQUIRE(found->rank_posteriors[0](b, rank) == (rank == number ? 1.0 : 0.0));
  }
}

TEST_CASE("a number of subtypes that rests on estimates is told", "[engine][fit]") {
  auto of_clinic = cohort();
  of_clinic.truth = {};
  TableCohort table;
  table.simulation.emplace();
  const auto warns = [&] {
    Experiment experiment;
    experiment.cohorts = table;
    const auto warnings = fit_by_subtype_probe(of_clinic, experiment).result.warnings;
    return std::any_of(warnings.begin(), warnings.end(), [](const Warning& warning) {
      return warning.text.starts_with("do not report how many subtypes there are");
    });
  };
  REQUIRE_FALSE(warns());  // a table of known distributions
  table.not_separating.emplace();
  REQUIRE(warns());
}

TEST_CASE("posteriors of stages are kept only if asked for", "[engine][fit]") {
  Experiment experiment;
  REQUIRE(!Watched().fit(cohort(), 0, experiment).details.stage_posterior);
  experiment.keep_stage_posteriors = true;
  const auto posterior = Watched().fit(cohort(), 0, experiment).details.stage_posterior;
  REQUIRE(posterior->rows() == kParticipants);
  REQUIRE(posterior->cols() == 6);
}

TEST_CASE("of a real cohort nothing is scored, of a replicate the order alone is kept",
          "[engine][fit]") {
  Experiment experiment;
  experiment.cohorts = TableCohort();
  experiment.keep_stage_posteriors = true;
  auto real = cohort();
  real.truth = {};
  const auto itself = Watched().fit(real, 0, experiment);
  REQUIRE(std::isnan(itself.result.scores.tau_distance));
  REQUIRE(std::isnan(itself.result.scores.stage_mae));
  REQUIRE(itself.details.biomarkers.empty());
  REQUIRE(itself.details.participants.empty());
  REQUIRE(itself.details.true_ranks.empty());
  REQUIRE(itself.details.stages.size() == kParticipants);
  REQUIRE(itself.details.stage_posterior);
  const auto replicate = Watched().fit(real, 1, experiment).details;
  REQUIRE(replicate.event_scores.size() == 5);
  REQUIRE(replicate.event_times->size() == 5);
  REQUIRE(replicate.stages.empty());
  REQUIRE_FALSE(replicate.stage_posterior);
  REQUIRE_FALSE(replicate.rank_posterior);
  REQUIRE(replicate.checks.empty());
  REQUIRE(replicate.diagnostics.empty());
}

TEST_CASE("settings of a method are compared on common random numbers", "[engine][fit]") {
  Watched method;
  method.set("noise", 1.0);
  const auto scores = [&](std::size_t number, const Experiment& experiment) {
    return method.fit(cohort(), number, experiment).details.event_scores;
  };
  const auto plain = scores(0, {});
  REQUIRE(scores(0, {}) == plain);
  REQUIRE(scores(1, {}) != plain);
  Experiment other;
  other.seed = 1;
  REQUIRE(scores(0, other) != plain);
  method.set("shift", 100.0);
  const auto shifted = scores(0, {});
  for (std::size_t b = 0; b < 5; ++b) REQUIRE_THAT(shifted[b], WithinAbs(plain[b] + 100.0, 1e-9));
}

TEST_CASE("a fit that comes to nothing is a record that says why", "[engine][fit]") {
  SECTION("the method throws") {
    const auto record =
        Watched().order(ColumnOrder::alphabetical).set("fails_on", std::string("b0")).fit(cohort());
    REQUIRE(record.result.status == FitStatus::failed);
    REQUIRE(record.result.error == "plugin probe, while fitting: cannot start with b0");
    REQUIRE(std::isnan(record.result.scores.tau_distance));
    REQUIRE(record.details.event_scores.empty());
  }
  SECTION("line breaks would break the tables") {
    REQUIRE(failed_fit("one\ntwo", 0.5).result.error == "one; two");
    REQUIRE(failed_fit("one\ntwo", 0.5).result.seconds == 0.5);
  }
}

TEST_CASE("a failure with a name keeps it, and giving up is none", "[engine][fit]") {
  struct Failing final : InferenceMethod {
    explicit Failing(std::function<void()> what) : fail(std::move(what)) {
      set_plugin_id("failing");
      decide_abilities(LabelUse::none, MissingData::refused);
    }
    Inference do_fit(const Cohort&, RandomStream&) const override {
      fail();
      return {};
    }
    std::function<void()> fail;
  };
  const auto result_of = [](std::function<void()> what) {
    MethodEntry entry;
    entry.part = part("failing");
    return fit_and_score(Failing(std::move(what)), entry, cohort(), Experiment(), "h", 0).result;
  };
  const std::vector<std::pair<FailureKind, FitStatus>> kinds{
      {FailureKind::timed_out, FitStatus::timed_out},
      {FailureKind::out_of_memory, FitStatus::out_of_memory},
      {FailureKind::not_applicable, FitStatus::not_applicable},
      {FailureKind::bad_answer, FitStatus::bad_answer}};
  for (const auto& [kind, status] : kinds) {
    const auto result = result_of([kind = kind] { throw FitFailure(kind, "why"); });
    REQUIRE(result.status == status);
    REQUIRE(result.error == "plugin failing, while fitting: why");
  }
  const auto stopped = result_of([] { throw Stopped("stop"); });
  REQUIRE(stopped.status == FitStatus::pending);
  REQUIRE(stopped.error.empty());
  REQUIRE(result_of([] { throw Error("caf\xE9"); }).error ==
          "plugin failing, while fitting: caf\xEF\xBF\xBD");
}

TEST_CASE("what a method has to say is kept", "[engine][fit]") {
  const auto record = Watched().order(ColumnOrder::alphabetical).set("warns", true).fit(cohort());
  REQUIRE(record.result.status == FitStatus::ok);
  REQUIRE(record.result.warnings ==
          std::vector<Warning>{{Warning::Kind::method, "first column is b0"}});
}

TEST_CASE("missing cells are counted where the method takes them", "[engine][fit][missing]") {
  auto truth = cohort();
  truth.cohort.measurements(0, 0) = truth.cohort.measurements(3, 2) = std::nan("");
  for (auto& cell : truth.cohort.measurements.row(7)) cell = std::nan("");
  MethodEntry entry;
  entry.part = part("debm");
  const auto record =
      fit_and_score(*shipped().method(entry.part), entry, truth, Experiment(), "h", 0);
  REQUIRE(record.result.error.empty());
  // Participant 7 lacks all five; b0 and b2 lack one more each.
  const auto group = [&](std::size_t j) { return truth.cohort.diseased[j] != 0; };
  std::string counts;
  for (const std::size_t b : {0, 1, 2, 3, 4}) {
    std::size_t diseased = group(7);
    if (b == 0) diseased += group(0);
    if (b == 2) diseased += group(3);
    const std::size_t all = b == 0 || b == 2 ? 2 : 1;
    counts += fmt::format("{}{} ({} healthy, {} diseased)", b == 0 ? "" : ", ",
                          truth.cohort.biomarkers[b], all - diseased, diseased);
  }
  REQUIRE(record.result.warnings.front().text ==
          "7 of 200 measurements are missing and were left out: " + counts + "; without any: '7'");
  REQUIRE(record.result.warnings.front().kind == Warning::Kind::missing_values);

  // One that imputes does not leave them out.
  auto imputing = shipped().method(entry.part);
  imputing->set_abilities(LabelUse::fit, MissingData::imputed);
  const auto imputed = fit_and_score(*imputing, entry, truth, Experiment(), "h", 0);
  REQUIRE(imputed.result.warnings.front().text ==
          "7 of 200 measurements are missing, and the method put values in their place: " + counts +
              "; without any: '7'");
}

TEST_CASE("cohorts with subtypes have scores of their own", "[engine][fit][subtypes]") {
  SimulatedCohort truth{{{"p", "q", "r"}, {"a", "b", "c"}, Matrix(3, 3), {1, 1, 0}, {}},
                        {{1, 2, 3}, Ranks({1, 2, 3}), false, {1, 2, 0}, false, {1, 2, 0}, {}}};
  truth.truth.subtypes =
      TrueSubtypes{{{{1, 2, 3}, Ranks({1, 2, 3})}, {{3, 2, 1}, Ranks({3, 2, 1})}}, {0, 1, -1}};
  Inference found;
  found.event_scores = {1, 2, 3};
  found.stages = {1, 1, 0};

  SECTION("one order answers what it can") {
    const auto scores = scores_of(found, truth);
    REQUIRE(scores.tau_distance == 0.0);
    REQUIRE(scores.matched_tau_distance == 0.5);
    REQUIRE(scores.assigned_tau_distance == 0.5);
    REQUIRE(std::isnan(scores.subtype_score));
    REQUIRE(std::isnan(scores.subtype_number_error));
  }
  SECTION("several orders are matched and assigned") {
    found.subtypes = SubtypeInference{matrix({{3, 2, 1}, {1, 2, 3}, {2, 1, 3}}),
                                      {0.5, 0.5, 0.0},
                                      matrix({{0.1, 0.9, 0}, {0.6, 0.4, 0}, {1, 0, 0}}),
                                      {}};
    const auto scores = scores_of(found, truth);
    REQUIRE(scores.matched_tau_distance == 0.0);
    REQUIRE(scores.assigned_tau_distance == 0.0);
    REQUIRE(scores.subtype_score == 1.0);
    REQUIRE(scores.subtype_number_error == 1.0);
  }
  SECTION("cohorts without have none") {
    truth.truth.subtypes.reset();
    REQUIRE_FALSE(scores_of(found, truth).has_subtypes());
  }
}

}  // namespace tempo::test
