#include "data/table/label_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "data/names.hpp"

namespace tempo {
namespace {

enum class Role { healthy, diseased, left_out };

/// What the description says of diagnoses.
struct KnownLabels {
  std::map<std::string, Role> roles;
  std::vector<std::string> names;   ///< those that are not empty, as listed
  std::vector<std::string> unseen;  ///< those of `names` that no participant has
};

KnownLabels known_labels(const TableInput& input, const LabelCounts& counts) {
  const auto& description = input.description;
  KnownLabels out;
  for (const auto& [labels, role] : {std::pair(&description.healthy, Role::healthy),
                                     {&description.diseased, Role::diseased},
                                     {&description.drop, Role::left_out}})
    for (const auto& label : *labels) {
      const bool is_none = label.text.empty() && input.labels == Labels::ignored;
      if (!is_none) out.roles[label.text] = role;
      if (label.text.empty()) continue;
      out.names.push_back(label.text);
      if (!counts.contains(label.text) && !label.is_from_preset()) out.unseen.push_back(label.text);
    }
  return out;
}

/// Each diagnosis that the description does not name, the most frequent first.
void complain_of_labels(const LabelCounts& counts, const KnownLabels& known,
                        const TableInput& input) {
  std::vector<std::pair<std::string, std::size_t>> unknown;
  for (const auto& [label, count] : counts)
    if (!known.roles.contains(label)) unknown.emplace_back(label, count);
  std::stable_sort(unknown.begin(), unknown.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t kShown = 20;  // more are no diagnoses, but another column
  const auto& description = input.description;
  for (std::size_t i = 0; i < std::min(kShown, unknown.size()); ++i)
    input.problems.add(
        description.diagnosis_place,
        unknown[i].first.empty()
            ? fmt::format("{} without a diagnosis; drop = [\"\"] leaves such out",
                          counted(unknown[i].second, "participant"))
            : fmt::format("diagnosis '{}' ({}) is in none of 'healthy', 'diseased' and 'drop'{}",
                          unknown[i].first, counted(unknown[i].second, "participant"),
                          did_you_mean(unknown[i].first, known.names)));
  if (unknown.size() > kShown)
    input.problems.add(
        description.diagnosis_place,
        fmt::format(
            "and {} more diagnoses that none of these names: is '{}' the column of diagnoses?",
            unknown.size() - kShown, description.diagnosis.text));
}

/// Removes participants that `drop` names from the selection and labels the others.
/// @return how many were dropped
LabelCounts drop_and_label(const VisitTable& table, const KnownLabels& known,
                           const TableInput& input, Selection& selection, CohortTable& out) {
  LabelCounts dropped;
  std::vector<std::size_t> kept;
  for (const auto v : selection.visits) {
    const auto& visit = table.visits[v];
    const auto role = known.roles.find(visit.diagnosis);
    if (role != known.roles.end() && role->second == Role::left_out) {
      ++dropped[visit.diagnosis];
      out.left_out.push_back(
          {table.id(visit), fmt::format("diagnosis '{}', which 'drop' names", visit.diagnosis)});
      continue;
    }
    kept.push_back(v);
    if (input.labels == Labels::ignored) continue;
    selection.diseased.push_back(role->second == Role::diseased ? 1 : 0);
    selection.diagnoses.push_back(visit.diagnosis);
  }
  selection.visits = std::move(kept);
  return dropped;
}

}  // namespace

std::string in_words(const LabelCounts& counts) {
  std::string out;
  for (const auto& [label, count] : counts)
    out += fmt::format("{}'{}': {}", out.empty() ? "" : ", ", label, count);
  return out;
}

void choose_labels(const VisitTable& table, const TableInput& input, Selection& selection,
                   CohortTable& out) {
  LabelCounts counts;
  for (const auto v : selection.visits) ++counts[table.visits[v].diagnosis];
  const auto known = known_labels(input, counts);
  const bool are_needed = input.labels == Labels::needed;
  if (are_needed) complain_of_labels(counts, known, input);
  if (!input.problems.empty()) return;
  if (!known.unseen.empty() && input.earlier == nullptr)
    out.notes.push_back(
        fmt::format("no participant has diagnosis {}", fmt::join(known.unseen, ", ")));
  const auto dropped = drop_and_label(table, known, input, selection, out);
  const auto left = selection.visits.size();
  if (!dropped.empty())
    out.flow.push_back(
        {fmt::format("{} (left out: {})", are_needed ? "healthy or diseased" : "to be staged",
                     in_words(dropped)),
         left});
  if (left == 0)
    input.problems.add(input.description.diagnosis_place,
                       fmt::format("no participant of {} is left", input.name));
}

}  // namespace tempo
