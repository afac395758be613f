#include <cmath>
#include <nlohmann/json.hpp>

#include "report/calibration_table.hpp"
#include "report/evidence_tables.hpp"
#include "report/page_parts.hpp"

namespace tempo::page {
namespace {

Json model(const ModelRecord& record) {
  Json out{{"name", record.name},
           {"method", record.method},
           {"trained_on", record.trained_on},
           {"seconds", number(record.seconds)},
           {"warnings", record.warnings},
           {"columns", record.history.columns},
           {"epochs", Json::array()}};
  for (const auto& epoch : record.history.epochs) {
    auto& line = out["epochs"].emplace_back(Json::array());
    for (const double value : epoch) line.push_back(number(value));
  }
  return out;
}

Json in_per_mille(const Matrix& matrix) {
  constexpr double kScale = 1000.0;
  Json out = Json::array();
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    auto& cells = out.emplace_back(Json::array());
    for (const double share : matrix.row(i))
      cells.push_back(std::lround(kScale * (std::isfinite(share) ? share : 0.0)));
  }
  return out;
}

}  // namespace

Json remarks(const Remarks& said) {
  auto out = Json::array();
  for (const auto& [text, methods, fits, replicates, first, status] : said.all())
    out.push_back({{"text", text},
                   {"status", static_cast<int>(status)},
                   {"methods", methods},
                   {"fits", fits},
                   {"replicates", replicates},
                   {"hypothesis", generated_by(first)},
                   {"cohort", first.cohort},
                   {"trained_on", rests_on(first)}});
  return out;
}

Json models(const std::vector<ModelRecord>& records) {
  auto out = Json::array();
  for (const auto& record : records) out.push_back(model(record));
  return out;
}

Json rank_posteriors(const std::vector<RankPosterior>& posteriors) {
  auto out = Json::array();
  for (const auto& [id, doubts, biomarkers, true_ranks, posterior] : posteriors)
    out.push_back({{"sweep", id.axis_values},
                   {"hypothesis", generated_by(id)},
                   {"cohort", id.cohort},
                   {"method", id.method},
                   {"trained_on", rests_on(id)},
                   {"doubts", doubts},
                   {"biomarkers", biomarkers},
                   {"true_ranks", true_ranks.empty() ? Json() : Json(true_ranks)},
                   {"per_mille", in_per_mille(posterior)}});
  return out;
}

void add_calibration(Store& store, const std::vector<std::string>& axes, Json& out) {
  out["calibration"] = rows_as_json(calibration_table(calibration_by_method(store), axes));
}

void add_evidence(Store& store, const std::vector<std::string>& axes, Json& out) {
  const auto fits = evidence_of_fits(store);
  const auto tables = preference_tables(fits);
  if (tables.empty()) return;
  const auto caveats = evidence_caveats(fits, store.description());
  out["evidence"] = *preference_table(tables, caveats, axes).document;
}

}  // namespace tempo::page
