// Built against public headers of which one has a member more.
#include "one_change.hpp"

TEMPO_PLUGIN(tempo::StagePrior, tempo::test::LastStage, tempo::NoSettings,
             (tempo::test::info_of("other_headers")));
