// A hypothesis that fails in the way its settings ask for.
#include <csignal>
#include <limits>
#include <stdexcept>

#include "one_change.hpp"
#include "tempo/generative_process.hpp"

namespace tempo::test {
namespace {

struct Settings {
  explicit Settings(Parameters& keys)
      : fault(keys.choice(
            "fault", "none",
            {"none", "simulate", "simulate_int", "infinite", "few_rows", "few_participants",
             "few_healthy", "no_labels", "other_biomarkers", "wrong_ranks", "crash"},
            "what goes wrong")) {}

  std::string fault;
};

/// Event b is at b + 1, the diseased are at the last stage, and every measurement is 0.
class BadHypothesis final : public GenerativeProcess {
 public:
  BadHypothesis(const Settings& settings, const ProcessContext& context)
      : GenerativeProcess(context.biomarkers), fault_(settings.fault) {}

 private:
  SimulatedCohort do_simulate(const CohortSize& size, RandomStream&) const override {
    if (fault_ == "crash") std::raise(SIGSEGV);
    if (fault_ == "simulate") throw std::runtime_error("did not converge");
    if (fault_ == "simulate_int") throw 7;
    const auto J = size.participants - (fault_ == "few_participants" ? 1 : 0);
    const auto B = biomarkers().size();
    const auto healthy = fault_ == "few_healthy" ? 0 : healthy_count(size);

    SimulatedCohort out;
    out.cohort.biomarkers = biomarkers().names();
    out.cohort.measurements = Matrix(fault_ == "few_rows" ? J - 1 : J, B);
    std::vector<std::size_t> ranks;
    for (std::size_t b = 0; b < B; ++b) {
      out.truth.event_times.push_back(static_cast<double>(b + 1));
      ranks.push_back(fault_ == "wrong_ranks" ? B - b : b + 1);
    }
    out.truth.event_ranks = Ranks(ranks);
    for (std::size_t j = 0; j < J; ++j) {
      const bool diseased = j >= healthy;
      out.cohort.participants.push_back(std::to_string(j));
      out.cohort.diseased.push_back(diseased ? 1 : 0);
      out.truth.stages.push_back(diseased ? static_cast<double>(B) : 0.0);
      out.truth.ordinal_stages.push_back(diseased ? static_cast<int>(B) : 0);
    }
    if (fault_ == "infinite")
      out.cohort.measurements(0, 0) = std::numeric_limits<double>::infinity();
    if (fault_ == "other_biomarkers") out.cohort.biomarkers[0] = "other";
    if (fault_ == "no_labels") {
      out.cohort.diseased.clear();
      out.truth.stages.assign(J, 0.0);
      out.truth.ordinal_stages.assign(J, 0);
    }
    return out;
  }

  std::string fault_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::test::BadHypothesis, tempo::test::Settings,
             (tempo::test::info_of("bad_hypothesis")));
