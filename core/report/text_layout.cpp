#include "report/text_layout.hpp"

#include <fmt/format.h>
#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <numeric>

namespace tempo {
namespace {

using Cells = std::vector<std::vector<std::string>>;
using Widths = std::vector<std::size_t>;

constexpr std::size_t kGap = 2;         // between columns
constexpr std::size_t kLeastName = 12;  // no text is broken into narrower columns
constexpr std::size_t kHeadOfNumbers = 20;

/// While it lives, this thread knows the characters of Unicode, whatever language the user has.
class UnicodeLocale {
 public:
  UnicodeLocale() : before_(unicode() == nullptr ? nullptr : uselocale(unicode())) {}
  ~UnicodeLocale() {
    if (before_ != nullptr) uselocale(before_);
  }
  UnicodeLocale(const UnicodeLocale&) = delete;
  UnicodeLocale& operator=(const UnicodeLocale&) = delete;

 private:
  /// Null where the system has none; then every character counts one column.
  static locale_t unicode() {
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
  }
  locale_t before_;
};

/// A character of a text: its bytes and its columns.
struct Character {
  std::string_view bytes;
  std::size_t width = 1;
};

/// Bytes that are no UTF-8 count a column each.
std::vector<Character> characters(std::string_view text) {
  const UnicodeLocale locale;
  std::vector<Character> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t wanted = first < 0xC0   ? 1
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF8 ? 4
                                              : 1;
    std::size_t length = 1;
    while (length < wanted && i + length < text.size() &&
           (static_cast<unsigned char>(text[i + length]) & 0xC0) == 0x80)
      ++length;
    const auto bytes = text.substr(i, length == wanted ? length : 1);
    wchar_t code = first < 0x80   ? static_cast<wchar_t>(first)
                   : first < 0xE0 ? static_cast<wchar_t>(first & 0x1F)
                   : first < 0xF0 ? static_cast<wchar_t>(first & 0x0F)
                                  : static_cast<wchar_t>(first & 0x07);
    for (const char c : bytes.substr(1))
      code = static_cast<wchar_t>((code << 6) | (static_cast<unsigned char>(c) & 0x3F));
    const int columns = wcwidth(code);
    out.push_back({bytes, columns < 0 ? 1 : static_cast<std::size_t>(columns)});
    i += bytes.size();
  }
  return out;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// The longest beginning that fits; a character at least.
std::string_view beginning(std::string_view text, std::size_t width) {
  std::size_t bytes = 0, used = 0;
  for (const auto& [character, columns] : characters(text)) {
    if (bytes > 0 && used + columns > width) break;
    bytes += character.size();
    used += columns;
  }
  return text.substr(0, bytes);
}

std::string spaces(std::size_t count) { return std::string(count, ' '); }

Widths natural_widths(const Cells& rows) {
  Widths out;
  for (const auto& row : rows) {
    out.resize(std::max(out.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) out[i] = std::max(out[i], display_width(row[i]));
  }
  return out;
}

std::size_t total(const Widths& widths) {
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) +
         kGap * (std::max<std::size_t>(widths.size(), 1) - 1);
}

/// The widest word of each column.
Widths widest_words(const Cells& rows, std::size_t columns) {
  Widths out(columns);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t begin = 0; begin < row[i].size();) {
        const auto end = std::min(row[i].find(' ', begin), row[i].size());
        out[i] =
            std::max(out[i], display_width(std::string_view(row[i]).substr(begin, end - begin)));
        begin = end + 1;
      }
  return out;
}

/// Narrows the widest of the first `count` columns until these fit into `width`, each no further
/// than to `least`.
void narrow(Widths& widths, const Widths& least, std::size_t count, std::size_t width) {
  if (count == 0) return;
  const auto narrowed = [&](std::size_t i, std::size_t cap) {
    return std::max(std::min(widths[i], least[i]), std::min(widths[i], cap));
  };
  const auto used = [&](std::size_t cap) {
    std::size_t sum = kGap * (count - 1);
    for (std::size_t i = 0; i < count; ++i) sum += narrowed(i, cap);
    return sum;
  };
  auto cap = *std::max_element(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(count));
  while (cap > 0 && used(cap) > width) --cap;
  auto left = width - std::min(width, used(cap));  // what does not go round
  for (std::size_t i = 0; i < count; ++i) {
    const auto now = narrowed(i, cap);
    const bool has_more = now < widths[i] && left > 0;
    widths[i] = has_more ? now + 1 : now;
    if (has_more) --left;
  }
}

/// Widths of columns with which names and one column of numbers fit, if they can.
Widths narrowed(const Cells& rows, std::size_t names, std::size_t width) {
  auto widths = natural_widths(rows);
  const auto third = std::max(width / 3, kLeastName);
  auto least = widest_words(rows, widths.size());
  for (auto& word : least) word = std::clamp(word, kLeastName, third);
  if (names == widths.size()) {
    narrow(widths, least, names, width);
    return widths;
  }
  const auto body = rows.size() > 1 ? natural_widths({rows.begin() + 1, rows.end()}) : Widths();
  std::size_t all = 0, most = 0;  // of the numbers
  for (auto i = names; i < widths.size(); ++i) {
    const auto enough = std::max(i < body.size() ? body[i] : 0, kHeadOfNumbers);
    widths[i] = std::min({widths[i], enough, width - kGap - third});
    all += kGap + widths[i];
    most = std::max(most, kGap + widths[i]);
  }
  narrow(widths, least, names, all < width ? width - all : std::min(third, width - most));
  return widths;
}

/// The width of the names and the widest column of numbers.
std::size_t least_block(const Widths& widths, std::size_t names) {
  std::size_t out = 0, most = 0;
  for (std::size_t i = 0; i < names; ++i) out += (i > 0 ? kGap : 0) + widths[i];
  for (auto i = names; i < widths.size(); ++i) most = std::max(most, kGap + widths[i]);
  return out + most;
}

/// A row of cells, in as many lines as its highest cell needs.
std::string lines_of(const std::vector<std::string>& row, const std::vector<std::size_t>& columns,
                     const Widths& widths) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (const auto column : columns) {
    const auto text = column < row.size() ? row[column] : std::string();
    cells.push_back(display_width(text) <= widths[column] ? std::vector<std::string>{text}
                                                          : wrapped(text, widths[column], 1));
    height = std::max(height, cells.back().size());
  }
  std::string out;
  for (std::size_t line = 0; line < height; ++line) {
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto cell = line < cells[i].size() ? cells[i][line] : std::string();
      const auto used = display_width(cell);
      text += cell + spaces(std::max(widths[columns[i]], used) - used + kGap);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + '\n';
  }
  return out;
}

