#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "data/csv_rows.hpp"
#include "model/printable.hpp"
#include "report/text_layout.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> kNames{"table", "csv", "json", "latex", "markdown"};

// ---- for people

Rows printable_rows(const Rows& rows) {
  auto out = rows;
  for (auto& row : out)
    for (auto& cell : row) cell = printable(cell, "");
  return out;
}

/// The first shape of the table that fits, or the one with the fewest lines.
std::string on_terminal(const Block& block, std::size_t width) {
  std::vector<Block::Shape> shapes{{block.rows, block.name_columns}};
  shapes.insert(shapes.end(), block.narrower.begin(), block.narrower.end());
  std::string out;
  std::ptrdiff_t fewest = 0;
  for (const auto& [rows, name_columns] : shapes) {
    const auto texts = printable_rows(rows);
    auto text = aligned(texts, name_columns, width);
    if (fits(texts, width)) return text;
    const auto lines = std::count(text.begin(), text.end(), '\n');
    if (!out.empty() && lines >= fewest) continue;
    out = std::move(text);
    fewest = lines;
  }
  return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string markdown(const Rows& rows) {
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += "|";
    for (const auto& cell : rows[i]) {
      auto text = printable(cell, "");
      replace_all(text, "|", "\\|");
      out += " " + text + " |";
    }
    out += "\n";
    if (i > 0) continue;
    out += "|";
    for (std::size_t column = 0; column < rows[i].size(); ++column) out += "---|";
    out += "\n";
  }
  return out;
}

std::string latex_text(const std::string& text) {
  std::string out;
  for (const char c : printable(text, "")) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      out += {'\\', c};
    else if (c == '\\')
      out += "\\textbackslash{}";
    else if (c == '~' || c == '^')
      out += fmt::format("\\{}{{}}", c);
    else
      out += c;
  }
  return out;
}

std::string latex_number(const std::string& number) {
  auto text = latex_text(number);
  replace_all(text, "±", "$\\pm$");
  const auto mark = text.find(kBestMark);
  if (mark == std::string::npos) return text;
  text.erase(mark, std::string_view(kBestMark).size());
  return "\\textbf{" + text.insert(mark, "}");
}

/// With the rules of the package booktabs.
std::string latex(const Rows& rows, std::size_t name_columns) {
  const auto columns = rows[0].size();
  const auto names = std::min(name_columns, columns);
  auto out = fmt::format("\\begin{{tabular}}{{{}{}}}\n\\toprule\n", std::string(names, 'l'),
                         std::string(columns - names, 'r'));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t column = 0; column < rows[i].size(); ++column) {
      const bool is_number = i > 0 && column >= names;
      const auto& text = rows[i][column];
      out += (column > 0 ? " & " : "") + (is_number ? latex_number(text) : latex_text(text));
    }
    out += i == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
  }
  return out + "\\bottomrule\n\\end{tabular}\n";
}

/// Lines as comments of LaTeX.
std::string commented(std::string lines) {
  replace_all(lines, "\n", "\n% ");
  return "% " + lines;
}

/// Lines above or below a table; nothing for none.
std::string around(const std::string& lines, TableFormat format, std::size_t width) {
  if (lines.empty()) return {};
  const auto text = printable(lines);
  if (format == TableFormat::table) return wrapped_lines(text, width) + "\n";
  return (format == TableFormat::latex ? commented(text) : text) + "\n";
}

std::string as_text(const Block& block, TableFormat format, std::size_t width) {
  auto out = around(block.heading, format, width);
  if (!block.rows.empty()) {
    if (format == TableFormat::latex)
      out += latex(block.rows, block.name_columns);
    else if (format == TableFormat::markdown)
      out += (out.empty() ? "" : "\n") + markdown(block.rows);
    else
      out += on_terminal(block, width) + aligned(printable_rows(block.drawing), 1, width);
  }
  if (format != TableFormat::latex) out += around(block.aside, format, width);
  return out + around(block.note, format, width);
}

