// A network that has been trained for any biomarkers: README.md.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "absences.hpp"
#include "generalist_model.hpp"
#include "generalist_pass.hpp"
#include "posteriors.hpp"
#include "tempo/error.hpp"
#include "tempo/plugin.hpp"
#include "tempo/toolkit/doubtful_values.hpp"

namespace tempo {
namespace {

using amortised::GeneralistFound, amortised::PreparedCohort;

class Generalist final : public InferenceMethod {
 public:
  explicit Generalist(const NoSettings&) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream& stream) const override {
    if (cohort.biomarker_count() < 2)
      throw Error("one biomarker has no order: at least two are needed");
    Inference out;
    std::vector<std::size_t> columns(cohort.biomarker_count());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    out.warnings = amortised::absences(cohort, columns);
    if (amortised::nobody_is_healthy(cohort)) {
      out.warnings.emplace_back(
          "nobody is healthy: a diagnosis that all have tells nothing, and is not used");
      auto unlabelled = cohort;
      unlabelled.diseased.clear();
      find(unlabelled, stream, out);
    } else {
      find(cohort, stream, out);
    }
    return out;
  }

  static void find(const Cohort& cohort, RandomStream& stream, Inference& out) {
    const auto prepared = amortised::prepare(cohort);
    const auto found = answers(prepared);
    write_events(prepared, found, stream, out);
    write_stages(prepared, found, out);
    add_warnings(cohort, prepared, out);
    if (hardly_differ(found))
      out.warnings.emplace_back(
          "events cannot be told apart: their scores differ less than they are unsure");
    if (cohort.diseased.empty()) warn_of_direction(out);
  }

  static GeneralistFound answers(const PreparedCohort& cohort) {
    const auto& model = amortised::shipped_model();
    return amortised::generalist_answers(model.shape, model.weights.data(), std::span(&cohort, 1))
        .front();
  }

  /// Whether the variance of the scores is no more than what their errors alone would give.
  static bool hardly_differ(const GeneralistFound& found) {
    const auto B = static_cast<double>(found.scores.size());
    double mean = 0.0, squares = 0.0, errors = 0.0;
    for (const double score : found.scores) mean += score / B;
    for (const double score : found.scores) squares += (score - mean) * (score - mean);
    for (const double sd : found.score_sds) errors += sd * sd;
    return squares <= errors;
  }

  /// Without healthy participants the end of the disease is a guess. Where it is a bad one, the
  /// order is unsure: README.md has how often that holds.
  static void warn_of_direction(Inference& out) {
    constexpr double kUnsure = 0.55;
    if (const double span = span_of_intervals(*out.rank_posterior); span >= kUnsure)
      out.warnings.push_back(fmt::format(
          "the order may be backwards: the 95 % interval of a rank spans {:.0f} % of the order, and "
          "without a diagnosis nothing says which end is the disease",
          100.0 * span));
  }

  /// From first to last rank of a 95 % interval, by the same of the whole order: mean over the
  /// rows.
  static double span_of_intervals(const Matrix& ranks) {
    constexpr double kBeyond = 0.025;
    const auto B = ranks.rows();
    double sum = 0.0;
    for (std::size_t b = 0; b < B; ++b) {
      const auto row = ranks.row(b);
      const auto cut = [](auto begin, auto end) {
        double outside = 0.0;
        return std::find_if(begin, end, [&](double p) { return (outside += p) > kBeyond; }) - begin;
      };
      const auto cut_off = cut(row.begin(), row.end()) + cut(row.rbegin(), row.rend());
      sum += 1.0 - static_cast<double>(cut_off) / static_cast<double>(B - 1);
    }
    return sum / static_cast<double>(B);
  }

  static void write_events(const PreparedCohort& prepared, const GeneralistFound& found,
                           RandomStream& stream, Inference& out) {
    const auto B = prepared.B;
    out.event_scores.resize(B);
    const auto ranks = amortised::rank_posterior(found.scores, found.score_sds, stream);
    auto& posterior = out.rank_posterior.emplace(B, B);
    for (std::size_t i = 0; i < B; ++i) {
      const auto b = prepared.columns[i];
      out.event_scores[b] = found.scores[i];
      std::ranges::copy(ranks.row(i), posterior.row(b).begin());
    }
  }

  static void write_stages(const PreparedCohort& prepared, const GeneralistFound& found,
                           Inference& out) {
    const auto stages = prepared.B + 1;
    out.stages.assign(prepared.J, 0.0);
    auto& posterior = out.stage_posterior.emplace(prepared.J, stages);
    for (std::size_t j = 0; j < prepared.J; ++j) posterior(j, 0) = 1.0;
    const auto medians = amortised::median_stages(found.stage_posterior, stages);
    for (std::size_t i = 0; i < prepared.asked.size(); ++i) {
      const auto j = prepared.asked[i];
      out.stages[j] = medians[i];
      const auto row = std::span(found.stage_posterior).subspan(i * stages, stages);
      double sum = 0.0;
      for (const double p : row) sum += p;
      for (std::size_t k = 0; k < stages; ++k) posterior(j, k) = row[k] / sum;
    }
  }

  static void add_warnings(const Cohort& cohort, const PreparedCohort& prepared, Inference& out) {
    for (std::size_t b = 0; b < prepared.B; ++b)
      if (prepared.is_constant[b])
        out.warnings.push_back(fmt::format(
            "all values of '{}' are equal: its place in the order says nothing of this cohort",
            cohort.biomarkers[b]));
    for (std::size_t b = 0; b < prepared.B; ++b)
      if (prepared.is_too_wide[b])
        out.warnings.push_back(
            fmt::format("values of '{}' are too far apart to be compared: none of them counts",
                        cohort.biomarkers[b]));
    if (const auto beyond = beyond_training(cohort); !beyond.empty())
      out.warnings.push_back(
          fmt::format("{}, and what the network finds beyond has not been measured", beyond));
    toolkit::warn_of_doubtful_values(cohort, toolkit::FarValues::used, out);
  }

  /// What of a cohort's size the network has never seen.
  static std::string beyond_training(const Cohort& cohort) {
    const auto J = cohort.participant_count(), B = cohort.biomarker_count();
    if (B < amortised::kFewestBiomarkers || B > amortised::kMostBiomarkers)
      return fmt::format("{} biomarkers: it has learnt from {} to {}", B,
                         amortised::kFewestBiomarkers, amortised::kMostBiomarkers);
    if (J < amortised::kFewestParticipants || J > amortised::kMostParticipants)
      return fmt::format("{} participants: it has learnt from {} to {}", J,
                         amortised::kFewestParticipants, amortised::kMostParticipants);
    if (cohort.diseased.empty()) return {};
    const auto healthy = std::ranges::count(cohort.diseased, 0);
    const double share = static_cast<double>(healthy) / static_cast<double>(J);
    if (share < amortised::kLeastHealthy - 1.0 / static_cast<double>(J) ||
        share > amortised::kMostHealthy)
      return fmt::format("{} of {} are healthy: it has learnt from {:.0f} to {:.0f} %", healthy, J,
                         100.0 * amortised::kLeastHealthy, 100.0 * amortised::kMostHealthy);
    return {};
  }
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(
    tempo::InferenceMethod, tempo::Generalist, tempo::NoSettings,
    {.id = "generalist",
     .version = "1.0.1",
     .licence = "MIT",
     .summary = "a network that needs no training: any biomarkers, with diagnosis or without",
     .source = "tempo; after Hao & Austerweil, TEMPO, CHIL 2026",
     .labels = tempo::LabelUse::optional,
     .missing = tempo::MissingData::marginal});
