#include "prepared_cohort.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "targets.hpp"
#include "tempo/quantile.hpp"

namespace tempo::amortised {
namespace {

constexpr double kLeastShare = 1e-9;   // of a knot, to the next
constexpr double kLeastScale = 1e-12;  // of the range: what is less is rounding
constexpr double kLeastGap = 1e-3;     // between knots, in units of the scale
constexpr double kOutermost = 0.005;   // share of participants beyond the last knot
constexpr double kLastHinge = 2.5;     // the first is at -kLastHinge
constexpr std::size_t kRepeated = 3;   // values that are equal so often are no accident
constexpr float kShareScale = 8.0F;
constexpr std::size_t kSquarings = 10;  // of a matrix, until one principal component is left of it

/// One biomarker of those who have a value.
struct Column {
  std::vector<std::size_t> order;  // rows, ascending by value
  std::vector<double> sorted;      // their values; standardised later
  std::vector<double> share;       // [J] of those below, from -1/2 to 1/2; 0 where missing
  std::array<double, Grid::kKnots> knots{};
  std::vector<double> shared;  // at most kShared
  double centre = 0.0, scale = 0.0, distinct = 1.0;
  double separation = 0.5;  // of diseased from healthy
  double loading = 0.0;     // on what biomarkers have in common
  bool empty = true;        // no value, or one only
};

/// Calls work(begin, end) for every run of equal values.
template <class Work>
void for_equal(const std::vector<double>& sorted, const Work& work) {
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    work(i, end);
    i = end;
  }
}

/// P(a diseased participant has the greater value) + P(equal)/2, over all pairs with a healthy one.
double separation(const Column& column, const std::vector<std::uint8_t>& diseased) {
  double greater = 0.0, well = 0.0, ill = 0.0;
  for_equal(column.sorted, [&](std::size_t begin, std::size_t end) {
    double ill_here = 0.0, well_here = 0.0;
    for (auto i = begin; i < end; ++i)
      (diseased[column.order[i]] != 0 ? ill_here : well_here) += 1.0;
    greater += ill_here * (well + 0.5 * well_here);
    well += well_here;
    ill += ill_here;
  });
  return ill > 0.0 && well > 0.0 ? greater / (ill * well) : 0.5;
}

/// Shared values: that occur three times and more, those that occur most often first. None where
/// most of the values do: the biomarker is measured in steps then.
void find_shared(Column& column) {
  std::vector<std::pair<std::size_t, double>> found;
  std::size_t different = 0;
  for_equal(column.sorted, [&](std::size_t begin, std::size_t end) {
    ++different;
    if (end - begin >= kRepeated) found.emplace_back(end - begin, column.sorted[begin]);
  });
  column.distinct = static_cast<double>(different) / static_cast<double>(column.sorted.size());
  if (column.distinct < 0.5) return;
  std::ranges::sort(found, std::greater<>());
  for (std::size_t i = 0; i < std::min(found.size(), Grid::kShared); ++i)
    column.shared.push_back(found[i].second);
}

/// Share of the participants that is outermost on either side: at least one of them.
double outermost(const Column& column) {
  const auto n = static_cast<double>(column.sorted.size());
  return std::max(kOutermost, 1.0 / std::max(n - 1.0, 2.0));
}

/// The distance of the outer tenths in standard deviations of a normal distribution; where most
/// have the same value, that of the outermost, or the root mean square.
double scale_of(const Column& column) {
  const auto& sorted = column.sorted;
  const double least = kLeastScale * (sorted.back() - sorted.front());
  const double tenths = (quantile(sorted, 0.9) - quantile(sorted, 0.1)) / 2.5631;
  if (tenths > least) return tenths;
  const double share = outermost(column);
  const double most = (quantile(sorted, 1.0 - share) - quantile(sorted, share)) / 5.1517;
  if (most > least) return most;
  double squares = 0.0;
  for (const double x : sorted) squares += (x - column.centre) * (x - column.centre);
  return std::sqrt(squares / static_cast<double>(sorted.size()));
}

Column column_of(const Cohort& cohort, std::size_t b, bool labelled) {
  Column out;
  const auto J = cohort.participant_count();
  out.share.assign(J, 0.0);
  std::vector<std::pair<double, std::size_t>> values;
  for (std::size_t j = 0; j < J; ++j)
    if (const double x = cohort.measurements(j, b); !std::isnan(x)) values.emplace_back(x, j);
  std::ranges::sort(values);
  for (const auto& [x, j] : values) {
    out.sorted.push_back(x);
    out.order.push_back(j);
  }
  if (values.empty()) return out;
  out.centre = quantile(out.sorted, 0.5);
  out.scale = scale_of(out);
  if (!(out.scale > 0.0) || !std::isfinite(out.scale)) return out;
  out.empty = false;
  if (labelled) out.separation = separation(out, cohort.diseased);
  const auto n = static_cast<double>(out.sorted.size());
  for_equal(out.sorted, [&](std::size_t begin, std::size_t end) {
    for (auto i = begin; i < end; ++i)
      out.share[out.order[i]] = 0.5 * static_cast<double>(begin + end) / n - 0.5;
  });
  return out;
}

/// Turns a column round.
void negate(Column& column) {
  for (auto& share : column.share) share = -share;
  std::ranges::reverse(column.order);
  std::ranges::reverse(column.sorted);
  for (auto& x : column.sorted) x = -x;
  column.centre = -column.centre;
  column.separation = 1.0 - column.separation;
  column.loading = -column.loading;
}

/// Standardises values and puts knots among them. The outermost participant decides no knot.
void standardise(Column& column) {
  if (column.empty) return;
  for (auto& x : column.sorted) x = (x - column.centre) / column.scale;
  find_shared(column);
  auto& knots = column.knots;
  const double least = outermost(column), most = 1.0 - least;
  const double low = quantile(column.sorted, least), high = quantile(column.sorted, most);
  for (std::size_t i = 0; i < Grid::kQuantiles; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / Grid::kQuantiles;
    knots[i] = quantile(column.sorted, std::clamp(share, least, most));
  }
  for (std::size_t i = 0; i < Grid::kEven; ++i)
    knots[Grid::kQuantiles + i] =
        std::lerp(low, high, static_cast<double>(i) / static_cast<double>(Grid::kEven - 1));
  std::ranges::sort(knots);
  for (std::size_t i = 1; i < Grid::kKnots; ++i) {
    const double before = knots[i - 1];
    knots[i] = std::max(knots[i], before + std::max(kLeastGap, kLeastShare * std::abs(before)));
  }
}

/// The product of a symmetric matrix with itself, divided by its trace: powers stay in range.
Matrix squared(const Matrix& m) {
  const auto B = m.rows();
  Matrix out(B, B);
  double trace = 0.0;
  for (std::size_t a = 0; a < B; ++a)
    for (std::size_t b = 0; b < B; ++b) {
      double sum = 0.0;
      for (std::size_t c = 0; c < B; ++c) sum += m(a, c) * m(b, c);
      out(a, b) = sum;
      if (a == b) trace += sum;
    }
  for (double& x : out.values()) x = trace > 0.0 ? x / trace : 0.0;
  return out;
}

/// Sets the loadings of the first principal component of the ranks of `rows`, its sign such that
/// their sum is positive. @return the score of each row
std::vector<double> common_part(std::vector<Column>& columns,
                                const std::vector<std::size_t>& rows) {
  const auto B = columns.size();
  Matrix covariance(B, B);
  for (std::size_t a = 0; a < B; ++a)
    for (std::size_t b = a; b < B; ++b) {
      double sum = 0.0;
      for (const auto j : rows) sum += columns[a].share[j] * columns[b].share[j];
      covariance(a, b) = covariance(b, a) =
          12.0 * sum / static_cast<double>(std::max<std::size_t>(rows.size(), 1));
    }
  // Every row of a high power is the first principal component, times its loading of that row.
  for (std::size_t i = 0; i < kSquarings; ++i) covariance = squared(covariance);
  std::size_t first = 0;
  for (std::size_t a = 0; a < B; ++a)
    if (covariance(a, a) > covariance(first, first)) first = a;
  std::vector<double> loading(covariance.row(first).begin(), covariance.row(first).end());
  double squares = 0.0;
  for (const double l : loading) squares += l * l;
  for (auto& l : loading) l = squares > 0.0 ? l / std::sqrt(squares) : 0.0;
  double sum = 0.0;
  for (const double l : loading) sum += l;
  for (std::size_t b = 0; b < B; ++b) columns[b].loading = sum < 0.0 ? -loading[b] : loading[b];
  std::vector<double> out;
  for (const auto j : rows) {
    out.push_back(0.0);
    for (std::size_t b = 0; b < B; ++b) out.back() += columns[b].loading * columns[b].share[j];
  }
  return out;
}

double skewness(const std::vector<double>& values) {
  double mean = 0.0, squares = 0.0, cubes = 0.0;
  const auto n = static_cast<double>(values.size());
  for (const double x : values) mean += x / n;
  for (const double x : values) {
    squares += (x - mean) * (x - mean) / n;
    cubes += (x - mean) * (x - mean) * (x - mean) / n;
  }
  return squares > 0.0 ? cubes / (squares * std::sqrt(squares)) : 0.0;
}

/// Where each participant's value stands: [J].
std::vector<CellPlace> places_of(const Column& column, std::size_t J) {
  std::vector<CellPlace> out(J, {CellPlace::kMissing, 0.0F});
  if (column.empty) return out;
  std::size_t entry = 0;
  const auto& knots = column.knots;
  for_equal(column.sorted, [&](std::size_t begin, std::size_t end) {
    const double z = column.sorted[begin];
    while (entry + 2 < Grid::kKnots && knots[entry + 1] <= z) ++entry;
    const double beyond = (z - knots[entry]) / (knots[entry + 1] - knots[entry]);
    CellPlace place{static_cast<std::uint32_t>(entry),
                    static_cast<float>(std::clamp(beyond, 0.0, 1.0))};
    for (std::size_t i = 0; i < column.shared.size(); ++i)
      if (z == column.shared[i]) place = {static_cast<std::uint32_t>(Grid::kKnots + i), 0.0F};
    for (auto i = begin; i < end; ++i) out[column.order[i]] = place;
  });
  return out;
}

/// The functions of a value from which tables are made.
void add_basis(const Column& column, double z, bool shared, std::vector<float>& out) {
  const double y = std::asinh(z);
  out.push_back(static_cast<float>(y));
  out.push_back(static_cast<float>(0.2 * y * y));
  for (std::size_t h = 0; h < Grid::kHinges; ++h) {
    const double share = static_cast<double>(h) / static_cast<double>(Grid::kHinges - 1);
    out.push_back(static_cast<float>(std::max(0.0, y - kLastHinge * (2.0 * share - 1.0))));
  }
  const auto& sorted = column.sorted;
  const auto below = std::ranges::lower_bound(sorted, z) - sorted.begin();
  const auto not_above = std::ranges::upper_bound(sorted, z) - sorted.begin();
  const double share =
      0.5 * static_cast<double>(below + not_above) / static_cast<double>(sorted.size());
  for (std::size_t h = 0; h < Grid::kHats; ++h)
    out.push_back(static_cast<float>(
        std::max(0.0, 1.0 - std::abs(share * (Grid::kHats - 1) - static_cast<double>(h)))));
  out.push_back(shared ? 1.0F : 0.0F);
  out.push_back(shared ? static_cast<float>(y) : 0.0F);
}

/// Which of the groups a participant belongs to, and how large groups are.
struct Groups {
  enum Group : std::size_t { asked, unaffected, most_affected };
  std::vector<std::array<bool, Grid::kGroups>> of;  // [J]
  std::array<double, Grid::kGroups> size{};
  double skewness = 0.0;  // of what the biomarkers of the asked have in common
};

/// What is found of one column.
struct Described {
  std::vector<CellPlace> places;  // [asked]
  std::vector<float> basis, features;
  float present = 0.0F;
};

Described describe(const Column& column, const PreparedCohort& cohort, const Groups& groups) {
  constexpr auto kEntries = Grid::kEntries;
  Described out;
  if (column.empty) {
    out.basis.assign(kEntries * Grid::kBasis, 0.0F);
  } else {
    for (std::size_t i = 0; i < kEntries; ++i) {
      const bool shared = i >= Grid::kKnots;
      const double z = !shared                                   ? column.knots[i]
                       : i - Grid::kKnots < column.shared.size() ? column.shared[i - Grid::kKnots]
                                                                 : 0.0;
      add_basis(column, z, shared, out.basis);
    }
  }
  const auto places = places_of(column, cohort.J);
  for (const auto j : cohort.asked) out.places.push_back(places[j]);
  std::array<std::array<double, kEntries>, Grid::kGroups> counts{};
  std::array<double, Grid::kGroups> present{};
  for (std::size_t j = 0; j < cohort.J; ++j) {
    const auto [entry, share] = places[j];
    if (entry == CellPlace::kMissing) continue;
    const auto beyond = static_cast<double>(share);
    for (std::size_t g = 0; g < Grid::kGroups; ++g) {
      if (!groups.of[j][g]) continue;
      present[g] += 1.0;
      counts[g][entry] += 1.0 - beyond;
      if (beyond > 0.0) counts[g][entry + 1] += beyond;
    }
  }
  out.present = static_cast<float>(std::max(present[Groups::asked], 1.0));
  auto& f = out.features;
  for (std::size_t g = 0; g < Grid::kGroups; ++g)
    for (const double n : counts[g])
      f.push_back(kShareScale * static_cast<float>(n / std::max(present[g], 1.0)));
  const double ill = present[Groups::asked], well = present[Groups::unaffected];
  for (std::size_t i = 0; i < kEntries; ++i)
    f.push_back(
        well > 0.0 && ill > 0.0
            ? static_cast<float>(
                  0.5 * std::log((counts[Groups::asked][i] + 0.5) * (well + 0.5 * kEntries) /
                                 ((counts[Groups::unaffected][i] + 0.5) * (ill + 0.5 * kEntries))))
            : 0.0F);
  for (const double knot : column.knots)
    f.push_back(column.empty ? 0.0F : static_cast<float>(0.5 * std::asinh(knot)));
  for (std::size_t g = 0; g < Grid::kGroups; ++g)
    for (std::size_t i = 0; i < Grid::kBasis; ++i) {
      double mean = 0.0;
      for (std::size_t e = 0; e < kEntries; ++e)
        mean += counts[g][e] * static_cast<double>(out.basis[e * Grid::kBasis + i]);
      f.push_back(static_cast<float>(mean / std::max(present[g], 1.0)));
    }
  const double asked = std::max(groups.size[Groups::asked], 1.0),
               unaffected = groups.size[Groups::unaffected];
  for (const double number :
       {1.0 - ill / asked, unaffected > 0.0 ? 1.0 - well / unaffected : 0.0,
        cohort.labelled ? 1.0 : 0.0, 0.5 * std::log(asked / 256.0),
        0.5 * std::log((unaffected + 1.0) / 64.0), static_cast<double>(cohort.B) / 16.0 - 1.0,
        std::log(static_cast<double>(cohort.B) / 12.0), 4.0 * (column.separation - 0.5),
        column.distinct, column.empty ? 1.0 : 0.0,
        column.loading * std::sqrt(static_cast<double>(cohort.B)), groups.skewness})
    f.push_back(static_cast<float>(number));
  return out;
}

/// Gives every column its sign. @return what the biomarkers of the asked have in common: [asked]
std::vector<double> turn(std::vector<Column>& columns, const PreparedCohort& cohort) {
  const auto is_open = [](const Column& column) { return column.separation == 0.5; };
  for (auto& column : columns)
    if (column.separation < 0.5) negate(column);
  // What the diagnosis leaves open follows from what is in common.
  common_part(columns, cohort.asked);
  for (auto& column : columns)
    if (is_open(column) && column.loading < 0.0) negate(column);
  auto common = common_part(columns, cohort.asked);
  if (skewness(common) < 0.0 && std::ranges::all_of(columns, is_open)) {
    for (auto& column : columns) {  // the longer tail is on the right
      negate(column);
      column.loading = -column.loading;
    }
    for (auto& score : common) score = -score;
  }
  return common;
}

/// Without diagnosis the quarter with the least of the common part counts as unaffected. Those
/// with equal parts are in the same groups.
Groups group(const std::vector<double>& common, const PreparedCohort& cohort) {
  Groups out;
  out.skewness = skewness(common);
  out.of.assign(cohort.J, {});
  if (cohort.labelled)
    for (auto& groups : out.of) groups[Groups::unaffected] = true;
  auto sorted = common;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < common.size(); ++i) {
    auto& groups = out.of[cohort.asked[i]];
    groups[Groups::asked] = true;
    groups[Groups::unaffected] = !cohort.labelled && common[i] <= sorted[(sorted.size() - 1) / 4];
    groups[Groups::most_affected] = common[i] >= sorted[sorted.size() / 2];
  }
  for (const auto& groups : out.of)
    for (std::size_t g = 0; g < Grid::kGroups; ++g) out.size[g] += groups[g] ? 1.0 : 0.0;
  return out;
}

}  // namespace

