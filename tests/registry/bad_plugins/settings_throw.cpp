// Its settings throw whatever they are.
#include <stdexcept>

#include "one_change.hpp"

struct ThrowingSettings {
  explicit ThrowingSettings(tempo::Parameters&) { throw std::runtime_error("no table of units"); }
};

TEMPO_PLUGIN(tempo::StagePrior, tempo::test::LastStageWith<ThrowingSettings>, ThrowingSettings,
             (tempo::test::info_of("settings_throw")));
