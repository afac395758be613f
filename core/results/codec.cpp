#include "results/codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "data/content_key.hpp"
#include "data/json_text.hpp"
#include "tempo/error.hpp"

namespace tempo::codec {
namespace {

using nlohmann::json;
using Ordered = nlohmann::ordered_json;

/// Texts of plugins may be anything; those of a store are UTF-8.
template <class Json>
std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

[[noreturn]] void refuse_stored(const std::string& what) { throw Error("it is damaged: " + what); }

/// Reads what a store holds. @throws Error, with the end of a sentence, if tempo did not write it
/// so
template <class Read, class Watch = std::nullptr_t>
auto read_stored(const std::string& text, const Read& read, const Watch& watch = nullptr) {
  if (too_deep_at(text)) refuse_stored(too_deep_in_words());
  try {
    return read(json::parse(text, watch));
  } catch (const json::parse_error& fault) {
    refuse_stored(fmt::format("a text stops being JSON at byte {} of {}", fault.byte, text.size()));
  } catch (const json::exception& fault) {
    // The library's words begin with a number of its own.
    const std::string_view words = fault.what();
    refuse_stored(std::string(words.substr(words.find("] ") + 2)));
  }
}

/// Likewise, a value of that type.
template <class Value>
Value stored_as(const std::string& text) {
  return read_stored(text, [](const json& found) { return found.get<Value>(); });
}

// ---- numbers and matrices. JSON has neither infinity nor NaN: both are null.

double number_or(const json& value, double if_null) {
  return value.is_number() ? value.get<double>() : if_null;
}

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

double number_in(const json& object, const char* key, double if_absent) {
  const auto found = object.find(key);
  return found == object.end() ? if_absent : number_or(*found, kNotKnown);
}

/// A whole number that the type holds: the library would turn any number into one.
template <class Whole>
Whole whole_from(const json& value) {
  // Version 1 kept counts among other numbers.
  constexpr double kMostExact = 9007199254740992.0;
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (!(std::abs(number) <= kMostExact) || number != std::floor(number))
      refuse_stored(fmt::format("expected a whole number, found {}", value.dump()));
    return whole_from<Whole>(json(static_cast<std::int64_t>(number)));
  }
  if (value.is_boolean())
    refuse_stored(fmt::format("expected a whole number, found {}", value.dump()));
  if (!value.is_number()) return value.get<Whole>();  // the library says what it is
  const bool fits = value.is_number_unsigned()
                        ? std::in_range<Whole>(value.get_ref<const json::number_unsigned_t&>())
                        : std::in_range<Whole>(value.get_ref<const json::number_integer_t&>());
  if (!fits) refuse_stored(fmt::format("the number {} is too large or too small", value.dump()));
  return value.get<Whole>();
}

template <class Whole>
std::vector<Whole> wholes_from(const json& list) {
  if (!list.is_array()) refuse_stored("expected a list of whole numbers");
  std::vector<Whole> out;
  for (const auto& value : list) out.push_back(whole_from<Whole>(value));
  return out;
}

template <class Whole>
Whole whole_in(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? Whole{0} : whole_from<Whole>(*found);
}

std::size_t count_in(const json& object, const char* key) {
  return whole_in<std::size_t>(object, key);
}

json rows_of(const Matrix& matrix) {
  auto rows = json::array();
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    rows.push_back(std::vector<double>(matrix.row(i).begin(), matrix.row(i).end()));
  return rows;
}

/// @param columns  of every row: a matrix without rows has some, too
Matrix matrix_from(const json& rows, std::size_t columns, double if_null = kNotKnown) {
  Matrix out(rows.size(), columns);
  for (std::size_t i = 0; i < out.rows(); ++i) {
    const auto& row = rows.at(i);
    if (!row.is_array() || row.size() != columns)
      refuse_stored(fmt::format("a row of a matrix has {} numbers, expected {}",
                                row.is_array() ? row.size() : 0, columns));
    for (std::size_t k = 0; k < columns; ++k) out(i, k) = number_or(row[k], if_null);
  }
  return out;
}

Matrix matrix_from(const json& rows, double if_null = kNotKnown) {
  return matrix_from(rows, rows.empty() ? 0 : rows.front().size(), if_null);
}

std::vector<double> numbers_from(const json& list) { return list.get<std::vector<double>>(); }

// ---- FitDetails

constexpr const char* kLayout = "layout";         // version 1 had none
constexpr const char* kLogScores = "log_scores";  // of version 1
constexpr const char* kRankCalibration = "rank_calibration";
constexpr const char* kStageCalibration = "stage_calibration";
constexpr const char* kDiagnostics = "diagnostics";  // of version 1 also what has types now
constexpr std::array kTypedDiagnostics{"r_hat",
                                       "effective_samples",
                                       "r_hat_log_likelihood",
                                       "effective_samples_log_likelihood",
                                       "r_hat_traits",
                                       "elpd_loo",
                                       "elpd_loo_se",
                                       "elpd_waic",
                                       "elpd_waic_se",
                                       "elpd_mcse",
                                       "pareto_k_high",
                                       "evidence_draws",
                                       "evidence_states"};

/// The keys that a part is read from, those of version 1 included.
std::vector<const char*> keys_of(DetailPart part) {
  switch (part) {
    case DetailPart::names:
      return {"biomarkers", "participants", "true_ranks"};
    case DetailPart::order:
      return {"event_scores", "event_times"};
    case DetailPart::stages:
      return {"stages"};
    case DetailPart::rank_posterior:
      return {"rank_posterior"};
    case DetailPart::time_spreads:
      return {"event_time_spreads"};
    case DetailPart::stage_posterior:
      return {"stage_posterior"};
    case DetailPart::evidence:
      return {"evidence", kLogScores};
    case DetailPart::chains:
      return {"chains", kDiagnostics};
    case DetailPart::trace:
      return {"log_likelihood_trace"};
    case DetailPart::checks:
      return {"checks"};
    case DetailPart::diagnostics:
      return {kDiagnostics};
    case DetailPart::subtypes:
      return {"subtypes"};
    case DetailPart::calibration:
      return {kRankCalibration, kStageCalibration};
  }
  return {};
}

std::vector<std::string> wanted_keys(DetailParts parts) {
  std::vector<std::string> out;
  for (unsigned bit = 1; bit <= static_cast<unsigned>(DetailPart::calibration); bit <<= 1U)
    if (const auto part = static_cast<DetailPart>(bit); parts.has(part))
      for (const auto* key : keys_of(part)) out.emplace_back(key);
  return out;
}

/// Whether a text can have one of these keys: most methods give no evidence and no traces, and
/// their details are not worth parsing for it.
bool may_have_any(const std::string& text, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
    return text.find('"' + key + '"') != std::string::npos;
  });
}

