#include "estimated_process.hpp"

#include <algorithm>
#include <vector>

#include "stage_nodes.hpp"

namespace tempo::bayes {
namespace {

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

  std::vector<double> do_atoms(std::size_t b, int trait, bool is_post) const override {
    return by_trait_[index_of(trait)]->atoms(b, trait, is_post);
  }

  const ComposedProcess& process_;
  std::vector<int> traits_;
  std::vector<std::unique_ptr<MeasurementModel>> by_trait_;
};

}  // namespace

BiomarkerEstimates estimate_biomarkers(const ComposedProcess& process, const Cohort& cohort,
                                       std::span<const std::size_t> columns) {
  const auto nodes = stage_nodes(process);
  const auto traits = process.measurement_model().possible_traits();
  std::vector<TraitShape> shapes;
  for (const int trait : traits) shapes.push_back(trait_shape(process, trait));
  BiomarkerEstimates by_trait(traits.size());
  for (const auto b : columns) {
    const auto values = toolkit::values_of(cohort, b);
    const auto mixture = fit_event_mixture(values.controls, values.diseased, HealthyAre::free);
    for (std::size_t t = 0; t < traits.size(); ++t)
      by_trait[t].push_back(estimate_biomarker(process, traits[t], shapes[t], values, mixture, nodes));
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
