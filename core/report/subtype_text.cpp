#include "report/subtype_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tempo {

std::size_t subtype_of(std::span<const double> probabilities) {
  return static_cast<std::size_t>(std::max_element(probabilities.begin(), probabilities.end()) -
                                  probabilities.begin()) +
         1;
}

const std::vector<std::string>& subtype_columns() {
  static const std::vector<std::string> names{"subtype", "subtype_probability"};
  return names;
}

std::vector<Cell> cells_of_subtype(std::span<const double> probabilities) {
  if (probabilities.empty()) return std::vector<Cell>(subtype_columns().size());
  const auto subtype = subtype_of(probabilities);
  return {subtype, probabilities[subtype - 1]};
}

void add_subtype(nlohmann::ordered_json& item, std::span<const double> probabilities) {
  if (probabilities.empty()) return;
  item["subtype"] = subtype_of(probabilities);
  item["subtype_probabilities"] = std::vector<double>(probabilities.begin(), probabilities.end());
}

}  // namespace tempo
