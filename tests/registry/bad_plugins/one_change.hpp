#pragma once

// A stage prior with nothing wrong, to be exported with one change to its descriptor.

#include <algorithm>

#include "tempo/plugin.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo::test {

/// Everybody is at the last stage.
class LastStage : public StagePrior {
 public:
  LastStage() : StagePrior(StageScale::ordinal) {}

 private:
  void do_draw(std::size_t biomarkers, RandomStream&, std::span<double> stages) const override {
    std::fill(stages.begin(), stages.end(), static_cast<double>(biomarkers));
  }
};

/// The same with settings, which it only reads.
template <class Settings>
class LastStageWith final : public LastStage {
 public:
  explicit LastStageWith(const Settings&) {}
};

constexpr PluginInfo info_of(const char* id) {
  return {.id = id, .version = "1.0.0", .licence = "MIT", .summary = "a test", .source = "none"};
}

inline PluginDescriptor descriptor_of(const char* id) {
  return detail::describe<StagePrior, LastStage, NoSettings>(info_of(id));
}

}  // namespace tempo::test

/// Defines the entry point by hand.
#define ENTRY_POINT \
  extern "C" __attribute__((visibility("default"))) const tempo::PluginDescriptor* tempo_plugin()

/// Exports the plugin `id` after a change to `d`, its descriptor.
#define EXPORT_WITH(id, change)                            \
  ENTRY_POINT {                                            \
    static const tempo::PluginDescriptor descriptor = [] { \
      auto d = tempo::test::descriptor_of(id);             \
      change;                                              \
      return d;                                            \
    }();                                                   \
    return &descriptor;                                    \
  }
