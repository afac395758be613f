// Tables of a real cohort: stages by diagnosis and by participant.

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "analysis/counted_fits.hpp"
#include "analysis/group_stages.hpp"
#include "report/cohort_tables.hpp"
#include "report/doubts_text.hpp"
#include "report/subtype_text.hpp"

namespace tempo::of_cohort {
namespace {

std::vector<std::size_t> group_sizes(const FittedCohort& cohort) {
  std::vector<std::size_t> out(cohort.group_names.size(), 0);
  for (const auto group : cohort.groups) ++out[group];
  return out;
}

/// A group's mean stage with what surrounds it; `-` where it has no members.
std::string group_text(const std::optional<Spread>& stages, const FittedCohort& cohort) {
  if (!stages) return "-";
  if (!stages->sd) return fmt::format("{:.2f}", stages->mean);
  return fmt::format("{:.2f} {} (sd {:.2f})", stages->mean, interval(*stages, of_stages(cohort), 2),
                     *stages->sd);
}

/// The table `groups` as it grows row by row.
class GroupTable {
 public:
  explicit GroupTable(const FittedCohort& cohort)
      : cohort_(cohort), sizes_(group_sizes(cohort)), counted_(counted_fits(cohort)) {
    out_.columns = {"method", "trained_on", "diagnosis", "participants", "mean",
                    "sd",     "low",        "high",      "counts",       "doubts"};
    rows_ = {{"fit"}};
    for (std::size_t g = 0; g < sizes_.size(); ++g)
      rows_[0].push_back(fmt::format("{} (n = {})", cohort.group_names[g], sizes_[g]));
    if (!counted_.left_out.empty()) rows_[0].emplace_back("counts");
    rows_[0].emplace_back("rises");
  }

  void add(std::size_t f, const GroupStages& found) {
    const auto& fit = cohort_.fits[f];
    const bool counts = std::binary_search(counted_.fits.begin(), counted_.fits.end(), f);
    add_row(marked_name(cohort_, fit), &fit, found.groups,
            {Cell(counts), Cell(doubts_of(cohort_, fit).size())});
    if (!counted_.left_out.empty()) rows_.back().emplace_back(counts ? "yes" : "no");
    rows_.back().emplace_back(!found.rises ? "-" : *found.rises ? "yes" : "no");
  }

  /// The mean over the fits that count; of one fit there is nothing to average.
  void add_mean(const std::vector<GroupStages>& found) {
    if (counted_.fits.size() < 2) return;
    add_row(fmt::format("mean ({} fits)", counted_.fits.size()), nullptr,
            group_means(cohort_, found), {Cell(), Cell()});
    rows_.back().emplace_back("");
    if (!counted_.left_out.empty()) rows_.back().emplace_back("");
  }

  Table finish() {
    auto note = doubts_in_words(cohort_, all_fits(cohort_));
    if (counted_.fits.size() > 1)
      add_lines(note, "last row: mean over fits, and interval and sd by how far these differ");
    if (cohort_.groups_ordered && std::any_of(cohort_.fits.begin(), cohort_.fits.end(),
                                              [](const auto& fit) { return fit.stages_by_label; }))
      add_lines(note, "rises leaves out diagnoses whose stage the label tells: they cannot rise");
    if (!cohort_.groups_ordered)
      add_lines(note, "diagnoses come by name: their order is not known, nor whether stages rise");
    out_.blocks.push_back(
        {"mean stage of each diagnosis, its 95 % interval (sd); rises: every mean is above the one "
         "to its left",
         rows_, note});
    return std::move(out_);
  }

 private:
  void add_row(const std::string& name, const CohortFit* fit,
               const std::vector<std::optional<Spread>>& groups, const std::vector<Cell>& marks) {
    rows_.push_back({name});
    for (std::size_t g = 0; g < sizes_.size(); ++g) {
      rows_.back().push_back(group_text(groups[g], cohort_));
      auto row = ids(fit);
      append(row, {cohort_.group_names[g], sizes_[g]});
      append(row, groups[g] ? values(*groups[g], of_stages(cohort_))
                            : std::vector<Cell>{Cell(), Cell(), Cell(), Cell()});
      append(row, marks);
      out_.rows.push_back(std::move(row));
    }
  }

