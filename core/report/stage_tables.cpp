// Tables of a real cohort: stages by diagnosis and by participant.

#include <fmt/format.h>

#include "analysis/group_stages.hpp"
#include "report/cohort_tables.hpp"

namespace tempo::of_cohort {
namespace {

std::vector<std::size_t> group_sizes(const FittedCohort& cohort) {
  std::vector<std::size_t> out(cohort.group_names.size(), 0);
  for (const auto group : cohort.groups) ++out[group];
  return out;
}

}  // namespace

Table groups(const FittedCohort& cohort) {
  const auto found = group_stages(cohort);
  const auto sizes = group_sizes(cohort);
  Table out;
  out.columns = {"method", "trained_on", "diagnosis", "participants", "mean",
                 "sd",     "low",        "high",      "doubts"};
  Rows rows{{"fit"}};
  for (std::size_t g = 0; g < sizes.size(); ++g)
    rows[0].push_back(fmt::format("{} (n = {})", cohort.group_names[g], sizes[g]));
  rows[0].emplace_back("rises");
  for (std::size_t f = 0; f < found.size(); ++f) {
    rows.push_back({marked_name(cohort.fits[f])});
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      const auto& stages = found[f].groups[g];
      rows.back().push_back(!stages       ? "-"
                            : !stages->sd ? fmt::format("{:.2f}", stages->mean)
                                          : fmt::format("{:.2f} {} (sd {:.2f})", stages->mean,
                                                        interval(*stages, of_stages(cohort), 2),
                                                        *stages->sd));
      auto row = ids(&cohort.fits[f]);
      append(row, {cohort.group_names[g], sizes[g]});
      append(row, stages ? values(*stages, of_stages(cohort))
                         : std::vector<Cell>{Cell(), Cell(), Cell(), Cell()});
      row.emplace_back(cohort.fits[f].doubts.size());
      out.rows.push_back(std::move(row));
    }
    rows.back().emplace_back(!found[f].rises ? "-" : *found[f].rises ? "yes" : "no");
  }
  auto note = doubts_in_words(cohort, all_fits(cohort));
  if (!cohort.groups_ordered)
    add_lines(note, "diagnoses come by name: their order is not known, nor whether stages rise");
  out.blocks.push_back(
      {"mean stage of each diagnosis, its 95 % interval (sd); rises: every mean is "
       "above the one to its left",
       rows, note});
  return out;
}

Table stages(const FittedCohort& cohort) {
  const auto found = group_stages(cohort);
  Table out;
  out.columns = {"method", "trained_on", "diagnosis", "stage", "participants", "doubts"};
  for (std::size_t f = 0; f < found.size(); ++f) {
    Rows rows{{"diagnosis"}};
    for (std::size_t stage = 0; stage <= cohort.biomarkers.size(); ++stage)
      rows[0].push_back(std::to_string(stage));
    for (std::size_t g = 0; g < cohort.group_names.size(); ++g) {
      rows.push_back({cohort.group_names[g]});
      for (std::size_t stage = 0; stage <= cohort.biomarkers.size(); ++stage) {
        const auto count = found[f].counts[g][stage];
        rows.back().push_back(count == 0 ? "." : std::to_string(count));
        auto row = ids(&cohort.fits[f]);
        append(row, {cohort.group_names[g], stage, count, cohort.fits[f].doubts.size()});
        out.rows.push_back(std::move(row));
      }
    }
    out.blocks.push_back({"participants at each stage: " + marked_name(cohort.fits[f]), rows});
  }
  out.blocks.back().note = doubts_in_words(cohort, all_fits(cohort));
  return out;
}

Table participants(const FittedCohort& cohort) {
  Table out;
  out.columns = {"participant", "diagnosis", "method", "trained_on", "stage", "low", "high"};
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
      std::vector<Cell> row{cohort.participants[j], group};
      append(row, ids(&fit));
      append(row, {fit.stages[j], posterior ? Cell(posterior->low) : Cell(),
                   posterior ? Cell(posterior->high) : Cell()});
      out.rows.push_back(std::move(row));
    }
  }
  out.blocks.push_back(
      {"stage of each participant, and its 95 % interval where the run kept stage posteriors and "
       "the label alone does not say the stage",
       rows});
  return out;
}

}  // namespace tempo::of_cohort
