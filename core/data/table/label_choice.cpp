#include "data/table/label_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "data/names.hpp"

namespace tempo {
namespace {

enum class Role { healthy, diseased, left_out, staged };

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
                                     {&description.drop, Role::left_out},
                                     {&description.staged, Role::staged}})
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
/// @param first  visits
void complain_of_labels(const LabelCounts& counts, const KnownLabels& known,
                        const std::map<std::string, std::size_t>& first, const VisitTable& table,
                        const TableInput& input) {
  const auto where = [&](const std::string& label) {
    const auto& visit = table.visits[first.at(label)];
    return fmt::format("'{}' in line {}", table.id(visit), input.faults.line(visit.offset));
  };
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
            ? fmt::format("{} without a diagnosis, {} (merged cells?); drop = [\"\"] leaves such "
                          "out",
                          counted(unknown[i].second, "participant"),
                          (unknown[i].second == 1 ? "" : "the first is ") + where(""))
            : fmt::format(
                  "diagnosis '{}' ({}) is in none of 'healthy', 'diseased', 'drop' and 'staged'{}",
                  unknown[i].first,
                  unknown[i].second == 1 ? "1 participant: " + where(unknown[i].first)
                                         : counted(unknown[i].second, "participant"),
                  did_you_mean(unknown[i].first, known.names)));
  if (unknown.size() > kShown)
    input.problems.add(
        description.diagnosis_place,
        fmt::format(
            "and {} more diagnoses that none of these names: is '{}' the column of diagnoses?",
            unknown.size() - kShown, description.diagnosis.text));
}

/// Participants that are no part of the cohort, by diagnosis.
struct LeftOutLabels {
  LabelCounts dropped;  ///< `drop` names them
  LabelCounts apart;    ///< `staged` names them, or others where these are staged
};

/// Why a participant with such a role is left out; empty for one that is kept. Nothing is fitted to
/// those that are staged only; when they are staged, the others are the cohort.
std::string why_left_out(std::optional<Role> role, const std::string& diagnosis,
                         const TableInput& input) {
  if (role == Role::left_out) return fmt::format("diagnosis '{}', which 'drop' names", diagnosis);
  if (input.description.staged.empty()) return {};
  if (input.earlier == nullptr)
    return role == Role::staged ? fmt::format("diagnosis '{}', which 'staged' names", diagnosis)
                                : std::string();
  return role == Role::healthy || role == Role::diseased
             ? fmt::format("diagnosis '{}': of the cohort, and not of 'staged'", diagnosis)
             : std::string();
}

/// Removes participants that are no part of the cohort from the selection and labels the others.
LeftOutLabels drop_and_label(const VisitTable& table, const KnownLabels& known,
                             const TableInput& input, Selection& selection, CohortTable& out) {
  LeftOutLabels left_out;
  std::vector<std::size_t> kept;
  for (const auto v : selection.visits) {
    const auto& visit = table.visits[v];
    const auto found = known.roles.find(visit.diagnosis);
    const auto role = found == known.roles.end() ? std::nullopt : std::optional(found->second);
    if (auto why = why_left_out(role, visit.diagnosis, input); !why.empty()) {
      ++(role == Role::left_out ? left_out.dropped : left_out.apart)[visit.diagnosis];
      out.left_out.push_back({table.id(visit), std::move(why)});
      continue;
    }
    kept.push_back(v);
    if (input.labels == Labels::ignored) continue;
    selection.diseased.push_back(role == Role::healthy ? 0 : 1);
    selection.diagnoses.push_back(visit.diagnosis);
  }
  selection.visits = std::move(kept);
  return left_out;
}

/// ` (left out: 'SMC': 2; to be staged only: 'MCI': 40)`
std::string left_out_in_words(const LeftOutLabels& labels, const TableInput& input) {
  std::string out;
  if (!labels.dropped.empty()) out += "left out: " + in_words(labels.dropped);
  if (!labels.apart.empty())
    out += (out.empty() ? "" : "; ") +
           std::string(input.earlier == nullptr ? "to be staged only: " : "of the cohort: ") +
           in_words(labels.apart);
  return out.empty() ? out : " (" + out + ")";
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
  std::map<std::string, std::size_t> first;
  for (const auto v : selection.visits) {
    ++counts[table.visits[v].diagnosis];
    first.emplace(table.visits[v].diagnosis, v);
  }
  const auto known = known_labels(input, counts);
  const bool are_needed = input.labels == Labels::needed;
  if (are_needed) complain_of_labels(counts, known, first, table, input);
  if (!input.problems.empty()) return;
  if (!known.unseen.empty() && input.earlier == nullptr)
    out.notes.push_back(
        fmt::format("no participant has diagnosis {}", fmt::join(known.unseen, ", ")));
  const auto cost = left_out_in_words(drop_and_label(table, known, input, selection, out), input);
  const auto left = selection.visits.size();
  if (!cost.empty())
    out.flow.push_back({(are_needed ? "healthy or diseased" : "to be staged") + cost, left});
  if (left == 0)
    input.problems.add(input.description.diagnosis_place,
                       fmt::format("no participant of {} is left", input.name));
}

}  // namespace tempo