/// Which keys of a text are parsed for these; those of version 1 may need `diagnostics`, too.
class KeysToParse {
 public:
  explicit KeysToParse(std::vector<std::string> keys) : keys_(std::move(keys)) {
    keys_.emplace_back(kLayout);
    if (std::find(keys_.begin(), keys_.end(), kLogScores) != keys_.end())
      keys_.emplace_back(kDiagnostics);
  }
  bool operator()(int depth, json::parse_event_t event, const json& parsed) const {
    return depth != 1 || event != json::parse_event_t::key ||
           std::find(keys_.begin(), keys_.end(), parsed.get_ref<const std::string&>()) !=
               keys_.end();
  }

 private:
  std::vector<std::string> keys_;
};

json to_json(const Evidence& evidence) {
  json out{{kLogScores, evidence.log_scores},
           {"elpd_loo", evidence.elpd_loo},
           {"elpd_loo_se", evidence.elpd_loo_se},
           {"elpd_waic", evidence.elpd_waic},
           {"elpd_waic_se", evidence.elpd_waic_se},
           {"elpd_mcse", evidence.elpd_mcse},
           {"pareto_k_high", evidence.pareto_k_high},
           {"draws", evidence.draws},
           {"clipped_biomarkers", evidence.clipped_biomarkers}};
  if (evidence.states) out["states"] = *evidence.states;
  return out;
}

