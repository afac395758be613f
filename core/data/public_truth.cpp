#include "data/public_truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "data/public_truth_entry.hpp"
#include "tempo/error.hpp"

namespace tempo {
using nlohmann::json;
namespace {

void read_order(TruthEntry& entry, Truth& truth) {
  const auto& cohort = entry.cohort();
  const auto B = cohort.biomarker_count();
  std::vector<std::size_t> ranks(B, 0);
  std::map<std::size_t, std::string> owner;
  const auto before = entry.fault_count();
  const bool given = entry.for_each_biomarker("true_order", [&](std::size_t b, const json& value,
                                                                const std::string& path) {
    const auto rank = whole_number(value);
    if (!rank || *rank < 1 || *rank > static_cast<std::int64_t>(B))
      return entry.complain(path,
                            fmt::format("expected a rank 1..{}, found {}", B, kind_of_json(value)));
    ranks[b] = static_cast<std::size_t>(*rank);
    const auto [first, is_new] = owner.emplace(ranks[b], cohort.biomarkers[b]);
    if (!is_new)
      entry.complain(path, fmt::format("rank {} is that of '{}' already", *rank, first->second));
  });
  if (!given && entry.fault_count() == before)
    entry.complain("/true_order", "missing or empty; expected the rank of each biomarker");
  if (given && entry.fault_count() == before) truth.event_ranks = Ranks(ranks);
  truth.event_times.assign(ranks.begin(), ranks.end());
  truth.continuous_events = entry.for_each_biomarker(
      "true_order_continuous", [&](std::size_t b, const json& value, const std::string& path) {
        if (entry.in_range(value))
          truth.event_times[b] = value.get<double>();
        else
          entry.complain(path,
                         fmt::format("expected a time 0..{}, found {}", B, kind_of_json(value)));
      });
}

/// The distribution of a biomarker before (`phi`) or after (`theta`) its event.
Normal read_normal(TruthEntry& entry, const json& value, const std::string& path,
                   const std::string& state) {
  const auto number = [&](const std::string& key, bool positive) {
    const auto found = value.find(key);
    if (found != value.end() && found->is_number() && (!positive || found->get<double>() > 0.0))
      return found->get<double>();
    entry.complain(path + "/" + key,
                   fmt::format("expected a number{}, found {}", positive ? " > 0" : "",
                               found == value.end() ? "nothing" : kind_of_json(*found)));
    return 0.0;
  };
  const auto mean = number(state + "_mean", /*positive=*/false);
  return {mean, number(state + "_std", /*positive=*/true)};
}

}  // namespace

void read_stages(TruthEntry& entry, const StageKeys& keys, Truth& truth) {
  const auto B = entry.cohort().biomarker_count();
  const auto before = entry.fault_count();
  truth.ordinal_stages.assign(entry.cohort().participant_count(), 0);
  const bool given = entry.for_each_participant(
      keys.ordinal, fmt::format("a whole number 0..{}", B), [&](std::size_t j, const json& value) {
        const auto stage = whole_number(value);
        if (!stage || !entry.in_range(value)) return false;
        truth.ordinal_stages[j] = static_cast<int>(*stage);
        return true;
      });
  if (!given && entry.fault_count() == before)
    entry.complain(fmt::format("/{}", keys.ordinal),
                   "missing or empty; expected the stage of each participant");
  truth.stages.assign(truth.ordinal_stages.begin(), truth.ordinal_stages.end());
  const auto ordinal = truth.stages;
  const bool listed = entry.for_each_participant(keys.continuous, fmt::format("a stage 0..{}", B),
                                                 [&](std::size_t j, const json& value) {
                                                   if (!entry.in_range(value)) return false;
                                                   truth.stages[j] = value.get<double>();
                                                   return true;
                                                 });
  // Whole stages are listed too where continuous event times make them differ from the ordinal.
  const bool whole = std::all_of(truth.stages.begin(), truth.stages.end(),
                                 [](double stage) { return stage == std::floor(stage); });
  truth.continuous_stages = listed && (!whole || truth.stages == ordinal);
}

void read_traits(TruthEntry& entry, Truth& truth) {
  truth.traits.assign(entry.cohort().biomarker_count(), 0);
  if (!entry.for_each_biomarker(
          "biomarker_traits", [&](std::size_t b, const json& value, const std::string& path) {
            if (const auto trait = whole_number(value))
              truth.traits[b] = static_cast<int>(*trait);
            else
              entry.complain(path,
                             fmt::format("expected a whole number, found {}", kind_of_json(value)));
          }))
    truth.traits.clear();
}

void read_parameters(TruthEntry& entry, std::optional<BiomarkerTable>& biomarkers) {
  std::vector<Biomarker> table;
  const auto before = entry.fault_count();
  const bool given = entry.for_each_biomarker(
      "biomarker_parameters", [&](std::size_t b, const json& value, const std::string& path) {
        if (!value.is_object())
          return entry.complain(path,
                                fmt::format("expected an object, found {}", kind_of_json(value)));
        const auto phi = read_normal(entry, value, path, "phi");
        const auto theta = read_normal(entry, value, path, "theta");
        table.push_back({entry.cohort().biomarkers[b], phi, theta});
      });
  if (given && entry.fault_count() == before) biomarkers = BiomarkerTable(std::move(table));
}

const json* find_truth(const json& root, const std::string& file, const std::string& stem,
                       Problems& problems) {
  if (!root.is_object()) {
    problems.add({file},
                 fmt::format("expected an object (file -> truth), found {}", kind_of_json(root)));
    return nullptr;
  }
  const auto entry = root.find(stem);
  if (entry == root.end()) {
    std::vector<std::string> stems;
    for (const auto& item : root.items()) stems.push_back(item.key());
    problems.add({file}, fmt::format("no truth for '{}'{}", stem, did_you_mean(stem, stems)));
    return nullptr;
  }
  if (!entry->is_object()) {
    problems.add({file},
                 fmt::format("{}: expected an object, found {}", stem, kind_of_json(*entry)));
    return nullptr;
  }
  return &*entry;
}

void read_truth_entry(const json& entry, const TruthPlace& place, Problems& problems, Truth& truth,
                      std::optional<BiomarkerTable>& biomarkers) {
  const auto before = problems.size();
  TruthEntry values(entry, place, problems);
  values.check_keys({"true_order", "true_stages", "true_order_continuous", "true_stages_continuous",
                     "participants", "biomarker_parameters", "biomarker_traits"});
  values.find_rows();
  read_order(values, truth);
  read_traits(values, truth);
  read_stages(values, {"true_stages", "true_stages_continuous"}, truth);
  read_parameters(values, biomarkers);
  if (problems.size() > before) return;
  try {
    check(truth, place.cohort);
  } catch (const Error& error) {
    values.complain("", error.what());
  }
}

Cohort named_cohort(const json& entry) {
  Cohort out;
  if (const auto order = entry.find("true_order"); order != entry.end() && order->is_object())
    for (const auto& item : order->items()) out.biomarkers.push_back(item.key());
  const auto list = [&](const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_array() ? *found : json::array();
  };
  const auto ids = list("participants"), stages = list("true_stages"),
             times = list("true_stages_continuous");
  for (const auto& id : ids)
    out.participants.push_back(id.is_string() ? id.get<std::string>() : id.dump());
  if (!entry.contains("participants"))
    for (std::size_t j = 0; j < stages.size(); ++j) out.participants.push_back(std::to_string(j));
  const auto is_beyond_0 = [](const json& values, std::size_t j) {
    return j < values.size() && values[j] != 0;
  };
  for (std::size_t j = 0; j < out.participants.size(); ++j)
    out.diseased.push_back(is_beyond_0(stages, j) || is_beyond_0(times, j) ? 1 : 0);
  out.measurements = Matrix(out.participants.size(), out.biomarkers.size());
  return out;
}

namespace {

template <class Values>
json by_biomarker(const Cohort& cohort, const Values& values) {
  auto object = json::object();
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
    object[cohort.biomarkers[b]] = values[b];
  return object;
}

}  // namespace

json truth_to_json(const Cohort& cohort, const Truth& truth, const BiomarkerTable* biomarkers) {
  json entry;
  entry["true_order"] = by_biomarker(cohort, truth.event_ranks);
  add_stages(truth, {"true_stages", "true_stages_continuous"}, entry);
  // As are times that ranks do not tell.
  const std::vector<double> ranks(truth.event_ranks.begin(), truth.event_ranks.end());
  entry["true_order_continuous"] = truth.continuous_events || truth.event_times != ranks
                                       ? by_biomarker(cohort, truth.event_times)
                                       : json::object();
  add_parts(cohort, truth, biomarkers, entry);
  return entry;
}

void add_stages(const Truth& truth, const StageKeys& keys, json& entry) {
  entry[keys.ordinal] = truth.ordinal_stages;
  // Stages that ordinal ones do not tell are written, whatever the flag says.
  const std::vector<double> ordinal(truth.ordinal_stages.begin(), truth.ordinal_stages.end());
  entry[keys.continuous] =
      truth.continuous_stages || truth.stages != ordinal ? json(truth.stages) : json::array();
}

void add_parts(const Cohort& cohort, const Truth& truth, const BiomarkerTable* biomarkers,
               json& entry) {
  if (!truth.traits.empty()) entry["biomarker_traits"] = by_biomarker(cohort, truth.traits);
  std::vector<std::string> numbers;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) numbers.push_back(std::to_string(j));
  if (cohort.participants != numbers) entry["participants"] = cohort.participants;
  if (biomarkers != nullptr)
    for (const auto& [name, phi, theta] : *biomarkers)
      entry["biomarker_parameters"][name] = {{"phi_mean", phi.mean},
                                             {"phi_std", phi.sd},
                                             {"theta_mean", theta.mean},
                                             {"theta_std", theta.sd}};
}

}  // namespace tempo
