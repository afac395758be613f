#include "data/table/adjustment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "data/names.hpp"
#include "data/table/categories.hpp"
#include "data/value_range.hpp"
#include "model/lower_case.hpp"
#include "tempo/gross_errors.hpp"

namespace tempo {
namespace {

using Levels = std::vector<std::string>;

/// A level that is nearly the text; of a single character only in another case: '9' is no 'F'.
std::string hint_at_level(const std::string& text, const Levels& levels) {
  const bool may_be_one =
      text.size() > 1 || std::any_of(levels.begin(), levels.end(), [&](const std::string& level) {
        return in_lower_case(level) == in_lower_case(text);
      });
  return may_be_one ? did_you_mean(text, levels) : std::string();
}

/// Reads the covariates of the selected visits, one after the other.
class CovariateReader {
 public:
  CovariateReader(const VisitTable& table, const TableInput& input, const TableNumbers& numbers,
                  const Selection& selection)
      : table_(table), input_(input), numbers_(numbers), selection_(selection) {}

  /// Covariates taken for numbers that look like categories, each with why.
  const std::vector<std::string>& doubtful() const { return doubtful_; }

  /// Faults are in input.problems.
  Covariates read() {
    const auto& description = input_.description;
    for (std::size_t c = 0; c < description.covariates.size(); ++c) {
      const auto levels = description.levels.find(description.covariates[c].text);
      if (levels == description.levels.end())
        read_numbers(c);
      else
        read_levels(c, levels->second);
    }
    Covariates out{names_, Matrix(selection_.visits.size(), columns_.size())};
    for (std::size_t p = 0; p < columns_.size(); ++p)
      for (std::size_t j = 0; j < columns_[p].size(); ++j) out.values(j, p) = columns_[p][j];
    return out;
  }

 private:
  void read_numbers(std::size_t covariate) {
    names_.push_back(input_.description.covariates[covariate].text);
    auto& column = columns_.emplace_back();
    for (const auto v : selection_.visits) {
      const auto& visit = table_.visits[v];
      if (numbers_.is_missing_however_written(visit.covariates[covariate])) {
        column.push_back(kMissingValue);  // handle_missing has let it pass
        continue;
      }
      const auto number = numbers_.read_finite(visit.covariates[covariate]);
      if (!number) complain(visit, covariate, "a finite number, or levels in [adjust.levels]");
      column.push_back(number.value_or(0.0));
    }
    if (auto doubt = looks_like_categories(names_.back(), column))
      doubtful_.push_back(std::move(*doubt));
  }

  /// A column of 0 and 1 per level but the first, the reference.
  void read_levels(std::size_t covariate, const Levels& levels) {
    const auto first = columns_.size();
    for (std::size_t l = 1; l < levels.size(); ++l) {
      names_.push_back(
          fmt::format("{} = {}", input_.description.covariates[covariate].text, levels[l]));
      columns_.emplace_back();
    }
    for (const auto v : selection_.visits) {
      const auto& visit = table_.visits[v];
      const auto& text = visit.covariates[covariate];
      const bool is_missing = numbers_.is_missing_however_written(text);
      const auto at =
          static_cast<std::size_t>(std::find(levels.begin(), levels.end(), text) - levels.begin());
      if (at == levels.size() && !is_missing)
        complain(visit, covariate, one_of(levels) + hint_at_level(text, levels));
      for (std::size_t l = 1; l < levels.size(); ++l)
        columns_[first + l - 1].push_back(is_missing ? kMissingValue : at == l ? 1.0 : 0.0);
    }
  }

  /// Equal texts are one fault, of the participant who has it first.
  void complain(const Visit& visit, std::size_t covariate, const std::string& expected) {
    const auto& text = visit.covariates[covariate];
    if (!complained_.emplace(covariate, text).second) return;
    const auto others =
        std::count_if(selection_.visits.begin(), selection_.visits.end(),
                      [&](auto v) { return table_.visits[v].covariates[covariate] == text; }) -
        1;
    const auto offset = table_.offset_of(visit, table_.covariate_columns[covariate]);
    input_.faults.add(TableFault::covariate, offset, [&] {
      return fmt::format("covariate {} of participant '{}'{} is '{}'; expected {}",
                         input_.description.covariates[covariate].text, table_.id(visit),
                         others == 0 ? std::string() : fmt::format(" and {} more", others), text,
                         expected);
    });
  }

