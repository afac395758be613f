#include "biomarker_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <nlopt.hpp>
#include <vector>

#include "assumptions.hpp"
#include "possible_anchors.hpp"
#include "tempo/error.hpp"
#include "tempo/quantile.hpp"
#include "tempo/random_stream.hpp"
#include "tempo/toolkit/normal_mixture.hpp"
#include "tempo/value_steps.hpp"

namespace tempo::bayes {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// A distribution by how far it is from another: mean in sds, logarithm of the ratio of sds.
struct Shift {
  double mean = 0.0;
  double log_sd = 0.0;

  Normal of(const Normal& from) const {
    return {from.mean + mean * from.sd, from.sd * std::exp(log_sd)};
  }
  static Shift between(const Normal& from, const Normal& to) {
    return {(to.mean - from.mean) / from.sd, std::log(to.sd / from.sd)};
  }
};

/// A distribution in the search: where it would be, and what holds it.
struct Held {
  Shift shift;
  Anchors anchors;

  Normal normal(const Normal& centre) const { return anchors.hold(shift.of(centre)); }
  /// Minus the logarithm of the prior around the centre; of an atom that is met exactly, of the
  /// prior's mass there.
  double cost(const Normal& centre) const {
    const auto at = normal(centre);
    const auto from_centre = Shift::between(centre, at);
    const double m = from_centre.mean / kMeansWithin, s = from_centre.log_sd / kLogSdsWithin;
    const double met = anchors.size() == 0 ? 0.0 : anchors.log_density(at) + std::log(centre.sd);
    return 0.5 * (m * m + s * s) + met;
  }
};

/// Where the search is: both distributions, and where the event is as log odds: of the share of the
/// diseased after it, or of its place between the last stage and the first.
struct Point {
  Held pre, post;
  double event = 0.0;
  double cost = std::numeric_limits<double>::infinity();

  /// What may move: the event, sds and means that no anchor holds.
  std::vector<double> free_values() const {
    auto copy = *this;
    std::vector<double> out;
    for (const double* value : copy.free()) out.push_back(*value);
    return out;
  }
  Point moved(const double* to) const {
    auto out = *this;
    for (double* value : out.free()) *value = *to++;
    return out;
  }

 private:
  std::vector<double*> free() {
    std::vector<double*> out{&event};
    for (auto* held : {&pre, &post}) {
      if (held->anchors.size() < 2) out.push_back(&held->shift.log_sd);
      if (held->anchors.size() < 1) out.push_back(&held->shift.mean);
    }
    return out;
  }
};

/// The logarithm of a product of many positive factors, with few logarithms.
class LogOfProduct {
 public:
  void multiply(double factor) {
    constexpr double kSmall = 1e-200, kLarge = 1e200;  // and factors that a likelihood ratio can be
    product_ *= factor;
    if (product_ > kSmall && product_ < kLarge) return;
    log_ += std::log(product_);
    product_ = 1.0;
  }
  double value() const { return log_ + std::log(product_); }

 private:
  double product_ = 1.0, log_ = 0.0;
};

/// Minus the logarithm of what is largest at the estimate.
class Objective {
 public:
  Objective(const ProcessLaw& process, int trait, const toolkit::BiomarkerValues& values,
            const StageNodes& nodes, const Biomarker& centre, double least_sd)
      : process_(process),
        trait_(trait),
        values_(values),
        nodes_(nodes),
        centre_(centre),
        least_sd_(least_sd),
        is_switch_(process.measurement_model().law()->effect() == EventEffect::switched) {
    if (!is_switch_) return;
    for (const bool is_post : {false, true})
      anchors_[is_post] = possible_anchors(values, atoms(is_post), is_post);
  }

  Biomarker biomarker(const Point& at) const {
    return {centre_.name, at.pre.normal(centre_.phi), at.post.normal(centre_.theta)};
  }
  const Biomarker& centre() const { return centre_; }
  const toolkit::BiomarkerValues& values() const { return values_; }
  double least_sd() const { return least_sd_; }
  bool is_switch() const { return is_switch_; }
  const std::vector<Anchor>& anchors(bool is_post) const { return anchors_[is_post]; }

