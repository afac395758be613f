#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "results/store.hpp"
#include "study/plan.hpp"

namespace tempo {

/// What a fit will cost, and how that is known: by fits of the method with its settings on cohorts
/// as large, or else on cohorts of other sizes.
struct FitCost {
  /// How time grows with a size in which all known fits differ.
  struct Growth {
    double power = 1.0;        ///< of the size; 1 where it was not measured
    bool is_measured = false;  ///< fits of sizes far enough apart tell it
  };
  double seconds = 0.0;
  std::optional<Growth> participants = {}, biomarkers = {};  ///< absent: as many

  bool is_of_same_size() const { return !participants && !biomarkers; }
};

/// What fits cost, learned from fits that were made: a fit takes as long as others of its method
/// with its settings and the hypothesis it assumes, on cohorts of the same size and hypothesis, or
/// else of the same size. Where there are none, cohorts of other sizes tell.
class FitCosts {
 public:
  /// Takes over what a store knows.
  void learn(Store& store);
  /// Takes over how long a fit took.
  void learn(const Plan& plan, std::size_t position, double seconds);

  /// What a planned fit will take; absent if none like it is known.
  std::optional<FitCost> cost(const Plan& plan, std::size_t position) const;
  /// The seconds alone.
  std::optional<double> seconds(const Plan& plan, std::size_t position) const;

 private:
  struct Mean {
    std::size_t count = 0;
    double sum = 0.0;
    void add(std::size_t fits, double mean);
    double value() const { return sum / static_cast<double>(count); }
  };
  /// Participants and biomarkers of a cohort; 0: not known.
  using Size = std::array<double, 2>;
  /// What fits have in common beside their cohorts' hypothesis and size.
  struct Kind {
    std::string text;
    double participants = 0.0;
  };
  const Kind& kind_of(std::string_view recipe) const;
  void add(const std::string& recipe, std::size_t biomarkers, std::size_t fits, double mean);

  std::map<std::string, Mean, std::less<>> by_recipe_;
  std::map<std::string, std::map<Size, Mean>> by_kind_;
  mutable std::map<std::string, Kind, std::less<>> kinds_;  // by recipe
};

}  // namespace tempo
