#include "report/evidence_tables.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/append.hpp"
#include "report/check_tables.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

// ---- rankings of cohorts

Rows texts_of(const CohortRanking& ranking) {
  Rows rows{{"hypothesis", "elpd_loo", "difference", "se", "elpd_waic", "k > 0.7"}};
  for (const auto& found : ranking.hypotheses)
    rows.push_back({found.assumed, fmt::format("{:.1f}", found.elpd_loo),
                    fmt::format("{:.1f}", found.difference),
                    fmt::format("{:.1f}", found.difference_se),
                    fmt::format("{:.1f}", found.elpd_waic), std::to_string(found.pareto_k_high)});
  return rows;
}

/// How often each hypothesis is the best, alone or not.
Rows texts_of(const std::vector<PreferenceCount>& counts) {
  Rows rows{{"hypothesis", "best", "best or cannot be told from it", "mean difference"}};
  for (const auto& count : counts)
    rows.push_back({count.assumed, fmt::format("{}/{}", count.best, count.ranked),
                    fmt::format("{}/{}", count.tied, count.ranked),
                    fmt::format("{:.1f}", count.mean_difference)});
  return rows;
}

/// The verdict, what it depends on, and a line per hypothesis that has checks.
std::string note_of(const CohortRanking& ranking) {
  auto out = verdict(ranking);
  for (const auto& caveat : ranking.caveats) out += "\n" + caveat;
  for (const auto& found : ranking.hypotheses)
    if (!found.checks.empty())
      out += fmt::format("\nUnder {} {}.", found.assumed, in_words(found.checks));
  return out;
}

Block block_of(const CohortRanking& ranking) {
  return {.heading = fmt::format("{}: {} participants, {} biomarkers", ranking.cohort,
                                 ranking.participants, ranking.biomarkers),
          .rows = texts_of(ranking),
          .note = note_of(ranking)};
}

Json as_json(const RankedHypothesis& found) {
  Json out{{"hypothesis", found.assumed},
           {"elpd_loo", found.elpd_loo},
           {"elpd_loo_se", found.elpd_loo_se},
           {"difference", found.difference},
           {"difference_se", found.difference_se},
           {"elpd_mcse", found.elpd_mcse},
           {"elpd_waic", found.elpd_waic},
           {"pareto_k_high", found.pareto_k_high},
           {"weight", found.weight},
           {"tied", found.tied},
           {"checks", Json::array()}};
  for (const auto& check : found.checks) out["checks"].push_back(tempo::as_json(check));
  return out;
}

Json as_json(const CohortRanking& ranking) {
  Json out{{"cohort", ranking.cohort},         {"participants", ranking.participants},
           {"biomarkers", ranking.biomarkers}, {"verdict", verdict(ranking)},
           {"caveats", ranking.caveats},       {"hypotheses", Json::array()}};
  for (const auto& found : ranking.hypotheses) out["hypotheses"].push_back(as_json(found));
  return out;
}

// ---- preferences in a run

/// Head and a row per generating hypothesis.
Rows texts_of(const PreferenceTable& table) {
  Rows rows{{"cohorts of", "ranked"}};
  append(rows[0], table.methods);
  for (const auto& row : table.rows) {
    rows.push_back({row.generating, fmt::format("{}/{}", row.ranked, row.planned)});
    for (const auto& cell : row.cells)
      rows.back().push_back(row.ranked == 0 ? "-"
                                            : fmt::format("{} ({}) {:.1f}", cell.preferred,
                                                          cell.tied, cell.mean_difference));
  }
  return rows;
}

/// A line per hypothesis on most of whose cohorts several methods cannot be told apart.
std::string confusable(const PreferenceTable& table) {
  std::string out;
  for (const auto& row : table.rows) {
    std::vector<std::string> names;
    for (std::size_t m = 0; m < table.methods.size(); ++m)
      if (row.is_mostly_tied(m)) names.push_back(table.methods[m]);
    if (names.size() > 1)
      out += fmt::format("{}cannot be told apart on most cohorts of {}: {}",
                         out.empty() ? "" : "\n", row.generating, fmt::join(names, ", "));
  }
  return out;
}

Block block_of(const PreferenceTable& table, const std::vector<std::string>& axes) {
  return {.heading = point_in_words(axes, table.axis_values) +
                     "evidence: on how many cohorts of the row the column has the largest elpd_loo "
                     "(in brackets: cannot be told from the largest), and its mean difference to "
                     "the largest, in nats",
          .rows = texts_of(table),
          .aside = confusable(table),
          .name_columns = 1};
}

/// The mean of a row's cells; nothing where no cohort was ranked.
std::optional<double> if_ranked(const PreferenceTable::Row& row, double mean) {
  return row.ranked > 0 ? std::optional(mean) : std::nullopt;
}

