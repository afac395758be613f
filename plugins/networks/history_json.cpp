#include "history_json.hpp"

#include <nlohmann/json.hpp>

#include "tempo/error.hpp"

namespace tempo::amortised {

std::string history_to_json(const std::vector<TrainingEpoch>& history) {
  auto lines = nlohmann::json::array();
  for (const auto& line : history) {
    auto numbers = nlohmann::json::array();
    for (const auto& [name, value] : line.numbers) numbers.push_back({name, value});
    lines.push_back({{"epoch", line.epoch}, {"epochs", line.epochs}, {"numbers", numbers}});
  }
  return lines.dump();
}

std::vector<TrainingEpoch> history_from_json(const std::string& text) {
  std::vector<TrainingEpoch> history;
  try {
    for (const auto& line : nlohmann::json::parse(text)) {
      auto& epoch = history.emplace_back();
      line.at("epoch").get_to(epoch.epoch);
      line.at("epochs").get_to(epoch.epochs);
      line.at("numbers").get_to(epoch.numbers);
    }
  } catch (const nlohmann::json::exception&) {
    throw Error("has a training history that cannot be read");
  }
  return history;
}

}  // namespace tempo::amortised
