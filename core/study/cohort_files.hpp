#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "data/public_cohorts.hpp"
#include "tempo/cohort.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// The cohorts that a study reads from public folders, each read once for all that asks for it: its
/// content key, a check before any work, its fits.
///
/// Memory: a cohort that was read ahead stays until it has been taken as often as it was announced.
/// One of J participants and B biomarkers takes 8 J B bytes of measurements and some 60 J bytes of
/// ids and truth: 1000 cohorts of 726 participants and 12 biomarkers take 115 MB. A key takes a few
/// bytes. Thread-safe.
class CohortFiles {
 public:
  /// Content keys of the bytes of its CSV and of the truth beside it, one after the other.
  /// @throws InputError if a file cannot be read
  std::string key(const PublicDataset& dataset);

  /// Reads a cohort that will be taken; announces one `take` more if it has been read already.
  /// @param problems  gets its faults, the first time alone
  /// @return names of its biomarkers; empty if it has faults
  std::vector<std::string> read_ahead(const PublicDataset& dataset, Problems& problems);

  /// A cohort and its truth, read unless that has been done ahead.
  /// @throws InputError if it has faults
  std::shared_ptr<const SimulatedCohort> take(const PublicDataset& dataset);

 private:
  using Cohort = std::shared_ptr<const SimulatedCohort>;
  struct Ahead {
    Cohort cohort;
    std::size_t announced = 0;  // takes to come
  };
  std::string key_of(const std::filesystem::path& file);

  std::mutex mutex_;  // guards all below
  std::map<std::filesystem::path, std::string> keys_;
  std::map<std::filesystem::path, Ahead> ahead_;
};

}  // namespace tempo
