#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/labels.hpp"
#include "tempo/parameters.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// What a clinic's table is and what of it becomes a cohort: a TOML file, see docs/formats.md.
///
///   file = "patients.csv"
///   participant = "PTID"
///   diagnosis = { column = "DX", healthy = ["CN"], diseased = ["MCI", "AD"] }
struct TableDescription {
  /// Text with the place where the description gives it.
  struct Named {
    std::string text;
    Place place;
    bool given() const { return !text.empty(); }
  };
  /// A biomarker and the columns (of a long table: the names in its column of biomarkers) it comes
  /// from.
  struct Biomarker {
    std::string name;
    Named column;
    Named
        over;  ///< what it is divided by, such as the head's size; not given: it is taken as it is
  };
  enum class Layout { wide, tall };
  enum class Visit { only, first, baseline, last };
  enum class Missing { refuse, drop, marginal, mean };
  enum class Censored { error, clamp, missing };

  std::filesystem::path file;
  Layout layout = Layout::wide;
  std::string separator;  ///< one character, or empty: the one that the first line has most of
  std::optional<char>
      decimal;  ///< absent: `,` if the fields are not separated by it and the values have it
  std::optional<std::string> comment;  ///< absent: `#`, of lines above the header
  std::size_t skip = 0;
  std::vector<std::string> header;  ///< names of the columns of a file that has none

  Named participant;
  bool row_ids = false;               ///< participants are numbered from 1 by row
  Named biomarker;                    ///< long tables: the column of biomarkers
  Named value;                        ///< long tables: the column of measurements
  std::vector<Biomarker> biomarkers;  ///< none: all that are nothing else
  std::vector<Named> ignore;

  Named visit_column;
  Visit visit = Visit::only;
  std::vector<std::string> baseline;  ///< what the visit column says of a baseline visit

  Missing missing = Missing::refuse;
  std::vector<std::string> missing_markers;
  Censored censored = Censored::error;

  Named diagnosis;  ///< the column
  std::vector<Named> healthy, diseased, drop;
  Place diagnosis_place;

  std::vector<Named> covariates;
  std::map<std::string, std::vector<std::string>> levels;  ///< of categorical covariates

  Place place;  ///< of the description
};

/// Reads a description; all its faults are reported at once. The table's path is relative to the
/// description. Where labels are ignored it need not say where they stand.
TableDescription read_table_description(const std::filesystem::path& path, Problems& problems,
                                        Labels labels = Labels::needed);

/// The same from a table of settings that has been read already.
/// @param folder where a relative path of the file starts
TableDescription table_description_from(const ParameterTable& table,
                                        const std::filesystem::path& folder, Problems& problems);

}  // namespace tempo
