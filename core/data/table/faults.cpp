#include "data/table/faults.hpp"

#include <fmt/format.h>

namespace tempo {
namespace {

/// What there are more of, by kind, in the plural.
constexpr std::array<std::string_view, 16> kInWords{
    "columns without a name of their own",
    "rows with a wrong number of fields",
    "rows without a participant",
    "rows without a biomarker",
    "rows without a visit",
    "visits that are no times",
    "repeated rows",
    "rows that disagree",
    "measurements that are no numbers",
    "measurements beyond what is measured",
    "quotients that are not finite",
    "values without a logarithm",
    "covariates that cannot be read",
    "values of 'diseased' that are neither True nor False",
    "participants with two labels",
    "participants with two diagnoses"};

}  // namespace

void TableFaults::add(std::size_t offset, const std::string& message) {
  problems_.add(place_in_text(text_, offset, name_), message);
}

void TableFaults::add_the_rest() {
  static_assert(kInWords.size() == kKinds);
  for (const auto kind : kinds_) {
    const auto k = static_cast<std::size_t>(kind);
    if (counts_[k] > kShown)
      problems_.add({name_}, fmt::format("and {} more {}", counts_[k] - kShown, kInWords[k]));
  }
}

}  // namespace tempo
