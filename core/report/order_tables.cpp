// Tables of a real cohort: orders, ranks, consensus, positional variance.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "analysis/consensus.hpp"
#include "analysis/counted_fits.hpp"
#include "analysis/positional_variance.hpp"
#include "analysis/rank_table.hpp"
#include "report/cohort_tables.hpp"
#include "tempo/order.hpp"

namespace tempo::of_cohort {

namespace {

/// Which fits found several orders, of which only the consensus is shown.
std::string several_orders_in_words(const FittedCohort& cohort) {
  std::vector<std::string> names;
  for (const auto& fit : cohort.fits)
    if (fit.subtypes) names.push_back(fit.name());
  return fmt::format(
      "{} looked for subtypes: the order is the consensus of theirs; '--table "
      "subtypes' shows each",
      fmt::join(names, ", "));
}

}  // namespace

Table orders(const FittedCohort& cohort) {
  Table out;
  Rows rows{{"fit", "order, the earliest first"}};
  out.columns = {"method", "trained_on", "place", "biomarker", "rank", "score", "time"};
  append(out.columns, mark_columns());
  for (const auto& fit : cohort.fits) {
    const auto ranks = shared_ranks(fit.event_scores);
    const auto sequence = sequence_by_score(fit.event_scores);
    std::string text;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      const auto b = sequence[i];
      if (i > 0) text += ranks[b] == ranks[sequence[i - 1]] ? " = " : ", ";
      text += marked_biomarker(cohort, b);
      auto row = ids(&fit);
      append(row, {i + 1, cohort.biomarkers[b], ranks[b], fit.event_scores[b],
                   fit.event_times ? Cell((*fit.event_times)[b]) : Cell()});
      append(row, marks(cohort, &fit, b));
      out.rows.push_back(std::move(row));
    }
    rows.push_back({marked_name(cohort, fit), text});
  }
  auto note = marks_in_words(cohort, all_fits(cohort));
  if (has_fits_with_subtypes(cohort)) add_lines(note, several_orders_in_words(cohort));
  out.blocks.push_back({"order of events by each fit; = where it has two at the same time", rows,
                        with_disagreements(std::move(note), cohort)});
  return out;
}

/// Which fits have fewer replicates than were planned; empty if none has.
std::string lost_replicates(const FittedCohort& cohort) {
  std::string out;
  for (const auto& fit : cohort.fits)
    if (fit.replicates_planned > fit.replicate_scores.size())
      out += fmt::format("{}: {} of {} replicates; ", fit.name(), fit.replicate_scores.size(),
                         fit.replicates_planned);
  return out.empty() ? out : out.substr(0, out.size() - 2);
}

Table ranks(const FittedCohort& cohort) {
  const auto found = rank_table(cohort);
  Table out;
  out.columns = {"method", "trained_on", "kind", "biomarker", "mean", "sd", "low", "high"};
  append(out.columns, mark_columns());
  const auto marks_of = [&](const CohortFit& fit, std::size_t b) { return marks(cohort, &fit, b); };
  Rows rows{head_of_fits(cohort, "biomarker")};
  append(rows[0], {"mean", "sd", "95 %"});
  for (const auto b : found.rows) {
    rows.push_back({marked_biomarker(cohort, b)});
    for (std::size_t f = 0; f < cohort.fits.size(); ++f) {
      rows.back().push_back(fmt::format("{}", found.ranks[f][b]));
      auto row = ids(&cohort.fits[f]);
      append(row, {"fit", cohort.biomarkers[b], found.ranks[f][b], Cell(), Cell(), Cell()});
      append(row, marks_of(cohort.fits[f], b));
      out.rows.push_back(std::move(row));
    }
    append(rows.back(), texts(found.across[b], of_ranks(cohort), 2));
    auto row = ids(nullptr);
    append(row, {"across", cohort.biomarkers[b]});
    append(row, values(found.across[b], of_ranks(cohort)));
    append(row, marks(cohort, nullptr, b));
    out.rows.push_back(std::move(row));
  }
  out.blocks.push_back(
      {"rank of each event by each fit, and over fits mean, sd and 95 % interval of the mean", rows,
       marks_in_words(cohort, all_fits(cohort))});
  add_within(
      cohort, all_fits(cohort), found.rows, found.posterior,
      {"rank within a fit: mean and 95 % interval of its posterior", "posterior", 1, marks_of},
      out);
  add_within(cohort, all_fits(cohort), found.rows, found.replicates,
             {over_replicates("rank"), "bootstrap", 1, marks_of}, out);
  add_lines(out.blocks.back().note, lost_replicates(cohort));
  return out;
}

