#include "report/cohort_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/printable.hpp"
#include "report/doubts_text.hpp"

namespace tempo::of_cohort {

std::string number(const std::optional<double>& value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::string interval(const std::optional<Within>& found, int decimals) {
  if (!found || !found->has_interval) return {};
  return fmt::format("[{:.{}f}, {:.{}f}]", found->low, decimals, found->high, decimals);
}

Range of_ranks(const FittedCohort& cohort) {
  return {1.0, static_cast<double>(cohort.biomarkers.size())};
}
Range of_stages(const FittedCohort& cohort) {
  return {0.0, static_cast<double>(cohort.biomarkers.size())};
}

namespace {

/// The 95 % interval of a mean, cut to what the quantity can be; absent where there is none.
std::optional<Range> ends(const Spread& spread, const Range& range) {
  if (!spread.half_width) return std::nullopt;
  return Range{std::max(spread.mean - *spread.half_width, range.low),
               std::min(spread.mean + *spread.half_width, range.high)};
}

}  // namespace

std::string interval(const Spread& spread, const Range& range, int decimals) {
  const auto found = ends(spread, range);
  if (!found) return "-";
  return fmt::format("[{:.{}f}, {:.{}f}]", found->low, decimals, found->high, decimals);
}

std::vector<std::string> texts(const Spread& spread, const Range& range, int decimals) {
  return {fmt::format("{:.{}f}", spread.mean, decimals), number(spread.sd, decimals),
          interval(spread, range, decimals)};
}

std::vector<Cell> values(const Spread& spread, const Range& range) {
  const auto found = ends(spread, range);
  if (!found) return {spread.mean, Cell(), Cell(), Cell()};
  return {spread.mean, *spread.sd, found->low, found->high};
}

std::vector<Cell> values(const Within& found) {
  if (!found.has_interval) return {found.mean, found.sd, Cell(), Cell()};
  return {found.mean, found.sd, found.low, found.high};
}

namespace {
constexpr const char* kMark = " *";
}  // namespace

std::string marked_name(const FittedCohort& cohort, const CohortFit& fit) {
  return fit.name() + (doubts_of(cohort, fit).empty() ? "" : kMark);
}

std::string marked_biomarker(const FittedCohort& cohort, std::size_t b) {
  return cohort.biomarkers[b] + (is_separating(cohort, b).value_or(true) ? "" : kMark);
}

const std::vector<std::string>& mark_columns() {
  static const std::vector<std::string> names{"doubts", "separates"};
  return names;
}

std::vector<Cell> marks(const FittedCohort& cohort, const CohortFit* fit,
                        std::optional<std::size_t> b) {
  const auto separating = b ? is_separating(cohort, *b) : std::nullopt;
  return {fit != nullptr ? Cell(doubts_of(cohort, *fit).size()) : Cell(),
          separating ? Cell(*separating) : Cell()};
}

std::string doubts_in_words(const FittedCohort& cohort, const std::vector<std::size_t>& fits) {
  const auto counted = counted_fits(cohort);
  const auto is_refuted = [&](std::size_t f) {
    return std::any_of(counted.left_out.begin(), counted.left_out.end(),
                       [&](const UncountedFit& one) {
                         return one.fit == f && one.why == UncountedFit::Why::refuted;
                       });
  };
  std::string out;
  bool some_count = false;
  for (const auto f : fits) {
    const auto& fit = cohort.fits[f];
    const auto doubts = doubts_of(cohort, fit);
    if (doubts.empty() || is_refuted(f)) continue;  // counting_in_words says why these are marked
    some_count = some_count || std::binary_search(counted.fits.begin(), counted.fits.end(), f);
    add_lines(out, printable(fmt::format("* {}: {}", fit.name(), fmt::join(doubts, "; ")), ""));
  }
  if (some_count)
    add_lines(out, counted.left_out.empty()
                       ? "  fits in doubt count like the others; --fits chooses"
                       : "  fits in doubt count like the others unless they are left out below");
  for (const auto& line : counting_in_words(cohort)) add_lines(out, printable(line, ""));
  return out;
}

std::string marks_in_words(const FittedCohort& cohort, const std::vector<std::size_t>& fits) {
  auto out = doubts_in_words(cohort, fits);
  if (cohort.not_separating && !cohort.not_separating->empty())
    add_lines(out, printable(fmt::format("* {}: {}", fmt::join(*cohort.not_separating, ", "),
                                         kNotSeparating),
                             ""));
  return out;
}

void add_lines(std::string& note, const std::string& lines) {
  if (!note.empty() && !lines.empty()) note += "\n";
  note += lines;
}

std::string with_disagreements(std::string note, const FittedCohort& cohort) {
  for (const auto& line : disagreements_in_words(cohort)) add_lines(note, printable(line, ""));
  return note;
}

std::vector<std::size_t> all_fits(const FittedCohort& cohort) {
  std::vector<std::size_t> out;
  for (std::size_t f = 0; f < cohort.fits.size(); ++f) out.push_back(f);
  return out;
}

std::vector<std::string> head_of_fits(const FittedCohort& cohort, const std::string& first) {
  std::vector<std::string> out{first};
  for (const auto& fit : cohort.fits) out.push_back(marked_name(cohort, fit));
  return out;
}

std::vector<Cell> ids(const CohortFit* fit) {
  if (fit == nullptr) return {"", ""};
  return {fit->method, fit->rests_on()};
}

void add_within(const FittedCohort& cohort, const std::vector<std::size_t>& fits,
                const std::vector<std::size_t>& biomarkers,
                const std::vector<std::vector<std::optional<Within>>>& found,
                const WithinFits& what, Table& out) {
  Rows rows{{"biomarker"}};
  for (const auto b : biomarkers) rows.push_back({marked_biomarker(cohort, b)});
  for (std::size_t i = 0; i < fits.size(); ++i) {
    const auto& fit = cohort.fits[fits[i]];
    if (std::none_of(found[i].begin(), found[i].end(), [](const auto& w) { return w.has_value(); }))
      continue;
    rows[0].push_back(marked_name(cohort, fit));
    for (std::size_t r = 0; r < biomarkers.size(); ++r) {
      const auto b = biomarkers[r];
      const auto& of_biomarker = found[i][b];
      const auto found_ends = interval(of_biomarker, what.decimals);
      rows[r + 1].push_back(fmt::format("{:.{}f}{}{}", of_biomarker->mean, what.decimals,
                                        found_ends.empty() ? "" : " ", found_ends));
      auto row = ids(&fit);
      append(row, {what.kind, cohort.biomarkers[b]});
      append(row, values(*of_biomarker));
      append(row, what.further(fit, b));
      out.rows.push_back(std::move(row));
    }
  }
  if (rows[0].size() > 1) out.blocks.push_back({what.heading, rows});
}

bool has_fits_with_subtypes(const FittedCohort& cohort) {
  return std::any_of(cohort.fits.begin(), cohort.fits.end(),
                     [](const CohortFit& fit) { return fit.subtypes.has_value(); });
}

std::string over_replicates(const std::string& what) {
  return fmt::format(
      "{} within a method: mean over resampled participants, and from {} replicates on "
      "95 % interval",
      what, kIntervalReplicates);
}

}  // namespace tempo::of_cohort
