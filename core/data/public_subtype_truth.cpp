#include "data/public_subtype_truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "data/names.hpp"
#include "data/public_truth_entry.hpp"
#include "model/subtype_metrics.hpp"
#include "tempo/error.hpp"

namespace tempo {
using nlohmann::json;
namespace {

constexpr const char* kNumber = "N_SUB";
constexpr const char* kOrders = "TRUE_ORDERINGS";
constexpr const char* kTimes = "TRUE_ORDERINGS_CONTINUOUS";
constexpr const char* kSubtypes = "TRUE_SUBTYPE_ASSIGNMENTS";
constexpr StageKeys kStages{"TRUE_STAGE_ASSIGNMENTS", "TRUE_STAGE_ASSIGNMENTS_CONTINUOUS"};
constexpr const char* kDiseased = "DISEASED_ARR";
constexpr const char* kAgreement = "CONCENTRATION";
// Read over: how the orders were drawn is not kept.
constexpr const char* kDispersion = "TEMPERATURE";

/// Calls `take(s, b, value, path)` for each number of a list of K lists of B, by biomarkers as they
/// are sorted by name. A list that is absent or empty is passed over: true if there was one.
template <class Take>
bool for_each_of_orders(TruthEntry& entry, const char* key, std::size_t K, const Take& take) {
  const auto* found = entry.find(key);
  if (found == nullptr || (found->is_array() && found->empty())) return false;
  const auto B = entry.cohort().biomarker_count();
  const auto path = fmt::format("/{}", key);
  const auto is_list_of = [](const json& value, std::size_t size) {
    return value.is_array() && value.size() == size;
  };
  const auto in_words = [](const json& value) {
    return value.is_array() ? fmt::format("a list of {}", value.size()) : kind_of_json(value);
  };
  if (!is_list_of(*found, K)) {
    entry.complain(path, fmt::format("expected a list of {}, one for each subtype, found {}", K,
                                     in_words(*found)));
    return false;
  }
  for (std::size_t s = 0; s < K; ++s) {
    const auto& order = (*found)[s];
    const auto of_subtype = fmt::format("{}/{}", path, s);
    if (!is_list_of(order, B)) {
      entry.complain(of_subtype, fmt::format("expected a list of {}, a value for each biomarker, "
                                             "sorted by name, found {}",
                                             B, in_words(order)));
      continue;
    }
    for (std::size_t b = 0; b < B; ++b) take(s, b, order[b], fmt::format("{}/{}", of_subtype, b));
  }
  return true;
}

/// How many subtypes there are; 0 and a problem if the truth does not say.
std::size_t number_of_subtypes(TruthEntry& entry) {
  const auto* found = entry.find(kNumber);
  const auto number = found == nullptr ? std::nullopt : whole_number(*found);
  if (number && *number >= 1) return static_cast<std::size_t>(*number);
  entry.complain(fmt::format("/{}", kNumber),
                 fmt::format("expected the number of subtypes, 1 or more, found {}",
                             found == nullptr ? "nothing" : kind_of_json(*found)));
  return 0;
}

/// Ranks 0..B-1 of each subtype, and where events have times, these.
void read_progressions(TruthEntry& entry, std::size_t K, TrueSubtypes& subtypes,
                       bool& continuous_events) {
  const auto B = entry.cohort().biomarker_count();
  const auto before = entry.fault_count();
  std::vector<std::vector<std::size_t>> ranks(K, std::vector<std::size_t>(B, 0));
  std::vector<std::vector<char>> is_taken(K, std::vector<char>(B, 0));
  const bool given = for_each_of_orders(
      entry, kOrders, K,
      [&](std::size_t s, std::size_t b, const json& value, const std::string& path) {
        const auto rank = whole_number(value);
        if (!rank || *rank < 0 || *rank >= static_cast<std::int64_t>(B))
          return entry.complain(
              path, fmt::format("expected a rank 0..{}, found {}", B - 1, kind_of_json(value)));
        const auto place = static_cast<std::size_t>(*rank);
        if (std::exchange(is_taken[s][place], 1) != 0)
          entry.complain(path, fmt::format("rank {} is that of an earlier biomarker", place));
        ranks[s][b] = place + 1;
      });
  if (!given && entry.fault_count() == before)
    entry.complain(fmt::format("/{}", kOrders),
                   "missing or empty; expected the ranks of the biomarkers in each subtype");
  if (entry.fault_count() > before) return;
  for (const auto& of_subtype : ranks)
    subtypes.progressions.push_back({{of_subtype.begin(), of_subtype.end()}, Ranks(of_subtype)});
  continuous_events = for_each_of_orders(
      entry, kTimes, K,
      [&](std::size_t s, std::size_t b, const json& value, const std::string& path) {
        if (entry.in_range(value))
          subtypes.progressions[s].event_times[b] = value.get<double>();
        else
          entry.complain(path,
                         fmt::format("expected a time 0..{}, found {}", B, kind_of_json(value)));
      });
}

/// The subtypes of the diseased; what is said of the healthy does not count: older files give them
/// the number of the block that they were drawn in.
void read_subtypes(TruthEntry& entry, std::size_t K, TrueSubtypes& subtypes) {
  const auto before = entry.fault_count();
  const auto& diseased = entry.cohort().diseased;
  subtypes.subtype.assign(entry.cohort().participant_count(), -1);
  const bool given = entry.for_each_participant(
      kSubtypes, fmt::format("the subtype 0..{} of a diseased participant", K - 1),
      [&](std::size_t j, const json& value) {
        if (diseased[j] == 0) return true;
        const auto subtype = whole_number(value);
        if (!subtype || *subtype < 0 || *subtype >= static_cast<std::int64_t>(K)) return false;
        subtypes.subtype[j] = static_cast<int>(*subtype);
        return true;
      });
  if (!given && entry.fault_count() == before)
    entry.complain(fmt::format("/{}", kSubtypes),
                   "missing or empty; expected the subtype of each participant");
}

void check_labels(TruthEntry& entry) {
  const auto& diseased = entry.cohort().diseased;
  entry.for_each_participant(kDiseased, "what the CSV says: 1 for the diseased, 0 for the healthy",
                             [&](std::size_t j, const json& value) {
                               const auto label =
                                   value.is_boolean()
                                       ? std::optional<std::int64_t>(value.get<bool>() ? 1 : 0)
                                       : whole_number(value);
                               return label && *label == diseased[j];
                             });
}

/// Numbers that describe the orders, which nobody needs to read them.
void check_descriptions(TruthEntry& entry) {
  for (const auto* key : {kAgreement, kDispersion})
    if (const auto* found = entry.find(key);
        found != nullptr && !found->is_number() && !found->is_null())
      entry.complain(fmt::format("/{}", key),
                     fmt::format("expected a number, found {}", kind_of_json(*found)));
}

/// How far K orders agree: 1 where they are the same, near 0 where they have nothing in common.
/// Source: Kendall & Babington Smith 1939, Annals of Mathematical Statistics 10(3), 275-287 (W).
double concordance(const std::vector<Progression>& progressions) {
  const auto K = static_cast<double>(progressions.size());
  const auto B = static_cast<double>(progressions.front().event_ranks.size());
  if (B < 2.0) return 1.0;
  double squares = 0.0;
  for (std::size_t b = 0; b < progressions.front().event_ranks.size(); ++b) {
    double sum = 0.0;
    for (const auto& progression : progressions)
      sum += static_cast<double>(progression.event_ranks[b]);
    const double beyond = sum - 0.5 * K * (B + 1.0);
    squares += beyond * beyond;
  }
  return 12.0 * squares / (K * K * (B * B * B - B));
}

}  // namespace

void read_subtype_truth_entry(const json& entry, const TruthPlace& place, Problems& problems,
                              Truth& truth, std::optional<BiomarkerTable>& biomarkers) {
  const auto before = problems.size();
  TruthEntry values(entry, place, problems);
  values.check_keys({kNumber, kOrders, kTimes, kSubtypes, kStages.ordinal, kStages.continuous,
                     kDiseased, kAgreement, kDispersion, "participants", "biomarker_parameters",
                     "biomarker_traits"});
  values.find_rows();
  auto& subtypes = truth.subtypes.emplace();
  if (const auto K = number_of_subtypes(values); K > 0) {
    read_progressions(values, K, subtypes, truth.continuous_events);
    read_subtypes(values, K, subtypes);
  }
  read_traits(values, truth);
  read_stages(values, kStages, truth);
  check_labels(values);
  check_descriptions(values);
  read_parameters(values, biomarkers);
  if (problems.size() > before) return;
  try {
    auto consensus = consensus_of(subtypes, truth.continuous_events);
    truth.event_times = std::move(consensus.event_times);
    truth.event_ranks = std::move(consensus.event_ranks);
    check(truth, place.cohort);
  } catch (const Error& error) {
    values.complain("", error.what());
  }
}

json subtype_truth_to_json(const Cohort& cohort, const Truth& truth,
                           const BiomarkerTable* biomarkers) {
  const auto& subtypes = *truth.subtypes;
  const auto by_name = order_by_name(cohort.biomarkers);
  auto orders = json::array(), times = json::array();
  bool has_times = truth.continuous_events;
  for (const auto& [event_times, event_ranks] : subtypes.progressions) {
    has_times |= !std::equal(event_times.begin(), event_times.end(), event_ranks.begin());
    std::vector<std::size_t> ranks;
    std::vector<double> sorted_times;
    for (const auto b : by_name) {
      ranks.push_back(event_ranks[b] - 1);
      sorted_times.push_back(event_times[b]);
    }
    orders.push_back(std::move(ranks));
    times.push_back(std::move(sorted_times));
  }
  auto of_participants = json::array();
  for (const int subtype : subtypes.subtype)
    of_participants.push_back(subtype < 0 ? json() : json(subtype));
  json entry{{kNumber, subtypes.progressions.size()},
             {kOrders, std::move(orders)},
             {kTimes, has_times ? std::move(times) : json::array()},
             {kSubtypes, std::move(of_participants)},
             {kDiseased, cohort.diseased},
             {kAgreement, concordance(subtypes.progressions)}};
  add_stages(truth, kStages, entry);
  add_parts(cohort, truth, biomarkers, entry);
  return entry;
}

}  // namespace tempo