Evidence evidence_from(const json& numbers, const json& log_scores, const char* draws,
                       const char* states) {
  Evidence out;
  out.log_scores = numbers_from(log_scores);
  out.elpd_loo = number_in(numbers, "elpd_loo", 0.0);
  out.elpd_loo_se = number_in(numbers, "elpd_loo_se", 0.0);
  out.elpd_waic = number_in(numbers, "elpd_waic", 0.0);
  out.elpd_waic_se = number_in(numbers, "elpd_waic_se", 0.0);
  out.elpd_mcse = number_in(numbers, "elpd_mcse", 0.0);
  out.pareto_k_high = count_in(numbers, "pareto_k_high");
  out.draws = count_in(numbers, draws);
  if (numbers.contains(states)) out.states = count_in(numbers, states);
  return out;
}

std::optional<Evidence> evidence_in(const json& details) {
  if (const auto found = details.find("evidence"); found != details.end()) {
    auto out = evidence_from(*found, found->at(kLogScores), "draws", "states");
    out.clipped_biomarkers = wholes_from<std::size_t>(found->at("clipped_biomarkers"));
    return out;
  }
  const auto scores = details.find(kLogScores);
  if (details.contains(kLayout) || scores == details.end()) return std::nullopt;
  const auto diagnostics = details.value(kDiagnostics, json::object());
  auto out = evidence_from(diagnostics, *scores, "evidence_draws", "evidence_states");
  // bayes 1.2 and before missed families together with their distributions: how far it was off is
  // not known.
  if (number_in(diagnostics, "families", 1.0) > 1.0) out.elpd_mcse = kNotKnown;
  return out;
}

json to_json(const ChainAgreement& chains) {
  json out{{"r_hat", chains.r_hat},
           {"effective_samples", chains.effective_samples},
           {"r_hat_log_likelihood", chains.r_hat_log_likelihood},
           {"effective_samples_log_likelihood", chains.effective_samples_log_likelihood}};
  if (chains.r_hat_traits) out["r_hat_traits"] = *chains.r_hat_traits;
  return out;
}

std::optional<ChainAgreement> chains_in(const json& details) {
  const auto numbers =
      details.value(details.contains(kLayout) ? "chains" : kDiagnostics, json::object());
  if (!numbers.contains("r_hat")) return std::nullopt;
  ChainAgreement out;
  out.r_hat = number_in(numbers, "r_hat", 1.0);
  out.effective_samples = number_in(numbers, "effective_samples", 0.0);
  out.r_hat_log_likelihood = number_in(numbers, "r_hat_log_likelihood", 1.0);
  out.effective_samples_log_likelihood =
      number_in(numbers, "effective_samples_log_likelihood", 0.0);
  if (numbers.contains("r_hat_traits")) out.r_hat_traits = number_in(numbers, "r_hat_traits", 1.0);
  return out;
}

json to_json(const NamedCheck& check) {
  return {{"biomarker", check.biomarker},
          {"group", check.diseased ? "diseased" : "healthy"},
          {"statistic", check.statistic},
          {"observed", check.observed},
          {"mean", check.mean},
          {"sd", check.sd},
          {"p", check.p}};
}

NamedCheck check_from(const json& check) {
  return {check.at("biomarker"), check.at("group") == "diseased",
          check.at("statistic"), check.at("observed"),
          check.at("mean"),      check.at("sd"),
          check.at("p")};
}

json to_json(const SubtypeInference& subtypes) {
  json out = {{"event_scores", rows_of(subtypes.event_scores)},
              {"shares", subtypes.shares},
              {"posterior", rows_of(subtypes.posterior)},
              {"log_evidence", subtypes.log_evidence}};
  for (const auto& posterior : subtypes.rank_posteriors)
    out["rank_posteriors"].push_back(rows_of(posterior));
  return out;
}

SubtypeInference subtypes_from(const json& subtypes) {
  SubtypeInference out;
  out.event_scores = matrix_from(subtypes.at("event_scores"));
  out.shares = numbers_from(subtypes.at("shares"));
  out.posterior = matrix_from(subtypes.at("posterior"), out.shares.size());
  for (const auto& nats : subtypes.at("log_evidence"))
    out.log_evidence.push_back(number_or(nats, kNotKnown));
  if (const auto found = subtypes.find("rank_posteriors"); found != subtypes.end())
    for (const auto& rows : *found) out.rank_posteriors.push_back(matrix_from(rows));
  return out;
}

json to_json(const Calibration& calibration) {
  return {{"truths", calibration.truths},
          {"inside", calibration.inside},
          {"tenths", calibration.tenths}};
}

