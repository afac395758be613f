#include "report/plausibility_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/append.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWhyNotJudged =
    "two normals were estimated, which are not what its biomarkers are drawn from, so that cohorts "
    "simulated with them differ from this one even if it is true; give the distributions "
    "(--biomarkers T), or see the checks of 'tempo compare', which finds them under each "
    "hypothesis";

std::string text_of(double number, int decimals) {
  return std::isnan(number) ? "-" : fmt::format("{:.{}f}", number, decimals);
}

std::string oddest_of(const Plausibility& found) {
  std::string out;
  for (const auto& [statistic, z] : found.oddest)
    out += fmt::format("{}{} ({:+.1f} sd)", out.empty() ? "" : ", ", statistic, z);
  return out;
}

std::string note_of(const std::vector<std::string>& not_judged, ParametersAre parameters) {
  std::string out;
  if (!not_judged.empty())
    out = fmt::format("{}: not judged: {}", fmt::join(not_judged, ", "), kWhyNotJudged);
  if (parameters == ParametersAre::estimated)
    out += std::string(out.empty() ? "" : "\n") +
           "note: the distributions were estimated from this very cohort, which moves p either "
           "way: it is no test, and compares hypotheses only";
  return out;
}

Block block_of(const std::vector<Plausibility>& found, const std::vector<std::string>& not_judged,
               ParametersAre parameters) {
  Rows rows{{"hypothesis", "distance", "p"}};
  for (const auto kind : kStatisticKinds) rows[0].emplace_back(kind);
  rows[0].emplace_back("oddest");
  for (const auto& one : found) {
    auto& row = rows.emplace_back(
        Rows::value_type{one.hypothesis, text_of(one.distance, 2), text_of(one.p, 3)});
    for (const auto distance : one.distances) row.push_back(text_of(distance, 2));
    row.push_back(oddest_of(one));
  }
  for (const auto& id : not_judged) {
    rows.emplace_back(rows[0].size(), "-");
    rows.back().front() = id;
  }
  return {.heading = "", .rows = std::move(rows), .note = note_of(not_judged, parameters)};
}

Json as_json(const Plausibility& found) {
  Json out{{"hypothesis", found.hypothesis},
           {"simulations", found.simulations},
           {"distance", found.distance},
           {"p", found.p}};
  for (std::size_t kind = 0; kind < kStatisticKinds.size(); ++kind)
    out["distances"][std::string(kStatisticKinds[kind])] = found.distances[kind];
  for (const auto& [statistic, z] : found.oddest)
    out["oddest"].push_back({{"statistic", statistic}, {"z", z}});
  return out;
}

/// CSV has no NaN: nothing.
Cell cell_of(double number) { return std::isnan(number) ? Cell() : Cell(number); }

}  // namespace

Table plausibility_table(const std::string& cohort, std::vector<Plausibility> found,
                         const std::vector<std::string>& not_judged, ParametersAre parameters) {
  const std::string origin = parameters == ParametersAre::estimated ? "estimated" : "known";
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.distance < b.distance; });
  Table out;
  out.blocks = {block_of(found, not_judged, parameters)};
  out.columns = {"cohort", "hypothesis", "distance", "p", "simulations"};
  for (const auto kind : kStatisticKinds) out.columns.emplace_back(kind);
  append(out.columns, {"oddest", "parameters"});
  auto document = std::make_shared<Json>(Json{{"cohort", cohort}, {"parameters", origin}});
  auto& list = (*document)["hypotheses"] = Json::array();
  for (const auto& one : found) {
    list.push_back(as_json(one));
    auto& row = out.rows.emplace_back(std::vector<Cell>{
        cohort, one.hypothesis, cell_of(one.distance), cell_of(one.p), one.simulations});
    for (const auto distance : one.distances) row.push_back(cell_of(distance));
    append(row, {oddest_of(one), origin});
  }
  for (const auto& id : not_judged) {
    list.push_back(
        {{"hypothesis", id}, {"distance", nullptr}, {"p", nullptr}, {"why", kWhyNotJudged}});
    auto& row = out.rows.emplace_back(out.columns.size());
    row[0] = cohort;
    row[1] = id;
    row.back() = origin;
  }
  out.document = std::move(document);
  return out;
}

}  // namespace tempo
