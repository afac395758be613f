// Declares a setting of which a choice is of two lines.
#include "one_change.hpp"

struct Settings {
  explicit Settings(tempo::Parameters& keys) {
    keys.choice("shape", "round", {"round", "two\nlines"}, "how it looks");
  }
};

TEMPO_PLUGIN(tempo::StagePrior, tempo::test::LastStageWith<Settings>, Settings,
             (tempo::test::info_of("choice_is_no_text")));
