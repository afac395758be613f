#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/checks.hpp"
#include "analysis/evidence.hpp"
#include "model/printable.hpp"
#include "report/rows.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

Rows cells(const CohortRanking& ranking) {
  Rows rows{{"hypothesis", "elpd_loo", "difference", "se", "elpd_waic", "k > 0.7"}};
  for (const auto& found : ranking.hypotheses)
    rows.push_back({found.assumed, fmt::format("{:.1f}", found.elpd_loo),
                    fmt::format("{:.1f}", found.difference),
                    fmt::format("{:.1f}", found.difference_se),
                    fmt::format("{:.1f}", found.elpd_waic), std::to_string(found.pareto_k_high)});
  return rows;
}

struct Counts {
  std::size_t best = 0, tied = 0, ranked = 0;
  double difference = 0.0;
};

/// How often each hypothesis is the best, alone or not; of equal ones the one that was met first.
std::string over_cohorts(const std::vector<CohortRanking>& rankings) {
  std::vector<std::string> names;
  std::map<std::string, Counts> counts;
  for (const auto& ranking : rankings)
    for (const auto& found : ranking.hypotheses) {
      if (!counts.contains(found.assumed)) names.push_back(found.assumed);
      auto& count = counts[found.assumed];
      ++count.ranked;
      count.best += &found == &ranking.hypotheses.front();
      count.tied += found.tied;
      count.difference += found.difference;
    }
  std::sort(names.begin(), names.end(), [&](const auto& a, const auto& b) {
    return std::pair(counts[b].best, a) < std::pair(counts[a].best, b);
  });
  Rows rows{{"hypothesis", "best", "best or cannot be told from it", "mean difference"}};
  for (const auto& name : names) {
    const auto& count = counts[name];
    rows.push_back({name, fmt::format("{}/{}", count.best, count.ranked),
                    fmt::format("{}/{}", count.tied, count.ranked),
                    fmt::format("{:.1f}", count.difference / static_cast<double>(count.ranked))});
  }
  return aligned(rows);
}

/// A line per hypothesis that has checks.
std::string checks_in_words(const CohortRanking& ranking) {
  std::string out;
  for (const auto& found : ranking.hypotheses)
    if (!found.checks.empty())
      out += fmt::format("Under {} {}.\n", found.assumed, in_words(found.checks));
  return out;
}

std::string as_table(const std::vector<CohortRanking>& rankings) {
  std::string out;
  for (const auto& ranking : rankings) {
    out += fmt::format("{}: {} participants, {} biomarkers\n{}{}\n", ranking.cohort,
                       ranking.participants, ranking.biomarkers, aligned(cells(ranking)),
                       verdict(ranking));
    for (const auto& caveat : ranking.caveats) out += caveat + "\n";
    out += checks_in_words(ranking);
    out += "\n";
  }
  if (rankings.size() > 1)
    out += fmt::format("{} cohorts\n{}", rankings.size(), over_cohorts(rankings));
  else if (!out.empty())
    out.pop_back();
  return out;
}

std::string as_csv(const std::vector<CohortRanking>& rankings) {
  Rows rows{{"cohort", "rank", "hypothesis", "elpd_loo", "elpd_loo_se", "difference",
             "difference_se", "elpd_mcse", "elpd_waic", "pareto_k_high", "weight", "tied"}};
  for (const auto& ranking : rankings)
    for (std::size_t i = 0; i < ranking.hypotheses.size(); ++i) {
      const auto& found = ranking.hypotheses[i];
      rows.push_back({ranking.cohort, std::to_string(i + 1), found.assumed,
                      fmt::format("{}", found.elpd_loo), fmt::format("{}", found.elpd_loo_se),
                      fmt::format("{}", found.difference), fmt::format("{}", found.difference_se),
                      fmt::format("{}", found.elpd_mcse), fmt::format("{}", found.elpd_waic),
                      std::to_string(found.pareto_k_high), fmt::format("{}", found.weight),
                      found.tied ? "true" : "false"});
    }
  return csv(rows);
}

std::string as_json(const std::vector<CohortRanking>& rankings) {
  Json out;
  out["cohorts"] = Json::array();
  for (const auto& ranking : rankings) {
    Json item{{"cohort", ranking.cohort},         {"participants", ranking.participants},
              {"biomarkers", ranking.biomarkers}, {"verdict", verdict(ranking)},
              {"caveats", ranking.caveats},       {"hypotheses", Json::array()}};
    for (const auto& found : ranking.hypotheses) {
      item["hypotheses"].push_back({{"hypothesis", found.assumed},
                                    {"elpd_loo", found.elpd_loo},
                                    {"elpd_loo_se", found.elpd_loo_se},
                                    {"difference", found.difference},
                                    {"difference_se", found.difference_se},
                                    {"elpd_mcse", found.elpd_mcse},
                                    {"elpd_waic", found.elpd_waic},
                                    {"pareto_k_high", found.pareto_k_high},
                                    {"weight", found.weight},
                                    {"tied", found.tied},
                                    {"checks", Json::array()}});
      for (const auto& check : found.checks)
        item["hypotheses"].back()["checks"].push_back(as_json(check));
    }
    out["cohorts"].push_back(std::move(item));
  }
  return out.dump(2) + "\n";
}

/// Head and a row per generating hypothesis.
Rows cells(const PreferenceTable& table) {
  Rows rows{{"cohorts of", "ranked"}};
  rows[0].insert(rows[0].end(), table.methods.begin(), table.methods.end());
  for (const auto& row : table.rows) {
    rows.push_back({row.generating, fmt::format("{}/{}", row.ranked, row.planned)});
    for (const auto& cell : row.cells)
      rows.back().push_back(row.ranked == 0 ? "-"
                                            : fmt::format("{} ({}) {:.1f}", cell.preferred,
                                                          cell.tied, cell.mean_difference));
  }
  return rows;
}

