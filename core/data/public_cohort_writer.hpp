#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"

namespace tempo {

/// The mark of a folder whose cohorts are still being written, a text file: it is put there before
/// the first and removed after the last, and holds whatever its writer knows its work by.
inline constexpr const char* kUnfinishedMark = ".unfinished-simulation";

/// @throws Error if the folder of a hypothesis below `folder` holds anything, since cohorts are not
///         mixed with other files, or the id cannot name a folder
void expect_no_cohorts(const std::filesystem::path& folder, const std::string& hypothesis);

/// Writes the data sets of one hypothesis. Each file appears whole or not at all. finish() writes
/// the truth last, so that a folder without it can be seen to be unfinished.
class PublicCohortWriter {
 public:
  /// What is in the hypothesis's folder.
  enum class Before { nothing, part_of_the_same };
  /// Makes the hypothesis's folder below `folder`.
  /// @param before  files of the same simulation are written again
  /// @throws Error if it cannot be made, and as expect_no_cohorts unless a part is there
  PublicCohortWriter(const std::filesystem::path& folder, std::string hypothesis,
                     double healthy_ratio, Before before = Before::nothing);
  ~PublicCohortWriter();

  /// Writes one cohort's CSV and keeps its truth. Cohorts with subtypes have a layout of their own
  /// (public_cohorts.hpp): all cohorts of a hypothesis have them, or none.
  /// @throws ShapeError, NumericError if cohort and truth do not belong together; Error if the file
  ///         cannot be written, the number has been added already, or some of the cohorts alone
  ///         have subtypes
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
  bool has_subtypes_ = false;  ///< the cohorts added
  std::unique_ptr<nlohmann::json> truths_;
};

}  // namespace tempo
