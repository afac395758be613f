#include "estimated_process.hpp"

#include <nlopt.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "assumptions.hpp"
#include "biomarker_values.hpp"
#include "stage_nodes.hpp"
#include "tempo/error.hpp"
#include "tempo/event_mixture.hpp"

namespace tempo::bayes {
namespace {

/// A model of one biomarker.
std::unique_ptr<MeasurementModel> alone(const ComposedProcess& process, const Biomarker& biomarker) {
  return process.measurement_model(BiomarkerTable({biomarker}));
}

/// Mean and sd of what a trait makes of a pre-event distribution N(0, 1).
Normal moments_of_trait(const ComposedProcess& process, int trait) {
  const auto unit = alone(process, {"unit", {0.0, 1.0}, {1.0, 1.0}});
  const std::array<double, 1> never{-std::numeric_limits<double>::infinity()};
  std::array<double, 1> log_p{};
  double mass = 0.0, sum = 0.0, squares = 0.0;
  constexpr double kReach = 10.0, kStep = 0.005;  // sd
  for (double x = -kReach; x <= kReach; x += kStep) {
    unit->log_density(0, trait, x, never, log_p);
    const double p = std::exp(log_p[0]);
    mass += p;
    sum += p * x;
    squares += p * x * x;
  }
  const double mean = sum / mass;
  return {mean, std::sqrt(squares / mass - mean * mean)};
}

/// Minus the logarithm of what is largest at the estimate.
class Objective {
 public:
  Objective(const ComposedProcess& process, int trait, const toolkit::BiomarkerValues& values,
            const StageNodes& nodes, const Biomarker& start)
      : process_(process),
        trait_(trait),
        values_(values),
        nodes_(nodes),
        start_(start),
        is_switch_(process.measurement_model().is_switch()) {}

  /// Means in sds of the start, logarithms of ratios of sds, and where the event is: log odds of the
  /// share after it, or of its place between the first stage and the last.
  static constexpr unsigned kParameters = 5;

  Biomarker biomarker(const double* p) const {
    const auto moved = [](const Normal& from, double mean, double log_sd) {
      return Normal{from.mean + mean * from.sd, from.sd * std::exp(log_sd)};
    };
    return {start_.name, moved(start_.phi, p[0], p[1]), moved(start_.theta, p[2], p[3])};
  }

  double operator()(const double* p) const {
    constexpr double kEventWithin = 2.5;
    double cost = 0.0;
    for (const auto& [value, within] :
         {std::pair{p[0], kMeansWithin}, {p[1], kLogSdsWithin}, {p[2], kMeansWithin},
          {p[3], kLogSdsWithin}, {p[4], kEventWithin}})
      cost += 0.5 * value * value / (within * within);
    const auto model = alone(process_, biomarker(p));
    const double share = 1.0 / (1.0 + std::exp(-p[4]));
    const double never = -std::numeric_limits<double>::infinity();
    std::vector<double> since{never}, weights{1.0};
    cost -= log_likelihood(*model, values_.controls, since, weights);
    if (is_switch_) {
      since = {never, 0.0};
      weights = {1.0 - share, share};
    } else {
      weights = nodes_.masses;
      const double xi = (1.0 - share) * static_cast<double>(nodes_.biomarkers);
      since.clear();
      for (std::size_t q = 0; q < nodes_.size(); ++q) since.push_back(nodes_.stage(q) - xi);
    }
    return cost - log_likelihood(*model, values_.diseased, since, weights);
  }

 private:
  double log_likelihood(const MeasurementModel& model, const std::vector<double>& values,
                        const std::vector<double>& since, const std::vector<double>& weights) const {
    std::vector<double> log_p(since.size());
    const double floor = least_log_density(model.biomarkers()[0]);
    double total = 0.0;
    for (const double x : values) {
      model.log_density(0, trait_, x, since, log_p);
      const double top = std::max(*std::max_element(log_p.begin(), log_p.end()), floor);
      double sum = 0.0;
      for (std::size_t i = 0; i < since.size(); ++i)
        sum += weights[i] * std::exp(std::max(log_p[i], floor) - top);
      total += top + std::log(sum);
    }
    return total;
  }

