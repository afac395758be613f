#include "study/cohort_files.hpp"

#include "data/content_key.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

std::shared_ptr<const SimulatedCohort> read(const PublicDataset& dataset, Problems& problems) {
  auto found = read_public_cohort(dataset, problems);
  return std::make_shared<SimulatedCohort>(
      SimulatedCohort{std::move(found.cohort), std::move(found.truth)});
}

}  // namespace

std::string CohortFiles::key(const PublicDataset& dataset) {
  const auto truth = dataset.csv.parent_path() / "true_order_and_stages.json";
  return key_of(dataset.csv) + key_of(truth);
}

std::string CohortFiles::key_of(const fs::path& file) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = keys_.find(file); known != keys_.end()) return known->second;
  }
  auto key = file_key(file);
  const std::lock_guard lock(mutex_);
  return keys_.emplace(file, std::move(key)).first->second;
}

std::vector<std::string> CohortFiles::read_ahead(const PublicDataset& dataset, Problems& problems) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = ahead_.find(dataset.csv); known != ahead_.end()) {
      ++known->second.announced;
      return known->second.cohort->cohort.biomarkers;
    }
  }
  auto cohort = read(dataset, problems);
  const std::lock_guard lock(mutex_);
  auto& ahead = ahead_[dataset.csv];
  ahead.cohort = std::move(cohort);
  ++ahead.announced;
  return ahead.cohort->cohort.biomarkers;
}

std::shared_ptr<const SimulatedCohort> CohortFiles::take(const PublicDataset& dataset) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = ahead_.find(dataset.csv); known != ahead_.end()) {
      const auto cohort = known->second.cohort;
      if (--known->second.announced == 0) ahead_.erase(known);
      return cohort;
    }
  }
  Problems problems;
  auto cohort = read(dataset, problems);
  problems.throw_if_any();
  return cohort;
}

}  // namespace tempo
