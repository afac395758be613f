#pragma once

// The plugin boundary. A plugin source ends with one TEMPO_PLUGIN(...); everything else here is for
// the registry.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <type_traits>

#include "tempo/contexts.hpp"
#include "tempo/error.hpp"
#include "tempo/method_abilities.hpp"
#include "tempo/parameters.hpp"
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
};

/// Why a thunk failed, in memory of the host.
struct PluginMessage {
  char text[2048];
  std::uint32_t cannot_infer;  ///< 0 | 1: CannotInfer was thrown
};

/// Plain data that crosses before anything C++ does. The registry reads the first four fields,
/// which never change place, and goes on only if all of them match.
struct PluginDescriptor {
  std::uint64_t magic;
  std::uint32_t struct_size;
  std::uint32_t kind;     ///< InterfaceKind
  const char* build_tag;  ///< TEMPO_BUILD_TAG of the plugin's own build

  const char* id;
  const char* version;
  const char* licence;
  const char* summary;
  const char* source;
  std::uint32_t labels;           ///< LabelUse
  std::uint32_t missing;          ///< MissingData
  std::uint32_t assumes_process;  ///< 0 | 1: a method infers under a hypothesis

  /// Reads the settings and thereby declares them. @return 0, or 1 with a message.
  int (*declare)(Parameters* keys, PluginMessage* message);
  /// @param context  the Context of the interface; of a method null unless it assumes a process
  /// @return a new object of the interface (a StagePrior*, ...), or null with a message.
  void* (*create)(Parameters* keys, const void* context, PluginMessage* message);
};
// The size tells a descriptor from those of the first layout, which had a field between `kind` and
// `build_tag`: on 64-bit machines 104 bytes.
static_assert(sizeof(void*) != 8 || sizeof(PluginDescriptor) == 96);

inline constexpr std::uint64_t kPluginMagic = 0x31474c504f504d54;  // "TMPOPLG1", little endian
inline constexpr const char* kPluginEntryPoint = "tempo_plugin";

namespace detail {

/// Runs `work`; an exception ends here and becomes text.
template <class Work>
bool contained(PluginMessage* message, Work&& work) noexcept {
  try {
    work();
    return true;
  } catch (const CannotInfer& refusal) {
    std::snprintf(message->text, sizeof message->text, "%s", refusal.what());
    message->cannot_infer = 1;
  } catch (const std::bad_alloc&) {
    std::snprintf(message->text, sizeof message->text, "%s", kNoMemory);
  } catch (const std::exception& error) {
    std::snprintf(message->text, sizeof message->text, "%s", error.what());
  } catch (...) {
    std::snprintf(message->text, sizeof message->text, "%s",
                  "threw something that is no exception");
  }
  return false;
}

template <class Interface, class Class, class Settings>
inline constexpr bool takes_context =
    std::is_constructible_v<Class, const Settings&, const typename Interface::Context&>;

template <class Interface, class Class, class Settings>
Class* make([[maybe_unused]] const Settings& settings, [[maybe_unused]] const void* context) {
  if constexpr (takes_context<Interface, Class, Settings>) {
    return new Class(settings, *static_cast<const typename Interface::Context*>(context));
  } else if constexpr (std::is_constructible_v<Class, const Settings&>) {
    return new Class(settings);
  } else {
    static_assert(std::is_default_constructible_v<Class>,
                  "expected a constructor (const Settings&, const Context&), (const Settings&) or "
                  "(), with the Context of the interface");
    return new Class();
  }
}

template <class Interface, class Class, class Settings>
PluginDescriptor describe(const PluginInfo& info) {
  static_assert(std::is_base_of_v<Interface, Class>);
  PluginDescriptor out{};
  out.magic = kPluginMagic;
  out.struct_size = sizeof(PluginDescriptor);
  out.kind = static_cast<std::uint32_t>(Interface::kKind);
  out.build_tag = TEMPO_BUILD_TAG;
  out.id = info.id;
  out.version = info.version;
  out.licence = info.licence;
  out.summary = info.summary;
  out.source = info.source;
  out.labels = static_cast<std::uint32_t>(info.labels);
  out.missing = static_cast<std::uint32_t>(info.missing);
  out.assumes_process = Interface::kKind == InterfaceKind::inference_method &&
                        takes_context<Interface, Class, Settings>;
  out.declare = [](Parameters* keys, PluginMessage* message) -> int {
    return contained(message, [&] { Settings{*keys}; }) ? 0 : 1;
  };
  out.create = [](Parameters* keys, const void* context, PluginMessage* message) -> void* {
    Interface* made = nullptr;
    contained(message, [&] { made = make<Interface, Class>(Settings(*keys), context); });
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
/// `Settings` is constructed from `Parameters&`; `Class` from `(const Settings&, const Context&)`
/// with the Context of its kind (contexts.hpp), `(const Settings&)` or nothing. A method that takes
/// an AssumptionContext infers under a hypothesis.
#define TEMPO_PLUGIN(Interface, Class, Settings, ...)                                       \
  extern "C" __attribute__((visibility("default"))) const tempo::PluginDescriptor*          \
  tempo_plugin() {                                                                          \
    static const tempo::PluginDescriptor descriptor =                                       \
        tempo::detail::describe<Interface, Class, Settings>(tempo::PluginInfo __VA_ARGS__); \
    return &descriptor;                                                                     \
  }                                                                                         \
  static_assert(true)
