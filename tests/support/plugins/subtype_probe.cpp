// A method that finds one subtype, for certain at the order that names tell: biomarker `bN` has the
// rank N + 1. It says that it inferred the number.

#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"

namespace tempo::test {
namespace {

class SubtypeProbe final : public InferenceMethod {
  Inference do_fit(const Cohort& cohort, RandomStream&) const override {
    const auto J = cohort.participant_count(), B = cohort.biomarker_count();
    Inference out;
    out.stages.assign(J, 1.0);
    auto& found = out.subtypes.emplace();
    found.event_scores = Matrix(1, B);
    found.shares = {1.0};
    found.posterior = Matrix(J, 1, 1.0);
    found.log_evidence = {-1.0};
    auto& ranks = found.rank_posteriors.emplace_back(B, B);
    for (std::size_t b = 0; b < B; ++b) {
      const auto number = static_cast<std::size_t>(cohort.biomarkers[b].back() - '0');
      out.event_scores.push_back(static_cast<double>(number));
      found.event_scores(0, b) = static_cast<double>(number);
      ranks(b, number) = 1.0;
    }
    return out;
  }
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::test::SubtypeProbe, tempo::NoSettings,
             ({.id = "subtype_probe",
               .version = "1.0.0",
               .licence = "MIT",
               .summary = "a test",
               .source = "none"}));