  const FittedCohort& cohort_;
  std::vector<std::size_t> sizes_;
  CountedFits counted_;
  Rows rows_;
  Table out_;
};

}  // namespace

Table groups(const FittedCohort& cohort) {
  const auto found = group_stages(cohort);
  GroupTable out(cohort);
  for (std::size_t f = 0; f < found.size(); ++f) out.add(f, found[f]);
  out.add_mean(found);
  return out.finish();
}

Table stages(const FittedCohort& cohort) {
  const auto found = group_stages(cohort);
  Table out;
  out.columns = {"method", "trained_on", "diagnosis", "stage", "participants", "doubts"};
  for (std::size_t f = 0; f < found.size(); ++f) {
    const auto doubts = doubts_of(cohort, cohort.fits[f]).size();
    Rows rows{{"diagnosis"}};
    for (std::size_t stage = 0; stage <= cohort.biomarkers.size(); ++stage)
      rows[0].push_back(std::to_string(stage));
    for (std::size_t g = 0; g < cohort.group_names.size(); ++g) {
      rows.push_back({cohort.group_names[g]});
      for (std::size_t stage = 0; stage <= cohort.biomarkers.size(); ++stage) {
        const auto count = found[f].counts[g][stage];
        rows.back().push_back(count == 0 ? "." : std::to_string(count));
        auto row = ids(&cohort.fits[f]);
        append(row, {cohort.group_names[g], stage, count, doubts});
        out.rows.push_back(std::move(row));
      }
    }
    out.blocks.push_back(
        {"participants at each stage: " + marked_name(cohort, cohort.fits[f]), rows});
  }
  out.blocks.back().note = doubts_in_words(cohort, all_fits(cohort));
  return out;
}

Table participants(const FittedCohort& cohort) {
  Table out;
  out.columns = {"participant", "diagnosis", "method", "trained_on", "stage", "low", "high"};
  const bool has_subtypes = has_fits_with_subtypes(cohort);
  if (has_subtypes) append(out.columns, subtype_columns());
  Rows rows{{"participant", "diagnosis"}};
  for (const auto& fit : cohort.fits) rows[0].push_back(fit.name());
  for (std::size_t j = 0; j < cohort.participants.size(); ++j) {
    const auto& group = cohort.group_names[cohort.groups[j]];
    rows.push_back({cohort.participants[j], group});
    for (const auto& fit : cohort.fits) {
      std::optional<Within> posterior;
      const bool is_by_label =
          fit.stages_by_label && !cohort.diseased.empty() && cohort.diseased[j] == 0;
      if (fit.stage_posterior && !is_by_label)
        posterior = within_posterior(fit.stage_posterior->row(j), 0.0);
      rows.back().push_back(fmt::format("{:.3g}", fit.stages[j]) +
                            (posterior ? " " + interval(posterior, 0) : ""));
      std::span<const double> chances;  // of subtypes; the healthy are of none
      if (fit.subtypes && (cohort.diseased.empty() || cohort.diseased[j] != 0))
        chances = fit.subtypes->posterior.row(j);
      if (!chances.empty()) rows.back().back() += ", " + subtype_in_words(chances);
      std::vector<Cell> row{cohort.participants[j], group};
      append(row, ids(&fit));
      append(row, {fit.stages[j], posterior ? Cell(posterior->low) : Cell(),
                   posterior ? Cell(posterior->high) : Cell()});
      if (has_subtypes) append(row, cells_of_subtype(chances));
      out.rows.push_back(std::move(row));
    }
  }
  out.blocks.push_back({fmt::format("stage of each participant, its 95 % interval where the run "
                                    "kept stage posteriors and the label alone does not say the "
                                    "stage{}",
                                    has_subtypes ? ", subtype (probability)" : ""),
                        rows});
  return out;
}

}  // namespace tempo::of_cohort
