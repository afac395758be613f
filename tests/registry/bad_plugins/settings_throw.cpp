// Its settings throw whatever they are.
#include <stdexcept>

#include "one_change.hpp"

struct ThrowingSettings {
  explicit ThrowingSettings(tempo::Parameters&) { throw std::runtime_error("no table of units"); }
};

class Prior final : public tempo::StagePrior {
 public:
  explicit Prior(const ThrowingSettings&) : StagePrior(tempo::StageScale::ordinal) {}

 private:
  void do_draw(std::size_t, tempo::RandomStream&, std::span<double>) const override {}
};

TEMPO_PLUGIN(tempo::StagePrior, Prior, ThrowingSettings,
             {.id = "settings_throw",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "a test",
              .source = "none"});
