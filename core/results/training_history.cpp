#include "results/training_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "data/csv_rows.hpp"
#include "tempo/error.hpp"
#include "tempo/problem.hpp"

namespace tempo {
namespace {

double number(const std::string& text) {
  double value = 0.0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() ? value : std::numeric_limits<double>::quiet_NaN();
}

constexpr std::string_view kValidation = "validation_";

/// `staging MAE`, whatever a column is called.
std::string name_in_words(std::string_view column) {
  if (column.ends_with("tau_distance")) return "tau distance";
  if (column.ends_with("stage_mae")) return "staging MAE";
  if (column.ends_with("sequence_mae")) return "event-time error";
  std::string out(column);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

}  // namespace

std::string epoch_in_words(const std::vector<std::pair<std::string, double>>& numbers) {
  const auto is_of_validation = [](const auto& number) {
    return number.first.starts_with(kValidation);
  };
  const bool any = std::any_of(numbers.begin(), numbers.end(), is_of_validation);
  std::string out;
  for (const auto& each : numbers) {
    if (any && !is_of_validation(each)) continue;
    std::string_view column = each.first;
    if (any) column.remove_prefix(kValidation.size());
    out += fmt::format("{}{} {:.4g}", out.empty() ? "" : ", ", name_in_words(column), each.second);
  }
  return any ? out + " on validation cohorts" : out;
}

std::string to_csv(const TrainingHistory& history) {
  if (history.epochs.empty()) return {};
  std::string out;
  for (const auto& name : history.columns) out += (out.empty() ? "" : ",") + csv_field(name);
  out += '\n';
  for (const auto& epoch : history.epochs) {
    for (std::size_t i = 0; i < epoch.size(); ++i)
      out += (i > 0 ? "," : "") + fmt::format("{}", epoch[i]);
    out += '\n';
  }
  return out;
}

TrainingHistory training_history_from(std::string_view csv) {
  TrainingHistory out;
  Problems ignored;  // tempo wrote it
  for_each_csv_row(csv, "training history", ignored, [&](const CsvRow& row) {
    if (out.columns.empty()) {
      for (const auto& field : row) out.columns.push_back(field.text);
      return;
    }
    if (row.size() != out.columns.size())
      throw Error(fmt::format("a training history is damaged: an epoch has {} numbers, expected {}",
                              row.size(), out.columns.size()));
    auto& epoch = out.epochs.emplace_back();
    for (const auto& field : row) epoch.push_back(number(field.text));
  });
  return out;
}

}  // namespace tempo