  double operator()(const Point& at) const {
    constexpr double kEventWithin = 2.5;
    const auto [name, phi, theta] = biomarker(at);
    if (std::min(phi.sd, theta.sd) < least_sd_) return std::numeric_limits<double>::infinity();
    const auto model = model_at(at);
    const double event = at.event / kEventWithin;
    double cost = at.pre.cost(centre_.phi) + at.post.cost(centre_.theta) + 0.5 * event * event;
    const double share = 1.0 / (1.0 + std::exp(-at.event));
    double of_healthy = 0.0;
    for (const double log_p : log_densities(*model->law(), false, values_.controls))
      of_healthy += log_p;
    cost -= of_healthy;
    std::vector<double> since, weights;
    if (is_switch_) {
      since = {kNever, 0.0};
      weights = {1.0 - share, share};
    } else {
      weights = nodes_.masses;
      const double xi = (1.0 - share) * static_cast<double>(nodes_.biomarkers);
      since.clear();
      for (std::size_t q = 0; q < nodes_.size(); ++q) since.push_back(nodes_.stage(q) - xi);
    }
    return cost - log_likelihood(*model->law(), values_.diseased, since, weights);
  }

  /// [n] of values before the event, or after it, where measurements switch.
  std::vector<double> log_densities(const Point& at, bool is_post,
                                    const std::vector<double>& values) const {
    return log_densities(*model_at(at)->law(), is_post, values);
  }

 private:
  /// In sds from the mean.
  std::vector<double> atoms(bool is_post) const {
    return process_.make_measurement_model(BiomarkerTable({{"unit", {0.0, 1.0}, {0.0, 1.0}}}))
        ->law()
        ->atoms(0, trait_, is_post ? EventState::post : EventState::pre);
  }

  std::unique_ptr<MeasurementModel> model_at(const Point& at) const {
    return process_.make_measurement_model(BiomarkerTable({biomarker(at)}));
  }

  std::vector<double> log_densities(const MeasurementLaw& law, bool is_post,
                                    const std::vector<double>& values) const {
    const double floor = least_log_density(law.biomarkers()[0]);
    const std::array<double, 1> since{is_post ? 0.0 : kNever};
    std::array<double, 1> log_p{};
    std::vector<double> out;
    out.reserve(values.size());
    for (const double x : values) {
      law.log_density(0, trait_, x, since, log_p);
      out.push_back(std::max(log_p[0], floor));
    }
    return out;
  }

  /// Of values after one of these times since the event, by their weights.
  double log_likelihood(const MeasurementLaw& law, const std::vector<double>& values,
                        const std::vector<double>& since,
                        const std::vector<double>& weights) const {
    std::vector<double> log_p(since.size());
    const double floor = least_log_density(law.biomarkers()[0]);
    double total = 0.0;
    LogOfProduct sums;
    for (const double x : values) {
      law.log_density(0, trait_, x, since, log_p);
      const double top = std::max(*std::max_element(log_p.begin(), log_p.end()), floor);
      total += top;
      double sum = 0.0;
      for (std::size_t i = 0; i < since.size(); ++i)
        sum +=
            log_p[i] >= top ? weights[i] : weights[i] * std::exp(std::max(log_p[i], floor) - top);
      sums.multiply(sum);
    }
    return total + sums.value();
  }

  const ProcessLaw& process_;
  int trait_;
  const toolkit::BiomarkerValues& values_;
  const StageNodes& nodes_;
  Biomarker centre_;
  double least_sd_;
  bool is_switch_;
  std::array<std::vector<Anchor>, 2> anchors_;  // possible ones, before and after
};

/// Over the prior, by a quarter of the sd in question: edges of families are about as wide. Where
/// atoms may lie on shared values, also along all sds with which one does, and where two do.
std::vector<Held> grid(const Normal& centre, double least_sd, const std::vector<Anchor>& anchors) {
  constexpr double kMeanStep = 0.25, kLogSdStep = 0.2, kMeansTo = 3.0, kLeast = -1.6, kMost = 0.8;
  std::vector<Held> out;
  for (double log_sd = kLeast; log_sd < kMost + 0.5 * kLogSdStep; log_sd += kLogSdStep) {
    const double step = kMeanStep * std::exp(log_sd);
    const int means = static_cast<int>(kMeansTo / step);
    for (int m = -means; m <= means; ++m) out.push_back({{m * step, log_sd}, {}});
  }
  for (const auto& first : anchors) {
    const Anchors one({first});
    const double step = one.log_sd_width(kMeanStep, kLogSdStep);
    for (double log_sd = kLeast; log_sd < kMost; log_sd += step)
      out.push_back({{0.0, log_sd}, one});
    for (const auto& second : anchors)
      if (second.z > first.z && one.allows(second)) out.push_back({{}, one.with(second)});
  }
  for (auto& held : out) held.shift = Shift::between(centre, held.normal(centre));
  std::erase_if(out, [&](const Held& held) { return held.normal(centre).sd < least_sd; });
  return out;
}

/// The lowest few, no two of them next to each other.
std::vector<Point> lowest(std::vector<Point> points, const Biomarker& centre) {
  constexpr std::size_t kKept = 3;
  constexpr double kApart = 0.4;
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.cost < b.cost; });
  const auto is_near = [&](const Held& a, const Held& b, const Normal& around) {
    const auto shift = Shift::between(a.normal(around), b.normal(around));
    return a.anchors.size() == b.anchors.size() && std::abs(shift.mean) < kApart &&
           std::abs(shift.log_sd) < kApart;
  };
  std::vector<Point> kept;
  for (const auto& point : points) {
    if (std::none_of(kept.begin(), kept.end(), [&](const Point& other) {
          return is_near(other.pre, point.pre, centre.phi) &&
                 is_near(other.post, point.post, centre.theta);
        }))
      kept.push_back(point);
    if (kept.size() == kKept) break;
  }
  return kept;
}

