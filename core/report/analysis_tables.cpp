#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "analysis/analysis.hpp"
#include "model/printable.hpp"
#include "report/rows.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

/// What people read: a heading and the table below it.
struct Block {
  std::string heading;
  Rows rows;
  std::string note = {};     ///< lines below
  std::string drawing = {};  ///< lines below on a terminal
};

/// What programs read: one list of rows over all cohorts.
struct List {
  std::vector<std::string> columns;
  std::vector<std::vector<Json>> rows;
};

/// A table of one cohort, either way.
struct Table {
  std::vector<Block> blocks;
  List list;
};

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

std::string number(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::string interval(const std::optional<Within>& found, int decimals) {
  if (!found || !found->has_interval) return {};
  return fmt::format("[{:.{}f}, {:.{}f}]", found->low, decimals, found->high, decimals);
}

/// The least and the greatest value that a quantity can have.
struct Range {
  double low, high;
};
Range of_ranks(const FittedCohort& cohort) {
  return {1.0, static_cast<double>(cohort.biomarkers.size())};
}
Range of_stages(const FittedCohort& cohort) {
  return {0.0, static_cast<double>(cohort.biomarkers.size())};
}
constexpr Range kOfTimes{0.0, 1.0};

/// The 95 % interval of a mean, cut to what the quantity can be; absent where there is none.
std::optional<Range> ends(const Spread& spread, const Range& range) {
  if (!spread.half_width) return std::nullopt;
  return Range{std::max(spread.mean - *spread.half_width, range.low),
               std::min(spread.mean + *spread.half_width, range.high)};
}

std::string interval(const std::optional<Range>& found, int decimals) {
  if (!found) return "-";
  return fmt::format("[{:.{}f}, {:.{}f}]", found->low, decimals, found->high, decimals);
}

/// mean, sd and 95 % interval over fits, as cells.
std::vector<std::string> cells(const Spread& spread, const Range& range, int decimals) {
  return {fmt::format("{:.{}f}", spread.mean, decimals), number(spread.sd, decimals),
          interval(ends(spread, range), decimals)};
}

/// The same for a program: mean, sd, low, high.
std::vector<Json> values(const Spread& spread, const Range& range) {
  const auto found = ends(spread, range);
  if (!found) return {spread.mean, Json(), Json(), Json()};
  return {spread.mean, *spread.sd, found->low, found->high};
}

std::vector<Json> values(const Within& found) {
  if (!found.has_interval) return {found.mean, found.sd, Json(), Json()};
  return {found.mean, found.sd, found.low, found.high};
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::vector<std::string> fit_names(const FittedCohort& cohort) {
  std::vector<std::string> out;
  for (const auto& fit : cohort.fits) out.push_back(fit.name());
  return out;
}

constexpr const char* kMark = " *";

std::string marked_name(const CohortFit& fit) {
  return fit.name() + (fit.doubts.empty() ? "" : kMark);
}

std::string marked_biomarker(const FittedCohort& cohort, std::size_t b) {
  return cohort.biomarkers[b] + (is_separating(cohort, b).value_or(true) ? "" : kMark);
}

const std::vector<std::string> kMarkColumns{"doubts", "separates"};

/// Those columns: for how many reasons the fit is in doubt, and whether the biomarker separates.
/// @param fit  null: the row is of none
/// @param b    absent: likewise
std::vector<Json> marks(const FittedCohort& cohort, const CohortFit* fit,
                        std::optional<std::size_t> b) {
  const auto separating = b ? is_separating(cohort, *b) : std::nullopt;
  return {fit != nullptr ? Json(fit->doubts.size()) : Json(),
          separating ? Json(*separating) : Json()};
}

/// What the marks of these fits mean, a line each; empty if there are none.
std::string doubts_in_words(const FittedCohort& cohort, const std::vector<std::size_t>& fits) {
  std::string out;
  for (const auto f : fits)
    if (const auto& fit = cohort.fits[f]; !fit.doubts.empty())
      out += printable(fmt::format("* {}: {}", fit.name(), fmt::join(fit.doubts, "; ")), "") + "\n";
  if (out.empty()) return out;
  return out + "  fits in doubt count like the others; --fits chooses";
}

/// The same with those of biomarkers.
std::string marks_in_words(const FittedCohort& cohort, const std::vector<std::size_t>& fits) {
  auto out = doubts_in_words(cohort, fits);
  if (cohort.not_separating && !cohort.not_separating->empty())
    out +=
        (out.empty() ? "" : "\n") +
        printable(fmt::format("* {}: {}", fmt::join(*cohort.not_separating, ", "), kNotSeparating),
                  "");
  return out;
}

std::vector<std::size_t> all_fits(const FittedCohort& cohort) {
  std::vector<std::size_t> out;
  for (std::size_t f = 0; f < cohort.fits.size(); ++f) out.push_back(f);
  return out;
}

/// First `first`, then a column per fit.
std::vector<std::string> head_of_fits(const FittedCohort& cohort, const std::string& first) {
  std::vector<std::string> out{first};
  for (const auto& fit : cohort.fits) out.push_back(marked_name(fit));
  return out;
}

/// `method` and `trained_on` as in results.csv; both empty for what is across fits.
std::vector<Json> ids(const CohortFit* fit) {
  if (fit == nullptr) return {"", ""};
  return {fit->method, fit->model};
}

Table orders(const FittedCohort& cohort) {
  Table out;
  Rows rows{{"fit", "order, the earliest first"}};
  out.list.columns = {"method", "trained_on", "place", "biomarker", "rank", "score", "time"};
  append(out.list.columns, kMarkColumns);
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
                   fit.event_times ? Json((*fit.event_times)[b]) : Json()});
      append(row, marks(cohort, &fit, b));
      out.list.rows.push_back(std::move(row));
    }
    rows.push_back({marked_name(fit), text});
  }
  out.blocks.push_back({"order of events by each fit; = where it has two at the same time", rows,
                        marks_in_words(cohort, all_fits(cohort))});
  return out;
}

