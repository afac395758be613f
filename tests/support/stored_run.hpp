#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/store.hpp"
#include "support.hpp"

namespace tempo::test {

/// A store whose plan is the fits that were added, all finished.
class StoredRun {
 public:
  StoredRun() : store(folder_.path() / "results.sqlite", Database::Mode::create) {}

  void add(PlannedFit fit, FitRecord record) {
    fit.key = fit.slot = std::to_string(fits_.size());
    fit.recipe = "recipe";
    fits_.push_back(std::move(fit));
    records_.push_back(std::move(record));
  }
  /// Plans and finishes them.
  void finish(std::vector<StoredCohort> cohorts = {}) {
    store.set_plan({.name = "run",
                    .axes = {},
                    .fits = fits_,
                    .recipes = {{"recipe", "{}"}},
                    .cohorts = std::move(cohorts)});
    std::vector<std::pair<const PlannedFit*, FitRecord>> finished;
    for (std::size_t i = 0; i < fits_.size(); ++i) finished.emplace_back(&fits_[i], records_[i]);
    store.add(finished);
  }

 private:
  TemporaryFolder folder_;
  std::vector<PlannedFit> fits_;
  std::vector<FitRecord> records_;

 public:
  Store store;
};

}  // namespace tempo::test
