// Declares a setting of which the help steers a terminal.
#include "one_change.hpp"

struct Settings {
  explicit Settings(tempo::Parameters& keys) { keys.number("width", 1.0, {}, "\x1b[2Jhow wide"); }
};

class Prior final : public tempo::StagePrior {
 public:
  explicit Prior(const Settings&) : StagePrior(tempo::StageScale::ordinal) {}

 private:
  void do_draw(std::size_t, tempo::RandomStream&, std::span<double>) const override {}
};

TEMPO_PLUGIN(tempo::StagePrior, Prior, Settings,
             {.id = "setting_is_no_text",
              .version = "1.0.0",
              .licence = "MIT",
              .summary = "a test",
              .source = "none"});
