#include "history_json.hpp"

#include <nlohmann/json.hpp>

#include "tempo/error.hpp"

namespace tempo::amortised {
namespace {

[[noreturn]] void refuse_history() { throw Error("has a training history that cannot be read"); }

/// The library would turn any number into a count.
std::uint64_t count_from(const nlohmann::json& value) {
  if (!value.is_number_unsigned()) refuse_history();
  return value.get<std::uint64_t>();
}

}  // namespace

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
      epoch.epoch = count_from(line.at("epoch"));
      epoch.epochs = count_from(line.at("epochs"));
      line.at("numbers").get_to(epoch.numbers);
    }
  } catch (const nlohmann::json::exception&) {
    refuse_history();
  }
  return history;
}

}  // namespace tempo::amortised
