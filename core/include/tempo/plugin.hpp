#pragma once

// The plugin boundary. A plugin source ends with one TEMPO_PLUGIN(...); everything else here is for
// the registry.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <type_traits>

#include "tempo/inference_method.hpp"
#include "tempo/parameters.hpp"
#include "tempo/part_factory.hpp"
#include "tempo/trainable_method.hpp"
#include "tempo/version.hpp"

namespace tempo {

/// What a plugin says about itself. `source` is the publication it implements.
struct PluginInfo {
  const char* id;       ///< as written in TOML; [a-z0-9_]+
  const char* version;  ///< of the plugin; part of every content key: raise it when results change
  const char* licence;  ///< SPDX identifier
  const char* summary;  ///< one line
  const char* source;   ///< citation
  LabelUse labels = LabelUse::none;            ///< methods only
  MissingData missing = MissingData::refused;  ///< methods only
  /// Methods only: infers under the hypothesis of the cohorts at hand (BuildContext::process).
  bool assumes_process = false;
};

/// Why a thunk failed, in memory of the host.
struct PluginMessage {
  char text[2048];
};

/// Plain data that crosses before anything C++ does. The registry reads the first five fields,
/// which never change place, and goes on only if all of them match.
struct PluginDescriptor {
  std::uint64_t magic;
  std::uint32_t struct_size;
  std::uint32_t kind;               ///< InterfaceKind
  std::uint32_t interface_version;  ///< of that kind
  const char* build_tag;            ///< TEMPO_BUILD_TAG of the plugin's own build

  const char* id;
  const char* version;
  const char* licence;
  const char* summary;
  const char* source;
  std::uint32_t labels;           ///< LabelUse
  std::uint32_t missing;          ///< MissingData
  std::uint32_t assumes_process;  ///< 0 | 1

  /// Reads the settings and thereby declares them. @return 0, or 1 with a message.
  int (*declare)(Parameters* keys, PluginMessage* message);
  /// @return a new object of the interface (a StagePrior*, ...), or null with a message.
  void* (*create)(Parameters* keys, const BuildContext* context, PluginMessage* message);
};

inline constexpr std::uint64_t kPluginMagic = 0x31474c504f504d54;  // "TMPOPLG1", little endian
inline constexpr const char* kPluginEntryPoint = "tempo_plugin";

namespace detail {

/// Runs `work`; an exception ends here and becomes text.
template <class Work>
bool contained(PluginMessage* message, Work&& work) noexcept {
  try {
    work();
    return true;
  } catch (const std::exception& error) {
    std::snprintf(message->text, sizeof message->text, "%s", error.what());
  } catch (...) {
    std::snprintf(message->text, sizeof message->text, "%s",
                  "threw something that is no exception");
  }
  return false;
}

template <class Class, class Settings>
Class* make([[maybe_unused]] const Settings& settings,
            [[maybe_unused]] const BuildContext& context) {
  if constexpr (std::is_constructible_v<Class, const Settings&, const BuildContext&>)
    return new Class(settings, context);
  else if constexpr (std::is_constructible_v<Class, const Settings&>)
    return new Class(settings);
  else
    return new Class();
}

template <class Interface, class Class, class Settings>
PluginDescriptor describe(const PluginInfo& info) {
  static_assert(std::is_base_of_v<Interface, Class>);
  PluginDescriptor out{};
  out.magic = kPluginMagic;
  out.struct_size = sizeof(PluginDescriptor);
  out.kind = static_cast<std::uint32_t>(Interface::kKind);
  out.interface_version = Interface::kInterfaceVersion;
  out.build_tag = TEMPO_BUILD_TAG;
  out.id = info.id;
  out.version = info.version;
  out.licence = info.licence;
  out.summary = info.summary;
  out.source = info.source;
  out.labels = static_cast<std::uint32_t>(info.labels);
  out.missing = static_cast<std::uint32_t>(info.missing);
  out.assumes_process = info.assumes_process ? 1 : 0;
  out.declare = [](Parameters* keys, PluginMessage* message) -> int {
    return contained(message, [&] { Settings{*keys}; }) ? 0 : 1;
  };
  out.create = [](Parameters* keys, const BuildContext* context, PluginMessage* message) -> void* {
    Interface* made = nullptr;
    contained(message, [&] { made = make<Class>(Settings(*keys), *context); });
    return made;
  };
  return out;
}

}  // namespace detail
}  // namespace tempo

/// Exports a class as a plugin: the last line of its source.
///
///   TEMPO_PLUGIN(tempo::InferenceMethod, tempo::Debm, tempo::DebmSettings,
///                {.id = "debm", .version = "1.0.0", .licence = "MIT", .summary = "...", .source =
///                "..."})
///
/// `Settings` is constructed from `Parameters&`; `Class` from `(const Settings&, const
/// BuildContext&)`,
/// `(const Settings&)` or nothing.
#define TEMPO_PLUGIN(Interface, Class, Settings, ...)                                       \
  extern "C" __attribute__((visibility("default"))) const tempo::PluginDescriptor*          \
  tempo_plugin() {                                                                          \
    static const tempo::PluginDescriptor descriptor =                                       \
        tempo::detail::describe<Interface, Class, Settings>(tempo::PluginInfo __VA_ARGS__); \
    return &descriptor;                                                                     \
  }                                                                                         \
  static_assert(true)
