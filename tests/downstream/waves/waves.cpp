// Waves: biomarkers change together, in a few waves, instead of each at a time of its own.
//
//   c_w  ~ B * Uniform(0, 1)                         the centres of the waves
//   xi_b = clip(c_w(b) + N(0, (spread B)^2), 0, B)   w(b) is any wave, equally likely
//
// Stages and measurements are those of hypothesis h6: k_j ~ B * Beta(5, 2), normal switch.

#include <algorithm>

#include "tempo/composed_process.hpp"
#include "tempo/plugin.hpp"

namespace {

struct WavesSettings {
  explicit WavesSettings(tempo::Parameters& keys)  // reading a key declares it
      : waves(keys.integer("waves", 3, tempo::at_least_one, "how many there are")),
        spread(keys.number("spread", 0.03, tempo::non_negative, "sd within a wave", "B")) {}

  std::int64_t waves;  ///< >= 1
  double spread;       ///< >= 0, share of B
};

class Waves final : public tempo::ComposedProcess {
 public:
  Waves(const WavesSettings& settings, const tempo::ProcessContext& context)
      : ComposedProcess({.event_times = tempo::own_times(),  // drawn below
                         .stage_prior = tempo::fixed_part("beta", {{"alpha", 5.0}, {"beta", 2.0}}),
                         .measurement_model = tempo::fixed_part("ebm_normal")},
                        context),
        settings_(settings) {}

 private:
  std::vector<double> do_draw_event_times(tempo::RandomStream& stream) const override {
    const auto last = static_cast<double>(biomarkers().size());  // B
    std::vector<double> centres(static_cast<std::size_t>(settings_.waves));
    for (auto& centre : centres) centre = last * stream.uniform();
    std::vector<double> times(biomarkers().size());
    for (auto& time : times) {
      const double centre = centres[stream.index(centres.size())];
      time = std::clamp(centre + settings_.spread * last * stream.normal(), 0.0, last);
    }
    return times;
  }

  WavesSettings settings_;
};

}  // namespace

TEMPO_PLUGIN(tempo::GenerativeProcess, Waves, WavesSettings,
             {.id = "waves",
              .version = "0.1.0",
              .licence = "MIT",
              .summary = "event times in waves, Beta(5, 2) stages, normal measurements",
              .source = "unpublished"});