Calibration calibration_from(const json& calibration) {
  Calibration out;
  out.truths = whole_from<std::size_t>(calibration.at("truths"));
  calibration.at("inside").get_to(out.inside);
  calibration.at("tenths").get_to(out.tenths);
  return out;
}

/// @param is_version_1  some of the numbers have types now
std::map<std::string, double> diagnostics_from(const json& numbers, bool is_version_1) {
  std::map<std::string, double> out;
  for (const auto& [name, value] : numbers.items())
    if (!is_version_1 || std::find(kTypedDiagnostics.begin(), kTypedDiagnostics.end(), name) ==
                             kTypedDiagnostics.end())
      out[name] = number_or(value, kNotKnown);
  return out;
}

// ---- RunDescription

constexpr std::array kSources{"simulate", "folder", "table"};
constexpr const char* kSettingOfVersion1 = "parameters";  // which said how a method comes by them

std::optional<std::size_t> place_in(const auto& words, const std::string& word) {
  const auto at = std::find(words.begin(), words.end(), word);
  if (at == words.end()) return std::nullopt;
  return static_cast<std::size_t>(at - words.begin());
}

std::optional<Distributions> distributions_of(const json& method) {
  const auto settings = method.value("settings", json::object());
  return distributions_from(method.contains("distributions")
                                ? method.value("distributions", "")
                                : settings.value(kSettingOfVersion1, ""));
}

Ordered to_json(const RunDescription::Cohorts& cohorts) {
  using Source = RunDescription::Cohorts::Source;
  Ordered out{{"source", kSources[static_cast<std::size_t>(cohorts.source)]}};
  if (cohorts.source == Source::simulate) {
    out["biomarkers"] = cohorts.biomarkers;
    out["participants"] = cohorts.participants;
    out["healthy_ratio"] = cohorts.healthy_ratio;
  } else {
    out["path"] = cohorts.path;
    if (cohorts.source == Source::table) out["content"] = cohorts.content;
  }
  return out;
}

RunDescription::Cohorts cohorts_from(const json& cohorts) {
  RunDescription::Cohorts out;
  out.source = static_cast<RunDescription::Cohorts::Source>(
      place_in(kSources, cohorts.value("source", "simulate")).value_or(0));
  out.path = cohorts.value("path", "");
  out.content = cohorts.value("content", "");
  out.biomarkers = cohorts.value("biomarkers", "");
  out.participants = count_in(cohorts, "participants");
  out.healthy_ratio = cohorts.value("healthy_ratio", 0.0);
  return out;
}

Ordered to_json(const RunDescription::Hypothesis& hypothesis) {
  Ordered out{{"id", hypothesis.id}, {"plugin", hypothesis.plugin}};
  if (hypothesis.events) {
    out["event_times"] = hypothesis.event_times;
    out["events_have_times"] = *hypothesis.events == EventScale::times;
    out["stages"] = hypothesis.stages;
    out["measurements"] = hypothesis.measurements;
  }
  if (hypothesis.measures_normals) out["measures_normals"] = *hypothesis.measures_normals;
  if (!hypothesis.name.empty()) out["name"] = hypothesis.name;
  return out;
}

RunDescription::Hypothesis hypothesis_from(const json& hypothesis) {
  RunDescription::Hypothesis out;
  out.id = hypothesis.at("id");
  out.plugin = hypothesis.value("plugin", "");
  out.event_times = hypothesis.value("event_times", "");
  // Some runs of version 1 said it in words alone.
  const bool says_ranks = out.event_times.starts_with("ranks");
  if (hypothesis.contains("event_times") || hypothesis.contains("events_have_times"))
    out.events =
        hypothesis.value("events_have_times", !says_ranks) ? EventScale::times : EventScale::ranks;
  out.stages = hypothesis.value("stages", "");
  out.measurements = hypothesis.value("measurements", "");
  if (hypothesis.contains("measures_normals"))
    out.measures_normals = hypothesis.at("measures_normals").get<bool>();
  out.name = hypothesis.value("name", "");
  return out;
}

Ordered to_json(const RunDescription::Method& method) {
  Ordered out{
      {"id", method.id}, {"plugin", method.plugin}, {"settings", Ordered::parse(method.settings)}};
  if (method.distributions) out["distributions"] = to_string(*method.distributions);
  if (!method.name.empty()) out["name"] = method.name;
  return out;
}

