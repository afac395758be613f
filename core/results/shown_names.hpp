#pragma once

#include <map>
#include <string>

#include "results/fit_result.hpp"
#include "results/run_description.hpp"

namespace tempo {

/// What people read in place of ids. Names of methods differ from each other and from the other
/// methods' ids, and so do those of hypotheses; a method and a hypothesis may share one.
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

  using Names = std::map<std::string, std::string>;
  /// The ids by the names that are shown in their place.
  Names methods_by_name() const { return reversed(methods_); }
  Names hypotheses_by_name() const { return reversed(hypotheses_); }

 private:
  static const std::string& in(const Names& names, const std::string& id) {
    const auto found = names.find(id);
    return found == names.end() ? id : found->second;
  }
  static Names reversed(const Names& names);

  Names methods_, hypotheses_;  // by id; only those that differ
};

}  // namespace tempo