  const ComposedProcess& process_;
  int trait_;
  const toolkit::BiomarkerValues& values_;
  const StageNodes& nodes_;
  Biomarker start_;
  bool is_switch_;
};

Biomarker estimate(const ComposedProcess& process, int trait, const toolkit::BiomarkerValues& values,
                   const StageNodes& nodes, const Normal& moments) {
  const auto mixture = fit_event_mixture(values.controls, values.diseased, HealthyAre::free);
  const auto corrected = [&](const Normal& normal) {
    const double sd = normal.sd / moments.sd;
    return Normal{normal.mean - sd * moments.mean, sd};
  };
  const Objective objective(process, trait, values, nodes,
                            {values.name, corrected(mixture.pre), corrected(mixture.post)});
  std::vector<double> at(Objective::kParameters, 0.0);
  at.back() = std::clamp(std::log(mixture.post_share / (1.0 - mixture.post_share)), -2.0, 2.0);
  for (const double step : {0.5, 0.1}) {  // a simplex that has collapsed gets another start
    nlopt::opt search(nlopt::LN_NELDERMEAD, Objective::kParameters);
    search.set_min_objective(
        [](unsigned, const double* p, double*, void* data) {
          return (*static_cast<const Objective*>(data))(p);
        },
        const_cast<Objective*>(&objective));  // NLopt has no const
    search.set_initial_step(step);
    search.set_xtol_abs(2e-3);  // of an sd: far below what a cohort can tell
    search.set_maxeval(400);
    double value = 0.0;
    search.optimize(at, value);
  }
  return objective.biomarker(at.data());
}

/// A measurement model with other parameters for each trait.
class EstimatedModel final : public MeasurementModel {
 public:
  /// @param by_trait  in the order of possible_traits()
  EstimatedModel(const ComposedProcess& process, std::vector<std::unique_ptr<MeasurementModel>> by_trait)
      : MeasurementModel(by_trait[0]->biomarkers()),
        process_(process),
        traits_(process.measurement_model().possible_traits()),
        by_trait_(std::move(by_trait)) {}

 private:
  std::size_t index_of(int trait) const {
    return static_cast<std::size_t>(std::find(traits_.begin(), traits_.end(), trait) -
                                    traits_.begin());
  }
  std::vector<int> do_draw_traits(RandomStream& stream) const override {
    return process_.measurement_model().draw_traits(stream);
  }
  void do_measure(const Timeline& timeline, const std::vector<int>& traits, RandomStream& stream,
                  MatrixView<double> x) const override {
    std::vector<Biomarker> biomarkers;
    for (std::size_t b = 0; b < this->biomarkers().size(); ++b) {
      const auto trait = traits.empty() ? 0 : index_of(traits[b]);
      biomarkers.push_back(by_trait_[trait]->biomarkers()[b]);
    }
    const auto chosen = process_.measurement_model(BiomarkerTable(std::move(biomarkers)));
    chosen->measure(timeline, traits, stream, x);
  }
  bool do_has_log_density() const override { return true; }
  bool do_is_switch() const override { return process_.measurement_model().is_switch(); }
  std::vector<int> do_possible_traits() const override { return traits_; }
  void do_log_density(std::size_t b, int trait, double x, std::span<const double> since,
                      std::span<double> out) const override {
    by_trait_[index_of(trait)]->log_density(b, trait, x, since, out);
  }

  const ComposedProcess& process_;
  std::vector<int> traits_;
  std::vector<std::unique_ptr<MeasurementModel>> by_trait_;
};

}  // namespace

std::vector<BiomarkerTable> estimated_tables(const ComposedProcess& process, const Cohort& cohort,
                                             std::span<const std::size_t> columns) {
  const auto nodes = stage_nodes(process);
  std::vector<BiomarkerTable> by_trait;
  for (const int trait : process.measurement_model().possible_traits()) {
    const auto moments = moments_of_trait(process, trait);
    std::vector<Biomarker> biomarkers;
    for (const auto b : columns)
      biomarkers.push_back(estimate(process, trait, toolkit::values_of(cohort, b), nodes, moments));
    by_trait.emplace_back(std::move(biomarkers));
  }
  return by_trait;
}

std::unique_ptr<ComposedProcess> with_tables(const ComposedProcess& process,
                                             const std::vector<BiomarkerTable>& by_trait) {
  std::vector<std::unique_ptr<MeasurementModel>> models;
  for (const auto& table : by_trait) models.push_back(process.measurement_model(table));
  return process.with_measurement_model(
      std::make_shared<EstimatedModel>(process, std::move(models)));
}

}  // namespace tempo::bayes
