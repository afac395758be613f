// The exact posterior of a hypothesis whose parameters are known: README.md.

#include <algorithm>
#include <memory>

#include "estimated_process.hpp"
#include "switch_posterior.hpp"
#include "tempo/error.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

struct BayesSettings {
  explicit BayesSettings(Parameters& keys) {
    estimates = keys.choice("parameters", "known", {"known", "estimate"},
                            "distributions of the biomarkers: those of the run's table, or estimated "
                            "from each cohort") == "estimate";
    chains.chains = keys.integer("chains", chains.chains, {.low = 2, .high = 1e3},
                                 "independent Markov chains");
    chains.burn_in = keys.integer("burn_in", chains.burn_in, {.low = 1, .high = 1e6},
                                  "sweeps not used, at the least: the first half of a chain never is");
    chains.iterations = keys.integer("iterations", chains.iterations, {.low = 8, .high = 1e7},
                                     "sweeps of one chain, at most");
    if (chains.iterations < 2 * chains.burn_in)
      keys.complain("iterations", "'iterations' must be at least twice 'burn_in'");
  }

  bool estimates = false;
  bayes::ChainSettings chains;
};

/// Why this hypothesis cannot be inferred, or empty.
std::string why_not(const ComposedProcess& process) {
  const auto& model = process.measurement_model();
  const auto& prior = process.stage_prior();
  if (!model.has_log_density())
    return "measurement model '" + model.plugin_id() + "' states no log density";
  if (!prior.concentrations(2) && !prior.cumulative(2, std::vector{1.0}))
    return "stage prior '" + prior.plugin_id() + "' states no law";
  if (process.event_times().kind != EventTimes::Kind::permutation || !model.is_switch())
    return "only measurements that switch at the event, and event times that are a permutation, are "
           "inferred so far: not gradual ones, nor continuous event times";
  return {};
}

class Bayes final : public InferenceMethod {
 public:
  Bayes(const BayesSettings& settings, const BuildContext& context)
      : settings_(settings),
        process_(dynamic_cast<const ComposedProcess*>(context.process)),
        hypothesis_(context.process == nullptr ? "" : context.process->plugin_id()) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream& stream) const override {
    if (process_ == nullptr)
      throw Error(hypothesis_.empty()
                      ? "needs the hypothesis of the cohorts and its biomarker table: name a "
                        "[[hypothesis]] and [cohorts] biomarkers"
                      : "hypothesis '" + hypothesis_ + "' is not composed of parts");
    if (const auto why = why_not(*process_); !why.empty())
      throw Error("hypothesis '" + hypothesis_ + "': " + why);
    const auto columns = columns_of(cohort);
    const auto fitted =
        settings_.estimates ? bayes::estimated_process(*process_, cohort, columns) : nullptr;
    return bayes::sample_switch_posterior(fitted ? *fitted : *process_, cohort, columns,
                                          settings_.chains, stream);
  }

  /// Where the cohort has each of the table's biomarkers.
  std::vector<std::size_t> columns_of(const Cohort& cohort) const {
    std::vector<std::size_t> columns;
    std::string unknown;
    for (const auto& name : process_->biomarkers().names()) {
      const auto at = std::find(cohort.biomarkers.begin(), cohort.biomarkers.end(), name);
      if (at == cohort.biomarkers.end()) unknown += (unknown.empty() ? "'" : ", '") + name + "'";
      columns.push_back(static_cast<std::size_t>(at - cohort.biomarkers.begin()));
    }
    if (!unknown.empty()) throw Error("the cohort lacks biomarkers of the table: " + unknown);
    if (columns.size() != cohort.biomarker_count())
      throw Error("the cohort has biomarkers that the table lacks");
    return columns;
  }

  BayesSettings settings_;
  const ComposedProcess* process_;
  std::string hypothesis_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::Bayes, tempo::BayesSettings,
             {.id = "bayes",
              .version = "0.1.0",
              .licence = "MIT",
              .summary = "exact posterior of the hypothesis at hand, its parameters known",
              .source = "Fonteijn et al. 2012, NeuroImage 60(3), Eq. (1); Hao & Austerweil (CHIL 2026)",
              .labels = tempo::LabelUse::infer,
              .missing = tempo::MissingData::marginal,
              .assumes_process = true});
