#pragma once

// Plugins for tests, of libraries that tempo_small_experiment builds.

#include "registry.hpp"

namespace tempo::test {

/// The shipped plugins and the probes of tests/support/plugins, through the real loader.
inline const Registry& shipped_and_probes() {
  static const Registry all({{TEMPO_PROBES, "test", true}, {TEMPO_TEST_PLUGINS, "build", true}});
  return all;
}

/// The same with methods that infer under a hypothesis.
inline const Registry& with_assuming_probes() {
  static const Registry all({{TEMPO_PROBES, "test", true},
                             {TEMPO_ASSUMING_PROBES, "test", true},
                             {TEMPO_TEST_PLUGINS, "build", true}});
  return all;
}

}  // namespace tempo::test
