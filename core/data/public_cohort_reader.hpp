#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "data/public_cohorts.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// Content keys of the two files of a data set, as file_key gives them.
struct PublicFileKeys {
  std::string csv;
  std::string truth;
};

/// Reads public cohorts for as long as it lives: each CSV, and each file of truths, once, whoever
/// asks for its key or its cohort, and how often. What the keys were made of is what the cohorts
/// are made of, even if a file changes meanwhile.
///
/// Thread-safe: several threads may ask at once; two that ask for one data set wait for one
/// reading.
///
/// Cohorts stay in memory once they have been asked for. Files whose keys alone were asked for are
/// kept as text, up to a limit; beyond it they are read a second time when their cohort is asked
/// for, and a file that has changed since then is a problem.
class PublicCohortReader {
 public:
  /// A usual set of cohorts (450 of 726 participants and 12 biomarkers) is below the limit.
  static constexpr std::size_t kKeptText = std::size_t{256} << 20;

  /// @param kept_text  bytes of text that are kept for cohorts not asked for yet
  explicit PublicCohortReader(std::size_t kept_text = kKeptText);
  ~PublicCohortReader();
  PublicCohortReader(const PublicCohortReader&) = delete;
  PublicCohortReader& operator=(const PublicCohortReader&) = delete;

  /// Reads both files but parses neither.
  /// @throws InputError if one of them cannot be read
  PublicFileKeys keys(const PublicDataset& dataset);

  /// The cohort and its truth. Faults are added to `problems` each time, as read_public_cohort
  /// reports them; the cohort is empty if there was any. Never null.
  std::shared_ptr<const PublicCohort> read(const PublicDataset& dataset, Problems& problems);

 private:
  class TextLimit;
  class File;
  class Truths;
  class Dataset;

  Dataset& entry_of(const PublicDataset& dataset);

  const std::unique_ptr<TextLimit> limit_;
  std::mutex mutex_;  ///< of the maps; each entry has its own
  std::map<std::filesystem::path, std::unique_ptr<Truths>> truths_;     ///< by file
  std::map<std::filesystem::path, std::unique_ptr<Dataset>> datasets_;  ///< by CSV
};

}  // namespace tempo
