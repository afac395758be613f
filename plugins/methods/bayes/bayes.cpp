// The exact posterior of a hypothesis: README.md.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "estimated_process.hpp"
#include "gradual_posterior.hpp"
#include "predictive_checks.hpp"
#include "subtype_model.hpp"
#include "subtype_number.hpp"
#include "subtype_posterior.hpp"
#include "subtype_stages.hpp"
#include "switch_posterior.hpp"
#include "tempo/error.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/toolkit/doubtful_values.hpp"
#include "tempo/toolkit/row_order.hpp"

namespace tempo {
namespace {

struct BayesSettings {
  explicit BayesSettings(Parameters& keys) {
    parameters =
        keys.distributions("parameters", Distributions::known,
                           "distributions of the biomarkers: those of the run's table, estimated "
                           "from each cohort, or sampled with the rest");
    const auto given = whole_number(keys, "subtypes", 1, kSubtypesHelp);
    const auto most = whole_number(keys, "most_subtypes", 0, kMostSubtypesHelp);
    subtypes.subtypes = given.value_or(1);
    most_subtypes = most.value_or(0);
    if (most_subtypes == 1)
      keys.complain("most_subtypes",
                    "'most_subtypes' must be 0 or at least 2: with 1 there is nothing to infer");
    if (most_subtypes > 0 && given)
      keys.complain("subtypes", "'subtypes' is inferred with 'most_subtypes': give one of them");
    if (looks_for_several())
      read_chain_of_subtypes(keys);
    else
      read_chains(keys, given || most ? Unused::read : Unused::refused);
  }

  bool looks_for_several() const { return subtypes.subtypes > 1 || most_subtypes > 0; }

  Distributions parameters = Distributions::known;
  bayes::ChainSettings chains;
  bayes::SubtypeSettings subtypes;
  std::size_t most_subtypes = 0;  ///< 0: their number is given
  long replications = 200;

 private:
  /// What becomes of settings of several subtypes where there is one.
  enum class Unused {
    refused,
    read  ///< the number of subtypes is written: it may be one of several, as in a sweep
  };

  static constexpr const char* kSubtypesHelp = "progressions in one cohort, in [1, 20]";
  static constexpr const char* kMostSubtypesHelp =
      "0: as many as 'subtypes' says; otherwise how many there are is inferred, from 1 to this, in "
      "[2, 20]";
  static constexpr const char* kOrdersHelp =
      "what is known of the orders of subtypes beforehand: 'mallows', they are near a common centre, "
      "or 'uniform', nothing";
  static constexpr const char* kSizesHelp =
      "what is known of the shares of subtypes beforehand: 'even', none is likely to be tiny "
      "(Dirichlet with concentration 2, 5 or 20), or 'any', nothing";
  static constexpr const char* kStartsHelp =
      "annealed chains of several subtypes, of which the most probable goes on";
  static constexpr const char* kChainsHelp = "independent Markov chains of one subtype";
  static constexpr const char* kBurnInHelp =
      "sweeps left out, at the least, with one subtype; the first half of a chain always is";
  static constexpr const char* kIterationsHelp =
      "sweeps of one chain, at most; with several subtypes of the one that goes on";
  static constexpr const char* kReplicationsHelp =
      "cohorts drawn from the posterior for predictive checks, at least 40; 0: none, as always "
      "with several subtypes";

  void read_chains(Parameters& keys, Unused unused) {
    read_unused(keys, unused);
    chains.chains = keys.integer("chains", chains.chains, {.low = 2, .high = 1e3}, kChainsHelp);
    chains.burn_in = keys.integer("burn_in", chains.burn_in, {.low = 2, .high = 1e6}, kBurnInHelp);
    chains.iterations =
        keys.integer("iterations", chains.iterations, {.low = 8, .high = 1e7}, kIterationsHelp);
    replications =
        keys.integer("replications", replications, {.low = 0, .high = 1e5}, kReplicationsHelp);
    if (chains.iterations < 2 * chains.burn_in)
      keys.complain("iterations", "'iterations' must be at least twice 'burn_in'");
    constexpr auto kLeast = static_cast<long>(bayes::kLeastReplications);
    if (replications != 0 && replications < kLeast)
      keys.complain(
          "replications",
          fmt::format(
              "'replications' must be 0 or at least {}: with fewer no check can have p < 0.05",
              kLeast));
  }

