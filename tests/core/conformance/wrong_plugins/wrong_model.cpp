// A measurement model that is wrong in the way its setting asks for.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "tempo/measurement_model.hpp"
#include "wrong.hpp"

namespace tempo::test {
namespace {

/// The distribution of a value, so many stages after its event.
Normal state_of(const Faulty& faulty, const Biomarker& biomarker, double since) {
  auto state = since >= 0.0 ? biomarker.theta : biomarker.phi;
  if (faulty.has("not_a_switch") && since > 1.0) state.sd *= 1.5;
  if (faulty.has("a_unit")) state.mean += 0.5;
  return state;
}

class WrongLaw final : public MeasurementLaw {
 public:
  WrongLaw(const Faulty& faulty, const BiomarkerTable& table)
      : MeasurementLaw(table, EventEffect::switched,
                       faulty.has("other_traits") ? std::vector{1, 2} : std::vector{0}),
        faulty_(faulty) {}

 private:
  void do_log_density(std::size_t b, int, double x, std::span<const double> since,
                      std::span<double> out) const override {
    for (std::size_t i = 0; i < since.size(); ++i) {
      const auto state = state_of(faulty_, biomarkers()[b], since[i]);
      const double z = (x - state.mean) / state.sd;
      out[i] = -0.5 * z * z;
      if (!faulty_.has("no_normaliser"))
        out[i] -= std::log(state.sd * std::sqrt(2.0 * std::numbers::pi));
    }
  }

  Faulty faulty_;
};

class WrongModel final : public MeasurementModel {
 public:
  WrongModel(const Faulty& faulty, const MeasurementModelContext& context)
      : MeasurementModel(context.biomarkers,
                         std::make_unique<WrongLaw>(faulty, context.biomarkers)),
        faulty_(faulty) {}

 private:
  std::vector<int> do_draw_traits(RandomStream& stream) const override {
    if (!faulty_.has("other_traits")) return {};
    std::vector<int> out(biomarkers().size());
    for (int& trait : out) trait = 1 + static_cast<int>(stream.index(3));
    return out;
  }

  void do_measure(const Timeline& timeline, const std::vector<int>&, RandomStream& stream,
                  MatrixView<double> x) const override {
    for (std::size_t j = 0; j < x.rows(); ++j)
      for (std::size_t b = 0; b < x.cols(); ++b) {
        const double time =
            faulty_.has("shared_times") ? timeline.event_times[b] : timeline.event_time(j, b);
        const bool is_diseased = timeline.diseased[j] != 0;
        double since = is_diseased ? timeline.stages[j] - time : -1e9;
        if (faulty_.has("healthy_events") && !is_diseased && time <= 0.0) since = 0.0;
        const auto state = state_of(faulty_, biomarkers()[b], since);
        double z = stream.normal();
        if (faulty_.has("too_wide")) z *= 1.1;
        if (faulty_.has("secret_clip")) z = std::clamp(z, -3.4, 3.4);
        x(j, b) = state.mean + state.sd * z;
      }
  }

  Faulty faulty_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::MeasurementModel, tempo::test::WrongModel, tempo::test::Faulty,
             (tempo::test::wrong_info("wrong_model")));
