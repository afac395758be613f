#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "results/stored_cohort.hpp"

namespace tempo {

/// Whether a report may say who somebody is.
enum class People {
  withheld,  ///< no id of a real participant, and no note on one
  named,
};

/// Ids of real participants, which a text is to hold no more.
class WithheldIds {
 public:
  explicit WithheldIds(const std::vector<StoredCohort>& cohorts);

  /// The text with `...` in place of ids: of those in quotes, and of those that stand alone as a
  /// word. A number that is an id is told from others by its quotes.
  std::string without(std::string_view text) const;
  /// The same of every text of a value.
  void remove_from(nlohmann::ordered_json& value) const;

 private:
  std::unordered_set<std::string> ids_;
};

}  // namespace tempo