/// The share of the diseased after the event that makes sum log(1 - q + q ratio) largest, and that
/// sum.
std::pair<double, double> best_share(const std::vector<double>& ratios) {
  constexpr int kSteps = 8;  // of expectation maximisation: from there it is climbed with the rest
  constexpr double kLeast = 0.01;
  double share = 0.5;
  for (int step = 0; step < kSteps; ++step) {
    double after = 0.0;
    for (const double ratio : ratios) after += share * ratio / (1.0 - share + share * ratio);
    share = std::clamp(after / static_cast<double>(ratios.size()), kLeast, 1.0 - kLeast);
  }
  LogOfProduct gained;
  for (const double ratio : ratios) gained.multiply(1.0 - share + share * ratio);
  return {share, gained.value()};
}

/// Where to climb from if measurements switch.
std::vector<Point> starts(const Objective& objective) {
  const auto& centre = objective.centre();
  const auto& values = objective.values();
  std::vector<Point> before;
  for (const auto& held : grid(centre.phi, objective.least_sd(), objective.anchors(false))) {
    Point at{held, {}, 0.0};
    at.cost = held.cost(centre.phi);
    for (const double log_p : objective.log_densities(at, false, values.controls)) at.cost -= log_p;
    before.push_back(std::move(at));
  }
  const auto afterwards = grid(centre.theta, objective.least_sd(), objective.anchors(true));
  std::vector<Point> both;
  for (const auto& pre : lowest(std::move(before), centre)) {
    const auto logs = objective.log_densities(pre, false, values.diseased);
    std::vector<double> ratios(logs.size());
    for (const auto& held : afterwards) {
      Point at{pre.pre, held, 0.0};
      const auto after = objective.log_densities(at, true, values.diseased);
      at.cost = pre.cost + held.cost(centre.theta);
      for (std::size_t i = 0; i < logs.size(); ++i) {
        ratios[i] = std::exp(after[i] - logs[i]);
        at.cost -= logs[i];
      }
      const auto [share, gained] = best_share(ratios);
      at.event = std::log(share / (1.0 - share));
      at.cost -= gained;
      both.push_back(std::move(at));
    }
  }
  return lowest(std::move(both), centre);
}

Point climbed(const Objective& objective, const Point& from, double step) {
  constexpr int kEvaluations = 400;
  struct Search {
    const Objective& objective;
    const Point& from;
    std::exception_ptr thrown;  // NLopt makes of it an error that says nothing
  } data{objective, from, nullptr};
  auto at = from.free_values();
  nlopt::opt search(nlopt::LN_NELDERMEAD, static_cast<unsigned>(at.size()));
  search.set_min_objective(
      [](unsigned, const double* p, double*, void* of_search) {
        auto& here = *static_cast<Search*>(of_search);
        try {
          return here.objective(here.from.moved(p));
        } catch (...) {
          here.thrown = std::current_exception();
          throw;
        }
      },
      &data);
  search.set_initial_step(step);
  search.set_xtol_abs(2e-3);  // of an sd: far below what a cohort can tell
  search.set_maxeval(kEvaluations);
  double cost = 0.0;
  try {
    search.optimize(at, cost);
  } catch (...) {
    if (data.thrown) std::rethrow_exception(data.thrown);
    throw;
  }
  auto out = from.moved(at.data());
  out.cost = cost;
  return out;
}

