// Event-based model with non-normal measurements: one of six families per cohort and biomarker,
// located and scaled by phi_b before the event and by theta_b from it on: README.md.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "log_density_tables.hpp"
#include "tempo/measurement_model.hpp"
#include "tempo/plugin.hpp"

namespace tempo {
namespace {

struct EbmNonNormalSettings {
  explicit EbmNonNormalSettings(Parameters& keys)
      : noise(keys.number("noise", 0.2, non_negative, "normal noise on every value", "sd")),
        clip(keys.number("clip", 5.0, positive, "largest distance from the mean", "sd")) {}

  double noise;  ///< >= 0, in standard deviations of the state
  double clip;   ///< > 0, in standard deviations of the state
};

// Values of a family at mean 0 and standard deviation 1. A mixture takes the parts with the chances
// given; "sign" is +1 or -1 with equal chance. The values come from arithmetic and square roots
// alone, the same on every CPU; the laws used for that are named where they are not the definition.

double sign(RandomStream& stream) { return stream.index(2) == 0 ? 1.0 : -1.0; }

/// Triangular(left -2, mode -1.5, right 0) | N(1, 0.3) | -0.5 + Exp(scale 0.7).
double triangular_normal_exponential(RandomStream& stream) {
  switch (stream.index(3)) {
    case 0: {  // by inversion; the mode splits the mass 1 : 3
      const double u = stream.uniform();
      return u < 0.25 ? -2.0 + std::sqrt(u) : -std::sqrt(3.0 * (1.0 - u));
    }
    case 1:
      return 1.0 + 0.3 * stream.normal();
    default:
      return -0.5 + 0.7 * stream.exponential();
  }
}

/// -2 + Lomax(1.5) | U(-1.5, 1.5) | Logistic(0, 1).
double lomax_uniform_logistic(RandomStream& stream) {
  switch (stream.index(3)) {
    case 0: {  // Exp(rate ~ Gamma(a)) is Lomax(a)
      const double standard = stream.exponential();
      return -2.0 + standard / stream.gamma(1.5);
    }
    case 1:
      return -1.5 + 3.0 * stream.uniform();
    default:
      return stream.logistic();
  }
}

/// -2 + 4 Beta(0.5, 0.5) | sign * Exp(scale 0.4) | N(0, 0.5) + {0, 2}.
double arcsine_laplace_bimodal(RandomStream& stream) {
  switch (stream.index(3)) {
    case 0: {  // Beta(1/2, 1/2) is the share of one of two squared normals
      const double a = stream.normal();
      const double b = stream.normal();
      return -2.0 + 4.0 * a * a / (a * a + b * b);
    }
    case 1: {
      const double side = sign(stream);
      return side * 0.4 * stream.exponential();
    }
    default: {
      const double around = 0.5 * stream.normal();
      return around + (stream.index(2) == 0 ? 0.0 : 2.0);
    }
  }
}

/// -1 + Gamma(shape 2, scale 0.5) | -1 + Weibull(shape 1) | N(0, 0.5) + sign.
double gamma_weibull_bimodal(RandomStream& stream) {
  switch (stream.index(3)) {
    case 0:
      return -1.0 + 0.5 * (stream.exponential() + stream.exponential());
    case 1:
      return -1.0 + stream.exponential();
    default: {
      const double around = 0.5 * stream.normal();
      return around + sign(stream);
    }
  }
}

/// Cauchy(0, 1) + N(0, 0.2), clipped to +-4.
double clipped_cauchy(RandomStream& stream) {
  const double above = stream.normal();
  const double cauchy = above / stream.normal();
  return std::clamp(cauchy + 0.2 * stream.normal(), -4.0, 4.0);
}

/// N(0, 0.2) with chance 0.1, otherwise Logistic(1, scale 2).
double spike_logistic(RandomStream& stream) {
  return stream.index(10) == 0 ? 0.2 * stream.normal() : 1.0 + 2.0 * stream.logistic();
}

using Family = double (*)(RandomStream&);
constexpr std::array<Family, 6> kFamilies{
    triangular_normal_exponential, lomax_uniform_logistic, arcsine_laplace_bimodal,
    gamma_weibull_bimodal,         clipped_cauchy,         spike_logistic};

using Tables = std::vector<LogDensityTable>;  // of families 1..6

/// The last tables made: a method that estimates distributions makes thousands of models, which
/// share them.
std::shared_ptr<const Tables> tables_for(double noise, double clip) {
  static std::mutex mutex;
  static double last_noise, last_clip;
  static std::shared_ptr<const Tables> last;
  const std::lock_guard lock(mutex);
  if (last == nullptr || last_noise != noise || last_clip != clip) {
    auto tables = std::make_shared<Tables>();
    for (int family = 1; family <= static_cast<int>(kFamilies.size()); ++family)
      tables->emplace_back(family, noise, clip);
    last = std::move(tables);
    last_noise = noise;
    last_clip = clip;
  }
  return last;
}

class FamiliesLaw final : public MeasurementLaw {
 public:
  FamiliesLaw(const EbmNonNormalSettings& settings, const BiomarkerTable& biomarkers)
      : MeasurementLaw(biomarkers, EventEffect::switched, /*possible_traits=*/{1, 2, 3, 4, 5, 6}),
        settings_(settings) {
    for (const auto& [name, phi, theta] : biomarkers)
      log_sds_.push_back({std::log(phi.sd), std::log(theta.sd)});
  }

