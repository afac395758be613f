#include "tempo/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "tempo/part_factory.hpp"

namespace tempo {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string in_words(const Bounds& bounds) {
  const bool has_low = std::isfinite(bounds.low);
  const bool has_high = std::isfinite(bounds.high);
  if (has_low && has_high)
    return fmt::format("in {}{}, {}{}", bounds.low_open ? "(" : "[", bounds.low, bounds.high,
                       bounds.high_open ? ")" : "]");
  if (has_low) return fmt::format("{} {}", bounds.low_open ? ">" : ">=", bounds.low);
  if (has_high) return fmt::format("{} {}", bounds.high_open ? "<" : "<=", bounds.high);
  return {};
}

bool contains(const Bounds& bounds, double value) {
  return std::isfinite(value) && (bounds.low_open ? value > bounds.low : value >= bounds.low) &&
         (bounds.high_open ? value < bounds.high : value <= bounds.high);
}

/// A number as TOML writes it: 2.0 is told from the integer 2.
std::string as_written(double number) {
  const auto text = fmt::format("{}", number);
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

constexpr std::array kAllDistributions{Distributions::known, Distributions::estimated,
                                       Distributions::sampled};

}  // namespace

const ParameterValue* ParameterTable::find(std::string_view key) const {
  for (const auto& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

ParameterValue* ParameterTable::find(std::string_view key) {
  return const_cast<ParameterValue*>(std::as_const(*this).find(key));
}

void ParameterTable::set(std::string_view key, ParameterValue value) {
  for (auto& entry : entries) {
    if (entry.key != key) continue;
    entry.place = value.place;
    entry.value = std::move(value);
    return;
  }
  const auto key_place = value.place;
  entries.push_back({std::string(key), key_place, std::move(value)});
}

std::string canonical_json(const ParameterValue& value) {
  return std::visit(Overloaded{
                        [](bool flag) -> std::string { return flag ? "true" : "false"; },
                        [](std::int64_t number) { return std::to_string(number); },
                        [](double number) {
                          // A whole number reads the same whether it was written 2 or 2.0, and zero
                          // has no sign.
                          const auto text = fmt::format("{}", number + 0.0);
                          return std::isfinite(number) ? text : in_quotes(text);
                        },
                        [](const std::string& text) { return in_quotes(text); },
                        [](const ParameterValue::Array& items) {
                          std::string out = "[";
                          for (const auto& item : items)
                            out += (out.size() > 1 ? "," : "") + canonical_json(item);
                          return out + "]";
                        },
                        [](const ParameterTable& table) { return canonical_json(table); },
                    },
                    value.value);
}

std::string canonical_json(const ParameterTable& table) {
  std::map<std::string, std::string> sorted;
  for (const auto& entry : table.entries) sorted[entry.key] = canonical_json(entry.value);
  std::string out = "{";
  for (const auto& [key, value] : sorted)
    out += (out.size() > 1 ? "," : "") + in_quotes(key) + ":" + value;
  return out + "}";
}

std::string_view kind_of(const ParameterValue& value) {
  return std::visit(Overloaded{
                        [](bool) { return "a boolean"; },
                        [](std::int64_t) { return "an integer"; },
                        [](double) { return "a number"; },
                        [](const std::string&) { return "a string"; },
                        [](const ParameterValue::Array&) { return "a list"; },
                        [](const ParameterTable&) { return "a table"; },
                    },
                    value.value);
}

std::string_view to_string(Distributions distributions) {
  switch (distributions) {
    case Distributions::known:
      return "known";
    case Distributions::estimated:
      return "estimate";
    case Distributions::sampled:
      return "sample";
  }
  return "unknown";
}

std::optional<Distributions> distributions_from(std::string_view word) {
  for (const auto one : kAllDistributions)
    if (to_string(one) == word) return one;
  return std::nullopt;
}

Parameters::Parameters(const ParameterTable& table, std::string where, Problems& problems,
                       const PartFactory* parts)
    : table_(table), where_(std::move(where)), problems_(problems), parts_(parts) {
  resolved_.place = table.place;
}

const ParameterValue* Parameters::declare(ParameterSpec spec, bool required,
                                          std::string_view expected) {
  const auto* value = table_.find(spec.key);
  if (value == nullptr && required)
    problems_.add(table_.place,
                  fmt::format("missing key '{}' in {}; expected {}", spec.key, where_, expected));
  // A key that is read again, once its presence is known, is still one key.
  const auto earlier = std::find_if(declared_.begin(), declared_.end(),
                                    [&](const auto& other) { return other.key == spec.key; });
  if (earlier == declared_.end())
    declared_.push_back(std::move(spec));
  else
    *earlier = std::move(spec);
  return value;
}

void Parameters::reject(std::string_view key, std::string_view expected, std::string_view found) {
  complain(key, fmt::format("'{}' must be {}, not {}", key, expected, found));
}

template <class T>
T Parameters::keep(std::string_view key, T value) {
  resolved_.set(key, ParameterValue{place_of(key), value});
  return value;
}

double Parameters::number(std::string_view key, std::optional<double> fallback, Bounds bounds,
                          std::string_view help, std::string_view unit) {
  const auto allowed = in_words(bounds);
  const auto expected = allowed.empty() ? "a finite number" : "a number " + allowed;
  const auto* given =
      declare({std::string(key), "number", fallback ? fmt::format("{}", *fallback) : "", allowed,
               std::string(unit), std::string(help), ParameterRole::plain, bounds},
              !fallback, expected);
  auto value = fallback.value_or(0.0);
  if (given != nullptr) {
    const auto* real = std::get_if<double>(&given->value);
    const auto* whole = std::get_if<std::int64_t>(&given->value);
    const auto found = real != nullptr    ? *real
                       : whole != nullptr ? static_cast<double>(*whole)
                                          : std::numeric_limits<double>::quiet_NaN();
    if (real == nullptr && whole == nullptr)
      reject(key, expected, kind_of(*given));
    else if (!contains(bounds, found))
      reject(key, expected, fmt::format("{}", found));
    else
      value = found;
  }
  return keep(key, value);
}

std::int64_t Parameters::integer(std::string_view key, std::optional<std::int64_t> fallback,
                                 Bounds bounds, std::string_view help, std::string_view unit) {
  const auto allowed = in_words(bounds);
  const auto expected = "an integer" + (allowed.empty() ? "" : " " + allowed);
  const auto* given =
      declare({std::string(key), "integer", fallback ? fmt::format("{}", *fallback) : "", allowed,
               std::string(unit), std::string(help), ParameterRole::plain, bounds},
              !fallback, expected);
  auto value = fallback.value_or(0);
  if (given != nullptr) {
    if (const auto* real = std::get_if<double>(&given->value))
      reject(key, expected, as_written(*real));
    else if (const auto* whole = std::get_if<std::int64_t>(&given->value); whole == nullptr)
      reject(key, expected, kind_of(*given));
    else if (!contains(bounds, static_cast<double>(*whole)))
      reject(key, expected, std::to_string(*whole));
    else
      value = *whole;
  }
  return keep(key, value);
}

bool Parameters::flag(std::string_view key, std::optional<bool> fallback, std::string_view help) {
  const auto* given =
      declare({std::string(key), "boolean", fallback ? (*fallback ? "true" : "false") : "", "", "",
               std::string(help)},
              !fallback, "true or false");
  auto value = fallback.value_or(false);
  if (given != nullptr) {
    if (const auto* found = std::get_if<bool>(&given->value))
      value = *found;
    else
      reject(key, "true or false", kind_of(*given));
  }
  return keep(key, value);
}

std::string Parameters::choice(std::string_view key, std::optional<std::string> fallback,
                               const std::vector<std::string>& options, std::string_view help) {
  return choice_as(ParameterRole::plain, key, std::move(fallback), options, help);
}

Distributions Parameters::distributions(std::string_view key, std::optional<Distributions> fallback,
                                        std::string_view help) {
  std::vector<std::string> words;
  for (const auto one : kAllDistributions) words.emplace_back(to_string(one));
  std::optional<std::string> word;
  if (fallback) word = to_string(*fallback);
  return *distributions_from(choice_as(ParameterRole::distributions, key, word, words, help));
}

std::string Parameters::choice_as(ParameterRole role, std::string_view key,
                                  std::optional<std::string> fallback,
                                  const std::vector<std::string>& options, std::string_view help) {
  const auto expected = one_of(options);
  const auto* given = declare({std::string(key), "choice", fallback ? in_quotes(*fallback) : "",
                               expected, "", std::string(help), role, any_number, options},
                              !fallback, expected);
  auto value = fallback.value_or(options.front());
  if (given != nullptr) {
    const auto* found = std::get_if<std::string>(&given->value);
    if (found == nullptr)
      reject(key, expected, kind_of(*given));
    else if (std::find(options.begin(), options.end(), *found) == options.end())
      reject(key, expected, fmt::format("'{}'{}", *found, did_you_mean(*found, options)));
    else
      value = *found;
  }
  return keep(key, value);
}

std::string Parameters::text(std::string_view key, std::optional<std::string> fallback,
                             std::string_view help) {
  return text_as(ParameterRole::plain, key, std::move(fallback), help);
}

std::string Parameters::device(std::string_view key, std::optional<std::string> fallback,
                               std::string_view help) {
  return text_as(ParameterRole::device, key, std::move(fallback), help);
}

std::string Parameters::text_as(ParameterRole role, std::string_view key,
                                std::optional<std::string> fallback, std::string_view help) {
  const auto* given = declare({std::string(key), "text", fallback ? in_quotes(*fallback) : "", "",
                               "", std::string(help), role},
                              !fallback, "a string");
  auto value = fallback.value_or("");
  if (given != nullptr) {
    const auto* found = std::get_if<std::string>(&given->value);
    if (found == nullptr)
      reject(key, "a string", kind_of(*given));
    else if (found->empty() && fallback != "")  // a default may be given back
      complain(key, fmt::format("'{}' must not be empty", key));
    else
      value = *found;
  }
  return keep(key, value);
}

std::vector<std::string> Parameters::texts(std::string_view key,
                                           std::optional<std::vector<std::string>> fallback,
                                           std::string_view help) {
  return texts_as(ParameterRole::plain, key, std::move(fallback), help);
}

std::vector<std::string> Parameters::files(std::string_view key,
                                           std::optional<std::vector<std::string>> fallback,
                                           std::string_view help) {
  return texts_as(ParameterRole::files, key, std::move(fallback), help);
}

std::vector<std::string> Parameters::texts_as(ParameterRole role, std::string_view key,
                                              std::optional<std::vector<std::string>> fallback,
                                              std::string_view help) {
  const auto as_value = [&](const std::vector<std::string>& items) {
    ParameterValue::Array array;
    for (const auto& item : items) array.push_back({place_of(key), item});
    return ParameterValue{place_of(key), std::move(array)};
  };
  const auto* given = declare(
      {std::string(key), "list of texts", fallback ? canonical_json(as_value(*fallback)) : "", "",
       "", std::string(help), role},
      !fallback, "a list of strings");
  auto value = fallback.value_or(std::vector<std::string>{});
  if (given != nullptr) {
    if (const auto* items = std::get_if<ParameterValue::Array>(&given->value)) {
      value.clear();
      for (const auto& item : *items) {
        const auto* found = std::get_if<std::string>(&item.value);
        if (found == nullptr || found->empty())
          problems_.add(item.place, fmt::format("'{}' must hold non-empty strings, not {}", key,
                                                found ? "an empty one" : kind_of(item)));
        else
          value.push_back(*found);
      }
    } else {
      reject(key, "a list of strings", kind_of(*given));
    }
  }
  resolved_.set(key, as_value(value));
  return value;
}

PartSpec Parameters::part(std::string_view key, InterfaceKind kind,
                          std::optional<std::string> fallback, std::string_view help) {
  const auto expected =
      fmt::format("the id of a {} or a table with plugin = \"...\"", to_string(kind));
  const auto* given = declare({std::string(key),
                               "plugin",
                               fallback ? in_quotes(*fallback) : "",
                               fmt::format("of kind {}", to_string(kind)),
                               "",
                               std::string(help),
                               ParameterRole::plain,
                               any_number,
                               {},
                               kind},
                              !fallback, expected);
  PartSpec part;
  part.plugin = fallback.value_or("");
  part.place = place_of(key);
  part.settings.place = part.place;
  if (given != nullptr) {
    const auto* table = std::get_if<ParameterTable>(&given->value);
    const auto* named = table == nullptr ? given : table->find("plugin");
    const auto* id = named == nullptr ? nullptr : std::get_if<std::string>(&named->value);
    if (id == nullptr || id->empty()) {
      reject(key, expected,
             id != nullptr      ? "an empty id"
             : table != nullptr ? "a table without an id"
                                : kind_of(*given));
      part.plugin.clear();
    } else {
      part.plugin = *id;
      part.place = named->place;
    }
    if (table != nullptr) {
      part.settings = *table;
      std::erase_if(part.settings.entries, [](const auto& entry) { return entry.key == "plugin"; });
    }
  }
  if (!part.plugin.empty() && parts_ != nullptr)
    part = parts_->resolve(kind, part, where_ + " " + std::string(key), problems_);
  auto table = part.settings;
  table.set("plugin", ParameterValue{part.place, part.plugin});
  resolved_.set(key, ParameterValue{place_of(key), std::move(table)});
  return part;
}

const ParameterValue* Parameters::raw(std::string_view key, std::string_view type,
                                      std::string_view help, std::string_view fallback) {
  const auto* given = declare(
      {std::string(key), std::string(type), std::string(fallback), "", "", std::string(help)},
      /*required=*/false, type);
  if (given != nullptr) resolved_.set(key, *given);
  return given;
}

void Parameters::resolve(std::string_view key, ParameterTable table) {
  resolved_.set(key, ParameterValue{place_of(key), std::move(table)});
}

void Parameters::set_aside(std::string_view key) {
  for (auto& spec : declared_)
    if (spec.key == key) spec.role = ParameterRole::aside;
}

Place Parameters::place_of(std::string_view key) const {
  const auto* value = table_.find(key);
  return value == nullptr ? table_.place : value->place;
}

void Parameters::complain(std::string_view key, const std::string& message) {
  problems_.add(place_of(key), message);
}

void Parameters::report_unread(const std::vector<std::string>& read_elsewhere) {
  std::vector<std::string> known;
  for (const auto& spec : declared_) known.push_back(spec.key);
  auto meant = known;
  meant.insert(meant.end(), read_elsewhere.begin(), read_elsewhere.end());
  constexpr std::size_t kMostShown = 100;  // more are no slips: this is another kind of file
  std::size_t unknown = 0;
  for (const auto& entry : table_.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    if (++unknown > kMostShown) continue;
    problems_.add(entry.place, fmt::format("unknown key '{}' in {}; expected {}{}", entry.key,
                                           where_, known.empty() ? "no keys" : one_of(known),
                                           did_you_mean(entry.key, meant)));
  }
  if (unknown > kMostShown)
    problems_.add(table_.place,
                  fmt::format("and {} more unknown keys in {}", unknown - kMostShown, where_));
}

}  // namespace tempo