RunDescription::Method method_from(const json& method) {
  return {method.at("id"), method.value("plugin", ""),
          method.value("settings", json::object()).dump(), distributions_of(method),
          method.value("name", "")};
}

Ordered to_json(const RunDescription::Plugin& plugin) {
  Ordered out{{"kind", plugin.kind}, {"id", plugin.id}, {"version", plugin.version}};
  if (plugin.file.empty()) return out;
  out["file"] = plugin.file;
  out["content"] = plugin.content;
  return out;
}

RunDescription::Plugin plugin_from(const json& plugin) {
  // Earlier runs kept the path.
  const std::filesystem::path file(plugin.value("file", ""));
  return {plugin.value("kind", ""), plugin.value("id", ""), plugin.value("version", ""),
          file.filename().string(), plugin.value("content", "")};
}

Ordered to_json(const RunDescription::Misfit& misfit) {
  return {{"method", misfit.method},
          {"hypothesis", misfit.hypothesis},
          {"reason", misfit.reason},
          {"fits", misfit.fits}};
}

RunDescription::Misfit misfit_from(const json& misfit) {
  return {misfit.value("method", ""), misfit.value("hypothesis", ""), misfit.value("reason", ""),
          count_in(misfit, "fits")};
}

Ordered to_json(const RunDescription::Joined& joined) {
  return {{"name", joined.name},   {"plan", joined.plan},
          {"tempo", joined.tempo}, {"description", joined.description},
          {"seed", joined.seed},   {"fits", joined.fits}};
}

RunDescription::Joined joined_from(const json& joined) {
  return {joined.value("name", ""),
          joined.value("plan", ""),
          joined.value("tempo", ""),
          joined.value("description", ""),
          whole_in<std::uint64_t>(joined, "seed"),
          count_in(joined, "fits")};
}

Ordered list_of(const auto& items) {
  auto out = Ordered::array();
  for (const auto& item : items) out.push_back(to_json(item));
  return out;
}

// ---- TrueSubtypes

json to_json(const TrueSubtypes& subtypes) {
  auto progressions = json::array();
  for (const auto& [times, ranks] : subtypes.progressions)
    progressions.push_back({{"event_times", times},
                            {"event_ranks", std::vector<std::size_t>(ranks.begin(), ranks.end())}});
  return {{"progressions", progressions}, {"subtype", subtypes.subtype}};
}

TrueSubtypes true_subtypes_in(const json& said) {
  TrueSubtypes out;
  for (const auto& progression : said.at("progressions"))
    out.progressions.push_back({progression.at("event_times").get<std::vector<double>>(),
                                Ranks(wholes_from<std::size_t>(progression.at("event_ranks")))});
  out.subtype = wholes_from<int>(said.at("subtype"));
  return out;
}

// ---- StoredTruth, on its way from one process to another

json to_json(const StoredTruth& kept) {
  const auto& [cohort, truth] = kept.cohort;
  json out = {
      {"key", kept.key},
      {"participants", cohort.participants},
      {"biomarkers", cohort.biomarkers},
      {"diseased", cohort.diseased},
      {"event_times", truth.event_times},
      {"event_ranks", std::vector<std::size_t>(truth.event_ranks.begin(), truth.event_ranks.end())},
      {"stages", truth.ordinal_stages}};
  if (truth.subtypes) out["subtypes"] = to_json(*truth.subtypes);
  return out;
}

StoredTruth truth_from(const json& said) {
  StoredTruth out;
  said.at("key").get_to(out.key);
  auto& [cohort, truth] = out.cohort;
  said.at("participants").get_to(cohort.participants);
  said.at("biomarkers").get_to(cohort.biomarkers);
  cohort.diseased = wholes_from<std::uint8_t>(said.at("diseased"));
  said.at("event_times").get_to(truth.event_times);
  truth.event_ranks = Ranks(wholes_from<std::size_t>(said.at("event_ranks")));
  truth.ordinal_stages = wholes_from<int>(said.at("stages"));
  if (said.contains("subtypes")) truth.subtypes = true_subtypes_in(said.at("subtypes"));
  return out;
}

// ---- Warning