/// A block of what posteriors or replicates say, and rows of the list; nothing if no fit has any.
/// @param further  further cells of a row of the list
void add_within(const FittedCohort& cohort, const std::vector<std::size_t>& fits,
                const std::vector<std::size_t>& biomarkers,
                const std::vector<std::vector<std::optional<Within>>>& found,
                const std::string& heading, const std::string& kind, int decimals,
                const std::function<std::vector<Json>(const CohortFit&, std::size_t)>& further,
                Table& out) {
  Rows rows{{"biomarker"}};
  for (const auto b : biomarkers) rows.push_back({marked_biomarker(cohort, b)});
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const auto& fit = cohort.fits[fits[i]];
    if (std::none_of(found[i].begin(), found[i].end(), [](const auto& w) { return w.has_value(); }))
      continue;
    rows[0].push_back(marked_name(fit));
    for (std::size_t r = 0; r < biomarkers.size(); ++r) {
      const auto b = biomarkers[r];
      const auto& of_biomarker = found[i][b];
      const auto found_ends = interval(of_biomarker, decimals);
      rows[r + 1].push_back(fmt::format("{:.{}f}{}{}", of_biomarker->mean, decimals,
                                        found_ends.empty() ? "" : " ", found_ends));
      auto row = ids(&fit);
      append(row, {kind, cohort.biomarkers[b]});
      append(row, values(*of_biomarker));
      append(row, further(fit, b));
      out.list.rows.push_back(std::move(row));
    }
  }
  if (rows[0].size() > 1) out.blocks.push_back({heading, rows});
}

std::string over_replicates(const std::string& what) {
  return fmt::format(
      "{} within a method: mean over resampled participants, and from {} replicates on "
      "95 % interval",
      what, kIntervalReplicates);
}

