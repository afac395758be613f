#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/json_text.hpp"
#include "data/public_truth.hpp"

namespace tempo {

/// A whole number, also one written 3.0.
inline std::optional<std::int64_t> whole_number(const nlohmann::json& value) {
  if (!value.is_number()) return std::nullopt;
  const auto number = value.get<double>();
  if (number != std::floor(number) || std::abs(number) > 1e9) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

/// Walks through the values of a truth and compares their keys with the cohort.
class TruthEntry {
 public:
  TruthEntry(const nlohmann::json& entry, const TruthPlace& place, Problems& problems)
      : entry_(entry), place_(place), cohort_(place.cohort), problems_(problems) {}

  const Cohort& cohort() const { return cohort_; }
  std::size_t fault_count() const { return problems_.size(); }

  /// @param path  of the value within the truth
  void complain(const std::string& path, const std::string& message) {
    const auto where = place_.stem + path;
    problems_.add({place_.file}, where.empty() ? message : fmt::format("{}: {}", where, message));
  }

  /// Whether a number is on the scale of stages and event times, 0..B.
  bool in_range(const nlohmann::json& value) const {
    return value.is_number() && value.get<double>() >= 0.0 &&
           value.get<double>() <= static_cast<double>(cohort_.biomarker_count());
  }

  /// @param all  that a truth of its kind may have
  void check_keys(const std::vector<std::string>& all) {
    for (const auto& item : entry_.items())
      if (std::find(all.begin(), all.end(), item.key()) == all.end())
        complain("", fmt::format("unknown key '{}'{}", item.key(), did_you_mean(item.key(), all)));
  }

  /// Which row of the cohort the i-th value of a list belongs to.
  void find_rows() {
    const auto J = cohort_.participant_count();
    const auto ids = entry_.find("participants");
    const bool listed = ids != entry_.end();
    if (listed && (!ids->is_array() || ids->size() != J))
      return complain(
          "/participants",
          fmt::format(
              "expected a list of the {} participants of {}, found {}", J, place_.whose,
              ids->is_array() ? fmt::format("a list of {}", ids->size()) : kind_of_json(*ids)));
    std::unordered_map<std::string, std::size_t> row_of;
    for (std::size_t j = 0; j < J; ++j) row_of.emplace(cohort_.participants[j], j);
    for (std::size_t i = 0; i < J; ++i) {
      auto id = listed ? (*ids)[i] : nlohmann::json(std::to_string(i));
      if (id.is_number_integer()) id = id.dump();  // 17 is the participant '17' of the CSV
      const auto row = id.is_string() ? row_of.find(id.get<std::string>()) : row_of.end();
      if (row == row_of.end()) {
        if (listed)
          complain(fmt::format("/participants/{}", i),
                   fmt::format("expected the id of a participant of {}, each once, found {}",
                               place_.whose, kind_of_json(id)));
        else
          complain("", fmt::format("the CSV has no participant '{}'; participants are 0..{} unless "
                                   "a list 'participants' names them",
                                   i, J - 1));
        return;
      }
      rows_.push_back(row->second);
      row_of.erase(row);  // each once
    }
  }

  /// The value of a key; null if it is absent.
  const nlohmann::json* find(const std::string& key) const {
    const auto found = entry_.find(key);
    return found == entry_.end() ? nullptr : &*found;
  }

  /// Calls `take(b, value, path)` for each biomarker of an object biomarker -> value. An object
  /// that is absent or empty is passed over: true if there was one.
  template <class Take>
  bool for_each_biomarker(const std::string& key, const Take& take) {
    const auto found = entry_.find(key);
    if (found == entry_.end() || (found->is_object() && found->empty())) return false;
    const auto path = "/" + key;
    if (!found->is_object()) {
      complain(path, fmt::format("expected an object (biomarker -> value), found {}",
                                 kind_of_json(*found)));
      return false;
    }
    for (const auto& item : found->items())
      if (!std::binary_search(cohort_.biomarkers.begin(), cohort_.biomarkers.end(), item.key()))
        complain(path, fmt::format("{} has no biomarker '{}'{}", place_.whose, item.key(),
                                   did_you_mean(item.key(), cohort_.biomarkers)));
    for (std::size_t b = 0; b < cohort_.biomarker_count(); ++b) {
      const auto& name = cohort_.biomarkers[b];
      if (const auto value = found->find(name); value == found->end())
        complain(path, fmt::format("biomarker '{}' of {} is missing", name, place_.whose));
      else
        take(b, *value, path + "/" + name);
    }
    return true;
  }

  /// Calls `take(j, value)` with the row j and the value of each participant; `take` returns false
  /// if the value is not as `expected`. A list that is absent or empty is passed over: true if
  /// there was one.
  template <class Take>
  bool for_each_participant(const std::string& key, const std::string& expected, const Take& take) {
    const auto found = entry_.find(key);
    if (found == entry_.end() || (found->is_array() && found->empty())) return false;
    const auto path = "/" + key;
    if (!found->is_array()) {
      complain(path, fmt::format("expected a list, found {}", kind_of_json(*found)));
      return false;
    }
    if (found->size() != cohort_.participant_count()) {
      complain(path, fmt::format("expected a list of {}, one value for each participant of {}, "
                                 "found a list of {}",
                                 cohort_.participant_count(), place_.whose, found->size()));
      return false;
    }
    std::size_t faults = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!take(rows_[i], (*found)[i]) && ++faults <= kShownFaults)
        complain(fmt::format("{}/{}", path, i),
                 fmt::format("expected {}, found {}", expected, kind_of_json((*found)[i])));
    if (faults > kShownFaults)
      complain(path, fmt::format("and {} more wrong values", faults - kShownFaults));
    return true;
  }

 private:
  const nlohmann::json& entry_;
  const TruthPlace& place_;
  const Cohort& cohort_;
  Problems& problems_;
  std::vector<std::size_t> rows_;  ///< of the cohort, in the order of the lists
};

/// Keys that say which stages participants have.
struct StageKeys {
  const char* ordinal;
  const char* continuous;
};
void read_stages(TruthEntry& entry, const StageKeys& keys, Truth& truth);
/// Families or directions.
void read_traits(TruthEntry& entry, Truth& truth);
void read_parameters(TruthEntry& entry, std::optional<BiomarkerTable>& biomarkers);
void add_stages(const Truth& truth, const StageKeys& keys, nlohmann::json& entry);
/// What truths of both kinds have beside orders and stages.
void add_parts(const Cohort& cohort, const Truth& truth, const BiomarkerTable* biomarkers,
               nlohmann::json& entry);

}  // namespace tempo