PreparedCohort prepare(const Cohort& cohort) {
  PreparedCohort out;
  out.J = cohort.participant_count();
  out.B = cohort.biomarker_count();
  out.labelled = !cohort.diseased.empty();
  for (std::size_t j = 0; j < out.J; ++j)
    if (!out.labelled || cohort.diseased[j] != 0) out.asked.push_back(j);
  std::vector<Column> columns;
  for (std::size_t b = 0; b < out.B; ++b) columns.push_back(column_of(cohort, b, out.labelled));
  const auto groups = group(turn(columns, out), out);
  std::vector<Described> found;
  for (auto& column : columns) {
    standardise(column);
    found.push_back(describe(column, out, groups));
    if (found.back().features.size() != Grid::kFeatures) throw std::logic_error("features");
    const bool measured = column.empty && !column.sorted.empty();
    const bool equal = measured && column.sorted.front() == column.sorted.back();
    out.is_constant.push_back(equal);
    out.is_too_wide.push_back(measured && !equal);
  }
  out.columns.resize(out.B);
  std::iota(out.columns.begin(), out.columns.end(), std::size_t{0});
  std::ranges::stable_sort(
      out.columns, std::ranges::lexicographical_compare, [&](std::size_t b) -> const auto& {
        return found[b].features;
      });
  for (const auto b : out.columns) {
    const auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(out.places, found[b].places);
    append(out.basis, found[b].basis);
    append(out.features, found[b].features);
    out.present.push_back(found[b].present);
  }
  return out;
}

PreparedCohort prepare(const SimulatedCohort& drawn) {
  auto out = prepare(drawn.cohort);
  const auto& truth = drawn.truth;
  for (const auto b : out.columns) {
    out.time.push_back(relative_time(truth, b));
    out.target.push_back(score_target(truth, b));
  }
  for (const auto j : out.asked)
    out.stages.push_back(static_cast<std::uint32_t>(truth.ordinal_stages[j]));
  return out;
}

}  // namespace tempo::amortised
