#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "results/store.hpp"
#include "study/plan.hpp"

namespace tempo {

/// What fits cost, learned from fits that were made: a fit takes as long as others of its method
/// with its settings, on cohorts of the same size and hypothesis, or else of the same size.
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

 private:
  struct Mean {
    std::size_t count = 0;
    double sum = 0.0;
    void add(std::size_t fits, double mean);
  };
  /// What fits have in common beside their hypothesis: the method, and the size of cohorts.
  const std::string& kind_of(std::string_view recipe) const;
  void add(const std::string& recipe, std::size_t fits, double mean);

  std::map<std::string, Mean, std::less<>> by_recipe_;
  std::map<std::string, Mean, std::less<>> by_kind_;
  mutable std::map<std::string, std::string, std::less<>> kinds_;  // recipe -> kind
};

}  // namespace tempo