Table consensus(const FittedCohort& cohort) {
  const auto found = consensus_table(cohort);
  Table out;
  const auto counted = counted_fits(cohort);
  const auto counts = [&](std::size_t f) {
    return std::binary_search(counted.fits.begin(), counted.fits.end(), f);
  };
  out.columns = {"kind", "place", "biomarker", "method", "trained_on", "value", "counts"};
  append(out.columns, mark_columns());
  Rows orders{{"place", "Borda", "mean rank", "Kemeny"}};
  for (std::size_t i = 0; i < cohort.biomarkers.size(); ++i) {
    const auto b = found.borda.order[i];
    orders.push_back({std::to_string(i + 1), marked_biomarker(cohort, b),
                      fmt::format("{:.2f}", found.mean_ranks[b]),
                      marked_biomarker(cohort, found.kemeny.order[i])});
  }
  Rows distances{{"tau distance of the fit to", "Borda", "Kemeny"}};
  if (!counted.left_out.empty()) distances[0].emplace_back("counts");
  for (std::size_t f = 0; f < cohort.fits.size(); ++f) {
    distances.push_back({marked_name(cohort, cohort.fits[f]), number(found.borda_distances[f], 4),
                         number(found.kemeny_distances[f], 4)});
    if (!counted.left_out.empty()) distances.back().emplace_back(counts(f) ? "yes" : "no");
  }
  distances.push_back({"mean of those that count", number(found.borda.mean_distance, 4),
                       number(found.kemeny.mean_distance, 4)});
  if (!counted.left_out.empty())
    distances.back().emplace_back("");
  else
    distances.back()[0] = "mean";
  for (const auto& [kind, one, of_fits] :
       {std::tuple("borda", &found.borda, &found.borda_distances),
        std::tuple("kemeny", &found.kemeny, &found.kemeny_distances)}) {
    const auto add = [&](std::vector<Cell> row, const CohortFit* fit,
                         std::optional<std::size_t> b) {
      append(row, marks(cohort, fit, b));
      out.rows.push_back(std::move(row));
    };
    for (std::size_t i = 0; i < cohort.biomarkers.size(); ++i)
      add({kind, i + 1, cohort.biomarkers[one->order[i]], "", "", found.mean_ranks[one->order[i]],
           Cell()},
          nullptr, one->order[i]);
    for (std::size_t f = 0; f < cohort.fits.size(); ++f)
      add({std::string(kind) + " distance", Cell(), "", cohort.fits[f].method,
           cohort.fits[f].rests_on(), (*of_fits)[f], counts(f)},
          &cohort.fits[f], {});
    add({std::string(kind) + " distance", Cell(), "", "", "", one->mean_distance, Cell()}, nullptr,
        {});
  }
  out.blocks.push_back({fmt::format("consensus of {} fits: by mean rank (Borda), and with the "
                                    "smallest mean tau distance (Kemeny)",
                                    counted.fits.size()),
                        orders,
                        with_disagreements(marks_in_words(cohort, all_fits(cohort)), cohort)});
  out.blocks.push_back({"how far the fits are from it", distances,
                        found.kemeny.exact ? ""
                                           : "Kemeny's order was searched, not proved: no single "
                                             "biomarker can be moved for the better"});
  return out;
}

Table positions(const FittedCohort& cohort) {
  using Source = PositionalVariance::Source;
  const auto order = rank_table(cohort).rows;
  Table out;
  out.columns = {"method", "trained_on", "kind", "biomarker", "place", "share"};
  append(out.columns, mark_columns());
  const bool has_subtypes = has_fits_with_subtypes(cohort);
  if (has_subtypes) out.columns.emplace_back("subtype");
  for (const auto& found : positional_variance(cohort)) {
    const auto* fit = found.fit ? &cohort.fits[*found.fit] : nullptr;
    const std::string kind = found.source == Source::fits        ? "across"
                             : found.source == Source::posterior ? "posterior"
                                                                 : "bootstrap";
    const auto of_what = found.source == Source::fits ? fmt::format("over {} fits", found.count)
                         : found.subtype
                             ? fmt::format("{}, subtype {}, by its posterior",
                                           marked_name(cohort, *fit), *found.subtype + 1)
                         : found.source == Source::posterior
                             ? fmt::format("{}, by its posterior", marked_name(cohort, *fit))
                             : fmt::format("{}, over {} cohorts of resampled participants",
                                           marked_name(cohort, *fit), found.count);
    Rows rows{{"biomarker"}};
    for (std::size_t place = 0; place < order.size(); ++place)
      rows[0].push_back(std::to_string(place + 1));
    for (const auto b : order) {
      rows.push_back({marked_biomarker(cohort, b)});
      for (std::size_t place = 0; place < order.size(); ++place) {
        const double share = found.shares(b, place);
        rows.back().push_back(share == 0.0 ? "." : fmt::format("{:.0f}", 100.0 * share));
        auto row = ids(fit);
        append(row, {kind, cohort.biomarkers[b], place + 1, share});
        append(row, marks(cohort, fit, b));
        if (has_subtypes) row.push_back(found.subtype ? Cell(*found.subtype + 1) : Cell());
        out.rows.push_back(std::move(row));
      }
    }
    out.blocks.push_back({"how often (%) each event takes each place: " + of_what, rows});
  }
  out.blocks.back().note = marks_in_words(cohort, all_fits(cohort));
  return out;
}

}  // namespace tempo::of_cohort
