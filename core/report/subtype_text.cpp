#include "report/subtype_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/subtype_metrics.hpp"

namespace tempo {

std::string subtype_in_words(std::span<const double> probabilities) {
  const auto subtype = most_probable(probabilities);
  return fmt::format("{} ({:.2f})", subtype + 1, probabilities[subtype]);
}

std::optional<Within> rank_in_subtype(const SubtypeInference& found, std::size_t subtype,
                                      std::size_t biomarker) {
  if (found.rank_posteriors.empty()) return std::nullopt;
  return within_posterior(found.rank_posteriors[subtype].row(biomarker), 1.0);
}

const std::vector<std::string>& subtype_columns() {
  static const std::vector<std::string> names{"subtype", "subtype_probability"};
  return names;
}

std::vector<Cell> cells_of_subtype(std::span<const double> probabilities) {
  if (probabilities.empty()) return std::vector<Cell>(subtype_columns().size());
  const auto subtype = most_probable(probabilities);
  return {subtype + 1, probabilities[subtype]};
}

void add_subtype(nlohmann::ordered_json& item, std::span<const double> probabilities) {
  if (probabilities.empty()) return;
  item["subtype"] = most_probable(probabilities) + 1;
  item["subtype_probabilities"] = std::vector<double>(probabilities.begin(), probabilities.end());
}

}  // namespace tempo
