// A hypothesis whose event times, or their law, are wrong in the way its setting asks for.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "tempo/composed_process.hpp"
#include "wrong.hpp"

namespace tempo::test {
namespace {

/// xi_b = B (u + v_b) / 2: u of the cohort and v_b of each event are uniform on (0, 1). Given xi,
/// the density is as large as the range of u that allows it.
class WrongTimesLaw final : public EventTimeLaw {
 public:
  explicit WrongTimesLaw(const Faulty& faulty)
      : EventTimeLaw(faulty.has("says_ranks") ? TimeSupport::ranks : TimeSupport::stages),
        faulty_(faulty) {}

 private:
  double do_log_density(std::span<const double> times) const override {
    constexpr double kImpossible = -std::numeric_limits<double>::infinity();
    if (faulty_.has("impossible")) return kImpossible;
    if (faulty_.has("independent")) return 0.0;  // each time alone is anywhere, all together not
    const auto last = static_cast<double>(times.size());
    const auto [first, latest] = std::minmax_element(times.begin(), times.end());
    const double low = std::max(0.0, 2.0 * *latest / last - 1.0);
    const double high = std::min(1.0, 2.0 * *first / last);
    double out = high > low ? std::log(high - low) : kImpossible;
    if (faulty_.has("late"))
      for (const double time : times) out += 4.0 * std::log(time);
    return out;
  }

  Faulty faulty_;
};

class WrongTimes final : public ComposedProcess {
 public:
  WrongTimes(const Faulty& faulty, const ProcessContext& context)
      : ComposedProcess({.event_times = own_times(std::make_shared<WrongTimesLaw>(faulty)),
                         .stage_prior = fixed_part("beta", {{"alpha", 5.0}, {"beta", 2.0}}),
                         .measurement_model = fixed_part("ebm_normal")},
                        context) {}

 private:
  std::vector<double> do_draw_event_times(RandomStream& stream) const override {
    const double u = stream.uniform();
    std::vector<double> times(biomarkers().size());
    for (double& time : times)
      time = static_cast<double>(times.size()) * (u + stream.uniform()) / 2.0;
    return times;
  }
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::test::WrongTimes, tempo::test::Faulty,
             (tempo::test::wrong_info("wrong_times")));
