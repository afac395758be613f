#include "results/run_description.hpp"

#include <nlohmann/json.hpp>
#include <set>

namespace tempo {

std::vector<std::string> differing_settings(const RunDescription::Method& a,
                                            const RunDescription::Method& b) {
  using Json = nlohmann::json;
  const auto first = Json::parse(a.settings), second = Json::parse(b.settings);
  std::set<std::string> keys;
  for (const auto* settings : {&first, &second})
    for (const auto& [key, value] : settings->items()) keys.insert(key);
  std::vector<std::string> out;
  for (const auto& key : keys)
    if (first.value(key, Json()) != second.value(key, Json())) out.push_back(key);
  return out;
}

}  // namespace tempo