void add_rows(const PreferenceTable& table, std::vector<std::vector<Cell>>& rows) {
  for (const auto& row : table.rows)
    for (std::size_t m = 0; m < table.methods.size(); ++m) {
      const auto& [preferred, tied, mean_difference, difference_se] = row.cells[m];
      auto& cells = rows.emplace_back(table.axis_values.begin(), table.axis_values.end());
      append(cells, {row.generating, table.methods[m], preferred, tied,
                     cell(if_ranked(row, mean_difference)), cell(if_ranked(row, difference_se)),
                     row.ranked, row.planned});
    }
}

Json as_json(const PreferenceTable& table, const std::vector<std::string>& axes) {
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  Json out;
  if (!axes.empty()) out["sweep"] = point_as_json(axes, table.axis_values);
  out["methods"] = table.methods;
  out["rows"] = Json::array();
  for (const auto& row : table.rows) {
    Json of_row{{"hypothesis", row.generating},
                {"ranked", row.ranked},
                {"planned", row.planned},
                {"cells", Json::array()}};
    for (const auto& found : row.cells)
      of_row["cells"].push_back({{"preferred", found.preferred},
                                 {"tied", found.tied},
                                 {"mean_difference", number(if_ranked(row, found.mean_difference))},
                                 {"difference_se", number(if_ranked(row, found.difference_se))}});
    out["rows"].push_back(std::move(of_row));
  }
  return out;
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
  static const std::vector<std::string> all{std::string(to_string(TableFormat::table)),
                                            std::string(to_string(TableFormat::csv)),
                                            std::string(to_string(TableFormat::json))};
  return all;
}

Table ranking_table(const std::vector<CohortRanking>& rankings) {
  Table out;
  out.columns = {"cohort",      "rank",          "hypothesis",    "elpd_loo",
                 "elpd_loo_se", "difference",    "difference_se", "elpd_mcse",
                 "elpd_waic",   "pareto_k_high", "weight",        "tied"};
  auto document = std::make_shared<Json>();
  auto& list = (*document)["cohorts"] = Json::array();
  for (const auto& ranking : rankings) {
    out.blocks.push_back(block_of(ranking));
    list.push_back(as_json(ranking));
    for (std::size_t i = 0; i < ranking.hypotheses.size(); ++i) {
      const auto& found = ranking.hypotheses[i];
      out.rows.push_back({ranking.cohort, i + 1, found.assumed, found.elpd_loo, found.elpd_loo_se,
                          found.difference, found.difference_se, found.elpd_mcse, found.elpd_waic,
                          found.pareto_k_high, found.weight, found.tied});
    }
  }
  if (rankings.size() > 1)
    out.blocks.push_back({.heading = fmt::format("{} cohorts", rankings.size()),
                          .rows = texts_of(preferences_over(rankings))});
  out.document = std::move(document);
  return out;
}

Table ranking_check_table(const std::vector<CohortRanking>& rankings) {
  Table out;
  out.columns = {"cohort", "hypothesis"};
  append(out.columns, check_columns());
  for (const auto& ranking : rankings)
    for (const auto& found : ranking.hypotheses)
      for (const auto& check : found.checks) {
        auto& row = out.rows.emplace_back(std::vector<Cell>{ranking.cohort, found.assumed});
        append(row, check_cells(check));
      }
  return out;
}

std::vector<std::string> evidence_caveats(const std::vector<FitEvidence>& fits,
                                          const std::optional<RunDescription>& description) {
  const auto [methods, mismatched] = known_distributions(fits, description);
  const auto which =
      mismatched.empty() ? std::string() : fmt::format(" ({})", fmt::join(mismatched, ", "));
  std::vector<std::string> out;
  for (const auto& method : methods)
    out.push_back(fmt::format(
        "{} took the distributions of [cohorts] for known, two normals under every hypothesis: if "
        "they were estimated from the cohort, hypotheses with other measurements{} lose by that "
        "alone, and differences are too sure; a method that samples them finds them under each",
        method, which));
  return out;
}

Table preference_table(const std::vector<PreferenceTable>& tables,
                       const std::vector<std::string>& caveats,
                       const std::vector<std::string>& axes) {
  Table out;
  out.notes = caveats;
  out.axes = axes.size();
  out.columns = axes;
  append(out.columns, {"hypothesis", "method", "preferred", "tied", "mean_difference",
                       "difference_se", "ranked", "planned"});
  auto document = std::make_shared<Json>();
  auto& list = (*document)["tables"] = Json::array();
  for (const auto& table : tables) {
    out.blocks.push_back(block_of(table, axes));
    add_rows(table, out.rows);
    list.push_back(as_json(table, axes));
  }
  (*document)["caveats"] = caveats;
  out.document = std::move(document);
  return out;
}

}  // namespace tempo
