#pragma once

// For tests of a plugin outside of tempo's tree: the plugin comes through tempo's own loader.
// tempo_add_plugin_tests says where it is.

#include "tempo/testing/registry.hpp"

namespace tempo::testing {

/// The plugin under test, and all that come with tempo.
inline const Registry& plugins() {
  static const Registry all(
      {{TEMPO_PLUGIN_UNDER_TEST, "test", true}, {TEMPO_SHIPPED_PLUGINS, "tempo", true}});
  return all;
}

}  // namespace tempo::testing
