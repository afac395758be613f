// A method that fails in the way its settings ask for.
#include <limits>
#include <stdexcept>

#include "one_change.hpp"
#include "tempo/inference_method.hpp"

namespace tempo::test {
namespace {

struct Settings {
  explicit Settings(Parameters& keys)
      : fault(keys.choice(
            "fault", "none",
            {"none", "fit", "fit_int", "few_scores", "nan_score", "few_stages", "late_stage",
             "late_event", "lone_spread", "wide_spread", "half_posterior", "few_results"},
            "what goes wrong")) {}

  std::string fault;
};

/// Events in the order of the columns, everybody at stage 0.
class BadMethod final : public InferenceMethod {
 public:
  explicit BadMethod(const Settings& settings) : fault_(settings.fault) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream&) const override {
    if (fault_ == "fit") throw std::runtime_error("did not converge");
    if (fault_ == "fit_int") throw 7;
    const auto J = cohort.participant_count();
    const auto B = cohort.biomarker_count();
    Inference out;
    for (std::size_t b = 0; b < B; ++b) out.event_scores.push_back(static_cast<double>(b));
    out.stages.assign(J, 0.0);
    if (fault_ == "few_scores") out.event_scores.pop_back();
    if (fault_ == "nan_score") out.event_scores[1] = std::numeric_limits<double>::quiet_NaN();
    if (fault_ == "few_stages") out.stages.pop_back();
    if (fault_ == "late_stage") out.stages[1] = static_cast<double>(B) + 1.0;
    if (fault_ == "late_event") out.event_times = std::vector<double>(B, 2.0);
    if (fault_ == "lone_spread") out.event_time_spreads.emplace(B);
    if (fault_ == "wide_spread") {
      out.event_times = std::vector<double>(B, 0.5);
      out.event_time_spreads.emplace(B, EventTimeSpread{0.25, 0.5, 1.5});
    }
    if (fault_ == "half_posterior") out.stage_posterior = Matrix(J, B + 1, 0.1);
    return out;
  }

  std::vector<Inference> do_fit_all(std::span<const Cohort> cohorts,
                                    std::span<RandomStream> streams) const override {
    std::vector<Inference> out;
    for (std::size_t i = 0; i < cohorts.size(); ++i) out.push_back(do_fit(cohorts[i], streams[i]));
    if (fault_ == "few_results") out.pop_back();
    return out;
  }

  std::string fault_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::test::BadMethod, tempo::test::Settings,
             (tempo::test::info_of("bad_method")));
