#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/labels.hpp"
#include "tempo/parameters.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// How a clinic writes its table, and which part of it becomes a cohort: a TOML file, see
/// docs/reference/formats.md.
///
///   file = "patients.csv"
///   participant = "PTID"
///   diagnosis = { column = "DX", healthy = ["CN"], diseased = ["MCI", "AD"] }
struct TableDescription {
  /// What places call the preset.
  static constexpr std::string_view kPresetPlace = "preset 'adnimerge'";

  /// Text with the place where the description gives it.
  struct Named {
    std::string text;
    Place place;
    /// What a preset's column may be called instead, letter by letter or in another case, with `.`
    /// for `_`; the likeliest first.
    std::vector<std::string> others = {};
    bool given() const { return !text.empty(); }
    bool is_from_preset() const { return place.file == kPresetPlace; }
  };
  enum class Transform { none, log };
  /// Which way a disease moves values, after the transform.
  enum class Direction { unknown, rises, falls };
  /// A biomarker and where its values are: in columns, or in a long table under names in its column
  /// of biomarkers.
  struct Biomarker {
    std::string name;
    Named column;
    Named over;  ///< what it is divided by, such as the size of the head; not given: nothing
    Transform transform = Transform::none;
    Direction direction = Direction::unknown;
  };
  enum class Layout { wide, tall };
  enum class Visit { only, first, baseline, last };
  enum class Missing { refuse, drop, marginal, mean };
  enum class Censored { error, clamp, missing };
  enum class MissingCovariate { refuse, drop, mean };

  std::filesystem::path file;
  Layout layout = Layout::wide;
  std::string separator;          ///< one character; empty: the most frequent in the header
  std::optional<char> decimal;    ///< absent: the values show it, unless commas separate fields
  std::optional<char> thousands;  ///< what parts the digits of large numbers; absent: nothing does
  std::optional<std::string> comment;  ///< absent: `#`, above the header only
  std::size_t skip = 0;
  std::vector<std::string> header;  ///< names of columns, of a file without a header

  Named participant;
  bool row_ids = false;               ///< participants are numbered from 1 by row
  Named biomarker;                    ///< long tables: the column of biomarkers
  Named value;                        ///< long tables: the column of measurements
  std::vector<Biomarker> biomarkers;  ///< empty: all columns without another use
  std::vector<Named> ignore;

  Named visit_column;
  Visit visit = Visit::only;
  std::vector<std::string> baseline;  ///< names of a baseline visit

  bool drop_copies = false;  ///< rows that are equal to an earlier one, field by field

  Missing missing = Missing::refuse;
  std::vector<std::string> missing_markers;
  bool has_own_markers = false;  ///< the file names them
  Censored censored = Censored::error;

  Named diagnosis;  ///< the column
  std::vector<Named> healthy, diseased, drop;
  std::vector<Named> staged;  ///< labels of those that nothing is fitted to, and that are staged
  Place diagnosis_place;

  std::vector<Named> covariates;
  std::map<std::string, std::vector<std::string>> levels;  ///< of categorical covariates
  MissingCovariate missing_covariates = MissingCovariate::refuse;

  /// Columns that are described beside the cohort, whatever else they are for. A file does not name
  /// them: whoever reads the table does.
  std::vector<Named> described;

  Place place;  ///< of the description
};

/// Reads a description; all its faults are reported at once. The table's path is relative to the
/// description. Where labels are ignored, the description may leave their column out.
TableDescription read_table_description(const std::filesystem::path& path, Problems& problems,
                                        Labels labels = Labels::needed);

/// The same from a table of settings that has been read already.
/// @param folder  where a relative path of the table starts
TableDescription table_description_from(const ParameterTable& table,
                                        const std::filesystem::path& folder, Problems& problems);

}  // namespace tempo
