#pragma once

#include <cstddef>
#include <optional>

#include "results/fit_details.hpp"

namespace tempo {

/// How many biomarkers and participants a cohort has, as far as anything has told yet. Whoever
/// reads what fits found takes the places of one list for those of another.
class CohortSizes {
 public:
  CohortSizes() = default;
  CohortSizes(std::size_t biomarkers, std::optional<std::size_t> participants)
      : biomarkers_(biomarkers), participants_(participants) {}

  /// Takes over the sizes that are not known yet.
  /// @throws Error with the end of a sentence, `it is damaged: ...`, if the details have others
  void expect(const FitDetails& details);

 private:
  std::optional<std::size_t> biomarkers_, participants_;
};

}  // namespace tempo
