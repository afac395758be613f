#include "report/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "data/csv_rows.hpp"
#include "model/printable.hpp"

namespace tempo {
namespace {

/// The width of a UTF-8 text on a terminal, counting a character per code point.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
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

}  // namespace

std::string csv(const Rows& rows) {
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out += (i > 0 ? "," : "") + (row[i].empty() ? row[i] : csv_field(row[i]));
    out += '\n';
  }
  return out;
}

std::string aligned(const Rows& cells) {
  auto rows = cells;
  for (auto& row : rows)
    for (auto& cell : row) cell = printable(cell, "");
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - width(row[i]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string markdown(const Rows& rows) {
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += "|";
    for (const auto& cell : rows[i]) {
      auto text = printable(cell, "");
      for (std::size_t bar = 0; (bar = text.find('|', bar)) != std::string::npos; bar += 2)
        text.insert(bar, "\\");
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

std::string latex(const Rows& rows, std::size_t names, const std::string& comment) {
  std::string out = fmt::format("% {}\n\\begin{{tabular}}{{{}{}}}\n\\hline\n", comment,
                                std::string(names, 'l'), std::string(rows[0].size() - names, 'r'));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t column = 0; column < rows[i].size(); ++column) {
      const bool is_estimate = i > 0 && column >= names;
      out +=
          (column > 0 ? " & " : "") + (is_estimate ? rows[i][column] : latex_text(rows[i][column]));
    }
    out += i == 0 ? " \\\\\n\\hline\n" : " \\\\\n";
  }
  return out + "\\hline\n\\end{tabular}\n";
}

}  // namespace tempo
