#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tempo/export.hpp"
#include "tempo/matrix.hpp"
#include "tempo/order.hpp"

namespace tempo {

/// What a method may see: one visit of J participants, B biomarkers each.
struct TEMPO_API Cohort {
  std::vector<std::string> participants;  ///< ids [J]: opaque text, each once
  std::vector<std::string> biomarkers;    ///< names [B]: opaque text, each once
  Matrix measurements;  ///< [J, B], column b in the units of biomarker b; NaN = missing
  std::vector<std::uint8_t> diseased;  ///< [J] 0 | 1; empty where the labels are withheld
  std::vector<std::string> diagnoses;  ///< [J] (CN, EMCI, ...); empty where not known

  std::size_t participant_count() const { return participants.size(); }  ///< J
  std::size_t biomarker_count() const { return biomarkers.size(); }      ///< B
  bool operator==(const Cohort&) const;  ///< NaN equals NaN: a missing cell is a missing cell
};

/// Checks the sizes, names and labels above, and that no measurement is infinite.
/// @throws ShapeError, NumericError
TEMPO_API void check(const Cohort& cohort);

/// The same cohort with column i taken from column order[i].
/// @throws NumericError if `order` is no permutation of 0..B-1.
TEMPO_API Cohort with_columns(const Cohort& cohort, const std::vector<std::size_t>& order);

/// Where in a cohort the biomarkers of another list stand.
struct FoundColumns {
  std::vector<std::size_t> columns;  ///< of the biomarkers that are there, in the list's order
  std::vector<std::string> missing;  ///< of the list, not in the cohort
  std::vector<std::string> unknown;  ///< in the cohort, not of the list
};
TEMPO_API FoundColumns find_columns(const Cohort& cohort,
                                    const std::vector<std::string>& biomarkers);

/// One order of events, and when they come.
struct Progression {
  std::vector<double> event_times;  ///< xi [B], on the scale 0..B; ranks as numbers where discrete
  Ranks event_ranks;                ///< [B], 1 = first
  bool operator==(const Progression&) const = default;
};

/// Several progressions in one cohort: every diseased participant follows one of them.
struct TrueSubtypes {
  std::vector<Progression> progressions;  ///< [K]; K >= 1
  std::vector<int> subtype;               ///< [J] 0..K-1; -1 for the healthy
  bool operator==(const TrueSubtypes&) const = default;
};

/// How a simulated cohort came about; never shown to a method.
struct Truth {
  std::vector<double> event_times;  ///< xi [B], on the scale 0..B; ranks as numbers where discrete
  Ranks event_ranks;                ///< [B], 1 = first
  bool continuous_events = false;   ///< event_times are times, not ranks (hypotheses 8, 9)
  std::vector<double> stages;       ///< k [J] as drawn, 0 for the healthy
  bool continuous_stages = false;   ///< stages are not whole numbers (hypotheses 5-9)
  std::vector<int> ordinal_stages;  ///< y [J], 0..B: number of events with xi_b <= k_j
  std::vector<int> traits;          ///< [B] family or direction per biomarker, or empty
  /// Where participants differ in their progressions. `event_times` and `event_ranks` are then the
  /// consensus of these, and ordinal stages count the events of the participant's own.
  std::optional<TrueSubtypes> subtypes = {};
  bool operator==(const Truth&) const = default;
};

/// The ordinal stage of a diseased participant: number of events with xi_b <= stage.
TEMPO_API int event_count(std::span<const double> event_times, double stage);

/// Checks sizes against the cohort and that ranks, times, stages and ordinal stages agree.
/// @throws ShapeError, NumericError
TEMPO_API void check(const Truth& truth, const Cohort& cohort);

struct SimulatedCohort {
  Cohort cohort;
  Truth truth;
  bool operator==(const SimulatedCohort&) const = default;
};

}  // namespace tempo
