// Tables of a real cohort: several progressions.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/doubts.hpp"
#include "data/names.hpp"
#include "model/subtype_metrics.hpp"
#include "report/cohort_tables.hpp"
#include "report/subtype_text.hpp"
#include "tempo/order.hpp"

namespace tempo::of_cohort {
namespace {

/// [K] the diseased whom the fit gives to each subtype.
std::vector<std::vector<std::size_t>> members_of(const FittedCohort& cohort,
                                                 const SubtypeInference& found) {
  std::vector<std::vector<std::size_t>> out(found.shares.size());
  const auto subtype = most_probable(found.posterior);
  for (const auto j : diseased_of(cohort)) out[subtype[j]].push_back(j);
  return out;
}

/// The diagnoses that diseased participants have.
std::vector<std::size_t> groups_of_diseased(const FittedCohort& cohort) {
  std::vector<std::size_t> out;
  for (const auto j : diseased_of(cohort)) out.push_back(cohort.groups[j]);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Each number's probability, all equally likely beforehand; empty if it was not inferred.
std::string how_many(const std::vector<double>& log_evidence) {
  if (log_evidence.empty()) return {};
  const double top = *std::max_element(log_evidence.begin(), log_evidence.end());
  double sum = 0.0;
  for (const double value : log_evidence) sum += std::exp(value - top);
  std::vector<std::string> told;
  for (std::size_t i = 0; i < log_evidence.size(); ++i)
    told.push_back(
        fmt::format("{} ({:.1f} %)", i + 1, 100.0 * std::exp(log_evidence[i] - top) / sum));
  return fmt::format(
      "how many subtypes there are: {} (usually too many where distributions were estimated from the "
      "same cohort)",
      fmt::join(told, ", "));
}

/// What of a fit's subtypes should not be taken at their word: members that hardly are, subtypes
/// without any, and orders that are one.
std::string doubts_of(const FittedCohort& cohort, const SubtypeInference& found,
                      const std::vector<std::vector<std::size_t>>& members) {
  const auto diseased = diseased_of(cohort);
  const auto unsure = std::count_if(diseased.begin(), diseased.end(), [&](std::size_t j) {
    return !has_sure_subtype(found.posterior.row(j));
  });
  std::string out;
  if (unsure > 0)
    add_lines(out, unsure_subtypes_in_words(static_cast<std::size_t>(unsure),
                                            counted(diseased.size(), "diseased participant")));
  const auto K = found.shares.size();
  for (std::size_t s = 0; s < K; ++s) {
    if (members[s].empty())
      add_lines(out, fmt::format("subtype {} is nobody's most probable one", s + 1));
    for (std::size_t other = s + 1; other < K; ++other)
      if (sequence_by_score(found.event_scores.row(s)) ==
          sequence_by_score(found.event_scores.row(other)))
        add_lines(out, fmt::format("subtypes {} and {} have the same order", s + 1, other + 1));
  }
  return out;
}

/// How sure the places are, biomarkers as the largest subtype has them; nothing without posteriors.
void add_ranks(const FittedCohort& cohort, const CohortFit& fit, Table& out) {
  const auto& found = *fit.subtypes;
  if (found.rank_posteriors.empty()) return;
  const auto K = found.shares.size();
  const auto largest = static_cast<std::size_t>(
      std::max_element(found.shares.begin(), found.shares.end()) - found.shares.begin());
  Rows rows{{"biomarker"}};
  for (std::size_t s = 0; s < K; ++s) rows[0].push_back(fmt::format("subtype {}", s + 1));
  for (const auto b : sequence_by_score(found.event_scores.row(largest))) {
    rows.push_back({marked_biomarker(cohort, b)});
    for (std::size_t s = 0; s < K; ++s) {
      const auto rank = rank_in_subtype(found, s, b);
      rows.back().push_back(fmt::format("{:.1f} {}", rank->mean, interval(rank, 0)));
    }
  }
  out.blocks.push_back({"rank within each subtype by " + marked_name(cohort, fit) +
                            ": mean and 95 % interval of its posterior",
                        rows});
}

void add_subtypes(const FittedCohort& cohort, const CohortFit& fit, Table& out) {
  const auto& found = *fit.subtypes;
  const auto members = members_of(cohort, found);
  const auto groups = groups_of_diseased(cohort);
  Rows rows{{"subtype", "share"}};
  for (const auto g : groups) rows[0].push_back(cohort.group_names[g]);
  rows[0].emplace_back("order, the earliest first");
  for (std::size_t s = 0; s < found.shares.size(); ++s) {
    rows.push_back({std::to_string(s + 1), fmt::format("{:.2f}", found.shares[s])});
    for (const auto g : groups)
      rows.back().push_back(
          std::to_string(std::count_if(members[s].begin(), members[s].end(),
                                       [&](std::size_t j) { return cohort.groups[j] == g; })));
    const auto scores = found.event_scores.row(s);
    const auto sequence = sequence_by_score(scores);
    std::string text;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      const auto b = sequence[i];
      text += (i > 0 ? ", " : "") + marked_biomarker(cohort, b);
      auto row = ids(&fit);
      append(row,
             {s + 1, found.shares[s], members[s].size(), i + 1, cohort.biomarkers[b], scores[b]});
      const auto rank = rank_in_subtype(found, s, b);
      append(row, {rank ? Cell(rank->low) : Cell(), rank ? Cell(rank->high) : Cell()});
      append(row, marks(cohort, &fit, b));
      out.rows.push_back(std::move(row));
    }
    rows.back().push_back(std::move(text));
  }
  auto note = how_many(found.log_evidence);
  add_lines(note, doubts_of(cohort, found, members));
  out.blocks.push_back({"subtypes by " + marked_name(cohort, fit) +
                            ": share of the diseased, participants whose most probable subtype it "
                            "is, order of events",
                        rows, note});
  add_ranks(cohort, fit, out);
}

/// A column that has 0 and 1 alone is one level of a category.
bool is_level(std::span<const double> values) {
  return std::ranges::all_of(
      values, [](double value) { return std::isnan(value) || value == 0.0 || value == 1.0; });
}

/// Something that is known of participants: a diagnosis that they have or not, or a covariate.
struct Trait {
  std::string name;
  std::vector<double> values;  ///< [J], NaN where missing
  bool is_level = false;       ///< its mean is a share
};

std::vector<Trait> traits_of(const FittedCohort& cohort) {
  std::vector<Trait> out;
  for (const auto g : groups_of_diseased(cohort)) {
    auto& trait = out.emplace_back(Trait{"diagnosis = " + cohort.group_names[g], {}, true});
    for (const auto group : cohort.groups) trait.values.push_back(group == g ? 1.0 : 0.0);
  }
  const auto& [names, values] = cohort.covariates;
  for (std::size_t p = 0; p < names.size(); ++p) {
    auto& trait = out.emplace_back(Trait{names[p], {}, false});
    for (std::size_t j = 0; j < values.rows(); ++j) trait.values.push_back(values(j, p));
    trait.is_level = is_level(trait.values);
  }
  return out;
}

/// Over the members of a subtype who have it.
std::optional<Spread> spread_over(const Trait& trait, const std::vector<std::size_t>& members) {
  std::vector<double> there;
  for (const auto j : members)
    if (!std::isnan(trait.values[j])) there.push_back(trait.values[j]);
  return spread(there);
}

/// @param members  how many there are, with a value or without
std::string in_words(const std::optional<Spread>& found, bool is_level, std::size_t members) {
  if (!found) return "-";
  auto out = is_level    ? fmt::format("{:.0f} %", 100.0 * found->mean)
             : found->sd ? fmt::format("{:.4g} ({:.2g})", found->mean, *found->sd)
                         : fmt::format("{:.4g}", found->mean);
  if (found->count < members) out += fmt::format(", of {}", found->count);
  return out;
}

void add_members(const FittedCohort& cohort, const CohortFit& fit, Table& out) {
  const auto& found = *fit.subtypes;
  const auto K = found.shares.size();
  const auto members = members_of(cohort, found);
  Rows rows{{""}, {"participants"}};
  for (std::size_t s = 0; s < K; ++s) {
    rows[0].push_back(fmt::format("subtype {}", s + 1));
    rows[1].push_back(std::to_string(members[s].size()));
  }
  for (const auto& trait : traits_of(cohort)) {
    rows.push_back({trait.name});
    for (std::size_t s = 0; s < K; ++s) {
      const auto of_members = spread_over(trait, members[s]);
      rows.back().push_back(in_words(of_members, trait.is_level, members[s].size()));
      auto row = ids(&fit);
      append(row,
             {s + 1, trait.name, members[s].size(), of_members ? of_members->count : 0,
              of_members ? Cell(of_members->mean) : Cell(),
              of_members && of_members->sd && !trait.is_level ? Cell(*of_members->sd) : Cell()});
      row.push_back(marks(cohort, &fit, {}).front());
      out.rows.push_back(std::move(row));
    }
  }
  out.blocks.push_back({"diseased participants by their most probable subtype, by " +
                            marked_name(cohort, fit) +
                            ": share of each diagnosis and level, mean (sd) of numbers",
                        rows});
}

/// A table of the fits that looked for several progressions.
/// @param add   adds what it says of one
/// @param note  below the last block, if there is any
Table table_of(const FittedCohort& cohort, std::vector<std::string> columns,
               void (*add)(const FittedCohort&, const CohortFit&, Table&),
               std::string (*note)(const FittedCohort&, const std::vector<std::size_t>&)) {
  Table out;
  out.columns = std::move(columns);
  for (const auto& fit : cohort.fits)
    if (fit.subtypes) add(cohort, fit, out);
  if (out.blocks.empty())
    out.blocks.push_back(
        {"no fit looked for several progressions (methods that do have a setting 'subtypes')", {}});
  else
    add_lines(out.blocks.back().note, note(cohort, all_fits(cohort)));
  return out;
}

}  // namespace

Table members(const FittedCohort& cohort) {
  return table_of(
      cohort,
      {"method", "trained_on", "subtype", "trait", "participants", "known", "mean", "sd", "doubts"},
      add_members, doubts_in_words);
}

Table subtypes(const FittedCohort& cohort) {
  std::vector<std::string> columns{"method", "trained_on", "subtype", "share", "participants",
                                   "place",  "biomarker",  "score",   "low",   "high"};
  append(columns, mark_columns());
  return table_of(cohort, std::move(columns), add_subtypes, marks_in_words);
}

}  // namespace tempo::of_cohort