  const VisitTable& table_;
  const TableInput& input_;
  const TableNumbers& numbers_;
  const Selection& selection_;
  std::vector<std::string> names_;            ///< [P]
  std::vector<std::vector<double>> columns_;  ///< [P][J]
  std::vector<std::string> doubtful_;
  std::set<std::pair<std::size_t, std::string>> complained_;  ///< covariates and texts
};

/// The same columns in the order of `names`.
Covariates in_order(const Covariates& covariates, const std::vector<std::string>& names) {
  Covariates out{names, Matrix(covariates.values.rows(), names.size())};
  for (std::size_t p = 0; p < names.size(); ++p) {
    const auto at = std::find(covariates.names.begin(), covariates.names.end(), names[p]);
    const auto column = static_cast<std::size_t>(at - covariates.names.begin());
    for (std::size_t j = 0; j < out.values.rows(); ++j)
      out.values(j, p) = covariates.values(j, column);
  }
  return out;
}

/// A sentence per covariate that is far from what the earlier regression has seen.
void doubt_far_covariates(const Covariates& covariates, const Adjustment& earlier,
                          CohortTable& out) {
  for (std::size_t p = 0; p < earlier.lows.size(); ++p) {
    const ValueRange range{earlier.lows[p], earlier.highs[p]};
    std::vector<std::string> far;
    for (std::size_t j = 0; j < covariates.values.rows(); ++j)
      if (const double z = covariates.values(j, p); !std::isnan(z) && range.is_far(z))
        far.push_back(fmt::format("{:.6g} of {}", z, out.cohort.participants[j]));
    if (!far.empty())
      out.doubts.push_back(
          fmt::format("covariate '{}' is far from that of the healthy whom biomarkers were "
                      "adjusted by ({:.6g} to {:.6g}): {}",
                      covariates.names[p], range.low, range.high, in_short(far)));
  }
}

void adjust_as_earlier(const Covariates& found, const TableInput& input, CohortTable& out) {
  const auto& earlier = *input.earlier;
  if (!std::is_permutation(found.names.begin(), found.names.end(), earlier.covariates.begin(),
                           earlier.covariates.end())) {
    input.problems.add(
        input.description.covariates.front().place,
        fmt::format("the cohort that they are compared with was adjusted for {}, not for {}",
                    earlier.covariates.empty()
                        ? std::string("nothing")
                        : fmt::format("{}", fmt::join(earlier.covariates, ", ")),
                    fmt::join(found.names, ", ")));
    return;
  }
  const auto covariates = in_order(found, earlier.covariates);
  adjust(out.cohort, covariates, earlier);
  doubt_far_covariates(covariates, earlier, out);
}

/// Puts the mean of the healthy where a covariate is missing, and says how often.
void fill_with_means_of_healthy(Covariates& covariates, CohortTable& out) {
  auto& z = covariates.values;
  std::set<std::size_t> filled;
  for (std::size_t p = 0; p < z.cols(); ++p) {
    double sum = 0.0, count = 0.0;
    for (std::size_t j = 0; j < z.rows(); ++j)
      if (out.cohort.diseased[j] == 0 && !std::isnan(z(j, p))) {
        sum += z(j, p);
        count += 1.0;
      }
    for (std::size_t j = 0; j < z.rows(); ++j)
      if (std::isnan(z(j, p))) {
        z(j, p) = count > 0.0 ? sum / count : 0.0;  // a constant column: a fault of the regression
        filled.insert(j);
      }
  }
  if (!filled.empty())
    out.notes.push_back(fmt::format("{} without a covariate got the mean of the healthy",
                                    counted(filled.size(), "participant")));
}

void adjust_by_the_healthy(Covariates covariates, const TableInput& input, CohortTable& out) {
  fill_with_means_of_healthy(covariates, out);
  std::vector<std::string> faults;
  // A slipped value must not turn the line that everybody's values are measured by.
  const auto believed = without(out.cohort, gross_errors(out.cohort));
  out.adjustment = fit_adjustment(believed, covariates, faults);
  for (const auto& fault : faults)
    input.problems.add(input.description.covariates.front().place, fault);
  if (faults.empty()) adjust(out.cohort, covariates, out.adjustment);
  out.notes.push_back(fmt::format("biomarkers were adjusted for {}, by regression on the healthy",
                                  fmt::join(covariates.names, ", ")));
}

}  // namespace

void adjust_for_covariates(const VisitTable& table, const TableInput& input,
                           const TableNumbers& numbers, const Selection& selection,
                           CohortTable& out) {
  CovariateReader reader(table, input, numbers, selection);
  const auto covariates = reader.read();
  if (!input.problems.empty()) return;
  if (!reader.doubtful().empty() && input.earlier == nullptr)
    out.notes.push_back(fmt::format("covariates taken for numbers: {}; 'levels' makes categories",
                                    in_short(reader.doubtful())));
  out.covariates = covariates;
  if (input.earlier != nullptr)
    adjust_as_earlier(covariates, input, out);
  else
    adjust_by_the_healthy(covariates, input, out);
}

}  // namespace tempo
