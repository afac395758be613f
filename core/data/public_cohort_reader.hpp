#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "data/public_cohorts.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// Content keys of the two files of a data set, as file_key gives them.
struct PublicFileKeys {
  std::string csv;
  std::string truth;
};

/// Reads public cohorts, and reads each file once: keys and cohorts come from the same bytes, even
/// if a file changes while tempo is at work. A file of truths is shared by the data sets of a
/// folder.
///
/// Thread-safe. Several threads may ask at once; those that ask for the same data set wait for one
/// reading.
///
/// Cohorts stay in memory once they were asked for. The text of a file whose key alone was asked
/// for is kept up to a limit. Beyond it the file is read again when its cohort is asked for, and it
/// is a problem if the file has changed.
class PublicCohortReader {
 public:
  /// A usual set of cohorts (450 of 726 participants and 12 biomarkers) is below the limit.
  static constexpr std::size_t kKeptText = std::size_t{256} << 20;

  /// @param kept_text  bytes of text that are kept for cohorts not asked for yet
  explicit PublicCohortReader(std::size_t kept_text = kKeptText);
  ~PublicCohortReader();
  PublicCohortReader(const PublicCohortReader&) = delete;
  PublicCohortReader& operator=(const PublicCohortReader&) = delete;

  /// The keys of both files, which are read but not parsed.
  /// @throws InputError if one of them cannot be read
  PublicFileKeys keys(const PublicDataset& dataset);

  /// The cohort and its truth. Faults are added to `problems` each time, as read_public_cohort
  /// reports them; the cohort is empty if there was any. Never null.
  std::shared_ptr<const PublicCohort> read(const PublicDataset& dataset, Problems& problems);

  /// The cohorts that the truth of this data set tells of beside it, but that have no CSV, by name.
  /// Empty also if the truth cannot be read, of which `read` complains.
  std::vector<std::string> absent_beside(const PublicDataset& dataset);

 private:
  class TextLimit;
  class File;
  class Truths;
  class Dataset;

  Truths& truths_of(const PublicDataset& dataset);  ///< the caller locks
  Dataset& entry_of(const PublicDataset& dataset);

  const std::unique_ptr<TextLimit> limit_;
  std::mutex mutex_;  ///< of the maps; each entry has its own
  std::map<std::filesystem::path, std::unique_ptr<Truths>> truths_;     ///< by file
  std::map<std::filesystem::path, std::unique_ptr<Dataset>> datasets_;  ///< by CSV
};

}  // namespace tempo