std::string as_text(const Table& table, TableFormat format, std::size_t width) {
  std::string out;
  for (const auto& block : table.blocks)
    out += (out.empty() ? "" : "\n") + as_text(block, format, width);
  if (format == TableFormat::latex) out = "% needs \\usepackage{booktabs}\n" + out;
  for (const auto& note : table.notes) out += around(printable(note, ""), format, width);
  return out;
}

// ---- for programs

struct ToText {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::size_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return value; }
};

struct ToJson {
  Json operator()(std::monostate) const { return {}; }
  Json operator()(const auto& value) const { return value; }
};

std::string as_csv(const Table& table) {
  std::string out;
  const auto add = [&](std::size_t i, const std::string& text) {
    out += (i > 0 ? "," : "") + (text.empty() ? text : csv_field(text));
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) add(i, table.columns[i]);
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) add(i, std::visit(ToText(), row[i].value()));
    out += '\n';
  }
  return out;
}

Json as_json(const Table& table) {
  if (table.document) return *table.document;
  Json out;
  for (const auto& [key, text] : table.about) out[key] = text;
  out["rows"] = rows_as_json(table);
  return out;
}

Json sweep_of(const Table& table, const std::vector<Cell>& row) {
  Json out;
  for (std::size_t i = 0; i < table.axes; ++i)
    out[table.columns[i]] = std::visit(ToJson(), row[i].value());
  return out;
}

}  // namespace

std::string_view to_string(TableFormat format) { return kNames[static_cast<std::size_t>(format)]; }

std::optional<TableFormat> table_format(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<TableFormat>(at - kNames.begin());
}

const std::vector<std::string>& table_formats() {
  static const std::vector<std::string> names(kNames.begin(), kNames.end());
  return names;
}

Cell::Cell() = default;
Cell::Cell(bool value) : value_(value) {}
Cell::Cell(std::size_t count) : value_(count) {}
Cell::Cell(double number) : value_(number) {}
Cell::Cell(std::string text) : value_(std::move(text)) {}
Cell::Cell(const char* text) : value_(std::string(text)) {}
Cell::Cell(const Cell&) = default;
Cell::Cell(Cell&&) noexcept = default;
Cell& Cell::operator=(const Cell&) = default;
Cell& Cell::operator=(Cell&&) noexcept = default;
Cell::~Cell() = default;

Cell cell(const std::optional<double>& number) { return number ? Cell(*number) : Cell(); }

Table table_of_texts(std::string heading, Rows rows) {
  Table out;
  out.columns = rows.front();
  for (auto row = rows.begin() + 1; row != rows.end(); ++row)
    out.rows.emplace_back(row->begin(), row->end());
  out.blocks.push_back({std::move(heading), std::move(rows)});
  return out;
}

std::string render(const Table& table, TableFormat format, std::size_t width) {
  if (format == TableFormat::csv) return as_csv(table);
  if (format == TableFormat::json)
    return as_json(table).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return as_text(table, format, width);
}

Json rows_as_json(const Table& table) {
  auto out = Json::array();
  for (const auto& row : table.rows) {
    auto item = Json::object();
    if (table.axes > 0) item["sweep"] = sweep_of(table, row);
    for (auto i = table.axes; i < row.size(); ++i)
      item[table.columns[i]] = std::visit(ToJson(), row[i].value());
    out.push_back(std::move(item));
  }
  return out;
}

Json columns_as_json(const Table& table) {
  auto out = Json::object();
  for (const auto& row : table.rows) {
    if (table.axes > 0) out["sweep"].push_back(sweep_of(table, row));
    for (auto i = table.axes; i < row.size(); ++i)
      out[table.columns[i]].push_back(std::visit(ToJson(), row[i].value()));
  }
  return out;
}

std::string point_in_words(const std::vector<std::string>& axes,
                           const std::vector<std::string>& axis_values) {
  std::string out;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    out += fmt::format("{}={} ", axes[axis], axis_values[axis]);
  return out;
}

Json point_as_json(const std::vector<std::string>& axes,
                   const std::vector<std::string>& axis_values) {
  Json out;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) out[axes[axis]] = axis_values[axis];
  return out;
}

}  // namespace tempo
