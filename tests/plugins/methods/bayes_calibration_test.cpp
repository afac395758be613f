// Simulation-based calibration: where truth is drawn from the prior, the distribution function of
// every exact posterior at the truth is uniform, over cohorts. Source: Talts, Betancourt, Simpson,
// Vehtari and Gelman 2018, arXiv:1804.06788.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "data/biomarker_file.hpp"
#include "gradual_posterior.hpp"
#include "statistics.hpp"
#include "support.hpp"
#include "switch_posterior.hpp"
#include "tempo/process_law.hpp"

namespace tempo::test {
namespace {

/// Places of truths in their posteriors, uniform on (0, 1) if all is right.
class Places {
 public:
  void add(double place) { of_cohort_.push_back(place); }

  /// Ends a cohort, whose places depend on each other.
  void next_cohort(RandomStream& stream) {
    one_each_.push_back(of_cohort_[stream.index(of_cohort_.size())]);
    double sum = 0.0, squares = 0.0, inside = 0.0;
    for (const double u : of_cohort_) {
      sum += u;
      squares += (u - 0.5) * (u - 0.5);
      inside += u > 0.05 && u < 0.95 ? 1.0 : 0.0;
    }
    const auto n = static_cast<double>(of_cohort_.size());
    means_.push_back(sum / n);
    spreads_.push_back(squares / n);
    coverages_.push_back(inside / n);
    of_cohort_.clear();
  }

  /// Of one place of every cohort.
  double histogram_p_value(std::size_t classes) const {
    std::vector<double> counts(classes), expected(classes, 1.0);
    for (const double u : one_each_)
      ++counts[std::min(static_cast<std::size_t>(u * static_cast<double>(classes)), classes - 1)];
    return chi_square_p_value(counts, expected);
  }
  // Of the cohorts' means: posteriors too early or too late; too narrow or too wide.
  double mean_p_value() const { return p_value(means_, 0.5); }
  double spread_p_value() const { return p_value(spreads_, 1.0 / 12.0); }
  double coverage_p_value() const { return p_value(coverages_, 0.9); }
  double mean() const { return test::mean(means_); }
  double spread() const { return test::mean(spreads_); }
  double coverage() const { return test::mean(coverages_); }

