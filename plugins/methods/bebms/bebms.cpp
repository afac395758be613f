// BEBMS: the event-based model of several orders in one cohort, as published and repaired:
// README.md.

#include <cstddef>
#include <cstdint>

#include "components.hpp"
#include "published_chain.hpp"
#include "repaired_chains.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"
#include "tempo/toolkit/biomarker_values.hpp"
#include "tempo/toolkit/study.hpp"
#include "tempo/toolkit/subtype_answer.hpp"

namespace tempo {
namespace {

using toolkit::Fidelity;

struct BebmsSettings {
  explicit BebmsSettings(Parameters& keys) : fidelity(toolkit::read_fidelity(keys)) {
    const bool paper = fidelity == Fidelity::paper;
    repaired.variant =
        keys.choice("variant", "labels", {"labels", "blind"},
                    "labels: the healthy are before every event, the diseased after one at least; "
                    "blind: the diagnosis is for the start alone") == "blind"
            ? bebms::Variant::blind
            : bebms::Variant::labels;
    repaired.subtypes = static_cast<std::size_t>(keys.integer(
        "subtypes", 3, {.low = 1, .high = 20}, "number of orders that are looked for"));
    constexpr std::int64_t kPublished = 10000;
    iterations = keys.integer(
        "iterations", paper ? kPublished : repaired.iterations, {.low = 2, .high = 1e9},
        "steps of the chain (paper default: 10000), or sweeps of the likeliest attempt");
    repaired.iterations = iterations;
    repaired.attempts = keys.integer("attempts", repaired.attempts, {.low = 1, .high = 1e6},
                                     "repaired: annealed starts, of which the likeliest goes on");
    repaired.attempt_length = keys.integer("attempt_length", repaired.attempt_length,
                                           {.low = 4, .high = 1e6}, "repaired: sweeps of a start");
  }

  Fidelity fidelity;
  std::int64_t iterations = 0;
  bebms::RepairedSettings repaired;
};

class Bebms final : public InferenceMethod {
 public:
  explicit Bebms(const BebmsSettings& settings) : settings_(settings) {}

 private:
  Inference do_fit(const Cohort& given, RandomStream& stream) const override {
    const auto& repaired = settings_.repaired;
    return toolkit::fit_to_study(
        given, {.fidelity = settings_.fidelity}, stream, [&](const toolkit::Study& study) {
          auto out = settings_.fidelity == Fidelity::paper
                         ? bebms::published_chain(study, repaired.variant, repaired.subtypes,
                                                  settings_.iterations, stream)
                         : bebms::repaired_chains(study, repaired, stream);
          toolkit::warn_of_too_many_subtypes(repaired.subtypes,
                                             members(study, repaired.variant).participants(),
                                             study.biomarkers(), out);
          return out;
        });
  }

  BebmsSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(
    tempo::InferenceMethod, tempo::Bebms, tempo::BebmsSettings,
    {.id = "bebms",
     .version = "1.0.2",
     .licence = "MIT",
     .summary = "subtypes: several orders over shared normals, by MCMC with stages summed out",
     .source = "Hao & Austerweil 2025, PMLR 297 (ML4H); program bebms",
     .labels = tempo::LabelUse::fit,
     .missing = tempo::MissingData::marginal});
