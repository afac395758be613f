#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "results/store.hpp"
#include "study/plan.hpp"

namespace tempo {

/// What a fit will cost, and how that is known.
struct FitCost {
  enum class Basis {
    same_size,  ///< fits of the method with its settings took that on cohorts as large
    growth,     ///< ... on smaller and larger ones, of sizes far apart: time grows by their power
    proportion  ///< ... of other sizes near each other: time is taken for proportional to them
  };
  double seconds = 0.0;
  Basis basis = Basis::same_size;
  double power = 1.0;  ///< of the participants, where the basis is `growth`
};

/// What fits cost, learned from fits that were made: a fit takes as long as others of its method
/// with its settings, on cohorts of the same size and hypothesis, or else of the same size. Where
/// there are none, cohorts of the same biomarkers and other sizes tell.
class FitCosts {
 public:
  /// Takes over what a store knows.
  void learn(Store& store);
  /// Takes over how long a fit took.
  void learn(const Plan& plan, std::size_t position, double seconds);

  /// Seconds that a planned fit will take; absent if none like it is known.
  std::optional<double> seconds(const Plan& plan, std::size_t position) const;
  /// The same of any fit with that recipe (JSON).
  std::optional<double> seconds(const std::string& recipe) const;
  /// The same with how it is known.
  std::optional<FitCost> cost(const Plan& plan, std::size_t position) const;
  std::optional<FitCost> cost(const std::string& recipe) const;

 private:
  struct Mean {
    std::size_t count = 0;
    double sum = 0.0;
    void add(std::size_t fits, double mean);
    double value() const { return sum / static_cast<double>(count); }
  };
  /// What fits have in common beside their hypothesis and the number of participants.
  struct Kind {
    std::string text;
    double participants = 0.0;  ///< 0: not known
  };
  const Kind& kind_of(std::string_view recipe) const;
  void add(const std::string& recipe, std::size_t fits, double mean);

  std::map<std::string, Mean, std::less<>> by_recipe_;
  std::map<std::string, std::map<double, Mean>> by_kind_;   // then by participants
  mutable std::map<std::string, Kind, std::less<>> kinds_;  // by recipe
};

}  // namespace tempo
