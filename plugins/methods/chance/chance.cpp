// What a method scores that never looks at a measurement: README.md.

#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

class Chance final : public InferenceMethod {
 private:
  Inference do_fit(const Cohort& cohort, RandomStream& stream) const override {
    const auto B = cohort.biomarker_count();
    Inference out;
    for (const auto place : stream.permutation(B))
      out.event_scores.push_back(static_cast<double>(place));
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      out.stages.push_back(static_cast<double>(stream.index(B + 1)));
    return out;
  }
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::Chance, tempo::NoSettings,
             {.id = "chance",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "random order and stages: what every other method has to beat",
              .source = "none: a null method",
              .labels = tempo::LabelUse::none,
              .missing = tempo::MissingData::marginal});
