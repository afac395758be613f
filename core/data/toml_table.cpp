#include "data/toml_table.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "data/text_file.hpp"
#include "data/unicode.hpp"

namespace tempo {
namespace {

/// How deep lists and tables may lie in each other, and how many parts a dotted key may have.
/// Whatever goes through the values calls itself as often as the former, the parser as often as
/// both multiplied.
constexpr std::size_t kMostLevels = 32;
constexpr std::size_t kMostKeyParts = 32;

std::string too_deep() {
  return fmt::format("lists and tables lie more than {} deep in each other", kMostLevels);
}

/// Turns toml++'s nodes into the core's values.
class Converter {
 public:
  Converter(const std::string& name, Problems& problems) : name_(name), problems_(problems) {}

  /// @param level  how many lists and tables this one lies in
  ParameterTable table(const toml::table& from, std::size_t level = 0) const {
    // toml++ sorts keys by name; users expect them as written.
    std::vector<std::pair<const toml::key*, const toml::node*>> as_written;
    for (const auto& [key, value] : from) as_written.emplace_back(&key, &value);
    std::sort(as_written.begin(), as_written.end(), [](const auto& a, const auto& b) {
      return a.first->source().begin < b.first->source().begin;
    });
    ParameterTable to{place(from.source()), {}};
    for (const auto& [key, value] : as_written)
      to.entries.push_back(
          {composed(std::string(key->str())), place(key->source()), this->value(*value, level)});
    return to;
  }

 private:
  Place place(const toml::source_region& region) const {
    return {name_, region.begin.line, region.begin.column};
  }

  ParameterValue value(const toml::node& from, std::size_t level) const {
    const auto here = place(from.source());
    // A dotted key makes tables without brackets, which the scan before the parser does not see.
    if (!from.is_value() && ++level > kMostLevels) {
      problems_.add(here, too_deep());
      return {here, ParameterTable{here, {}}};
    }
    return from.visit([&](const auto& node) -> ParameterValue {
      if constexpr (toml::is_table<decltype(node)>) {
        return {here, table(node, level)};
      } else if constexpr (toml::is_array<decltype(node)>) {
        ParameterValue::Array items;
        for (const auto& item : node) items.push_back(value(item, level));
        return {here, std::move(items)};
      } else if constexpr (toml::is_chronological<decltype(node)>) {
        std::ostringstream text;
        text << node.get();
        problems_.add(
            here,
            fmt::format("no setting is a date or time; write text in quotes: \"{}\"", text.str()));
        return {here, text.str()};  // the key is there: readers must not complain of it too
      } else if constexpr (toml::is_string<decltype(node)>) {
        return {here, composed(node.get())};
      } else {
        return {here, node.get()};
      }
    });
  }

  const std::string& name_;
  Problems& problems_;
};

/// A fault and the byte where it is.
struct TomlFault {
  std::size_t at;
  std::string message;
};

/// Looks, before the parser goes through a text, whether it would go too deep.
class DepthScan {
 public:
  explicit DepthScan(std::string_view text) : text_(text) {}

  std::optional<TomlFault> fault() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (c == '"' || c == '\'')
        skip_string(c);
      else if (auto found = take(c))
        return found;
      else
        ++at_;
    }
    return std::nullopt;
  }

