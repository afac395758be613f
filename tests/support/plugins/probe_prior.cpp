// A stage prior of which there are two versions.

#include <algorithm>

#include "tempo/plugin.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo::test {
namespace {

/// Everybody is at the last stage.
class ProbePrior final : public StagePrior {
 public:
  ProbePrior() : StagePrior(StageScale::ordinal) {}

 private:
  void do_draw(std::size_t biomarkers, RandomStream&, std::span<double> stages) const override {
    std::fill(stages.begin(), stages.end(), static_cast<double>(biomarkers));
  }
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::StagePrior, tempo::test::ProbePrior, tempo::NoSettings,
             ({.id = "probe_prior",
               .version = PROBE_VERSION,
               .licence = "MIT",
               .summary = "a test",
               .source = "none"}));
