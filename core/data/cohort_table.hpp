#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/cohort_csv.hpp"
#include "data/covariates.hpp"
#include "data/table_description.hpp"
#include "tempo/cohort.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// A cohort made of a clinic's table, and what became of the rest.
struct CohortTable {
  /// Participants and what is left of them after a step.
  struct Step {
    std::string what;
    std::size_t participants = 0;
  };
  /// A participant of the table but not of the cohort.
  struct LeftOut {
    std::string participant;
    std::string why;  ///< a few words
  };
  /// Values beyond what an assay measures, of one biomarker and diagnosis.
  struct Censored {
    std::string biomarker;
    std::string diagnosis;
    std::size_t below = 0;
    std::size_t above = 0;
  };
  /// Biomarkers and participants are ordered as those of a long CSV are. Diagnoses are the labels
  /// as the table writes them.
  Cohort cohort;
  std::size_t rows = 0;                    ///< below the header, blank lines not counted
  std::vector<Step> flow;                  ///< from the table to the cohort
  std::vector<LeftOut> left_out;           ///< by these steps, in their order
  std::vector<Censored> censored;          ///< of the participants kept by visit and diagnosis
  MissingValues missing;                   ///< of the same, before the policy
  std::vector<std::string> other_columns;  ///< that hold no biomarker, each with why
  std::vector<std::string> notes;          ///< other changes and oddities, a line each
  Covariates covariates;  ///< as the table has them, if values are adjusted for some
  Adjustment adjustment;  ///< what was subtracted from all values
  /// What a column says of the participants [J], in their order.
  struct Described {
    std::string name;
    /// Numbers, absent where missing; or levels, empty where missing.
    std::variant<std::vector<std::optional<double>>, std::vector<std::string>> values;
  };
  std::vector<Described> described;  ///< as TableDescription::described lists them
  /// What makes the values of later participants doubtful, a sentence each.
  std::vector<std::string> doubts;

  /// Describes all of that; lines end in a line feed.
  std::string report() const;
};

/// A report of CohortTable without what may name participants.
std::string without_people(const std::string& report);

/// Reads the table that a description describes. Faults of the description and of the table are
/// reported, at most ten of a kind and the number of the rest; a result with faults is empty.
/// Memory is proportional to the file.
CohortTable read_cohort_table(const TableDescription& description, Problems& problems);

/// The same from memory; `name` is what places call the text.
CohortTable read_cohort_table_text(const TableDescription& description, std::string_view text,
                                   const std::string& name, Problems& problems);

/// Reads the table of participants that are compared with an earlier cohort. Their values are
/// adjusted as those of that cohort were, and missing cells stay empty where the description asks
/// for means: this table estimates neither.
/// @param labels      ignored: the result has none. Participants with a label that `drop` names are
///                    left out; any other label is accepted, and so is none.
/// @param adjustment  of the earlier cohort
CohortTable read_later_table(const TableDescription& description, Labels labels,
                             const Adjustment& adjustment, Problems& problems);

}  // namespace tempo
