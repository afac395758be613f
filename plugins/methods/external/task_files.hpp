#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tempo/cohort.hpp"

namespace tempo::external {

inline constexpr int kProtocol = 1;
inline constexpr const char* kFolderOf = "external";  ///< names folders of fits
inline constexpr const char* kCohortFile = "cohort.csv";
inline constexpr const char* kTaskFile = "task.json";
inline constexpr const char* kAnswerFile = "answer.json";

/// What a program is asked, besides the cohort.
struct Task {
  std::string settings;    ///< of the program: an object in JSON
  std::uint64_t seed = 0;  ///< below 2^53, which any language holds
  double seconds = 0.0;    ///< the limit
};

/// Writes the cohort (a row per participant: `participant`, `diseased` as 0 or 1 if the cohort has
/// labels, then the biomarkers; missing values are empty).
/// @throws Error if the file cannot be written
void write_cohort(const Cohort& cohort, const std::filesystem::path& folder);

/// Writes the task beside the cohort. @throws Error if the file cannot be written
void write_task(const Cohort& cohort, const Task& task, const std::filesystem::path& folder);
/// The task on one line, for a program that works elsewhere and answers with a line.
std::string task_line(const Cohort& cohort, const Task& task, const std::filesystem::path& folder);

}  // namespace tempo::external
