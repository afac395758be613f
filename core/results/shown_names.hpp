#pragma once

#include <map>
#include <string>

#include "results/fit_result.hpp"
#include "results/run_description.hpp"

namespace tempo {

/// What people read in place of ids. Names differ from each other and from the other ids
/// (expect_clear_names), so that nothing is mistaken.
class ShownNames {
 public:
  ShownNames() = default;
  explicit ShownNames(const RunDescription& run);

  const std::string& of_method(const std::string& id) const { return in(methods_, id); }
  const std::string& of_hypothesis(const std::string& id) const { return in(hypotheses_, id); }
  /// The same with names in place of ids.
  RunDescription shown(RunDescription run) const;
  FitId shown(FitId id) const;
  RunResults shown(RunResults results) const;
  /// The id by the name that is shown in its place.
  std::map<std::string, std::string> ids_by_name() const;

 private:
  using Names = std::map<std::string, std::string>;
  static const std::string& in(const Names& names, const std::string& id) {
    const auto found = names.find(id);
    return found == names.end() ? id : found->second;
  }

  Names methods_, hypotheses_;  // by id; only those that differ
};

}  // namespace tempo