  /// Up to 20, and not in force unless it is given.
  /// @return what is given, or the least in place of what cannot be; nothing if it is not given
  static std::optional<std::size_t> whole_number(Parameters& keys, const char* key,
                                                 std::int64_t least, const char* help) {
    if (keys.raw(key, "integer", help, fmt::format("{}", least)) == nullptr) return std::nullopt;
    const Bounds bounds{.low = static_cast<double>(least), .high = 20.0};
    return static_cast<std::size_t>(keys.integer(key, least, bounds, help));
  }

  void read_orders(Parameters& keys) {
    subtypes.orders =
        keys.choice("subtype_orders", "mallows", {"mallows", "uniform"}, kOrdersHelp) == "mallows"
            ? bayes::SubtypeOrders::mallows
            : bayes::SubtypeOrders::uniform;
  }

  void read_sizes(Parameters& keys) {
    subtypes.sizes = keys.choice("subtype_sizes", "even", {"even", "any"}, kSizesHelp) == "even"
                         ? bayes::SubtypeSizes::even
                         : bayes::SubtypeSizes::any;
  }

  void read_starts(Parameters& keys) {
    subtypes.starts = keys.integer("starts", subtypes.starts, {.low = 1, .high = 1e6}, kStartsHelp);
  }

  /// What counts with several progressions only. It is read, but without a default: one progression
  /// is what it always was, and so are the keys of its results.
  void read_unused(Parameters& keys, Unused unused) {
    struct Key {
      const char *name, *type, *help, *fallback;
      void (BayesSettings::*read)(Parameters&);
    };
    for (const auto& key :
         {Key{"subtype_orders", "choice", kOrdersHelp, "\"mallows\"", &BayesSettings::read_orders},
          Key{"subtype_sizes", "choice", kSizesHelp, "\"even\"", &BayesSettings::read_sizes},
          Key{"starts", "integer", kStartsHelp, "16", &BayesSettings::read_starts}}) {
      if (keys.raw(key.name, key.type, key.help, key.fallback) == nullptr) continue;
      if (unused == Unused::read)
        (this->*key.read)(keys);
      else
        keys.complain(key.name, fmt::format("'{}' means nothing with one order; 'subtypes' or "
                                            "'most_subtypes' asks for several",
                                            key.name));
    }
  }

