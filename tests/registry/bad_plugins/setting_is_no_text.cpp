// Declares a setting of which the help steers a terminal.
#include "one_change.hpp"

struct Settings {
  explicit Settings(tempo::Parameters& keys) { keys.number("width", 1.0, {}, "\x1b[2Jhow wide"); }
};

TEMPO_PLUGIN(tempo::StagePrior, tempo::test::LastStageWith<Settings>, Settings,
             (tempo::test::info_of("setting_is_no_text")));
