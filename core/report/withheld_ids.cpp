#include "report/withheld_ids.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace tempo {
namespace {

constexpr std::string_view kWithheld = "...";
constexpr std::string_view kBetweenWords = " \t\n\r'\"(),;:!?[]{}<>=";

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(kBetweenWords));
}

bool is_plain_number(std::string_view word) {
  return word.find_first_not_of("0123456789.+-") == std::string_view::npos;
}

}  // namespace

WithheldIds::WithheldIds(const std::vector<StoredCohort>& cohorts) {
  for (const auto& cohort : cohorts)
    for (const auto& id : cohort.participants)
      if (ids_.insert(id).second && first_word(id).size() < id.size())
        of_several_words_[std::string(first_word(id))].push_back(id);
  for (auto& [word, ids] : of_several_words_)
    std::sort(ids.begin(), ids.end(), [](const auto& a, const auto& b) {
      return std::pair(b.size(), a) < std::pair(a.size(), b);
    });
}

std::size_t WithheldIds::length_of_several_words(std::string_view text) const {
  const auto found = of_several_words_.find(std::string(first_word(text)));
  if (found == of_several_words_.end()) return 0;
  for (const auto& id : found->second) {
    const auto rest = text.substr(std::min(id.size(), text.size()));
    if (text.starts_with(id) && first_word(rest).find_first_not_of('.') == std::string_view::npos)
      return id.size();
  }
  return 0;
}

std::string WithheldIds::without(std::string_view text) const {
  const auto is_id = [&](std::string_view word) { return ids_.contains(std::string(word)); };
  std::string out;
  while (!text.empty()) {
    if (const auto length = length_of_several_words(text); length > 0) {
      out.append(kWithheld);
      text.remove_prefix(length);
      continue;
    }
    if (const auto quote = text.front(); quote == '\'' || quote == '"') {
      const auto end = text.find(quote, 1);
      if (end != std::string_view::npos && is_id(text.substr(1, end - 1))) {
        (out += quote).append(kWithheld) += quote;
        text.remove_prefix(end + 1);
        continue;
      }
    }
    const auto length = std::min(text.find_first_of(kBetweenWords), text.size());
    auto word = text.substr(0, length);
    const bool ends_sentence = word.size() > 1 && word.back() == '.' && !is_id(word);
    if (ends_sentence) word.remove_suffix(1);
    if (!word.empty() && !is_plain_number(word) && is_id(word))
      out.append(kWithheld);
    else
      out.append(word);
    const auto taken = word.size();
    if (taken < text.size()) out += text[taken];
    text.remove_prefix(std::min(taken + 1, text.size()));
  }
  return out;
}

void WithheldIds::remove_from(nlohmann::ordered_json& value) const {
  if (ids_.empty()) return;
  if (value.is_string())
    value = without(value.get_ref<const std::string&>());
  else if (value.is_structured())
    for (auto& item : value) remove_from(item);
}

}  // namespace tempo
