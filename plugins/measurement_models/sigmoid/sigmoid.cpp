// Sigmoid progression: measurements move gradually from phi_b by up to mean(theta_b) - mean(phi_b):
// README.md.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "tempo/measurement_model.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

struct SigmoidSettings {
  explicit SigmoidSettings(Parameters& keys)
      : minimum_slope(keys.number("minimum_slope", 1.0, positive,
                                  "slope of biomarkers whose states overlap widely", "1 / stage")) {
  }

  double minimum_slope;  ///< > 0, per stage
};

struct Curve {
  double rise;   ///< R_b, in the units of biomarker b
  double slope;  ///< rho_b, per stage
};

std::vector<Curve> curves_of(const SigmoidSettings& settings, const BiomarkerTable& biomarkers) {
  std::vector<Curve> out;
  for (const auto& [name, phi, theta] : biomarkers) {
    const double rise = theta.mean - phi.mean;
    const double separation = std::abs(rise) / std::hypot(theta.sd, phi.sd);
    out.push_back({rise, std::max(settings.minimum_slope, separation)});
  }
  return out;
}

class SigmoidLaw final : public MeasurementLaw {
 public:
  SigmoidLaw(const SigmoidSettings& settings, const BiomarkerTable& biomarkers)
      : MeasurementLaw(biomarkers, EventEffect::gradual, /*possible_traits=*/{1, -1}),
        curves_(curves_of(settings, biomarkers)) {}

 private:
  void do_log_density(std::size_t b, int direction, double x, std::span<const double> since,
                      std::span<double> out) const override {
    const auto& phi = biomarkers()[b].phi;
    const auto& [rise, slope] = curves_[b];
    const double constant = std::log(phi.sd * std::sqrt(2.0 * std::numbers::pi));
    for (std::size_t i = 0; i < since.size(); ++i) {
      const double mean = phi.mean + direction * rise / (1.0 + std::exp(-slope * since[i]));
      const double z = (x - mean) / phi.sd;
      out[i] = -0.5 * z * z - constant;
    }
  }

  std::vector<Curve> curves_;  // [B]
};

class Sigmoid final : public MeasurementModel {
 public:
  Sigmoid(const SigmoidSettings& settings, const MeasurementModelContext& context)
      : MeasurementModel(context.biomarkers,
                         std::make_unique<SigmoidLaw>(settings, context.biomarkers)),
        curves_(curves_of(settings, context.biomarkers)) {}

 private:
  /// Directions delta_b, +1 or -1.
  std::vector<int> do_draw_traits(RandomStream& stream) const override {
    std::vector<int> directions(biomarkers().size());
    for (auto& direction : directions) direction = stream.index(2) == 0 ? 1 : -1;
    return directions;
  }

  void do_measure(const Timeline& timeline, const std::vector<int>& directions,
                  RandomStream& stream, MatrixView<double> x) const override {
    stream.normals({x.data(), x.rows() * x.cols()});
    for (std::size_t j = 0; j < x.rows(); ++j)
      for (std::size_t b = 0; b < x.cols(); ++b) {
        const auto& phi = biomarkers()[b].phi;
        x(j, b) = phi.mean + phi.sd * x(j, b);
        if (timeline.diseased[j] == 0) continue;
        const auto& [rise, slope] = curves_[b];
        const double past = timeline.stages[j] - timeline.event_time(j, b);
        x(j, b) += directions[b] * rise / (1.0 + std::exp(-slope * past));
      }
  }

  std::vector<Curve> curves_;  // [B]
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::MeasurementModel, tempo::Sigmoid, tempo::SigmoidSettings,
             {.id = "sigmoid",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "a sigmoid in time since the event, plus normal noise",
              .source = "Hao & Austerweil (CHIL 2026), hypotheses 5 and 8"});