std::string heading(const PreferenceTable& table, const std::vector<std::string>& axes) {
  std::string point;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    point += fmt::format("{}={} ", axes[axis], table.axis_values[axis]);
  return point +
         "evidence: on how many cohorts of the row the column has the largest elpd_loo (in "
         "brackets: "
         "cannot be told from the largest), and its mean difference to the largest, in nats";
}

/// A line per hypothesis on most of whose cohorts several methods cannot be told apart.
std::string confusable(const PreferenceTable& table) {
  std::string out;
  for (const auto& row : table.rows) {
    std::vector<std::string> names;
    for (std::size_t m = 0; m < table.methods.size(); ++m)
      if (2 * row.cells[m].tied > row.ranked) names.push_back(table.methods[m]);
    if (names.size() > 1)
      out += fmt::format("cannot be told apart on most cohorts of {}: {}\n", row.generating,
                         fmt::join(names, ", "));
  }
  return out;
}

Rows flat(const std::vector<PreferenceTable>& tables, const std::vector<std::string>& axes) {
  Rows rows{axes};
  for (const auto* name : {"hypothesis", "method", "preferred", "tied", "mean_difference",
                           "difference_se", "ranked", "planned"})
    rows[0].push_back(name);
  for (const auto& table : tables)
    for (const auto& row : table.rows)
      for (std::size_t m = 0; m < table.methods.size(); ++m) {
        const auto& cell = row.cells[m];
        rows.push_back(table.axis_values);
        for (const auto& text : {row.generating, table.methods[m], std::to_string(cell.preferred),
                                 std::to_string(cell.tied),
                                 row.ranked > 0 ? fmt::format("{}", cell.mean_difference) : "",
                                 row.ranked > 0 ? fmt::format("{}", cell.difference_se) : "",
                                 std::to_string(row.ranked), std::to_string(row.planned)})
          rows.back().push_back(text);
      }
  return rows;
}

std::string as_json(const std::vector<PreferenceTable>& tables,
                    const std::vector<std::string>& caveats, const std::vector<std::string>& axes) {
  Json out;
  out["tables"] = Json::array();
  for (const auto& table : tables) {
    Json item;
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      item["sweep"][axes[axis]] = table.axis_values[axis];
    item["methods"] = table.methods;
    item["rows"] = Json::array();
    for (const auto& row : table.rows) {
      Json of_row{{"hypothesis", row.generating},
                  {"ranked", row.ranked},
                  {"planned", row.planned},
                  {"cells", Json::array()}};
      for (const auto& cell : row.cells)
        of_row["cells"].push_back(
            {{"preferred", cell.preferred},
             {"tied", cell.tied},
             {"mean_difference", row.ranked > 0 ? Json(cell.mean_difference) : Json()},
             {"difference_se", row.ranked > 0 ? Json(cell.difference_se) : Json()}});
      item["rows"].push_back(std::move(of_row));
    }
    out["tables"].push_back(std::move(item));
  }
  out["caveats"] = caveats;
  return out.dump(2) + "\n";
}

}  // namespace

std::string verdict(const CohortRanking& ranking) {
  const auto& ranked = ranking.hypotheses;
  std::vector<std::string> tied;
  for (const auto& found : ranked)
    if (found.tied) tied.push_back(found.assumed);
  if (ranked.size() == 1) return fmt::format("Only {} was compared.", ranked[0].assumed);
  if (tied.size() == 1 && !ranking.unsettled.empty())
    return fmt::format("The data seem to prefer {}, but Markov chains had not agreed under {}.",
                       tied[0], fmt::join(ranking.unsettled, ", "));
  if (tied.size() == 1) return fmt::format("The data prefer {}.", tied[0]);
  return fmt::format(
      "The data cannot tell {} apart: within {} standard errors of the best, or {} nats.",
      fmt::join(tied, ", "), kTiedWithin, kTiedNats);
}

const std::vector<std::string>& ranking_formats() {
  static const std::vector<std::string> all{"table", "csv", "json"};
  return all;
}

std::string render(const std::vector<CohortRanking>& rankings, const std::string& format) {
  if (format == "csv") return as_csv(rankings);
  if (format == "json") return as_json(rankings);
  return as_table(rankings);
}

std::string checks_csv(const std::vector<CohortRanking>& rankings) {
  Rows rows{{"cohort", "hypothesis"}};
  for (const auto& name : check_columns()) rows[0].push_back(name);
  for (const auto& ranking : rankings)
    for (const auto& found : ranking.hypotheses)
      for (const auto& check : found.checks) {
        rows.push_back({ranking.cohort, found.assumed});
        for (const auto& text : check_cells(check)) rows.back().push_back(text);
      }
  return csv(rows);
}

std::string render(const std::vector<PreferenceTable>& tables,
                   const std::vector<std::string>& caveats, const std::vector<std::string>& axes,
                   const std::string& format) {
  if (format == "csv") return csv(flat(tables, axes));
  if (format == "json") return as_json(tables, caveats, axes);
  std::string out;
  for (const auto& table : tables) {
    if (!out.empty()) out += "\n";
    if (format == "latex")
      out += latex(cells(table), 1, heading(table, axes));
    else if (format == "markdown")
      out += heading(table, axes) + "\n\n" + markdown(cells(table)) + confusable(table);
    else
      out += heading(table, axes) + "\n" + aligned(cells(table)) + confusable(table);
  }
  for (const auto& caveat : caveats)
    out += (format == "latex" ? "% " : "") + printable(caveat, "") + "\n";
  return out;
}

}  // namespace tempo
