#pragma once

// The cohorts on which the published baseline results were obtained, and those results.

#include <filesystem>
#include <string>
#include <vector>

#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/order.hpp"

namespace tempo::test {

struct PublishedRow {
  std::string name;         ///< `B=12 exp1 m0`
  Cohort cohort;            ///< columns in the true order, as the published wrapper gave them
  Ranks event_ranks;        ///< 1, 2, ..., B therefore
  std::vector<int> stages;  ///< y [J]
  double tau_distance = 0.0;
  double stage_mae = 0.0;
};

/// The randomised cohorts with B biomarkers, each with the published row of `method` (`DEBM`).
/// @param data  see shared_data()
/// @throws std::runtime_error if a file is missing or faulty.
std::vector<PublishedRow> published_rows(const std::filesystem::path& data, int biomarkers,
                                         const std::string& method);

/// How a method compares with the published rows.
struct Agreement {
  int rows = 0, same_distance = 0, same_stages = 0;  ///< same: to the digits published
  double distance = 0.0, stages = 0.0;               ///< means of the method
  double published_distance = 0.0, published_stages = 0.0;
  std::vector<double> distances;  ///< of the method, row by row

  double distance_error() const { return distance - published_distance; }
  double stages_error() const { return stages - published_stages; }
};

/// Fits each row's cohort, with the same stream each time.
Agreement agreement(const InferenceMethod& method, const std::vector<PublishedRow>& rows);

}  // namespace tempo::test