constexpr std::array kWarningKinds{"method", "missing_values"};

/// `7 of 200 measurements are missing`: how version 1 began the count of missing measurements.
bool is_count_of_missing(std::string_view text) {
  const auto pass = [&](std::string_view words) {
    if (!text.starts_with(words)) return false;
    text.remove_prefix(words.size());
    return true;
  };
  const auto pass_number = [&] {
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(digits);
    return digits > 0;
  };
  return pass_number() && pass(" of ") && pass_number() && pass(" measurements are missing");
}

Warning warning_from(const json& item) {
  if (item.is_string()) {
    const auto text = item.get<std::string>();
    return {is_count_of_missing(text) ? Warning::Kind::missing_values : Warning::Kind::method,
            text};
  }
  const auto kind = place_in(kWarningKinds, item.at("kind").get<std::string>());
  return {static_cast<Warning::Kind>(kind.value_or(0)), item.at("text")};
}

}  // namespace

std::string to_text(const FitDetails& details) {
  json out{{kLayout, 2}};
  if (!details.biomarkers.empty()) {
    out["biomarkers"] = details.biomarkers;
    out["participants"] = details.participants;
  }
  if (!details.true_ranks.empty()) out["true_ranks"] = details.true_ranks;
  out["event_scores"] = details.event_scores;
  if (details.event_times) out["event_times"] = *details.event_times;
  if (!details.stages.empty()) out["stages"] = details.stages;
  if (details.event_time_spreads)
    for (const auto& [sd, low, high] : *details.event_time_spreads)
      out["event_time_spreads"].push_back({sd, low, high});
  if (details.rank_posterior) out["rank_posterior"] = rows_of(*details.rank_posterior);
  if (details.stage_posterior) out["stage_posterior"] = rows_of(*details.stage_posterior);
  if (details.evidence) out["evidence"] = to_json(*details.evidence);
  if (details.chains) out["chains"] = to_json(*details.chains);
  if (details.log_likelihood_trace)
    out["log_likelihood_trace"] = rows_of(*details.log_likelihood_trace);
  for (const auto& check : details.checks) out["checks"].push_back(to_json(check));
  if (!details.diagnostics.empty()) out[kDiagnostics] = details.diagnostics;
  if (details.subtypes) out["subtypes"] = to_json(*details.subtypes);
  if (details.rank_calibration) out[kRankCalibration] = to_json(*details.rank_calibration);
  if (details.stage_calibration) out[kStageCalibration] = to_json(*details.stage_calibration);
  return dumped(out);
}

namespace {

FitDetails details_in(const json& details, DetailParts parts) {
  FitDetails out;
  const auto read = [&](DetailPart part, const char* key, const auto& take) {
    if (!parts.has(part)) return;
    if (const auto found = details.find(key); found != details.end()) take(*found);
  };
  const auto names = [](auto& to) { return [&to](const json& list) { list.get_to(to); }; };
  read(DetailPart::names, "biomarkers", names(out.biomarkers));
  read(DetailPart::names, "participants", names(out.participants));
  read(DetailPart::names, "true_ranks",
       [&](const json& list) { out.true_ranks = wholes_from<std::size_t>(list); });
  read(DetailPart::order, "event_scores", names(out.event_scores));
  read(DetailPart::order, "event_times",
       [&](const json& list) { out.event_times = numbers_from(list); });
  read(DetailPart::stages, "stages", names(out.stages));
  read(DetailPart::time_spreads, "event_time_spreads", [&](const json& list) {
    auto& spreads = out.event_time_spreads.emplace();
    for (const auto& spread : list) spreads.push_back({spread.at(0), spread.at(1), spread.at(2)});
  });
  read(DetailPart::rank_posterior, "rank_posterior",
       [&](const json& rows) { out.rank_posterior = matrix_from(rows); });
  read(DetailPart::stage_posterior, "stage_posterior",
       [&](const json& rows) { out.stage_posterior = matrix_from(rows); });
  if (parts.has(DetailPart::evidence)) out.evidence = evidence_in(details);
  if (parts.has(DetailPart::chains)) out.chains = chains_in(details);
  read(DetailPart::trace, "log_likelihood_trace",
       [&](const json& rows) { out.log_likelihood_trace = matrix_from(rows, kImpossible); });
  read(DetailPart::checks, "checks", [&](const json& list) {
    for (const auto& check : list) out.checks.push_back(check_from(check));
  });
  read(DetailPart::diagnostics, kDiagnostics, [&](const json& numbers) {
    out.diagnostics = diagnostics_from(numbers, !details.contains(kLayout));
  });
  read(DetailPart::subtypes, "subtypes",
       [&](const json& subtypes) { out.subtypes = subtypes_from(subtypes); });
  read(DetailPart::calibration, kRankCalibration,
       [&](const json& found) { out.rank_calibration = calibration_from(found); });
  read(DetailPart::calibration, kStageCalibration,
       [&](const json& found) { out.stage_calibration = calibration_from(found); });
  return out;
}

}  // namespace

