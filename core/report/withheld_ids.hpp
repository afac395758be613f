#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
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
  /// word or as several. A number that is an id is told from others by its quotes.
  std::string without(std::string_view text) const;
  /// The same of every text of a value.
  void remove_from(nlohmann::ordered_json& value) const;

 private:
  /// Of the id of several words that the text begins with; 0 if there is none.
  std::size_t length_of_several_words(std::string_view text) const;

  std::unordered_set<std::string> ids_;
  /// By their first word, long ones first.
  std::unordered_map<std::string, std::vector<std::string>> of_several_words_;
};

}  // namespace tempo
