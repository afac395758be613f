#include "report/stage_posterior_text.hpp"

#include <nlohmann/json.hpp>

namespace tempo {

const std::vector<std::string>& stage_posterior_columns() {
  static const std::vector<std::string> names{"mode",   "second_mode", "mean",
                                              "median", "low",         "high"};
  return names;
}

std::vector<Cell> cells_of(const std::optional<StagePosterior>& posterior) {
  if (!posterior) return std::vector<Cell>(stage_posterior_columns().size());
  const auto& [within, mode, median, second_mode] = *posterior;
  return {mode, cell(second_mode), within.mean, median, within.low, within.high};
}

void add_to(nlohmann::ordered_json& item, const std::optional<StagePosterior>& posterior) {
  if (!posterior) return;
  const auto& [within, mode, median, second_mode] = *posterior;
  item["mode"] = mode;
  if (second_mode) item["second_mode"] = *second_mode;
  item["mean"] = within.mean;
  item["median"] = median;
  item["low"] = within.low;
  item["high"] = within.high;
}

}  // namespace tempo