FitDetails details_from(const std::string& text, DetailParts parts) {
  const auto keys = wanted_keys(parts);
  if (!may_have_any(text, keys)) return {};
  return read_stored(
      text, [&](const json& details) { return details_in(details, parts); }, KeysToParse(keys));
}

std::string to_text(const FitRecord& record) {
  const auto& [status, scores, seconds, error, warnings] = record.result;
  json numbers{scores.tau_distance, scores.stage_mae, scores.sequence_mae};
  if (scores.has_subtypes())
    for (const auto of_subtypes : {scores.matched_tau_distance, scores.assigned_tau_distance,
                                   scores.subtype_score, scores.subtype_number_error})
      numbers.push_back(of_subtypes);
  return dumped(json{{"status", to_string(status)},
                     {"scores", std::move(numbers)},
                     {"seconds", seconds},
                     {"error", error},
                     {"warnings", to_text(warnings)},
                     {"details", to_text(record.details)},
                     {"truth", record.truth ? to_json(*record.truth) : json()}});
}

FitRecord record_from(const std::string& text) {
  return read_stored(text, [](const json& said) {
    const auto& scores = said.at("scores");
    FitRecord out;
    out.result.status =
        fit_status_from(said.at("status").get<std::string>()).value_or(FitStatus::failed);
    out.result.scores = {.tau_distance = number_or(scores.at(0), kNotKnown),
                         .stage_mae = number_or(scores.at(1), kNotKnown),
                         .sequence_mae = number_or(scores.at(2), kNotKnown)};
    if (scores.size() > 3) {
      auto& of_subtypes = out.result.scores;
      of_subtypes.matched_tau_distance = number_or(scores.at(3), kNotKnown);
      of_subtypes.assigned_tau_distance = number_or(scores.at(4), kNotKnown);
      of_subtypes.subtype_score = number_or(scores.at(5), kNotKnown);
      of_subtypes.subtype_number_error = number_or(scores.at(6), kNotKnown);
    }
    out.result.seconds = said.at("seconds");
    out.result.error = said.at("error");
    out.result.warnings = warnings_from(said.at("warnings"));
    if (out.result.status == FitStatus::ok)
      out.details = details_from(said.at("details"), DetailParts::all());
    if (const auto& truth = said.at("truth"); !truth.is_null()) out.truth = truth_from(truth);
    return out;
  });
}

std::string to_text(const std::vector<Warning>& warnings) {
  auto out = json::array();
  for (const auto& [kind, text] : warnings)
    out.push_back({{"kind", kWarningKinds[static_cast<std::size_t>(kind)]}, {"text", text}});
  return dumped(out);
}

std::vector<Warning> warnings_from(const std::string& text) {
  if (text.empty()) return {};
  return read_stored(text, [](const json& list) {
    std::vector<Warning> out;
    for (const auto& item : list) out.push_back(warning_from(item));
    return out;
  });
}

Ordered to_json(const RunDescription& description) {
  Ordered out{{"tempo", description.tempo},
              {"build", description.build},
              {"description", description.description},
              {"seed", description.seed},
              {"cohorts", to_json(description.cohorts)},
              {"limit", description.limit},
              {"hypotheses", list_of(description.hypotheses)},
              {"methods", list_of(description.methods)},
              {"plugins", list_of(description.plugins)}};
  if (!description.misfits.empty()) out["misfits"] = list_of(description.misfits);
  if (!description.joined.empty()) out["joined"] = list_of(description.joined);
  return out;
}

std::string to_text(const RunDescription& description) { return dumped(to_json(description)); }

