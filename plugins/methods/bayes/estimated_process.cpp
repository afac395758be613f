#include "estimated_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "stage_nodes.hpp"
#include "tempo/error.hpp"

namespace tempo::bayes {
namespace {

/// Whether what one trait makes of any distributions, the other makes of those with the mean after
/// the event mirrored at that before it.
bool are_mirrored(const ProcessLaw& process, int one, int other) {
  constexpr double kLongBefore = -std::numeric_limits<double>::infinity();
  const std::vector<double> since{kLongBefore, -2.0, -0.3, 0.0, 0.6, 4.0};
  std::vector<double> log_p(since.size()), mirrored(since.size());
  for (const auto& theta : {Normal{0.7, 0.6}, {3.0, 1.8}}) {
    const auto model =
        process.make_measurement_model(BiomarkerTable({{"unit", {0.0, 1.0}, theta}}));
    const auto mirror = process.make_measurement_model(
        BiomarkerTable({{"unit", {0.0, 1.0}, {-theta.mean, theta.sd}}}));
    for (const double x : {-2.3, -0.7, 0.4, 1.9, 3.1}) {
      model->law()->log_density(0, one, x, since, log_p);
      mirror->law()->log_density(0, other, x, since, mirrored);
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

/// A measurement model for each trait, since the same values belong to other distributions under
/// another one.
struct ModelsByTrait {
  std::vector<int> traits;  // distinct_traits()
  std::vector<std::unique_ptr<MeasurementModel>> models;

  const MeasurementModel& of(int trait) const {
    const auto at = std::find(traits.begin(), traits.end(), trait) - traits.begin();
    return *models[static_cast<std::size_t>(at)];
  }
};

class EstimatedLaw final : public MeasurementLaw {
 public:
  explicit EstimatedLaw(std::shared_ptr<const ModelsByTrait> by_trait)
      : MeasurementLaw(by_trait->models[0]->biomarkers(), by_trait->models[0]->law()->effect(),
                       by_trait->traits),
        by_trait_(std::move(by_trait)) {}

 private:
  void do_log_density(std::size_t b, int trait, double x, std::span<const double> since,
                      std::span<double> out) const override {
    by_trait_->of(trait).law()->log_density(b, trait, x, since, out);
  }

  std::shared_ptr<const ModelsByTrait> by_trait_;
};

class EstimatedModel final : public MeasurementModel {
 public:
  EstimatedModel(const ProcessLaw& process, const std::shared_ptr<const ModelsByTrait>& by_trait)
      : MeasurementModel(by_trait->models[0]->biomarkers(),
                         std::make_unique<EstimatedLaw>(by_trait)),
        process_(process),
        by_trait_(by_trait) {}

 private:
  std::vector<int> do_draw_traits(RandomStream& stream) const override {
    auto traits =
        process_.measurement_model().draw_traits(stream);  // none, where the model fixes nothing
    for (int& trait : traits) trait = by_trait_->traits[stream.index(by_trait_->traits.size())];
    return traits;
  }
  void do_measure(const Timeline& timeline, const std::vector<int>& traits, RandomStream& stream,
                  MatrixView<double> x) const override {
    std::vector<Biomarker> chosen;
    for (std::size_t b = 0; b < biomarkers().size(); ++b) {
      const auto& model = traits.empty() ? *by_trait_->models[0] : by_trait_->of(traits[b]);
      chosen.push_back(model.biomarkers()[b]);
    }
    process_.make_measurement_model(BiomarkerTable(std::move(chosen)))
        ->measure(timeline, traits, stream, x);
  }

  const ProcessLaw& process_;
  std::shared_ptr<const ModelsByTrait> by_trait_;
};

}  // namespace

std::vector<int> distinct_traits(const ProcessLaw& process) {
  std::vector<int> out;
  for (const int trait : process.measurement_model().law()->possible_traits())
    if (std::none_of(out.begin(), out.end(),
                     [&](int earlier) { return are_mirrored(process, earlier, trait); }))
      out.push_back(trait);
  return out;
}

BiomarkerEstimates estimate_biomarkers(const ProcessLaw& process, const Cohort& cohort,
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

ProcessLaw with_estimates(const ProcessLaw& process, const BiomarkerEstimates& by_trait) {
  auto models = std::make_shared<ModelsByTrait>();
  models->traits = distinct_traits(process);
  for (const auto& estimates : by_trait) {
    std::vector<Biomarker> biomarkers;
    for (const auto& estimate : estimates) biomarkers.push_back(estimate.biomarker);
    models->models.push_back(process.make_measurement_model(BiomarkerTable(std::move(biomarkers))));
  }
  return process.make_with(std::make_shared<EstimatedModel>(process, models));
}

}  // namespace tempo::bayes