 private:
  void do_log_density(std::size_t b, int family, double x, std::span<const double> since,
                      std::span<double> out) const override {
    std::call_once(tables_made_, [&] { tables_ = tables_for(settings_.noise, settings_.clip); });
    const auto& table = (*tables_)[static_cast<std::size_t>(family - 1)];
    std::array<std::optional<double>, 2>
        known;  // before and after: half of all callers ask for one
    for (std::size_t i = 0; i < since.size(); ++i) {
      const bool is_post = since[i] >= 0.0;
      if (!known[is_post]) {
        const auto& state = is_post ? biomarkers()[b].theta : biomarkers()[b].phi;
        known[is_post] = table((x - state.mean) / state.sd) - log_sds_[b][is_post];
      }
      out[i] = *known[is_post];
    }
  }

  std::vector<double> do_atoms(std::size_t b, int, EventState when) const override {
    const auto& state = when == EventState::post ? biomarkers()[b].theta : biomarkers()[b].phi;
    return {state.mean - settings_.clip * state.sd, state.mean + settings_.clip * state.sd};
  }

  EbmNonNormalSettings settings_;
  std::vector<std::array<double, 2>> log_sds_;  // [B] before and after the event
  // Made when first asked for: simulation does not need them.
  mutable std::once_flag tables_made_;
  mutable std::shared_ptr<const Tables> tables_;
};

/// None where its tables would be too large, or of too few cells.
std::unique_ptr<MeasurementLaw> law_of(const EbmNonNormalSettings& settings,
                                       const BiomarkerTable& biomarkers) {
  if (!LogDensityTable::can_be_made(settings.noise, settings.clip)) return nullptr;
  return std::make_unique<FamiliesLaw>(settings, biomarkers);
}

class EbmNonNormal final : public MeasurementModel {
 public:
  EbmNonNormal(const EbmNonNormalSettings& settings, const MeasurementModelContext& context)
      : MeasurementModel(context.biomarkers, law_of(settings, context.biomarkers)),
        settings_(settings) {}

 private:
  /// Families, 1..6.
  std::vector<int> do_draw_traits(RandomStream& stream) const override {
    std::vector<int> families(biomarkers().size());
    for (auto& family : families) family = 1 + static_cast<int>(stream.index(kFamilies.size()));
    return families;
  }

  void do_measure(const Timeline& timeline, const std::vector<int>& families, RandomStream& stream,
                  MatrixView<double> x) const override {
    stream.normals({x.data(), x.rows() * x.cols()});
    for (std::size_t b = 0; b < x.cols(); ++b) {
      const auto& [name, phi, theta] = biomarkers()[b];
      const auto family = kFamilies[static_cast<std::size_t>(families[b] - 1)];
      for (std::size_t j = 0; j < x.rows(); ++j) {
        const auto& state = timeline.post_event(j, b) ? theta : phi;
        const double z = family(stream) + settings_.noise * x(j, b);
        x(j, b) = state.mean + state.sd * std::clamp(z, -settings_.clip, settings_.clip);
      }
    }
  }

  EbmNonNormalSettings settings_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::MeasurementModel, tempo::EbmNonNormal, tempo::EbmNonNormalSettings,
             {.id = "ebm_non_normal",
              .version = "1.0.1",
              .licence = "MIT",
              .summary = "one of six non-normal families per biomarker, before and after its event",
              .source = "Hao & Austerweil (CHIL 2026), hypotheses 2, 4 and 7"});