std::string ranks_in_words(const FittedCohort& cohort) {
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
  out.list.columns = {"method", "trained_on", "kind", "biomarker", "mean", "sd", "low", "high"};
  append(out.list.columns, kMarkColumns);
  const auto marks_of = [&](const CohortFit& fit, std::size_t b) { return marks(cohort, &fit, b); };
  Rows rows{head_of_fits(cohort, "biomarker")};
  append(rows[0], {std::string("mean"), "sd", "95 %"});
  for (const auto b : found.rows) {
    rows.push_back({marked_biomarker(cohort, b)});
    for (std::size_t f = 0; f < cohort.fits.size(); ++f) {
      rows.back().push_back(fmt::format("{}", found.ranks[f][b]));
      auto row = ids(&cohort.fits[f]);
      append(row, {"fit", cohort.biomarkers[b], found.ranks[f][b], Json(), Json(), Json()});
      append(row, marks_of(cohort.fits[f], b));
      out.list.rows.push_back(std::move(row));
    }
    append(rows.back(), cells(found.across[b], of_ranks(cohort), 2));
    auto row = ids(nullptr);
    append(row, {"across", cohort.biomarkers[b]});
    append(row, values(found.across[b], of_ranks(cohort)));
    append(row, marks(cohort, nullptr, b));
    out.list.rows.push_back(std::move(row));
  }
  out.blocks.push_back(
      {"rank of each event by each fit, and over fits mean, sd and 95 % interval of the mean", rows,
       marks_in_words(cohort, all_fits(cohort))});
  add_within(cohort, all_fits(cohort), found.rows, found.posterior,
             "rank within a fit: mean and 95 % interval of its posterior", "posterior", 1, marks_of,
             out);
  add_within(cohort, all_fits(cohort), found.rows, found.replicates, over_replicates("rank"),
             "bootstrap", 1, marks_of, out);
  if (const auto replicates = ranks_in_words(cohort); !replicates.empty())
    out.blocks.back().note += (out.blocks.back().note.empty() ? "" : "\n") + replicates;
  return out;
}

Table consensus(const FittedCohort& cohort) {
  const auto found = consensus_table(cohort);
  Table out;
  out.list.columns = {"kind", "place", "biomarker", "method", "trained_on", "value"};
  append(out.list.columns, kMarkColumns);
  Rows orders{{"place", "Borda", "mean rank", "Kemeny"}};
  for (std::size_t i = 0; i < cohort.biomarkers.size(); ++i) {
    const auto b = found.borda.order[i];
    orders.push_back({std::to_string(i + 1), marked_biomarker(cohort, b),
                      fmt::format("{:.2f}", found.mean_ranks[b]),
                      marked_biomarker(cohort, found.kemeny.order[i])});
  }
  Rows distances{{"tau distance of the fit to", "Borda", "Kemeny"}};
  for (std::size_t f = 0; f < cohort.fits.size(); ++f)
    distances.push_back({marked_name(cohort.fits[f]), number(found.borda.distances[f], 4),
                         number(found.kemeny.distances[f], 4)});
  distances.push_back(
      {"mean", number(found.borda.mean_distance, 4), number(found.kemeny.mean_distance, 4)});
  for (const auto& [kind, one] :
       {std::pair("borda", &found.borda), std::pair("kemeny", &found.kemeny)}) {
    const auto add = [&](std::vector<Json> row, const CohortFit* fit,
                         std::optional<std::size_t> b) {
      append(row, marks(cohort, fit, b));
      out.list.rows.push_back(std::move(row));
    };
    for (std::size_t i = 0; i < cohort.biomarkers.size(); ++i)
      add({kind, i + 1, cohort.biomarkers[one->order[i]], "", "", found.mean_ranks[one->order[i]]},
          nullptr, one->order[i]);
    for (std::size_t f = 0; f < cohort.fits.size(); ++f)
      add({std::string(kind) + " distance", Json(), "", cohort.fits[f].method, cohort.fits[f].model,
           one->distances[f]},
          &cohort.fits[f], {});
    add({std::string(kind) + " distance", Json(), "", "", "", one->mean_distance}, nullptr, {});
  }
  out.blocks.push_back({fmt::format("consensus of {} fits: by mean rank (Borda), and with the "
                                    "smallest mean tau distance (Kemeny)",
                                    cohort.fits.size()),
                        orders, marks_in_words(cohort, all_fits(cohort))});
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
  out.list.columns = {"method", "trained_on", "kind", "biomarker", "place", "share"};
  append(out.list.columns, kMarkColumns);
  for (const auto& found : positional_variance(cohort)) {
    const auto* fit = found.fit ? &cohort.fits[*found.fit] : nullptr;
    const std::string kind = found.source == Source::fits        ? "across"
                             : found.source == Source::posterior ? "posterior"
                                                                 : "bootstrap";
    const auto of_what = found.source == Source::fits ? fmt::format("over {} fits", found.count)
                         : found.source == Source::posterior
                             ? fmt::format("{}, by its posterior", marked_name(*fit))
                             : fmt::format("{}, over {} cohorts of resampled participants",
                                           marked_name(*fit), found.count);
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
        out.list.rows.push_back(std::move(row));
      }
    }
    out.blocks.push_back({"how often (%) each event takes each place: " + of_what, rows});
  }
  out.blocks.back().note = marks_in_words(cohort, all_fits(cohort));
  return out;
}