/// Climbed again with an atom more on a shared value not far from it, as long as that is likelier.
Point anchored(const Objective& objective, Point best) {
  constexpr double kNotFar = 1.0;  // sd
  for (bool is_better = true; is_better;) {
    is_better = false;
    for (const bool is_post : {false, true})
      for (const auto& anchor : objective.anchors(is_post)) {
        const auto& held = is_post ? best.post : best.pre;
        const auto biomarker = objective.biomarker(best);
        const auto& normal = is_post ? biomarker.theta : biomarker.phi;
        if (!held.anchors.allows(anchor) ||
            std::abs((anchor.value - normal.mean) / normal.sd - anchor.z) > kNotFar)
          continue;
        auto next = best;
        (is_post ? next.post : next.pre).anchors = held.anchors.with(anchor);
        next = climbed(objective, next, 0.05);
        if (next.cost >= best.cost) continue;
        best = next;
        is_better = true;
      }
  }
  return best;
}

/// Median and the distance between quartiles, of a normal distribution its sd.
Normal middle_of(std::vector<double> values) {
  constexpr double kQuartilesOfNormal = 1.3489795;
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5),
          (quantile(values, 0.75) - quantile(values, 0.25)) / kQuartilesOfNormal};
}

/// The distributions of which a trait makes measurements like these.
Biomarker distributions_behind(const std::string& name, const TraitShape& shape, double least_sd,
                               const Normal& before, const Normal& after) {
  const auto located = [&](const Normal& seen) {
    const double sd = std::max(seen.sd / shape.spread, least_sd);
    return Normal{seen.mean - sd * shape.median, sd};
  };
  return {name, located(before), located(after)};
}

}  // namespace

TraitShape trait_shape(const ProcessLaw& process, int trait) {
  constexpr std::size_t kDraws = 20000;
  const auto model =
      process.make_measurement_model(BiomarkerTable({{"unit", {0.0, 1.0}, {1.0, 1.0}}}));
  RandomStream stream(0, "shape of a trait");
  auto traits = model->draw_traits(stream);  // none, where the model fixes nothing
  std::fill(traits.begin(), traits.end(), trait);
  const std::vector<double> stages(kDraws, 0.0);
  const std::vector<std::uint8_t> healthy(kDraws, 0);
  const std::array<double, 1> event_times{1.0};
  Matrix values(kDraws, 1);
  model->measure({stages, healthy, event_times, {}}, traits, stream, values.view());
  std::vector<double> all(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) all[i] = values(i, 0);
  const auto middle = middle_of(std::move(all));
  if (!(middle.sd > 0.0))
    throw NumericError(fmt::format(
        "trait {} of measurement model '{}' gives half of all measurements the same value", trait,
        process.measurement_model().plugin_id()));
  return {middle.mean, middle.sd};
}

BiomarkerEstimate estimate_biomarker(const ProcessLaw& process, int trait, const TraitShape& shape,
                                     const toolkit::BiomarkerValues& values,
                                     const EventMixture& mixture, const StageNodes& nodes) {
  // The likelihood of rounded values has no bound where a distribution closes in on one of them.
  constexpr double kLeastSdOfHealthy = 0.1;
  const double least_sd =
      std::max(kLeastSdOfHealthy * toolkit::population_moments(values.controls).sd,
               least_sd_of_steps(values.pooled));
  const auto centre = distributions_behind(values.name, shape, least_sd, middle_of(values.controls),
                                           middle_of(values.diseased));
  const auto normals =
      distributions_behind(values.name, shape, least_sd, mixture.pre, mixture.post);
  const Objective objective(process, trait, values, nodes, centre, least_sd);
  Point start{{Shift::between(centre.phi, normals.phi), {}},
              {Shift::between(centre.theta, normals.theta), {}}};
  start.event = std::clamp(std::log(mixture.post_share / (1.0 - mixture.post_share)), -2.0, 2.0);
  // A simplex that has collapsed gets another start.
  auto best = climbed(objective, climbed(objective, start, 0.5), 0.1);
  if (objective.is_switch())
    for (const auto& candidate : starts(objective)) {
      const auto found = anchored(objective, climbed(objective, candidate, 0.1));
      if (found.cost < best.cost) best = found;
    }
  return {objective.biomarker(best), centre, least_sd, best.pre.anchors, best.post.anchors};
}

}  // namespace tempo::bayes
