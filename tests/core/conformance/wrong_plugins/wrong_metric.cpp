// A metric that is wrong in the way its setting asks for.

#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tempo/fit_metric.hpp"
#include "tempo/metrics.hpp"
#include "wrong.hpp"

namespace tempo::test {
namespace {

FitMetric::Better better_of(const Faulty& faulty) {
  if (faulty.has("wrong_way")) return FitMetric::Better::higher;
  return faulty.has("no_better") ? FitMetric::Better::neither : FitMetric::Better::lower;
}

class WrongMetric final : public FitMetric {
 public:
  explicit WrongMetric(const Faulty& faulty)
      : FitMetric({.title = "share of pairs out of order", .better = better_of(faulty)}),
        faulty_(faulty) {}

 private:
  double do_score(const Inference& found, const SimulatedCohort& cohort) const override {
    if (faulty_.has("needs_posteriors") && !found.rank_posterior)
      throw std::runtime_error("expected a posterior");
    if (faulty_.has("infinite") && found.event_scores.size() == 1)
      return std::numeric_limits<double>::infinity();
    if (faulty_.has("of_posteriors")) return doubt(found, cohort.truth);
    if (faulty_.has("cannot_tell")) return 0.5;
    const double distance = tau_distance(found.event_scores, cohort.truth.event_ranks);
    if (faulty_.has("counts_calls")) return distance + 1e-6 * static_cast<double>(calls_++);
    if (faulty_.has("first_column"))
      return distance + 0.001 * static_cast<double>(cohort.truth.event_ranks[0]);
    if (faulty_.has("later_rows")) {
      double sum = 0.0;
      for (std::size_t j = 0; j < found.stages.size(); ++j)
        sum += static_cast<double>(j) * found.stages[j];
      return distance + 1e-6 * sum;
    }
    if (faulty_.has("reads_names"))
      return distance + 0.001 * static_cast<double>(cohort.cohort.biomarkers.front().size());
    if (faulty_.has("differences"))
      return std::abs(found.event_scores[0] - static_cast<double>(cohort.truth.event_ranks[0])) +
             distance;
    return distance;
  }

  /// No fault: answers without posteriors have no score.
  static double doubt(const Inference& found, const Truth& truth) {
    if (!found.rank_posterior) return std::nan("");
    double out = 0.0;
    for (std::size_t b = 0; b < truth.event_ranks.size(); ++b)
      out += 1.0 - (*found.rank_posterior)(b, truth.event_ranks[b] - 1);
    return out;
  }

  Faulty faulty_;
  mutable std::atomic<int> calls_{0};
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::FitMetric, tempo::test::WrongMetric, tempo::test::Faulty,
             (tempo::test::wrong_info("wrong_metric")));
