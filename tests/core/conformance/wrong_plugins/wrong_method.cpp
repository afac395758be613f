// A method that is wrong in the way its setting asks for: it counts values that are far from those
// of the healthy.

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

#include "tempo/inference_method.hpp"
#include "tempo/quantile.hpp"
#include "wrong.hpp"

namespace tempo::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
std::atomic<int> fits_of_all{0};

struct Healthy {
  std::size_t count = 0;
  double middle = 0.0, sd = 0.0;
};

class WrongMethod final : public InferenceMethod {
 public:
  explicit WrongMethod(const Faulty& faulty) : faulty_(faulty) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream& stream) const override {
    disturb(cohort);
    const auto J = cohort.participant_count(), B = cohort.biomarker_count();
    Inference out;
    out.event_scores.assign(B, 0.0);
    out.stages.assign(J, 0.0);
    for (std::size_t b = 0; b < B; ++b) count_far_values(cohort, b, out);
    spoil(cohort, stream, out);
    return out;
  }

  std::vector<Inference> do_fit_all(std::span<const Cohort> cohorts,
                                    std::span<RandomStream> streams) const override {
    std::vector<Inference> out;
    for (std::size_t i = 0; i < cohorts.size(); ++i) out.push_back(do_fit(cohorts[i], streams[i]));
    if (faulty_.has("mixes_batches")) std::reverse(out.begin(), out.end());
    return out;
  }

  /// Median, and the median distance from it as an sd: a far value moves neither.
  Healthy healthy_of(const Cohort& cohort, std::size_t b) const {
    std::vector<double> values;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      if (const double x = cohort.measurements(j, b); cohort.diseased[j] == 0 && !std::isnan(x))
        values.push_back(x);
    Healthy out{values.size()};
    if (values.empty()) return out;
    std::ranges::sort(values);
    out.middle = quantile(values, 0.5);
    for (double& x : values) x = std::abs(x - out.middle);
    std::ranges::sort(values);
    out.sd = 1.48 * quantile(values, 0.5);
    if (faulty_.has("a_tolerance")) out.sd = std::max(out.sd, 1e-3);
    return out;
  }

  void count_far_values(const Cohort& cohort, std::size_t b, Inference& out) const {
    const auto healthy = healthy_of(cohort, b);
    const auto& name = cohort.biomarkers[b];
    if (healthy.count == 1 && faulty_.has("one_healthy")) out.event_scores[b] = kNan;
    if (healthy.count < 2 && !std::isnan(out.event_scores[b]))
      throw std::runtime_error("too few healthy participants have '" + name + "'");
    if (faulty_.has("nan_spreads"))
      for (std::size_t j = 0; j < cohort.participant_count(); ++j)
        out.event_scores[b] += 0.0 * cohort.measurements(j, b);
    if (healthy.sd == 0.0 && faulty_.has("constant")) out.event_scores[b] = kNan;
    if (!(healthy.sd > 0.0)) return;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
      const double z = (cohort.measurements(j, b) - healthy.middle) / healthy.sd;
      const double limit = faulty_.has("a_direction") ? (z > 0.0 ? 1.5 : 3.5) : 2.5;
      if (!(std::abs(z) > limit)) continue;
      const bool is_late = faulty_.has("rows_count") && j >= 30;
      out.stages[j] += 1.0;
      if (cohort.diseased[j] != 0 && !is_late) out.event_scores[b] -= 1.0;
      if (std::abs(z) > 30.0 && faulty_.has("far_value")) out.event_scores[b] += 1000.0;
    }
    if (faulty_.has("an_offset") && std::abs(healthy.middle) > 500.0) out.event_scores[b] = 0.0;
  }

  /// What is wrong with the answer.
  void spoil(const Cohort& cohort, RandomStream& stream, Inference& out) const {
    const auto J = cohort.participant_count(), B = cohort.biomarker_count();
    const auto diseased = std::count(cohort.diseased.begin(), cohort.diseased.end(), 1);
    for (std::size_t b = 0; b < B; ++b) {
      if (faulty_.has("column_order")) out.event_scores[b] += 1e-3 * static_cast<double>(b);
      if (faulty_.has("reads_names") && cohort.biomarkers[b].starts_with("event "))
        out.event_scores[b] = std::stod(cohort.biomarkers[b].substr(6));
      if (faulty_.has("large_cohorts") && J > 500) out.event_scores[b] = stream.uniform();
      if (faulty_.has("counts_all_fits")) out.event_scores[b] += 1e-9 * fits_of_all++;
      if (faulty_.has("counts_fits")) out.event_scores[b] += 1e-9 * fits_++;
      if (faulty_.has("one_biomarker") && B == 1) out.event_scores[b] = kNan;
      if (faulty_.has("nobody") && diseased == 0) out.event_scores[b] = kNan;
      spoil_column(cohort, b, out);
    }
    for (std::size_t j = 0; j < J; ++j) {
      if (faulty_.has("own_label") && cohort.diseased[j] == 0) out.stages[j] = 0.0;
      if (faulty_.has("reads_diagnoses") && !cohort.diagnoses.empty())
        out.stages[j] = std::stod(cohort.diagnoses[j].substr(6));
      if (faulty_.has("backwards")) out.stages[j] = static_cast<double>(B) - out.stages[j];
    }
    if (faulty_.has("inverse_posterior")) add_posterior(out, true);
    if (faulty_.has("sure_of_noise")) add_posterior(out, false);
    if (faulty_.has("race")) through_scratch(out);
  }

  void spoil_column(const Cohort& cohort, std::size_t b, Inference& out) const {
    std::map<double, int> values;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      ++values[cohort.measurements(j, b)];
    if (faulty_.has("two_values") && values.size() == 2) throw std::runtime_error("cannot fit");
    if (faulty_.has("ties") && values.size() > 2 && values.size() < 60) out.event_scores[b] = kNan;
  }

  /// All probability on the rank of each biomarker, or on the biomarker of each rank.
  static void add_posterior(Inference& out, bool is_inverse) {
    const auto B = out.event_scores.size();
    const auto ranks = ranks_of(sequence_by_score(out.event_scores));
    out.rank_posterior = Matrix(B, B);
    for (std::size_t b = 0; b < B; ++b)
      (is_inverse ? (*out.rank_posterior)(ranks[b] - 1, b)
                  : (*out.rank_posterior)(b, ranks[b] - 1)) = 1.0;
  }

  void through_scratch(Inference& out) const {
    for (double& score : out.event_scores) {
      scratch_.store(score);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      score = scratch_.load();
    }
  }

  /// What is wrong with it and has nothing to do with the answer.
  void disturb(const Cohort& cohort) const {
    const auto J = cohort.participant_count();
    if (faulty_.has("hangs"))
      for (;;) work_ = work_ + 1;
    if (faulty_.has("exits")) std::exit(3);
    if (faulty_.has("aborts")) std::abort();
    if (faulty_.has("crashes")) std::raise(SIGSEGV);
    if (faulty_.has("floods"))
      for (;;) std::puts("fitting, fitting, fitting, fitting, fitting, fitting, fitting, fitting");
    if (faulty_.has("swallows"))
      for (;;) leaked_ = static_cast<char*>(std::memset(std::malloc(1 << 20), 1, 1 << 20));
    if (faulty_.has("leaves_children") && fork() == 0) {
      std::this_thread::sleep_for(std::chrono::seconds(60));
      _exit(0);
    }
    if (faulty_.has("leak")) leaked_ = new char[1024];
    if (faulty_.has("cube"))
      for (std::size_t i = 0; i < J * J * J / 2; ++i) work_ = work_ + 1;
    if (faulty_.has("changes_input")) const_cast<Cohort&>(cohort).diagnoses.assign(J, "stage 1");
  }

  Faulty faulty_;
  mutable std::atomic<int> fits_{0};
  mutable std::atomic<double> scratch_{0.0};
  mutable char* leaked_ = nullptr;
  mutable volatile std::size_t work_ = 0;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::test::WrongMethod, tempo::test::Faulty,
             (tempo::test::wrong_info("wrong_method")));
