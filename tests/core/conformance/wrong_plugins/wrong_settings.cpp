// Stage priors with something wrong in what they declare: WRONG says what.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include "tempo/stage_prior.hpp"
#include "wrong.hpp"

namespace tempo::test {
namespace {

enum class Wrong { version, load, bound, number, key };

struct Settings {
  explicit Settings(Parameters& keys)
      : share(keys.number("share", 0.5, unit_interval, "of the stages")),
        power(keys.number("power", 1.0, Wrong::WRONG == Wrong::number ? any_number : positive,
                          "of the share")) {
    if (Wrong::WRONG == Wrong::key) keys.raw("width", "number", "in stages");
  }

  double share;
  double power;
};

class WrongSettings final : public StagePrior {
 public:
  explicit WrongSettings(const Settings& settings)
      : StagePrior(StageScale::continuous), settings_(settings) {
    if (Wrong::WRONG == Wrong::bound && settings.share == 1.0)
      throw std::runtime_error("division by zero");
  }

 private:
  void do_draw(std::size_t last, RandomStream& stream, std::span<double> stages) const override {
    const double power = std::sqrt(settings_.power) > 0.0 ? 1.0 : std::sqrt(settings_.power);
    for (double& stage : stages) stage = static_cast<double>(last) * stream.uniform() * power;
  }

  Settings settings_;
};

/// Works while the library loads.
[[maybe_unused]] const bool has_worked = [] {
  const auto start = std::clock();
  while (Wrong::WRONG == Wrong::load && std::clock() - start < CLOCKS_PER_SEC / 5) continue;
  return true;
}();

constexpr PluginInfo info() {
  auto out = wrong_info(WRONG_ID);
  if (Wrong::WRONG == Wrong::version) out.version = "newest";
  return out;
}

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::StagePrior, tempo::test::WrongSettings, tempo::test::Settings,
             (tempo::test::info()));