/// A line per biomarker from 0 to 1: its mean time and the interval over fits.
std::string drawn(const FittedCohort& cohort, const RescaledTimeline& found) {
  constexpr std::size_t kCells = 51;
  const auto cell = [](double time) {
    return static_cast<std::size_t>(
        std::lround(std::clamp(time, 0.0, 1.0) * static_cast<double>(kCells - 1)));
  };
  Rows rows{{"", "0" + std::string(kCells - 2, ' ') + "1"}};
  for (const auto b : found.rows) {
    const auto& times = found.across[b];
    const double half_width = times.half_width.value_or(0.0);
    const auto from = cell(times.mean - half_width), to = cell(times.mean + half_width);
    std::string line;
    for (std::size_t i = 0; i < kCells; ++i)
      line += i == cell(times.mean) ? "●" : i >= from && i <= to ? "─" : "·";
    rows.push_back({marked_biomarker(cohort, b), line});
  }
  return aligned(rows);
}

Table times(const FittedCohort& cohort) {
  const auto found = timeline(cohort);
  Table out;
  out.list.columns = {"method", "trained_on", "kind", "biomarker", "mean",
                      "sd",     "low",        "high", "scale"};
  append(out.list.columns, kMarkColumns);
  std::string note;
  for (const auto& [fits, why, can_be_asked_for] : found.left_out)
    if (can_be_asked_for)
      note += fmt::format("{}{} fit{} left out: {}; --fits shows them", note.empty() ? "" : "\n",
                          fits.size(), fits.size() == 1 ? " is" : "s are", why);
  if (found.fits.empty()) {
    out.blocks.push_back(
        {"no fit gives times of events (models of h8 and h9, and bayes under them, do)", {}, note});
    return out;
  }
  const auto scale_and_marks = [&](const CohortFit& fit, std::size_t b) {
    std::vector<Json> further{fit.times_are_ranks ? "rank" : "time"};
    append(further, marks(cohort, &fit, b));
    return further;
  };
  Rows rows{{"biomarker"}};
  for (const auto f : found.fits)
    rows[0].push_back(marked_name(cohort.fits[f]) +
                      (cohort.fits[f].times_are_ranks ? " (ranks)" : ""));
  append(rows[0], {std::string("mean"), "sd", "95 %"});
  for (const auto b : found.rows) {
    rows.push_back({marked_biomarker(cohort, b)});
    for (std::size_t i = 0; i < found.fits.size(); ++i) {
      rows.back().push_back(number(found.times[i][b], 3));
      auto row = ids(&cohort.fits[found.fits[i]]);
      append(row, {"fit", cohort.biomarkers[b], found.times[i][b], Json(), Json(), Json()});
      append(row, scale_and_marks(cohort.fits[found.fits[i]], b));
      out.list.rows.push_back(std::move(row));
    }
    append(rows.back(), cells(found.across[b], kOfTimes, 3));
    auto row = ids(nullptr);
    append(row, {"across", cohort.biomarkers[b]});
    append(row, values(found.across[b], kOfTimes));
    row.emplace_back(found.across_ranks ? "rank" : "time");
    append(row, marks(cohort, nullptr, b));
    out.list.rows.push_back(std::move(row));
  }
  auto below = marks_in_words(cohort, found.fits);
  if (!note.empty()) below += (below.empty() ? "" : "\n") + note;
  out.blocks.push_back(
      {"times of events, 0 the first and 1 the last by each fit, and over fits "
       "mean, sd and 95 % interval of the mean",
       rows, below, drawn(cohort, found)});
  add_within(
      cohort, found.fits, found.rows, found.posterior,
      "time within a fit: mean and 95 % interval of its posterior, on the scale of its times above",
      "posterior", 3, scale_and_marks, out);
  add_within(cohort, found.fits, found.rows, found.replicates, over_replicates("time"), "bootstrap",
             3, scale_and_marks, out);
  return out;
}

