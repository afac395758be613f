#include "data/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "data/text_file.hpp"
#include "data/unicode.hpp"

namespace tempo {
namespace {

using nlohmann::json;

/// Follows a parser through its text and finds keys that are given twice.
class KeyWatch {
 public:
  KeyWatch(const std::string& name, Problems& problems) : name_(name), problems_(problems) {}

  void see(json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::object_start) {
      known_.emplace_back();
      path_.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      known_.pop_back();
      path_.pop_back();
    } else if (event == json::parse_event_t::key) {
      path_.back() = parsed.get<std::string>();
      if (!known_.back().insert(path_.back()).second) {
        are_unique_ = false;
        problems_.add({name_}, fmt::format("{}: this key is given twice", path()));
      }
    }
  }

  bool are_unique() const { return are_unique_; }
  std::string path() const { return fmt::format("{}", fmt::join(path_, "/")); }

 private:
  const std::string& name_;
  Problems& problems_;
  bool are_unique_ = true;
  std::vector<std::string> path_;             ///< of the key last read
  std::vector<std::set<std::string>> known_;  ///< keys of each open object
};

/// The library's message from `word` on.
std::string_view from_word(std::string_view message, std::string_view word, std::size_t skip) {
  return message.substr(std::min(message.find(word) + skip, message.size()));
}

}  // namespace

std::optional<std::size_t> too_deep_at(std::string_view text) {
  std::size_t level = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++level > kMostJsonLevels) return i;
    } else if ((c == ']' || c == '}') && level > 0) {
      --level;
    }
  }
  return std::nullopt;
}

std::string too_deep_in_words() {
  return fmt::format("lists and objects lie more than {} deep in each other", kMostJsonLevels);
}

std::optional<json> parse_json(std::string_view text, const std::string& name, Problems& problems) {
  const auto checked = checked_text(text, name, problems);
  if (!checked) return std::nullopt;
  const auto text_read = composed(std::string(*checked));
  if (const auto at = too_deep_at(text_read)) {
    problems.add(place_in_text(text_read, *at, name), too_deep_in_words());
    return std::nullopt;
  }
  KeyWatch watch(name, problems);
  try {
    auto root = json::parse(text_read, [&](int, json::parse_event_t event, json& parsed) {
      watch.see(event, parsed);
      return true;
    });
    return watch.are_unique() ? std::optional(std::move(root)) : std::nullopt;
  } catch (const json::out_of_range& error) {  // a number beyond a double; it has no position
    problems.add({name}, fmt::format("{}: {}", watch.path(), from_word(error.what(), "] ", 2)));
  } catch (const json::parse_error& error) {
    problems.add(place_in_text(text_read, error.byte == 0 ? 0 : error.byte - 1, name),
                 // The library quotes a text up to a byte, which may be amid a character.
                 "not valid JSON: " + well_formed(from_word(error.what(), "syntax error", 0)));
  }
  return std::nullopt;
}

std::string kind_of_json(const json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return value.dump();
}

}  // namespace tempo
