#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tempo/export.hpp"
#include "tempo/plugin_object.hpp"
#include "tempo/problem.hpp"

namespace tempo {

struct ParameterEntry;
struct ParameterValue;
class PartFactory;

/// A table of settings as the user wrote it, keys in the order written, each with its place.
/// Knows no file format: TOML, `--set` and sweeps all end here.
struct TEMPO_API ParameterTable {
  Place place;  ///< of the table itself
  std::vector<ParameterEntry> entries;

  const ParameterValue* find(std::string_view key) const;
  ParameterValue* find(std::string_view key);
  /// Replaces the value of a key, or appends the key.
  void set(std::string_view key, ParameterValue value);
};

struct TEMPO_API ParameterValue {
  using Array = std::vector<ParameterValue>;
  Place place;
  std::variant<bool, std::int64_t, double, std::string, Array, ParameterTable> value;
};

struct TEMPO_API ParameterEntry {
  std::string key;
  Place place;  ///< of the key
  ParameterValue value;
};

/// One line of JSON with sorted keys and shortest round-trip numbers: equal settings, equal text,
/// whatever the order and spelling of the file. The basis of content keys.
TEMPO_API std::string canonical_json(const ParameterTable& table);
TEMPO_API std::string canonical_json(const ParameterValue& value);

/// The kind of a value as a message names it: `a string`, `an integer`, `a table`, ...
TEMPO_API std::string_view kind_of(const ParameterValue& value);

/// The numbers a parameter allows.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   ///< low itself is not allowed
  bool high_open = false;  ///< high itself is not allowed
};
inline constexpr Bounds any_number{};
inline constexpr Bounds positive{.low = 0.0, .low_open = true};
inline constexpr Bounds non_negative{.low = 0.0};
inline constexpr Bounds at_least_one{.low = 1.0};
inline constexpr Bounds unit_interval{.low = 0.0, .high = 1.0};

/// What a parameter means to those who set it without knowing the plugin.
enum class ParameterRole {
  plain,          ///< its help tells all
  device,         ///< says where numbers are computed: Parameters::device
  distributions,  ///< says where biomarkers' distributions come from: Parameters::distributions
  files,          ///< may name files: Parameters::files
  aside,          ///< results do not depend on it: Parameters::set_aside
};

/// Where a method takes the distributions of biomarkers before and after events from.
enum class Distributions {
  known,      ///< `known`: those of the biomarker table
  estimated,  ///< `estimate`: from each cohort, and then taken for known
  sampled,    ///< `sample`: inferred together with the rest
};
/// As settings spell it: `known`, `estimate` or `sample`.
TEMPO_API std::string_view to_string(Distributions distributions);
/// @return nothing for another word
TEMPO_API std::optional<Distributions> distributions_from(std::string_view word);

/// A declared parameter, as `tempo plugins info` and the reference pages show it.
struct ParameterSpec {
  std::string key;
  std::string type;      ///< number, integer, boolean, text, choice, plugin, ...
  std::string fallback;  ///< as written in TOML; empty = must be given
  std::string allowed;   ///< `> 0`, `'a' or 'b'`, ...; empty = anything of the type
  std::string unit;      ///< empty = dimensionless
  std::string help;      ///< one line
  ParameterRole role = ParameterRole::plain;
  Bounds bounds = {};                      ///< of a number or an integer; what `allowed` says
  std::vector<std::string> choices = {};   ///< all values that there are; empty = any
  std::optional<InterfaceKind> part = {};  ///< the kind of the plugin that the key names
};

/// Which plugin fills a slot (a stage prior, a measurement model), and its settings.
struct PartSpec {
  std::string plugin;
  ParameterTable settings;
  Place place;
  /// What tempo itself reads from the same table: a key that is misspelt may be one of these.
  std::vector<std::string> keys_of_tempo = {};
};

/// Reads a table of settings. Reading a key declares it: from the same lines come validation, the
/// defaults, `tempo plugins info` and the reference page. Faults are collected, not thrown: a key
/// with a fault yields its fallback (or an empty value) and reading goes on.
class TEMPO_API Parameters {
 public:
  /// @param where how messages call the table: `[cohorts]`, `[[method]] 'debm'`.
  /// @param parts resolves `part`; may be null where no parts occur or only the declaration counts.
  Parameters(const ParameterTable& table, std::string where, Problems& problems,
             const PartFactory* parts = nullptr);