  void read_chain_of_subtypes(Parameters& keys) {
    read_orders(keys);
    read_sizes(keys);
    read_starts(keys);
    if (most_subtypes > 0 && parameters != Distributions::known)
      keys.complain("most_subtypes",
                    "'most_subtypes' needs 'parameters' = 'known': the number hangs on the "
                    "distributions; give 'subtypes'");
    // Read, but without a default: what is in force says nothing of them.
    if (keys.raw("chains", "integer", kChainsHelp) != nullptr)
      keys.complain("chains",
                    "'chains' means nothing with several subtypes: one chain goes on, the most "
                    "probable of 'starts'");
    if (keys.raw("burn_in", "integer", kBurnInHelp) != nullptr)
      keys.complain("burn_in",
                    "'burn_in' means nothing with several subtypes: the first half of "
                    "'iterations' is left out");
    subtypes.sweeps =
        keys.integer("iterations", subtypes.sweeps, {.low = 8, .high = 1e7}, kIterationsHelp);
    replications = keys.integer("replications", 0, {.low = 0, .high = 1e5}, kReplicationsHelp);
    if (replications != 0)
      keys.complain("replications",
                    "'replications' must be 0 with several subtypes: their predictive checks are "
                    "not made");
  }
};

/// Why this hypothesis cannot be inferred, or empty.
std::string why_not(const ProcessLaw& process) {
  const auto& model = process.measurement_model();
  const auto& prior = process.stage_prior();
  if (model.law() == nullptr)
    return "measurement model '" + model.plugin_id() +
           "' states no log density (its page says when it does)";
  if (prior.ordinal_law() == nullptr && prior.continuous_law() == nullptr)
    return "stage prior '" + prior.plugin_id() + "' states no law";
  if (process.event_times().law() == nullptr)
    return "its event times follow a law of its own, which it does not state";
  return {};
}

/// Whether every participant's likelihood depends on the order of events alone.
bool is_ordinal_switch(const ProcessLaw& process) {
  const auto& times = process.event_times();
  return process.measurement_model().law()->effect() == EventEffect::switched &&
         times.are_ranks() && times.noise_sd() == 0.0;
}

/// Why its progressions cannot be inferred where there are several, or empty.
std::string why_no_subtypes(const ProcessLaw& process, const BayesSettings& settings) {
  if (process.event_times().kind() == EventTimes::Kind::own)
    return "with several subtypes 'subtype_orders' says how likely orders are beforehand, and this "
           "hypothesis states a law of its own";
  if (bayes::is_switch_between_events(process)) return {};
  if (settings.most_subtypes > 0)
    return "how many subtypes there are is inferred only where measurements switch and event times "
           "have no noise: give 'subtypes'";
  if (settings.parameters == Distributions::sampled)
    return "with several subtypes distributions are sampled only where measurements switch and "
           "event times have no noise: give 'parameters' = 'estimate'";
  return {};
}

/// Columns of which shared values hold a distribution under some trait.
std::vector<std::size_t> clipped_biomarkers(const bayes::BiomarkerEstimates& estimates,
                                            std::span<const std::size_t> columns) {
  std::vector<std::size_t> out;
  for (std::size_t b = 0; b < columns.size(); ++b)
    if (std::any_of(estimates.begin(), estimates.end(), [&](const auto& of_trait) {
          return of_trait[b].pre.size() + of_trait[b].post.size() > 0;
        }))
      out.push_back(columns[b]);
  return out;
}

/// The law of the hypothesis, if it can be inferred. Called before any work: `tempo validate` makes
/// methods, too.
const ProcessLaw& law_of(const GenerativeProcess& process) {
  const auto* law = process.law();
  const std::string why = law == nullptr ? "it is not composed of parts" : why_not(*law);
  if (!why.empty()) throw CannotInfer(why);
  return *law;
}

/// Of a hypothesis that draws its event times itself, if this is one.
std::optional<bayes::OwnTimes> own_times_of(const GenerativeProcess& hypothesis) {
  const auto& times = hypothesis.law()->event_times();
  if (times.kind() != EventTimes::Kind::own) return std::nullopt;
  return bayes::OwnTimes{*times.law(), [&hypothesis](RandomStream& stream) {
                           constexpr CohortSize kSmallest{.participants = 1, .healthy_ratio = 0.0};
                           return hypothesis.simulate(kSmallest, stream).truth.event_times;
                         }};
}

class Bayes final : public InferenceMethod {
 public:
  Bayes(const BayesSettings& settings, const AssumptionContext& context)
      : settings_(settings),
        process_(law_of(context.process)),
        own_times_(own_times_of(context.process)) {
    if (!settings.looks_for_several()) return;
    if (const auto why = why_no_subtypes(process_, settings); !why.empty()) throw CannotInfer(why);
  }

 private:
  Inference do_fit(const Cohort& given, RandomStream& stream) const override {
    const auto columns = columns_of(given);
    const bool is_known = settings_.parameters == Distributions::known;
    // Known distributions say how far a value lies out, and densities have a floor.
    const auto used = is_known ? given : toolkit::believed(given, toolkit::Fidelity::repaired);
    const auto rows = toolkit::rows_by_values(used, columns);
    const auto cohort = toolkit::with_rows(used, rows);
    const auto estimates = is_known ? bayes::BiomarkerEstimates()
                                    : bayes::estimate_biomarkers(process_, cohort, columns);
    const auto process = is_known ? process_ : bayes::with_estimates(process_, estimates);
    const auto around =
        settings_.parameters == Distributions::sampled ? estimates : bayes::BiomarkerEstimates();
    auto found = settings_.looks_for_several()
                     ? infer_subtypes(process, cohort, columns, around, stream)
                     : infer_order(process, cohort, columns, around, stream);
    toolkit::put_back(rows, found);
    note_clipped(clipped_biomarkers(estimates, columns), cohort, found);
    if (!is_known) warn_of_values(given, found);
    if (settings_.parameters == Distributions::estimated)
      found.warnings.push_back(
          "distributions were estimated from the whole cohort: leave-one-out scores do not count "
          "what that cost, and order and stages look surer than they are");
    return found;
  }

