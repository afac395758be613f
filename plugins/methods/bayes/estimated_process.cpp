#include "estimated_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stage_nodes.hpp"
#include "tempo/error.hpp"

namespace tempo::bayes {
namespace {

/// Whether what one trait makes of any distributions, the other makes of those with the mean after
/// the event mirrored at that before it.
bool are_mirrored(const ComposedProcess& process, int one, int other) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  const std::vector<double> since{kNever, -2.0, -0.3, 0.0, 0.6, 4.0};
  std::vector<double> log_p(since.size()), mirrored(since.size());
  for (const auto& theta : {Normal{0.7, 0.6}, {3.0, 1.8}}) {
    const auto model = process.measurement_model(BiomarkerTable({{"unit", {0.0, 1.0}, theta}}));
    const auto mirror =
        process.measurement_model(BiomarkerTable({{"unit", {0.0, 1.0}, {-theta.mean, theta.sd}}}));
    for (const double x : {-2.3, -0.7, 0.4, 1.9, 3.1}) {
      model->log_density(0, one, x, since, log_p);
      mirror->log_density(0, other, x, since, mirrored);
      for (std::size_t i = 0; i < since.size(); ++i) {
        constexpr double kRounding = 1e-9;  // of the logarithm
        if (log_p[i] != mirrored[i] &&
            !(std::abs(log_p[i] - mirrored[i]) <= kRounding * (1.0 + std::abs(log_p[i]))))
          return false;
      }
    }
  }
  return true;
}

/// A measurement model with other parameters for each trait.
class EstimatedModel final : public MeasurementModel {
 public:
  /// @param by_trait  in the order of distinct_traits()
  EstimatedModel(const ComposedProcess& process,
                 std::vector<std::unique_ptr<MeasurementModel>> by_trait)
      : MeasurementModel(by_trait[0]->biomarkers()),
        process_(process),
        traits_(distinct_traits(process)),
        by_trait_(std::move(by_trait)) {}

 private:
  std::size_t index_of(int trait) const {
    return static_cast<std::size_t>(std::find(traits_.begin(), traits_.end(), trait) -
                                    traits_.begin());
  }
  std::vector<int> do_draw_traits(RandomStream& stream) const override {
    auto traits =
        process_.measurement_model().draw_traits(stream);  // none, where the model fixes nothing
    for (int& trait : traits) trait = traits_[stream.index(traits_.size())];
    return traits;
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

std::vector<int> distinct_traits(const ComposedProcess& process) {
  std::vector<int> out;
  for (const int trait : process.measurement_model().possible_traits())
    if (std::none_of(out.begin(), out.end(),
                     [&](int earlier) { return are_mirrored(process, earlier, trait); }))
      out.push_back(trait);
  return out;
}

BiomarkerEstimates estimate_biomarkers(const ComposedProcess& process, const Cohort& cohort,
                                       std::span<const std::size_t> columns) {
  const auto nodes = stage_nodes(process);
  const auto traits = distinct_traits(process);
  std::vector<TraitShape> shapes;
  for (const int trait : traits) shapes.push_back(trait_shape(process, trait));
  BiomarkerEstimates by_trait(traits.size());
  for (const auto b : columns) {
    const auto values = toolkit::values_of(cohort, b);
    try {
      const auto mixture = fit_event_mixture(values.controls, values.diseased, HealthyAre::free);
      for (std::size_t t = 0; t < traits.size(); ++t)
        by_trait[t].push_back(
            estimate_biomarker(process, traits[t], shapes[t], values, mixture, nodes));
    } catch (const NumericError& error) {
      throw NumericError(fmt::format("the distributions of biomarker '{}' cannot be estimated: {}",
                                     values.name, error.what()));
    }
  }
  return by_trait;
}

std::unique_ptr<ComposedProcess> with_estimates(const ComposedProcess& process,
                                                const BiomarkerEstimates& by_trait) {
  std::vector<std::unique_ptr<MeasurementModel>> models;
  for (const auto& estimates : by_trait) {
    std::vector<Biomarker> biomarkers;
    for (const auto& estimate : estimates) biomarkers.push_back(estimate.biomarker);
    models.push_back(process.measurement_model(BiomarkerTable(std::move(biomarkers))));
  }
  return process.with_measurement_model(
      std::make_shared<EstimatedModel>(process, std::move(models)));
}

}  // namespace tempo::bayes