std::vector<std::size_t> group_sizes(const FittedCohort& cohort) {
  std::vector<std::size_t> out(cohort.group_names.size(), 0);
  for (const auto group : cohort.groups) ++out[group];
  return out;
}

Table groups(const FittedCohort& cohort) {
  const auto found = group_stages(cohort);
  const auto sizes = group_sizes(cohort);
  Table out;
  out.list.columns = {"method", "trained_on", "diagnosis", "participants", "mean",
                      "sd",     "low",        "high",      "doubts"};
  Rows rows{{"fit"}};
  for (std::size_t g = 0; g < sizes.size(); ++g)
    rows[0].push_back(fmt::format("{} (n = {})", cohort.group_names[g], sizes[g]));
  rows[0].emplace_back("rises");
  for (std::size_t f = 0; f < found.size(); ++f) {
    rows.push_back({marked_name(cohort.fits[f])});
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      const auto& stages = found[f].groups[g];
      rows.back().push_back(
          !stages       ? "-"
          : !stages->sd ? fmt::format("{:.2f}", stages->mean)
                        : fmt::format("{:.2f} {} (sd {:.2f})", stages->mean,
                                      interval(ends(*stages, of_stages(cohort)), 2), *stages->sd));
      auto row = ids(&cohort.fits[f]);
      append(row, {cohort.group_names[g], sizes[g]});
      append(row, stages ? values(*stages, of_stages(cohort))
                         : std::vector<Json>{Json(), Json(), Json(), Json()});
      row.emplace_back(cohort.fits[f].doubts.size());
      out.list.rows.push_back(std::move(row));
    }
    rows.back().emplace_back(!found[f].rises ? "-" : *found[f].rises ? "yes" : "no");
  }
  auto note = doubts_in_words(cohort, all_fits(cohort));
  if (!cohort.groups_ordered)
    note += std::string(note.empty() ? "" : "\n") +
            "diagnoses come by name: their order is not known, nor whether stages rise";
  out.blocks.push_back(
      {"mean stage of each diagnosis, its 95 % interval (sd); rises: every mean is "
       "above the one to its left",
       rows, note});
  return out;
}

Table stages(const FittedCohort& cohort) {
  const auto found = group_stages(cohort);
  Table out;
  out.list.columns = {"method", "trained_on", "diagnosis", "stage", "participants", "doubts"};
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
        out.list.rows.push_back(std::move(row));
      }
    }
    out.blocks.push_back({"participants at each stage: " + marked_name(cohort.fits[f]), rows});
  }
  out.blocks.back().note = doubts_in_words(cohort, all_fits(cohort));
  return out;
}