  Inference infer_order(const ProcessLaw& process, const Cohort& cohort,
                        std::span<const std::size_t> columns,
                        const bayes::BiomarkerEstimates& around, RandomStream& stream) const {
    bayes::KeptDraws kept(static_cast<std::size_t>(settings_.chains.chains),
                          static_cast<std::size_t>(settings_.replications));
    const auto sample = is_ordinal_switch(process) ? bayes::sample_switch_posterior
                                                   : bayes::sample_gradual_posterior;
    auto found = sample(process, cohort, columns, around, own_times_ ? &*own_times_ : nullptr,
                        settings_.chains, stream, [&](const bayes::Draw& draw) { kept.add(draw); });
    const auto burn_in = static_cast<std::size_t>(found.diagnostics.at("burn_in"));
    if (settings_.replications > 0)
      bayes::check_predictions(process, cohort, columns, kept.after(burn_in),
                               stream.substream("predictive checks"), found);
    return found;
  }

  Inference infer_subtypes(const ProcessLaw& process, const Cohort& cohort,
                           std::span<const std::size_t> columns,
                           const bayes::BiomarkerEstimates& around,
                           const RandomStream& stream) const {
    const auto diseased = bayes::diseased_rows(cohort);
    if (settings_.most_subtypes == 0)
      return bayes::sample_subtypes(
          *bayes::subtype_model(process, cohort, columns, diseased, around), columns,
          settings_.subtypes, stream);
    const auto evidence =
        bayes::switch_evidence(*process.measurement_model().law(), cohort, columns, diseased);
    return bayes::sample_number_and_subtypes(evidence, bayes::draw_stages_of(process), columns,
                                             diseased, settings_.subtypes, settings_.most_subtypes,
                                             stream);
  }

  static void warn_of_values(const Cohort& given, Inference& found) {
    toolkit::warn_of_far_values(given, toolkit::FarValues::left_out, found);
    toolkit::warn_of_few_values(given, found);
  }

  static void note_clipped(std::vector<std::size_t> clipped, const Cohort& cohort,
                           Inference& found) {
    if (!clipped.empty()) {
      std::vector<std::string> names;
      for (const auto column : clipped) names.push_back(cohort.biomarkers[column]);
      found.warnings.push_back(
          fmt::format("values that participants share were taken for limits at which measurements "
                      "are clipped, of '{}': each such participant counts about 20 nats against "
                      "hypotheses without limits; make them missing if an assay or rounding "
                      "brought them about",
                      fmt::join(names, "', '")));
    }
    if (found.evidence) found.evidence->clipped_biomarkers = std::move(clipped);
  }

  /// Where the cohort has each of the table's biomarkers.
  std::vector<std::size_t> columns_of(const Cohort& cohort) const {
    auto [columns, missing, unknown] = find_columns(cohort, process_.biomarkers().names());
    if (!missing.empty())
      throw Error(fmt::format("the cohort lacks biomarkers of the table: '{}'",
                              fmt::join(missing, "', '")));
    if (!unknown.empty()) throw Error("the cohort has biomarkers that the table lacks");
    return columns;
  }

  BayesSettings settings_;
  const ProcessLaw& process_;
  std::optional<bayes::OwnTimes> own_times_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(
    tempo::InferenceMethod, tempo::Bayes, tempo::BayesSettings,
    {.id = "bayes",
     .version = "1.8.0",
     .licence = "MIT",
     .summary = "exact posterior of a hypothesis that states its laws: the limit of the others",
     .source = "Fonteijn et al. 2012, NeuroImage 60(3), Eq. (1); Hao & Austerweil (CHIL 2026)",
     .labels = tempo::LabelUse::infer,
     .missing = tempo::MissingData::marginal});
