#include "report/analysis_tables.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "report/append.hpp"
#include "report/cohort_tables.hpp"

namespace tempo {
namespace {

/// How a table is made, and what it looks at.
struct Maker {
  std::string name;
  Table (*make)(const FittedCohort&);
  std::vector<DetailPart> parts;
  WantedOfFits::Replicates replicates;
};

const std::vector<Maker>& makers() {
  using enum DetailPart;
  using enum WantedOfFits::Replicates;
  static const std::vector<Maker> all{
      {"orders", of_cohort::orders, {subtypes}, counted},
      {"ranks", of_cohort::ranks, {rank_posterior, time_spreads}, read},
      {"consensus", of_cohort::consensus, {}, counted},
      {"positional-variance", of_cohort::positions, {rank_posterior, time_spreads, subtypes}, read},
      {"timeline", of_cohort::times, {rank_posterior, time_spreads}, read},
      {"groups", of_cohort::groups, {stages}, counted},
      {"stages", of_cohort::stages, {stages}, counted},
      {"participants", of_cohort::participants, {stages, stage_posterior, subtypes}, counted},
      {"subtypes", of_cohort::subtypes, {subtypes}, counted},
      {"members", of_cohort::members, {subtypes}, counted},
      {"agreement", of_cohort::agreements, {stages}, counted},
      {"recovery", of_cohort::recoveries, {stages}, counted}};
  return all;
}

const Maker& maker_of(const std::string& table) {
  return *std::find_if(makers().begin(), makers().end(),
                       [&](const Maker& maker) { return maker.name == table; });
}

}  // namespace

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
    const auto& maker = maker_of(table);
    for (const auto part : maker.parts) out.parts.add(part);
    if (maker.replicates == WantedOfFits::Replicates::read) out.replicates = maker.replicates;
  }
  return out;
}

Table analysis_table(const std::string& name, const std::vector<FittedCohort>& cohorts,
                     const std::vector<std::string>& axes) {
  const auto& maker = maker_of(name);
  Table out;
  out.about = {{"table", name}};
  out.axes = axes.size();
  out.columns = axes;
  out.columns.emplace_back("cohort");
  for (const auto& cohort : cohorts) {
    auto table = maker.make(cohort);
    if (&cohort == &cohorts.front()) append(out.columns, table.columns);
    auto place = point_in_words(axes, cohort.axis_values);
    if (cohorts.size() > 1) place += cohort.name + ": ";
    for (auto& block : table.blocks) {
      block.heading.insert(0, place);
      out.blocks.push_back(std::move(block));
    }
    for (auto& cells : table.rows) {
      auto& row = out.rows.emplace_back(cohort.axis_values.begin(), cohort.axis_values.end());
      row.emplace_back(cohort.name);
      std::move(cells.begin(), cells.end(), std::back_inserter(row));
    }
  }
  return out;
}

}  // namespace tempo
