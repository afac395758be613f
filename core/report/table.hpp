#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tempo {

/// How a table is written.
enum class TableFormat {
  table,  ///< for a terminal
  csv,
  json,
  latex,  ///< with the rules of the package booktabs
  markdown,
};
std::string_view to_string(TableFormat format);
/// Absent if there is no such format.
std::optional<TableFormat> table_format(std::string_view name);
/// The names of all formats.
const std::vector<std::string>& table_formats();

/// A table as texts, the first row its head.
using Rows = std::vector<std::vector<std::string>>;

/// The columns of a screen; tables for a terminal are no wider.
inline constexpr std::size_t kScreenWidth = 120;

/// At the end of a number that is the best; in LaTeX such numbers are bold.
inline constexpr const char* kBestMark = "✓";

/// What people read: a heading, the table below it, and lines below that.
struct Block {
  static constexpr std::size_t kAllColumns = static_cast<std::size_t>(-1);

  std::string heading;     ///< a line; may be empty
  Rows rows;               ///< may be empty: the heading says all
  std::string note = {};   ///< lines
  std::string aside = {};  ///< lines before the note, which LaTeX does without
  Rows drawing = {};       ///< lines of two columns right below the table, on a terminal only
  /// How many columns hold names; the others hold numbers, which LaTeX aligns to the right, and in
  /// which a ± may stand.
  std::size_t name_columns = kAllColumns;
  /// The same table in other shapes: a terminal shows the first of all that fits.
  struct Shape {
    Rows rows;
    std::size_t name_columns = kAllColumns;
  };
  std::vector<Shape> narrower = {};
};

/// What programs read: nothing, or a value that keeps its type.
class Cell {
 public:
  using Value = std::variant<std::monostate, bool, std::size_t, double, std::string>;

  Cell();  ///< nothing
  Cell(bool value);
  Cell(std::size_t count);
  Cell(double number);
  Cell(std::string text);
  Cell(const char* text);
  // Not inline: code stays small where lists of cells are written out.
  Cell(const Cell&);
  Cell(Cell&&) noexcept;
  Cell& operator=(const Cell&);
  Cell& operator=(Cell&&) noexcept;
  ~Cell();

  const Value& value() const { return value_; }

 private:
  Value value_;
};
/// Nothing where there is no number.
Cell cell(const std::optional<double>& number);

/// A table, for people and for programs. The renderers know nothing of its subject.
struct Table {
  // For people: `table`, `latex` and `markdown`.
  std::vector<Block> blocks;
  std::vector<std::string> notes = {};  ///< lines below all blocks

  // For programs: `csv` and `json`.
  std::vector<std::string> columns = {};
  std::vector<std::vector<Cell>> rows = {};  ///< [rows][columns]
  /// How many of the columns are axes of a sweep, which stand first; JSON has them in `sweep`.
  std::size_t axes = 0;
  /// In JSON, keys and texts before the `rows`.
  std::vector<std::pair<std::string, std::string>> about = {};
  /// JSON where it is of another shape than a list of rows; null: it is such a list.
  std::shared_ptr<const nlohmann::ordered_json> document = nullptr;

  bool empty() const { return blocks.empty(); }
};

/// A table of texts, the same for people and for programs.
/// @param rows  the first is the head
Table table_of_texts(std::string heading, Rows rows);

/// @param width  of a terminal, which tables fit; other formats have no such limit
std::string render(const Table& table, TableFormat format, std::size_t width = kScreenWidth);

/// The rows of a table as JSON objects.
nlohmann::ordered_json rows_as_json(const Table& table);
/// The same as a list per key: a third of the text. Empty without rows.
nlohmann::ordered_json columns_as_json(const Table& table);

/// `cohorts.participants=100 `, of a point of a sweep; empty without one.
std::string point_in_words(const std::vector<std::string>& axes,
                           const std::vector<std::string>& axis_values);
/// {"cohorts.participants": "100"}; null without a sweep.
nlohmann::ordered_json point_as_json(const std::vector<std::string>& axes,
                                     const std::vector<std::string>& axis_values);

}  // namespace tempo
