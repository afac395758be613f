// Tables of a real cohort: how alike fits are, and how near they come to a truth.

#include <fmt/format.h>

#include "analysis/agreement.hpp"
#include "analysis/recovery.hpp"
#include "report/cohort_tables.hpp"
#include "report/doubts_text.hpp"

namespace tempo::of_cohort {

Table agreements(const FittedCohort& cohort) {
  Table out;
  out.columns = {"method",      "trained_on", "other_method", "other_trained_on",
                 "kendall_tau", "spearman",   "icc"};
  const auto F = cohort.fits.size();
  const auto found = agreement(cohort);
  for (const auto& pair : found) {
    auto row = ids(&cohort.fits[pair.first]);
    append(row, ids(&cohort.fits[pair.second]));
    append(row, {cell(pair.tau), cell(pair.spearman), cell(pair.icc)});
    out.rows.push_back(std::move(row));
  }
  const auto add = [&](const char* heading, std::optional<double> Agreement::*value) {
    Rows rows(F + 1, std::vector<std::string>(F + 1));
    for (std::size_t f = 0; f < F; ++f) {
      rows[0][f + 1] = rows[f + 1][0] = cohort.fits[f].name();
      rows[f + 1][f + 1] = "1";
    }
    for (const auto& pair : found)
      rows[pair.first + 1][pair.second + 1] = rows[pair.second + 1][pair.first + 1] =
          number(pair.*value, 2);
    out.blocks.push_back({heading, rows});
  };
  add("orders: Kendall's tau-b (1: the same, -1: reversed)", &Agreement::tau);
  add("stages: Spearman's correlation over the diseased", &Agreement::spearman);
  add("stages: intraclass correlation ICC(A,1) over the diseased", &Agreement::icc);
  out.blocks.back().note = with_disagreements(doubts_in_words(cohort, all_fits(cohort)), cohort);
  return out;
}

namespace {

std::string of_chance(double share) {
  constexpr double kLeast = 1e-4;  // shown
  return share < kLeast ? "< 0.0001" : fmt::format("{:.4f}", share);
}

}  // namespace

Table recoveries(const FittedCohort& cohort) {
  const auto found = recovery(cohort);
  Table out;
  out.columns = {"method",
                 "trained_on",
                 "kind",
                 "tau_distance",
                 "by_chance",
                 "separating_tau_distance",
                 "separating_by_chance",
                 "stage_mae",
                 "diseased_stage_mae",
                 "doubts"};
  const bool some_do_not_separate = found.front().separating.has_value();
  Rows rows{{"fit", "tau distance", "by chance"}};
  if (some_do_not_separate) append(rows[0], {std::string("without *"), "by chance"});
  append(rows[0], {std::string("staging MAE"), "of the diseased"});
  for (const auto& one : found) {
    using Of = Recovery::Of;
    const auto* fit = one.of == Of::fit ? &cohort.fits[one.fit] : nullptr;
    rows.push_back({fit != nullptr            ? marked_name(cohort, *fit)
                    : one.of == Of::consensus ? "consensus (Kemeny)"
                                              : "(all at the median stage)"});
    auto row = ids(fit);
    row.emplace_back(fit != nullptr ? "fit" : one.of == Of::consensus ? "kemeny" : "median");
    for (const auto* distance : {&one.all, &one.separating}) {
      if (distance == &one.all || some_do_not_separate)
        append(rows.back(), {*distance ? number((*distance)->tau, 4) : "-",
                             *distance ? of_chance((*distance)->by_chance) : "-"});
      append(row, *distance ? std::vector<Cell>{(*distance)->tau, (*distance)->by_chance}
                            : std::vector<Cell>{Cell(), Cell()});
    }
    append(rows.back(), {number(one.stage_mae, 3), number(one.diseased_mae, 3)});
    append(row, {cell(one.stage_mae), cell(one.diseased_mae),
                 fit != nullptr ? Cell(doubts_of(cohort, *fit).size()) : Cell()});
    out.rows.push_back(std::move(row));
  }
  std::string note = "by chance: the share of all orders of these biomarkers that come as near";
  if (const auto below = marks_in_words(cohort, all_fits(cohort)); !below.empty())
    note += "\n" + below;
  out.blocks.push_back(
      {"how near each fit comes to the truth: share of pairs of events in the wrong order, and "
       "mean absolute error of stages",
       rows, note});
  return out;
}

}  // namespace tempo::of_cohort