 private:
  /// A character outside strings and comments.
  std::optional<TomlFault> take(char c) {
    if (c == '.') {
      if (++dots_ >= kMostKeyParts)
        return TomlFault{at_, fmt::format("a key has more than {} parts", kMostKeyParts)};
    } else if (c == '\n' || c == '=' || c == ',') {
      dots_ = 0;
    } else if (c == '[' || c == '{') {
      dots_ = 0;
      if (++level_ > kMostLevels) return TomlFault{at_, too_deep()};
    } else if ((c == ']' || c == '}') && level_ > 0) {
      --level_;
    }
    return std::nullopt;
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_).starts_with(three);
    at_ += is_long ? 3 : 1;
    while (at_ < text_.size()) {
      if (text_[at_] == '\\' && quote == '"') {
        at_ += 2;
      } else if (is_long ? text_.substr(at_).starts_with(three)
                         : text_[at_] == quote || text_[at_] == '\n') {
        at_ += is_long ? 3 : 1;
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t dots_ = 0;
  std::size_t level_ = 0;
};

/// A hint at frequent causes of a fault of grammar: text without quotes, `True`.
std::string hint_about(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  const auto from = line.find_first_not_of(" \t", equals + 1);
  if (from == std::string_view::npos) return {};
  const auto word = line.substr(from, line.find_first_of(" \t\r#,]}", from) - from);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (word == "True" || word == "TRUE" || word == "False" || word == "FALSE")
    return "; write true or false in small letters";
  std::uint64_t seed = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), seed);
  if (read.ec == std::errc() && read.ptr == word.data() + word.size() &&
      seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return fmt::format("; a seed of this size needs quotes: \"{}\"", word);
  if (word.empty() || !is_letter(word.front()) || word == "true" || word == "false" ||
      word == "inf" || word == "nan")
    return {};
  return fmt::format("; text needs quotes: \"{}\"", word);
}

std::string_view line_of(std::string_view text, std::size_t number) {
  while (--number > 0 && text.find('\n') != std::string_view::npos)
    text.remove_prefix(text.find('\n') + 1);
  return text.substr(0, text.find('\n'));
}

/// Says what toml++ found in words that do not assume its sources.
std::string explain(const toml::parse_error& error, std::string_view text) {
  std::string_view found = error.description();
  constexpr std::string_view kPreamble = "Error while parsing ";
  const auto colon = found.find(": ");
  if (!found.starts_with(kPreamble) || colon == std::string_view::npos)
    return fmt::format("not valid TOML: {}", found);
  const auto part = found.substr(kPreamble.size(), colon - kPreamble.size());
  found.remove_prefix(colon + 2);

  constexpr std::string_view kTwice = "cannot redefine existing ";
  if (found.starts_with(kTwice)) {
    found.remove_prefix(kTwice.size());
    return fmt::format("a key or [table] may be given only once, but there is an earlier {}",
                       found.substr(0, found.find(" as ")));
  }
  if (found.find("control characters") != std::string_view::npos)
    return "not valid TOML: text on one line needs a closing quote, and holds no control "
           "characters";
  if (found.find("escape sequence") != std::string_view::npos)
    return fmt::format(
        "not valid TOML: {}; a backslash in \"...\" is written \\\\, in '...' as it is", found);
  return fmt::format("not valid TOML (in: {}): {}{}", part, found,
                     hint_about(line_of(text, error.source().begin.line)));
}

bool is_list_of_tables(const ParameterValue& value) {
  const auto* items = std::get_if<ParameterValue::Array>(&value.value);
  return items != nullptr && !items->empty() &&
         std::all_of(items->begin(), items->end(), [](const auto& item) {
           return std::holds_alternative<ParameterTable>(item.value);
         });
}

std::string toml_text(const std::string& text) {
  // A JSON string is a TOML string but for DEL, which TOML wants escaped.
  ParameterValue value;
  value.value = text;
  auto out = canonical_json(value);
  for (auto at = out.find('\x7F'); at != std::string::npos; at = out.find('\x7F', at))
    out.replace(at, 1, "\\u007f");
  return out;
}

std::string toml_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare ? key : toml_text(key);
}

std::string toml_number(double number) {
  auto text = fmt::format("{}", number);
  // Without point or exponent it would read back as an integer.
  if (std::isfinite(number) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

/// The right side of `key = ...`, on one line.
std::string inline_toml(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return toml_text(*text);
  if (const auto* number = std::get_if<double>(&value.value)) return toml_number(*number);
  if (const auto* items = std::get_if<ParameterValue::Array>(&value.value)) {
    std::string out = "[";
    for (const auto& item : *items) out += (out.size() > 1 ? ", " : "") + inline_toml(item);
    return out + "]";
  }
  if (const auto* table = std::get_if<ParameterTable>(&value.value)) {
    std::string out = "{";
    for (const auto& entry : table->entries)
      out += (out.size() > 1 ? ", " : " ") + toml_key(entry.key) + " = " + inline_toml(entry.value);
    return out + (table->entries.empty() ? "}" : " }");
  }
  return canonical_json(value);  // a boolean or an integer is the same in JSON
}

std::string lines_of(const ParameterTable& table) {
  std::string out;
  for (const auto& entry : table.entries)
    out += toml_key(entry.key) + " = " + inline_toml(entry.value) + "\n";
  return out;
}

}  // namespace

ParameterTable read_toml(const std::filesystem::path& path, Problems& problems) {
  const auto text = read_text_file(path, problems);
  return text ? read_toml_text(*text, path.string(), problems)
              : ParameterTable{{path.string()}, {}};
}

ParameterTable read_toml_text(std::string_view text, const std::string& name, Problems& problems) {
  const auto checked = checked_text(text, name, problems);
  if (!checked) return {{name}, {}};
  if (const auto fault = DepthScan(*checked).fault()) {
    problems.add(place_in_text(*checked, fault->at, name), fault->message);
    return {{name}, {}};
  }
  try {
    auto table = Converter(name, problems).table(toml::parse(*checked, std::string_view(name)));
    if (table.entries.empty()) problems.add({name}, "is empty: it sets no key");
    return table;
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    problems.add({name, at.line, at.column}, explain(error, *checked));
    return {{name}, {}};
  }
}

std::string to_toml(const ParameterTable& table) {
  std::string lines;
  std::string sections;
  for (const auto& [key, place, value] : table.entries) {
    if (const auto* inner = std::get_if<ParameterTable>(&value.value)) {
      sections += "\n[" + toml_key(key) + "]\n" + lines_of(*inner);
    } else if (is_list_of_tables(value)) {
      for (const auto& item : std::get<ParameterValue::Array>(value.value))
        sections +=
            "\n[[" + toml_key(key) + "]]\n" + lines_of(std::get<ParameterTable>(item.value));
    } else {
      lines += toml_key(key) + " = " + inline_toml(value) + "\n";
    }
  }
  return lines.empty() && !sections.empty() ? sections.substr(1) : lines + sections;
}

}  // namespace tempo
