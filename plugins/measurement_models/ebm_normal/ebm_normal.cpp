// Event-based model with normal measurements: biomarker b is N(phi_b) before its event and
// N(theta_b) from it on: README.md.

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "tempo/measurement_model.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

using States = std::vector<std::array<Normal, 2>>;  // [B] before the event, from it on

States states_of(const BiomarkerTable& biomarkers) {
  States out;
  for (const auto& [name, phi, theta] : biomarkers) out.push_back({phi, theta});
  return out;
}

class TwoNormals final : public MeasurementLaw {
 public:
  explicit TwoNormals(const BiomarkerTable& biomarkers)
      : MeasurementLaw(biomarkers, EventEffect::switched), states_(states_of(biomarkers)) {}

 private:
  void do_log_density(std::size_t b, int, double x, std::span<const double> since,
                      std::span<double> out) const override {
    for (std::size_t i = 0; i < since.size(); ++i) {
      const auto& state = states_[b][since[i] >= 0.0];
      const double z = (x - state.mean) / state.sd;
      out[i] = -0.5 * z * z - std::log(state.sd * std::sqrt(2.0 * std::numbers::pi));
    }
  }

  States states_;
};

class EbmNormal final : public MeasurementModel {
 public:
  EbmNormal(const NoSettings&, const MeasurementModelContext& context)
      : MeasurementModel(context.biomarkers, std::make_unique<TwoNormals>(context.biomarkers)),
        states_(states_of(context.biomarkers)) {}

 private:
  void do_measure(const Timeline& timeline, const std::vector<int>&, RandomStream& stream,
                  MatrixView<double> x) const override {
    stream.normals({x.data(), x.rows() * x.cols()});
    for (std::size_t j = 0; j < x.rows(); ++j) {
      const auto row = x.row(j);
      const auto xi = timeline.event_times_of(j);
      const double k = timeline.stages[j];
      const bool diseased = timeline.diseased[j] != 0;
      for (std::size_t b = 0; b < row.size(); ++b) {
        const auto& state = states_[b][diseased & (k >= xi[b])];  // looked up: a branch costs more
        row[b] = state.mean + state.sd * row[b];
      }
    }
  }

  States states_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::MeasurementModel, tempo::EbmNormal, tempo::NoSettings,
             {.id = "ebm_normal",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "normal before the event, another normal from it on",
              .source = "Fonteijn et al. (NeuroImage 2012)"});
