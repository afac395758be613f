// A stage prior that fails in the way its settings ask for.
#include <limits>
#include <new>
#include <stdexcept>

#include "one_change.hpp"

namespace tempo::test {
namespace {

struct Settings {
  explicit Settings(Parameters& keys)
      : fault(keys.choice(
            "fault", "none",
            {"none", "settings", "create", "create_int", "create_large", "settings_large", "draw",
             "draw_int", "nan", "unwritten", "fraction", "zero"},
            "what goes wrong")) {
    if (fault == "settings") throw std::runtime_error("no table of units");
    if (fault == "settings_large") throw std::bad_alloc();
  }

  std::string fault;
};

class BadPrior final : public StagePrior {
 public:
  explicit BadPrior(const Settings& settings)
      : StagePrior(StageScale::ordinal), fault_(settings.fault) {
    if (fault_ == "create") throw std::runtime_error("no memory left");
    if (fault_ == "create_int") throw 7;
    if (fault_ == "create_large") throw std::bad_alloc();
  }

 private:
  void do_draw(std::size_t, RandomStream&, std::span<double> stages) const override {
    if (fault_ == "draw") throw std::runtime_error("did not converge");
    if (fault_ == "draw_int") throw 7;
    std::fill(stages.begin(), fault_ == "unwritten" ? stages.end() - 1 : stages.end(), 1.0);
    if (fault_ == "nan") stages[0] = std::numeric_limits<double>::quiet_NaN();
    if (fault_ == "fraction") stages[0] = 1.5;
    if (fault_ == "zero") stages[0] = 0.0;
  }

  std::string fault_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::StagePrior, tempo::test::BadPrior, tempo::test::Settings,
             (tempo::test::info_of("bad_prior")));
