#pragma once

#include <charconv>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <vector>

namespace tempo {

/// Names in the order of their first appearance.
class Names {
 public:
  std::size_t index(const std::string& name) {
    if (last_ < names.size() && names[last_] == name)
      return last_;  // rows of one name come in runs
    const auto [known, is_new] = indices_.emplace(name, names.size());
    if (is_new) names.push_back(name);
    return last_ = known->second;
  }
  std::vector<std::string> names;

 private:
  std::unordered_map<std::string, std::size_t> indices_;
  std::size_t last_ = std::numeric_limits<std::size_t>::max();
};

/// Where each of the names is first; valid as long as they are.
std::unordered_map<std::string_view, std::size_t> first_places(
    const std::vector<std::string>& names);

/// `1 method`, `2 methods`, `2 hypotheses`.
std::string counted(std::size_t count, const std::string& noun);

/// `'a'`, `'b'`: as ids of participants stand in texts, so that a report can withhold them.
std::vector<std::string> in_quotes(std::vector<std::string> names);

/// The first five of a list, and how many more there are.
std::string in_short(const std::vector<std::string>& names);

/// Reads a number that is the whole of the text.
template <class Number>
std::errc parse_number(std::string_view text, Number& number) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end != text.data() + text.size() ? std::errc::invalid_argument
                                                                  : fault;
}

/// The indices of the names in the order of their bytes.
std::vector<std::size_t> order_by_name(const std::vector<std::string>& names);

/// The order of a cohort's participants: numeric where every id is an integer, else as given.
std::vector<std::size_t> participant_order(const std::vector<std::string>& ids);

}  // namespace tempo
