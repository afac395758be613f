#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "study/experiment.hpp"
#include "study/experiment_input.hpp"
#include "study/faults_in_order.hpp"

namespace tempo {

/// The real cohorts that a study names, each read once.
class RealCohorts {
 public:
  struct Read {
    std::shared_ptr<const RealCohort> cohort;
    std::string content;  ///< its cohort_key
    Problems problems;    ///< faults of its files
  };
  const Read& get(const std::filesystem::path& path);

 private:
  std::map<std::filesystem::path, Read> read_;
};

/// The cohorts that a folder holds of one hypothesis, as far as they are asked for.
struct FolderGroup {
  std::string id;  ///< of the hypothesis
  std::vector<PublicDataset> files;
};

/// Where the cohorts of an experiment come from, and what is there.
struct BuiltCohorts {
  CohortSettings settings;
  std::vector<FolderGroup> groups;  ///< of a folder
};

/// Finds the biomarker tables, folders and files that [cohorts] names, reads and estimates.
class CohortBuilder {
 public:
  /// @param folder  where relative paths of the experiment file start
  CohortBuilder(std::filesystem::path folder, RealCohorts& read, FaultsInOrder& faults)
      : folder_(std::move(folder)), read_(read), faults_(faults) {}

  BuiltCohorts build(const CohortsInput& input);

 private:
  BuiltCohorts build(const SimulatedCohortsInput& input);
  BuiltCohorts build(const FolderCohortsInput& input);
  BuiltCohorts build(const TableCohortInput& input);
  Simulation build(const SimulationInput& input, const CohortSize& fallback, bool may_estimate);
  std::vector<FolderGroup> list_groups(const std::filesystem::path& path, const Asked& asked);
  void restrict_groups(const std::set<std::size_t>& numbers, const Asked& asked,
                       std::vector<FolderGroup>& groups);
  void find_real(const Asked& asked, TableCohort& cohort);
  void estimate(const TableCohortInput& input, TableCohort& cohort);
  void restrict_biomarkers(const Asked& asked, TableCohort& cohort);
  /// Paths in the file are relative to `folder_`, those on the command line to the current folder.
  std::filesystem::path base_folder(const Asked& asked) const;
  std::filesystem::path resolve(const AskedText& path) const;

  std::filesystem::path folder_;
  RealCohorts& read_;
  FaultsInOrder& faults_;
};

}  // namespace tempo