/// Which columns stand in which block.
std::vector<std::vector<std::size_t>> blocks_of(const Widths& widths, std::size_t names,
                                                std::size_t width) {
  std::vector<std::size_t> first(names);
  std::iota(first.begin(), first.end(), std::size_t{0});
  std::size_t base = 0;
  for (std::size_t i = 0; i < names; ++i) base += widths[i] + kGap;
  std::vector<std::vector<std::size_t>> out{first};
  auto used = base;
  for (auto column = names; column < widths.size(); ++column) {
    if (out.back().size() > names && used + widths[column] > width) {
      out.push_back(first);
      used = base;
    }
    out.back().push_back(column);
    used += widths[column] + kGap;
  }
  return out;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  if (is_ascii(text)) return text.size();
  std::size_t out = 0;
  for (const auto& character : characters(text)) out += character.width;
  return out;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  const auto own = std::min(text.find_first_not_of(' '), text.size());
  const auto hanging = spaces(own + indent < width / 2 ? own + indent : 0);
  std::vector<std::string> out{std::string(text.substr(0, own < width / 2 ? own : 0))};
  bool is_empty = true;  // the line, but for its indentation
  for (auto rest = text.substr(own); !rest.empty();) {
    const auto end = std::min(rest.find(' '), rest.size());
    auto word = rest.substr(0, end);
    const auto gap = rest.find_first_not_of(' ', end);
    rest = gap == std::string_view::npos ? std::string_view() : rest.substr(gap);
    if (!is_empty && display_width(out.back()) + 1 + display_width(word) > width) {
      out.push_back(hanging);
      is_empty = true;
    }
    if (!is_empty) out.back() += ' ';
    is_empty = false;
    for (;;) {  // a word that is longer than a line
      const auto used = display_width(out.back());
      if (used + display_width(word) <= width) break;
      const auto part = beginning(word, std::max<std::size_t>(width, used + 1) - used);
      out.back() += part;
      word.remove_prefix(part.size());
      if (word.empty()) break;
      out.push_back(hanging);
    }
    out.back() += word;
  }
  return out;
}

std::string wrapped_lines(std::string_view lines, std::size_t width) {
  std::string out;
  for (;;) {
    const auto end = lines.find('\n');
    const auto line = lines.substr(0, end);
    if (display_width(line) <= width) {  // as it is, with its spaces
      out += line;
    } else {
      const auto parts = wrapped(line, width);
      for (std::size_t i = 0; i < parts.size(); ++i) out += (i > 0 ? "\n" : "") + parts[i];
    }
    if (end == std::string_view::npos) return out;
    out += '\n';
    lines.remove_prefix(end + 1);
  }
}

std::string with_half_width(double mean, const std::optional<double>& half_width, int decimals) {
  auto out = fmt::format("{:.{}f}", mean, decimals);
  if (half_width) out += fmt::format(" ± {:.{}f}", *half_width, decimals);
  return out;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::string out(beginning(text, width - 1));
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "…";
}

bool fits(const Cells& rows, std::size_t width) { return total(natural_widths(rows)) <= width; }

std::string aligned(const Cells& rows, std::size_t name_columns, std::size_t width) {
  auto widths = natural_widths(rows);
  auto names = std::min(name_columns, widths.size());
  if (total(widths) > width) {
    widths = narrowed(rows, names, width);
    if (least_block(widths, names) > width) {  // too many columns of names: further blocks
      names = 1;
      widths = narrowed(rows, names, width);
    }
  }
  std::string out;
  for (const auto& columns : blocks_of(widths, names, width)) {
    if (!out.empty()) out += '\n';
    for (const auto& row : rows) out += lines_of(row, columns, widths);
  }
  return out;
}

}  // namespace tempo