Table participants(const FittedCohort& cohort) {
  Table out;
  out.list.columns = {"participant", "diagnosis", "method", "trained_on", "stage", "low", "high"};
  Rows rows{{"participant", "diagnosis"}};
  append(rows[0], fit_names(cohort));
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
      std::vector<Json> row{cohort.participants[j], group};
      append(row, ids(&fit));
      append(row, {fit.stages[j], posterior ? Json(posterior->low) : Json(),
                   posterior ? Json(posterior->high) : Json()});
      out.list.rows.push_back(std::move(row));
    }
  }
  out.blocks.push_back(
      {"stage of each participant, and its 95 % interval where the run kept stage posteriors and "
       "the label alone does not say the stage",
       rows});
  return out;
}

Table agreements(const FittedCohort& cohort) {
  Table out;
  out.list.columns = {"method",      "trained_on", "other_method", "other_trained_on",
                      "kendall_tau", "spearman",   "icc"};
  const auto F = cohort.fits.size();
  const auto found = agreement(cohort);
  for (const auto& pair : found) {
    auto row = ids(&cohort.fits[pair.first]);
    append(row, ids(&cohort.fits[pair.second]));
    append(row, {or_null(pair.tau), or_null(pair.spearman), or_null(pair.icc)});
    out.list.rows.push_back(std::move(row));
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
  out.blocks.back().note = doubts_in_words(cohort, all_fits(cohort));
  return out;
}

std::string of_chance(double share) {
  constexpr double kLeast = 1e-4;  // shown
  return share < kLeast ? "< 0.0001" : fmt::format("{:.4f}", share);
}

Table recoveries(const FittedCohort& cohort) {
  const auto found = recovery(cohort);
  Table out;
  out.list.columns = {"method",
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
  append(rows[0], {std::string("stage MAE"), "of the diseased"});
  for (const auto& one : found) {
    using Of = Recovery::Of;
    const auto* fit = one.of == Of::fit ? &cohort.fits[one.fit] : nullptr;
    rows.push_back({fit != nullptr            ? marked_name(*fit)
                    : one.of == Of::consensus ? "consensus (Kemeny)"
                                              : "(all at the median stage)"});
    auto row = ids(fit);
    row.emplace_back(fit != nullptr ? "fit" : one.of == Of::consensus ? "kemeny" : "median");
    for (const auto* distance : {&one.all, &one.separating}) {
      if (distance == &one.all || some_do_not_separate)
        append(rows.back(), {*distance ? number((*distance)->tau, 4) : "-",
                             *distance ? of_chance((*distance)->by_chance) : "-"});
      append(row, *distance ? std::vector<Json>{(*distance)->tau, (*distance)->by_chance}
                            : std::vector<Json>{Json(), Json()});
    }
    append(rows.back(), {number(one.stage_mae, 3), number(one.diseased_mae, 3)});
    append(row, {or_null(one.stage_mae), or_null(one.diseased_mae),
                 fit != nullptr ? Json(fit->doubts.size()) : Json()});
    out.list.rows.push_back(std::move(row));
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

/// How a table is made, and what it looks at.
struct Maker {
  std::string name;
  Table (*make)(const FittedCohort&);
  WantedOfFits wanted;
};
const std::vector<Maker>& makers() {
  constexpr WantedOfFits kScores{}, kStages{.stages = true},
      kSpread{.posteriors = true, .replicates = true};
  static const std::vector<Maker> all{
      {"orders", orders, kScores},
      {"ranks", ranks, kSpread},
      {"consensus", consensus, kScores},
      {"positional-variance", positions, kSpread},
      {"timeline", times, kSpread},
      {"groups", groups, kStages},
      {"stages", stages, kStages},
      {"participants", participants, {.stages = true, .stage_posteriors = true}},
      {"agreement", agreements, kStages},
      {"recovery", recoveries, kStages}};
  return all;
}

const Maker& maker_of(const std::string& table) {
  return *std::find_if(makers().begin(), makers().end(),
                       [&](const Maker& maker) { return maker.name == table; });
}

std::string text(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump();
}

std::string as_csv(const std::vector<Table>& tables, const std::vector<FittedCohort>& cohorts,
                   const std::vector<std::string>& axes) {
  Rows rows{axes};
  rows[0].emplace_back("cohort");
  append(rows[0], tables.front().list.columns);
  for (std::size_t c = 0; c < tables.size(); ++c)
    for (const auto& row : tables[c].list.rows) {
      rows.push_back(cohorts[c].axis_values);
      rows.back().push_back(cohorts[c].name);
      for (const auto& value : row) rows.back().push_back(text(value));
    }
  return csv(rows);
}

std::string as_json(const std::string& name, const std::vector<Table>& tables,
                    const std::vector<FittedCohort>& cohorts,
                    const std::vector<std::string>& axes) {
  Json out;
  out["table"] = name;
  out["rows"] = Json::array();
  for (std::size_t c = 0; c < tables.size(); ++c)
    for (const auto& row : tables[c].list.rows) {
      Json item;
      for (std::size_t axis = 0; axis < axes.size(); ++axis)
        item["sweep"][axes[axis]] = cohorts[c].axis_values[axis];
      item["cohort"] = cohorts[c].name;
      for (std::size_t i = 0; i < row.size(); ++i) item[tables[c].list.columns[i]] = row[i];
      out["rows"].push_back(std::move(item));
    }
  return out.dump(2) + "\n";
}

std::string as_text(const Block& block, const std::string& point, const std::string& format) {
  const auto heading = point + block.heading;
  std::string out;
  if (block.rows.empty())
    out = (format == "latex" ? "% " : "") + heading + "\n";
  else if (format == "latex")
    out = latex(block.rows, block.rows[0].size(), heading);
  else if (format == "markdown")
    out = heading + "\n\n" + markdown(block.rows);
  else
    out = printable(heading) + "\n" + aligned(block.rows) + block.drawing;
  if (!block.note.empty()) {
    auto note = block.note;
    if (format == "latex")
      for (auto at = note.find('\n'); at != std::string::npos; at = note.find('\n', at + 1))
        note.insert(at + 1, "% ");
    out += (format == "latex" ? "% " : "") + printable(note) + "\n";
  }
  return out;
}

}  // namespace

const char* const kNotSeparating =
    "do not tell healthy from diseased, so that their places say little";

const std::vector<std::string>& analysis_tables() {
  static const auto names = [] {
    std::vector<std::string> out;
    for (const auto& maker : makers()) out.push_back(maker.name);
    return out;
  }();
  return names;
}

WantedOfFits wanted_for(const std::vector<std::string>& tables) {
  WantedOfFits out;
  for (const auto& table : tables) {
    const auto& wanted = maker_of(table).wanted;
    out.stages |= wanted.stages;
    out.posteriors |= wanted.posteriors;
    out.stage_posteriors |= wanted.stage_posteriors;
    out.replicates |= wanted.replicates;
  }
  return out;
}

std::string render_analysis(const std::string& table, const std::vector<FittedCohort>& cohorts,
                            const std::vector<std::string>& axes, const std::string& format) {
  const auto& maker = maker_of(table);
  std::vector<Table> tables;
  for (const auto& cohort : cohorts) tables.push_back(maker.make(cohort));
  if (format == "csv") return as_csv(tables, cohorts, axes);
  if (format == "json") return as_json(table, tables, cohorts, axes);
  std::string out;
  for (std::size_t c = 0; c < tables.size(); ++c) {
    std::string point;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      point += fmt::format("{}={} ", axes[axis], cohorts[c].axis_values[axis]);
    if (cohorts.size() > 1) point += cohorts[c].name + ": ";
    for (const auto& block : tables[c].blocks)
      out += (out.empty() ? "" : "\n") + as_text(block, point, format);
  }
  return out;
}

}  // namespace tempo
