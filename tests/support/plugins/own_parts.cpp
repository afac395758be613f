// A hypothesis that is composed of nothing but makes its stage prior itself.

#include <memory>

#include "tempo/generative_process.hpp"
#include "tempo/plugin.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo::test {
namespace {

struct Settings {
  explicit Settings(Parameters& keys)
      : nested(keys.flag("nested", false, "makes hypothesis h3, too")),
        later(keys.text("later", "", "a stage prior that it makes when it simulates")) {}

  bool nested;
  std::string later;
};

/// Event b is at b + 1, and every measurement is 0.
class OwnParts final : public GenerativeProcess {
 public:
  OwnParts(const Settings& settings, const ProcessContext& context)
      : GenerativeProcess(context.biomarkers),
        parts_(context.parts),
        later_(settings.later),
        prior_(parts_.stage_prior({"probe_prior", {}, {}})) {
    if (settings.nested) nested_ = parts_.hypothesis({"h3", {}, {}}, context.biomarkers);
  }

 private:
  SimulatedCohort do_simulate(const CohortSize& size, RandomStream& stream) const override {
    if (!later_.empty()) parts_.stage_prior({later_, {}, {}});
    const auto J = size.participants, B = biomarkers().size(), healthy = healthy_count(size);
    SimulatedCohort out;
    auto& [cohort, truth] = out;
    std::vector<std::size_t> ranks;
    for (std::size_t b = 0; b < B; ++b) ranks.push_back(b + 1);
    truth.event_ranks = Ranks(ranks);
    truth.event_times.assign(ranks.begin(), ranks.end());
    truth.stages.assign(J, 0.0);
    prior_->draw(B, stream, std::span(truth.stages).subspan(healthy));
    for (std::size_t j = 0; j < J; ++j) {
      cohort.participants.push_back(std::to_string(j));
      cohort.diseased.push_back(j < healthy ? 0 : 1);
      truth.ordinal_stages.push_back(static_cast<int>(truth.stages[j]));
    }
    cohort.biomarkers = biomarkers().names();
    cohort.measurements = Matrix(J, B);
    return out;
  }

  const PartFactory& parts_;
  std::string later_;
  std::unique_ptr<StagePrior> prior_;
  std::unique_ptr<GenerativeProcess> nested_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::test::OwnParts, tempo::test::Settings,
             ({.id = "own_parts",
               .version = "1.0.0",
               .licence = "MIT",
               .summary = "a test",
               .source = "none"}));
