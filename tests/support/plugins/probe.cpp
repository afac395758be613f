// A method that does as its settings say, so that tests see what the engine does with it. Built as
// `probe`, as `labelled_probe` (the method uses the diagnosis), as `optional_probe` (it can do
// without), as `assuming_probe` (it infers under a hypothesis), as a later version of `probe` and
// as `probe` rebuilt under the same version.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"

namespace tempo::test {
namespace {

struct Settings {
  explicit Settings(Parameters& keys)
      : shift(keys.number("shift", 0.0, any_number, "added to every score, changes no order")),
        noise(keys.number("noise", 0.0, non_negative, "sd of what is added to each score")),
        waits_for(keys.text("waits_for", "", "file that fits from the third on wait for")),
        fails_on(keys.text("fails_on", "", "fit throws if this biomarker is in the first column")),
        warns(keys.flag("warns", false, "give a warning that names the first column")),
        log(keys.text("log", "", "file that gets a line per fit: columns, labels, diagnoses")) {}

  double shift;
  double noise;
  std::string waits_for;
  std::string fails_on;
  bool warns;
  std::string log;
};

/// Scores a biomarker by its mean, up to noise. Everybody is at stage 1. The posteriors and times
/// tell which column they belong to: biomarker `bN` has rank N + 1 and time N / 10, with an
/// sd of N / 100 and between N / 10 and 1.
class Probe final : public InferenceMethod {
 public:
#if PROBE_ASSUMES
  Probe(const Settings& settings, const AssumptionContext&) : settings_(settings) {}
#else
  explicit Probe(const Settings& settings) : settings_(settings) {}
#endif

 private:
  Inference do_fit(const Cohort& cohort, RandomStream& stream) const override {
    if (!settings_.log.empty()) note(cohort);
    wait();
    const auto& first = cohort.biomarkers.front();
    if (first == settings_.fails_on) throw std::runtime_error("cannot start with " + first);
    const auto J = cohort.participant_count();
    const auto B = cohort.biomarker_count();
    Inference out;
    out.stages.assign(J, 1.0);
    out.stage_posterior = Matrix(J, B + 1, 1.0 / static_cast<double>(B + 1));
    out.rank_posterior = Matrix(B, B, 0.0);
    out.event_times.emplace();
    out.event_time_spreads.emplace();
    for (std::size_t b = 0; b < B; ++b) {
      double sum = 0.0;
      for (std::size_t j = 0; j < J; ++j) sum += cohort.measurements(j, b);
      out.event_scores.push_back(sum / static_cast<double>(J) + settings_.shift +
                                 settings_.noise * stream.normal());
      const auto number = static_cast<std::size_t>(cohort.biomarkers[b].back() - '0');
      (*out.rank_posterior)(b, number) = 1.0;
      out.event_times->push_back(static_cast<double>(number) / 10.0);
      out.event_time_spreads->push_back(
          {static_cast<double>(number) / 100.0, out.event_times->back(), 1.0});
      out.checks.push_back({b, true, "number", static_cast<double>(number), 1.0, 0.5, 0.25});
    }
    if (PROBE_ASSUMES) out.evidence.emplace().log_scores.assign(J, -1.0);
    out.diagnostics["columns"] = static_cast<double>(B);
    if (settings_.warns) out.warnings.push_back("first column is " + first);
    return out;
  }

  /// No longer than a minute, so that nothing is left over if a test breaks.
  void wait() const {
    static std::atomic<int> fits = 0;
    if (settings_.waits_for.empty() || ++fits < 3) return;
    for (int i = 0; i < 6000 && !std::filesystem::exists(settings_.waits_for); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

  void note(const Cohort& cohort) const {
    std::ofstream log(settings_.log, std::ios::app);
    for (const auto& name : cohort.biomarkers) log << name << ' ';
    log << cohort.diseased.size() << ' ' << cohort.diagnoses.size() << std::endl;
  }

  const Settings settings_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::test::Probe, tempo::test::Settings,
             ({.id = PROBE_ID,
               .version = PROBE_VERSION,
               .licence = "MIT",
               .summary = "a test" PROBE_BUILD,
               .source = "none",
               .labels = tempo::LabelUse::PROBE_LABELS}));