  // A fallback of nullopt means: must be given.
  double number(std::string_view key, std::optional<double> fallback, Bounds bounds,
                std::string_view help, std::string_view unit = {});
  std::int64_t integer(std::string_view key, std::optional<std::int64_t> fallback, Bounds bounds,
                       std::string_view help, std::string_view unit = {});
  bool flag(std::string_view key, std::optional<bool> fallback, std::string_view help);
  std::string choice(std::string_view key, std::optional<std::string> fallback,
                     const std::vector<std::string>& options, std::string_view help);
  std::string text(std::string_view key, std::optional<std::string> fallback,
                   std::string_view help);
  /// A list of texts, each non-empty; a fallback of nullopt means: must be given.
  std::vector<std::string> texts(std::string_view key,
                                 std::optional<std::vector<std::string>> fallback,
                                 std::string_view help);
  /// A list of texts, some of which may name files, as the words of a command do. Where an
  /// experiment names a file, seen from its own folder, the plugin gets the absolute path, and
  /// content keys have the file's content in place of its name.
  std::vector<std::string> files(std::string_view key,
                                 std::optional<std::vector<std::string>> fallback,
                                 std::string_view help);
  /// The setting that says where numbers are computed (auto, cpu, cuda, ...), of which results do
  /// not depend: content keys leave it out, and programs set it for the machine at hand. Which
  /// devices there are the plugin knows.
  std::string device(std::string_view key, std::optional<std::string> fallback,
                     std::string_view help);
  /// The setting that says where a method takes the distributions of biomarkers from.
  Distributions distributions(std::string_view key, std::optional<Distributions> fallback,
                              std::string_view help);
  /// A plugin by its id (`"beta"`) or with settings (`{ plugin = "beta", alpha = 8.0 }`).
  PartSpec part(std::string_view key, InterfaceKind kind, std::optional<std::string> fallback,
                std::string_view help);
  /// The value as it stands, or null; for what the readers above do not cover.
  /// @param fallback as written in TOML: what an absent key means; empty: it must be given.
  const ParameterValue* raw(std::string_view key, std::string_view type, std::string_view help,
                            std::string_view fallback = {});
  /// Says what is in force for a key read with `raw`, its defaults filled in.
  void resolve(std::string_view key, ParameterTable table);

  /// Says of a key that has been read that results do not depend on it, as they do not on a limit
  /// of memory: content keys leave it out. That is asked of the settings' defaults: say it whatever
  /// the other settings are, or results of different settings are taken for the same.
  void set_aside(std::string_view key);

  /// The place of a key's value, or of the table where the key is absent: for complaints of one's
  /// own.
  Place place_of(std::string_view key) const;
  /// Adds `message` at the place of `key`.
  void complain(std::string_view key, const std::string& message);
  /// Reports the keys that have not been read. Call when all reading is done.
  /// @param read_elsewhere  keys of the same table that may have been meant, too
  void report_unread(const std::vector<std::string>& read_elsewhere = {});

  const std::vector<ParameterSpec>& declared() const { return declared_; }
  /// Every declared key with the value in force, defaults filled in; `raw` keys as given, unless
  /// `resolve` said more.
  const ParameterTable& resolved() const { return resolved_; }
  const std::string& where() const { return where_; }
  Problems& problems() const { return problems_; }

 private:
  /// Notes the key. @param expected ends the complaint about a required key that is missing.
  const ParameterValue* declare(ParameterSpec spec, bool required, std::string_view expected);
  void reject(std::string_view key, std::string_view expected, std::string_view found);
  std::string text_as(ParameterRole role, std::string_view key, std::optional<std::string> fallback,
                      std::string_view help);
  std::vector<std::string> texts_as(ParameterRole role, std::string_view key,
                                    std::optional<std::vector<std::string>> fallback,
                                    std::string_view help);
  std::string choice_as(ParameterRole role, std::string_view key,
                        std::optional<std::string> fallback,
                        const std::vector<std::string>& options, std::string_view help);
  template <class T>
  T keep(std::string_view key, T value);

  const ParameterTable& table_;
  std::string where_;
  Problems& problems_;
  const PartFactory* parts_;
  std::vector<ParameterSpec> declared_;
  ParameterTable resolved_;
};

/// For plugins without settings.
struct NoSettings {
  explicit NoSettings(Parameters&) {}
};

}  // namespace tempo
