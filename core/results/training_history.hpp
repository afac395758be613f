#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tempo {

/// What a training said of itself: a line of named numbers per epoch. Written as CSV, the first
/// column `epoch`.
struct TrainingHistory {
  std::vector<std::string> columns;         ///< `epoch` first; empty before the first epoch
  std::vector<std::vector<double>> epochs;  ///< [epochs][columns]; NaN where no number was given
};

/// Numbers of an epoch as people call them: `loss 0.5, tau distance 0.12, staging MAE 0.8 on
/// validation cohorts`. Where there are numbers of validation cohorts, the others say less and are
/// left out.
std::string epoch_in_words(const std::vector<std::pair<std::string, double>>& numbers);

std::string to_csv(const TrainingHistory& history);
/// The history of a CSV that to_csv wrote; empty for an empty text.
/// @throws Error if an epoch has more numbers than there are columns, or fewer
TrainingHistory training_history_from(std::string_view csv);

}  // namespace tempo
