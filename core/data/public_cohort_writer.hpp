#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"

namespace tempo {

/// Writes the data sets of one hypothesis. Each file appears whole or not at all. finish() writes
/// the truth last, so that a folder without it can be seen to be unfinished.
class PublicCohortWriter {
 public:
  /// Makes the hypothesis's folder below `folder`.
  /// @throws Error if that exists and is not empty, since cohorts are not mixed with other files,
  ///         cannot be made, or the id cannot name a folder
  PublicCohortWriter(const std::filesystem::path& folder, std::string hypothesis,
                     double healthy_ratio);
  ~PublicCohortWriter();

  /// Writes one cohort's CSV and keeps its truth.
  /// @throws ShapeError, NumericError if cohort and truth do not belong together; Error if the file
  ///         cannot be written or the number has been added already
  void add(std::size_t number, const Cohort& cohort, const Truth& truth,
           const BiomarkerTable* biomarkers = nullptr);

  /// Writes the truth of all cohorts added. Call once, last.
  /// @throws Error if the file cannot be written.
  void finish();

  const std::filesystem::path& folder() const { return folder_; }  ///< of this hypothesis

 private:
  std::filesystem::path folder_;
  std::string hypothesis_;
  double healthy_ratio_;
  std::unique_ptr<nlohmann::json> truths_;
};

}  // namespace tempo
