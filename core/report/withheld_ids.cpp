#include "report/withheld_ids.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tempo {
namespace {

constexpr std::string_view kWithheld = "...";
constexpr std::string_view kBetweenWords = " \t\n\r'\"(),;:!?[]{}<>=";

bool is_plain_number(std::string_view word) {
  return word.find_first_not_of("0123456789.+-") == std::string_view::npos;
}

}  // namespace

WithheldIds::WithheldIds(const std::vector<StoredCohort>& cohorts) {
  for (const auto& cohort : cohorts)
    ids_.insert(cohort.participants.begin(), cohort.participants.end());
}

std::string WithheldIds::without(std::string_view text) const {
  const auto is_id = [&](std::string_view word) { return ids_.contains(std::string(word)); };
  std::string out;
  while (!text.empty()) {
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
