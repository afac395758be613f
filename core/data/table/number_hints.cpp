#include "data/table/number_hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>

#include "model/look_alike.hpp"

namespace tempo {
namespace {

constexpr std::string_view kAnyDigit = "0123456789";

/// Whether a text is a number whose thousands such a mark parts.
bool parts_thousands_by(char mark, const std::string& text) {
  const auto plain = with_plain_marks(text);
  return plain.find(mark) != std::string::npos &&
         TableNumbers('.', {}, mark).read_finite(plain).has_value();
}

/// Whether a comma is the only mark of a number that may be decimal: `12,5`, `7,62E+02`.
bool may_be_decimal_comma(const std::string& text) {
  return text.find(',') != std::string::npos && TableNumbers(',', {}).read_finite(text).has_value();
}

std::string without_blanks_around(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == std::string_view::npos
             ? std::string()
             : std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

/// A bound of what is measured, written otherwise than `<200`.
struct OddBound {
  std::string sign, number;  ///< `<` or `>`, and what follows up to a unit
};

std::optional<OddBound> odd_bound(const std::string& text) {
  constexpr std::string_view kOfNumbers = "0123456789.,";
  OddBound out;
  std::string_view rest;
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>("&lt;", "<"),
                                 {"&gt;", ">"},
                                 {"\u2264", "<"},
                                 {"\u2265", ">"},
                                 {"\uff1c", "<"},
                                 {"\uff1e", ">"},
                                 {"<=", "<"},
                                 {">=", ">"},
                                 {"<", "<"},
                                 {">", ">"}})
    if (out.sign.empty() && std::string_view(text).starts_with(from)) {
      out.sign = to;
      rest = std::string_view(text).substr(from.size());
    }
  const auto begin = rest.find_first_not_of(' ');
  if (out.sign.empty() || begin == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(begin);
  out.number = without_blanks_around(rest.substr(0, rest.find_first_not_of(kOfNumbers)));
  if (out.number.find_first_of(kAnyDigit) == std::string::npos) return std::nullopt;
  return out;
}

/// What to do about a bound.
std::string hint_at_bound(const OddBound& bound) {
  return bound.number.find(',') != std::string::npos && may_part_thousands(bound.number)
             ? "; a comma that parts thousands is read with thousands = \",\""
             : fmt::format("; write it as '{}{}', without a unit", bound.sign, bound.number);
}

}  // namespace

std::string why_no_number(const std::string& biomarker, const std::string& text,
                          const TableInput& input, const TableNumbers& numbers) {
  const bool has_commas = numbers.has_decimal_commas();
  const bool has_digits = text.find_first_of(kAnyDigit) != std::string::npos;
  const bool all_are_biomarkers = input.description.biomarkers.empty() && !input.is_long();
  double ignored = 0.0;
  std::string hint;
  if (const auto bound = odd_bound(text))
    hint = hint_at_bound(*bound);
  else if (numbers.read(text, ignored) == std::errc::result_out_of_range)
    hint =
        "; it is too large or too small for a number: name it in 'missing_markers' if it stands "
        "for a missing value";
  else if (parts_thousands_by(' ', text))
    hint = "; a blank that parts thousands is read with thousands = \"space\"";
  else if (parts_thousands_by('\'', text))
    hint = "; an apostrophe that parts thousands is read with thousands = \"'\"";
  else if (!has_commas && text.find(',') != std::string::npos && may_part_thousands(text))
    hint =
        "; a comma that parts thousands is read with thousands = \",\", a decimal one with "
        "decimal = \",\"";
  else if (!has_commas && may_be_decimal_comma(text))
    hint = "; a decimal comma is read with decimal = \",\"";
  else if (std::count(text.begin(), text.end(), '.') > 1 && may_part_thousands(text))
    hint = "; points that part thousands are read with thousands = \".\"";
  else if (!input.description.decimal && has_commas && text.find('.') != std::string::npos)
    hint = "; other values have decimal commas";
  else if (has_digits)
    hint = "; it has more than a number in it: correct it in the table";
  else if (all_are_biomarkers)
    hint =
        "; name its column in 'ignore' if it is no biomarker, the text in 'missing_markers' if it "
        "stands for a missing value";
  else
    hint = "; name the text in 'missing_markers' if it stands for a missing value";
  return fmt::format("{} '{}' is not a finite number{}", biomarker, showing_hidden(text), hint);
}

}  // namespace tempo