 private:
  static double p_value(const std::vector<double>& values, double expected) {
    return test::mean_p_value(test::mean(values), values.size(), expected,
                              std::sqrt(variance(values)));
  }
  std::vector<double> of_cohort_, one_each_, means_, spreads_, coverages_;
};

/// Anywhere in the step of a discrete distribution function at the truth.
double place(std::span<const double> probabilities, std::size_t truth, RandomStream& stream) {
  double below = 0.0;
  for (std::size_t k = 0; k < truth; ++k) below += probabilities[k];
  return below + stream.uniform() * probabilities[truth];
}

struct Calibration {
  Places ranks, stages, times;
};

Calibration calibrate(const std::string& hypothesis, const BiomarkerTable& table,
                      std::size_t cohorts, std::size_t participants,
                      const bayes::ChainSettings& settings) {
  const auto process = shipped().hypothesis(part(hypothesis), table);
  const auto& composed = *process->law();
  std::vector<std::size_t> columns(table.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const bool ordinal_switch = hypothesis < "h5" || hypothesis == "h6" || hypothesis == "h7";
  Calibration out;
  for (std::size_t i = 0; i < cohorts; ++i) {
    auto draw = stream(2 * i), fit = stream(2 * i + 1);
    const auto [cohort, truth] =
        process->simulate({.participants = participants, .healthy_ratio = 0.2}, draw);
    std::vector<std::vector<double>> draws(table.size());
    const auto found =
        ordinal_switch
            ? bayes::sample_switch_posterior(composed, cohort, columns, {}, settings, fit)
            : bayes::sample_gradual_posterior(composed, cohort, columns, {}, settings, fit,
                                              [&](const bayes::Draw& drawn) {
                                                for (std::size_t b = 0; b < table.size(); ++b)
                                                  draws[b].push_back(drawn.event_times[b]);
                                              });
    for (std::size_t b = 0; b < table.size(); ++b)
      out.ranks.add(place(found.rank_posterior->row(b), truth.event_ranks[b] - 1, draw));
    for (std::size_t j = 0; j < participants; ++j)
      if (cohort.diseased[j] != 0)
        out.stages.add(place(found.stage_posterior->row(j),
                             static_cast<std::size_t>(truth.ordinal_stages[j]), draw));
    out.ranks.next_cohort(draw);
    out.stages.next_cohort(draw);
    if (!found.event_times) continue;
    for (std::size_t b = 0; b < table.size(); ++b) {
      const auto earlier = std::count_if(draws[b].begin(), draws[b].end(),
                                         [&](double time) { return time < truth.event_times[b]; });
      out.times.add((static_cast<double>(earlier) + draw.uniform()) /
                    static_cast<double>(draws[b].size() + 1));
    }
    out.times.next_cohort(draw);
  }
  return out;
}

void require_uniform(const std::string& what, const Places& places, std::size_t classes) {
  CAPTURE(what, places.mean(), places.spread(), places.coverage());
  CHECK(places.histogram_p_value(classes) > kRarely);
  CHECK(places.spread_p_value() > kRarely);
  CHECK(places.coverage_p_value() > kRarely);
}

}  // namespace

// 30 cohorts of 4 biomarkers: posteriors half as wide again as they should be, or two thirds as
// wide, fail the test of the spread by 5 standard errors if places of different events are
// independent.
TEST_CASE("bayes is calibrated where event times are continuous or measurements gradual",
          "[bayes]") {
  const std::string hypothesis = GENERATE("h5", "h8");
  CAPTURE(hypothesis);
  const BiomarkerTable table({{"a", {0, 1}, {1.5, 1}},
                              {"b", {10, 2}, {7, 2}},
                              {"c", {0, 1e-6}, {2e-6, 2e-6}},
                              {"d", {5, 1}, {6, 2}}});
  const auto found =
      calibrate(hypothesis, table, 30, 50, {.chains = 4, .burn_in = 20, .iterations = 320});
  require_uniform("ranks", found.ranks, 5);
  require_uniform("stages", found.stages, 5);
  CHECK(found.stages.mean_p_value() > kRarely);
  if (hypothesis == "h5") return;
  require_uniform("times", found.times, 5);
  CHECK(found.times.mean_p_value() > kRarely);
}

// 200 cohorts of 12 biomarkers: a tenth too narrow or too wide fails the test of the spread.
TEST_CASE("bayes is calibrated, all nine hypotheses", "[bayes][.long]") {
  Problems problems;
  const auto table = find_biomarkers("adni-12", {}, {}, problems);
  problems.throw_if_any();
  for (const std::string hypothesis : {"h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9"})
    SECTION(hypothesis) {  // test_bayes_calibration "[.long]" -c h5
      const auto found = calibrate(hypothesis, table, 200, 200, {});
      WARN(fmt::format(
          "{}: ranks p {:.3f}, spread {:.3f}, cover {:.3f}; stages p {:.3f}, spread {:.3f}, "
          "cover {:.3f}",
          hypothesis, found.ranks.histogram_p_value(10), found.ranks.spread() * 12.0,
          found.ranks.coverage(), found.stages.histogram_p_value(10), found.stages.spread() * 12.0,
          found.stages.coverage()));
      require_uniform("ranks", found.ranks, 10);
      require_uniform("stages", found.stages, 10);
      CHECK(found.stages.mean_p_value() > kRarely);
      if (hypothesis < "h8") continue;
      WARN(fmt::format("{}: times p {:.3f}, spread {:.3f}, 90 % intervals cover {:.3f}", hypothesis,
                       found.times.histogram_p_value(10), found.times.spread() * 12.0,
                       found.times.coverage()));
      require_uniform("times", found.times, 10);
      CHECK(found.times.mean_p_value() > kRarely);
    }
}

}  // namespace tempo::test