namespace {

RunDescription description_in(const json& found) {
  RunDescription out;
  out.tempo = found.value("tempo", "");
  out.build = found.value("build", "");
  out.description = found.value("description", "");
  out.seed = whole_in<std::uint64_t>(found, "seed");
  out.cohorts = cohorts_from(found.value("cohorts", json::object()));
  out.limit = found.value("limit", "");
  const auto none = json::array();
  for (const auto& item : found.value("hypotheses", none))
    out.hypotheses.push_back(hypothesis_from(item));
  for (const auto& item : found.value("methods", none)) out.methods.push_back(method_from(item));
  for (const auto& item : found.value("plugins", none)) out.plugins.push_back(plugin_from(item));
  for (const auto& item : found.value("misfits", none)) out.misfits.push_back(misfit_from(item));
  for (const auto& item : found.value("joined", none)) out.joined.push_back(joined_from(item));
  return out;
}

}  // namespace

std::optional<RunDescription> description_from(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return read_stored(text, description_in);
}

std::string to_text(const std::vector<std::string>& items) { return dumped(json(items)); }

std::vector<std::string> texts_from(const std::string& text) {
  return text.empty() ? std::vector<std::string>() : stored_as<std::vector<std::string>>(text);
}

std::string to_text(const std::vector<std::uint8_t>& flags) { return json(flags).dump(); }

std::vector<std::uint8_t> flags_from(const std::string& text) {
  return read_stored(text, [](const json& list) { return wholes_from<std::uint8_t>(list); });
}

std::string to_text(const std::vector<int>& numbers) { return json(numbers).dump(); }

std::vector<int> integers_from(const std::string& text) {
  return read_stored(text, [](const json& list) { return wholes_from<int>(list); });
}

std::string to_text(const TrueSubtypes& subtypes) { return to_json(subtypes).dump(); }

TrueSubtypes true_subtypes_from(const std::string& text) {
  return read_stored(text, true_subtypes_in);
}

std::string to_text(const Adjustment& adjustment) {
  return dumped(json{{"covariates", adjustment.covariates},
                     {"biomarkers", adjustment.biomarkers},
                     {"slopes", rows_of(adjustment.slopes)},
                     {"means", rows_of(adjustment.means)},
                     {"lows", adjustment.lows},
                     {"highs", adjustment.highs}});
}

Adjustment adjustment_from(const std::string& text) {
  return read_stored(text, [](const json& found) {
    Adjustment out{found.at("covariates"), found.at("biomarkers"), {}, {}};
    out.slopes = matrix_from(found.at("slopes"), out.covariates.size());
    out.means = matrix_from(found.at("means"), out.covariates.size());
    out.lows = found.value("lows", std::vector<double>());  // earlier runs kept none
    out.highs = found.value("highs", std::vector<double>());
    return out;
  });
}

std::string to_text(const BiomarkerTable& table) {
  auto out = json::array();
  for (const auto& [name, phi, theta] : table)
    out.push_back({{"name", name}, {"phi", {phi.mean, phi.sd}}, {"theta", {theta.mean, theta.sd}}});
  return dumped(out);
}

BiomarkerTable biomarkers_from(const std::string& text) {
  return read_stored(text, [](const json& list) {
    std::vector<Biomarker> out;
    for (const auto& item : list)
      out.push_back({item.at("name"),
                     {item.at("phi").at(0), item.at("phi").at(1)},
                     {item.at("theta").at(0), item.at("theta").at(1)}});
    return BiomarkerTable(std::move(out));
  });
}

std::string to_text(const Libraries& libraries) { return dumped(json(libraries)); }

Libraries libraries_from(const std::string& text) { return stored_as<Libraries>(text); }

RecipeOfVersion1 recipe_of_version_1(const std::string& text) {
  return read_stored(text, [](const json& recipe) -> RecipeOfVersion1 {
    const auto model = recipe.find("model");
    if (model == recipe.end()) return {};
    return {true, content_key(model->dump())};
  });
}

}  // namespace tempo::codec

namespace tempo {

std::string model_slot(const std::vector<std::string>& axis_values, const std::string& method,
                       const std::string& trained_on) {
  return nlohmann::json({"model", axis_values, method, trained_on}).dump();
}

}  // namespace tempo
