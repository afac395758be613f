#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/cohort_csv.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/problem.hpp"

namespace tempo {

// The layout in which simulated cohorts are exchanged: a folder per hypothesis (`exp1` .. `exp9` in
// the public sets, any names otherwise). In it:
//
//   *_m0.csv, *_m1.csv, ...       a long CSV each (cohort_csv.hpp); the number is the data set's
//   true_order_and_stages.json    for each file, by its name without `.csv`:
//     true_order             biomarker -> rank 1..B
//     true_stages            y [J], 0..B: participants 0..J-1, or as `participants` lists them
//     true_stages_continuous k [J] in 0..B, or [] where stages are whole numbers
//     true_order_continuous  biomarker -> xi in 0..B, or {} where event times are ranks
//     participants           ids [J]; absent where they are 0..J-1
//     biomarker_parameters   biomarker -> phi_mean, phi_std, theta_mean, theta_std; optional
//     biomarker_traits       biomarker -> a number (Truth::traits); optional, written by tempo
//
// Cohorts with subtypes have a layout of their own: one folder for all hypotheses, or one for each
// in a folder of them. In it:
//
//   data/*_m0.csv, ...             a wide CSV each (wide_cohort_csv.hpp); what stands between
//                                  `j726_r0.21_` and `_m0` tells the hypothesis (public_stem)
//   true_order_and_stages.json     for each file, by its name without `.csv`:
//     N_SUB                              K, the number of subtypes
//     TRUE_ORDERINGS                     [K][B] ranks 0..B-1 of the biomarkers sorted by name
//     TRUE_ORDERINGS_CONTINUOUS          [K][B] xi in 0..B, or [] where event times are ranks
//     TRUE_SUBTYPE_ASSIGNMENTS           [J] 0..K-1; null of the healthy, or anything
//     TRUE_STAGE_ASSIGNMENTS             y [J], 0..B
//     TRUE_STAGE_ASSIGNMENTS_CONTINUOUS  k [J] in 0..B, or [] where stages are whole numbers
//     DISEASED_ARR                       [J] 1 or 0, as the CSV says; optional
//     TEMPERATURE, CONCENTRATION         how alike the orders are; optional, not kept
//     participants, biomarker_parameters, biomarker_traits  as above

/// One data set of a public folder.
struct PublicDataset {
  std::string hypothesis;            ///< as folders call it: `exp6`
  std::size_t number = 0;            ///< N of `*_mN.csv`
  std::filesystem::path csv;         ///< the truth stands beside it, unless `truth` says where
  std::filesystem::path truth = {};  ///< of a cohort with subtypes; else empty

  bool has_subtypes() const { return !truth.empty(); }
};

/// The data sets below `folder`, hypotheses in natural order (exp2 before exp10), then by number.
/// Sub-folders without any CSV are skipped. Problems: no such folder, no hypothesis in it, a
/// CSV that is no `*_mN.csv`, a number given twice, a copy that was not finished (`*_mN.csv.part`).
std::vector<PublicDataset> list_public_cohorts(const std::filesystem::path& folder,
                                               Problems& problems);

/// A cohort with its truth, columns sorted by name. Files of cohorts with subtypes list
/// participants by subtype: these come in a random order, which the content of the file decides.
struct PublicCohort {
  Cohort cohort;
  Truth truth;
  std::optional<BiomarkerTable> biomarkers;  ///< where the file says how the cohort was drawn
  MissingValues missing;
};

/// Where the truth of a data set stands.
std::filesystem::path truth_file(const PublicDataset& dataset);

/// Reads a data set; faults in either file are reported with the place in the CSV or the path in
/// the JSON (`stem/true_order/ABETA`). Empty if there was any. PublicCohortReader reads several.
PublicCohort read_public_cohort(const PublicDataset& dataset, Problems& problems);

/// The truth of a cohort that is stored in another form than the public CSV: by names.
struct NamedTruth {
  std::vector<std::string> biomarkers;    ///< [B] by name
  std::vector<std::string> participants;  ///< [J]
  Truth truth;
};

/// Reads a truth without its CSV: of one cohort (what `tempo synthesize-adnimerge` writes has the
/// keys above at its top), or of the cohort `stem` in a file of several. Faults as
/// read_public_cohort reports them; absent if there was any.
std::optional<NamedTruth> read_truth(const std::filesystem::path& file, const std::string& stem,
                                     Problems& problems);

/// Where the public sets keep a hypothesis: `exp1` for `h1` .. `exp9` for `h9`; any other id is its
/// own folder's name.
std::string public_folder_name(const std::string& hypothesis);

/// A data set's file name without `.csv`. For h1 .. h9 as in the public sets
/// (`j726_r0.21_Esn_kjOrdinalDM_xnjNormal_m0`), for any other id `j726_r0.21_ID_m0`.
/// @param healthy_ratio as it was asked for, in [0, 1)
std::string public_stem(const std::string& hypothesis, std::size_t participants,
                        double healthy_ratio, std::size_t number);

}  // namespace tempo
