// SA-EBM, the stage-aware event-based model with conjugate priors, and its four variants:
// README.md.

#include "published_chain.hpp"
#include "repaired_chains.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/toolkit/study.hpp"

namespace tempo {
namespace {

using sa_ebm::Fidelity;
using sa_ebm::Variant;

struct SaEbmSettings {
  explicit SaEbmSettings(Parameters& keys) {
    const bool paper =
        keys.choice("fidelity", "repaired", {"repaired", "paper"},
                    "paper: as published, with every quirk; repaired: without its errors") ==
        "paper";
    fidelity = paper ? Fidelity::paper : Fidelity::repaired;
    const auto name =
        keys.choice("variant", "conjugate", {"conjugate", "mle", "em", "kde", "hard_kmeans"},
                    "how the distributions before and after an event are found");
    repaired.variant = name == "mle"           ? Variant::mle
                       : name == "em"          ? Variant::em
                       : name == "kde"         ? Variant::kde
                       : name == "hard_kmeans" ? Variant::hard_kmeans
                                               : Variant::conjugate;
    constexpr std::int64_t kPublished = 10000;
    iterations = keys.integer("iterations", paper ? kPublished : repaired.iterations,
                              {.low = 1, .high = 1e9},
                              "steps of the Markov chain (paper default: 10000; repaired: of all "
                              "chains together, at most)");
    repaired.iterations = iterations;
    repaired.chains =
        keys.integer("chains", 4, {.low = 4, .high = 1000}, "repaired: number of Markov chains");
    repaired.thinning = keys.integer("thinning", repaired.thinning, {.low = 1, .high = 1e6},
                                     "repaired: of the iterations, every n-th gives a draw");
    repaired.order_moves =
        keys.integer("order_moves", repaired.order_moves, {.low = 1, .high = 1e6},
                     "repaired: events moved per iteration, by either kind of move");
    constexpr std::int64_t kLeastDraws = 8;  // of a chain: half of them are used
    if (!paper && repaired.iterations / repaired.chains / repaired.thinning < kLeastDraws)
      keys.complain("iterations",
                    "leaves fewer than 8 draws per chain; raise iterations, or lower chains or "
                    "thinning");
  }

  Fidelity fidelity = Fidelity::repaired;
  std::int64_t iterations = 0;
  sa_ebm::RepairedSettings repaired;
};

class SaEbm final : public InferenceMethod {
 public:
  explicit SaEbm(const SaEbmSettings& settings) : settings_(settings) {}

 private:
  Inference do_fit(const Cohort& given, RandomStream& stream) const override {
    constexpr double kPublishedLeastSd = 0.001;  // in the units of each biomarker
    const auto& repaired = settings_.repaired;
    return toolkit::fit_to_study(
        given, {.fidelity = settings_.fidelity, .published_least_sd = kPublishedLeastSd}, stream,
        [&](const toolkit::Study& study) {
          return settings_.fidelity == Fidelity::paper
                     ? sa_ebm::published_chain(study, repaired.variant, settings_.iterations,
                                               stream)
                     : sa_ebm::repaired_chains(study, repaired, stream);
        });
  }

  SaEbmSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(
    tempo::InferenceMethod, tempo::SaEbm, tempo::SaEbmSettings,
    {.id = "sa_ebm",
     .version = "1.2.0",
     .licence = "MIT",
     .summary = "stage-aware event-based model: order by MCMC, normals with conjugate priors",
     .source = "SA-EBM: Conjugate Priors in Hao & Austerweil, TEMPO, CHIL 2026; program pysaebm",
     .labels = tempo::LabelUse::fit,
     .missing = tempo::MissingData::marginal});
