#include "report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "analysis/analysis.hpp"
#include "analysis/evidence.hpp"
#include "analysis/fitted_cohorts.hpp"
#include "analysis/summary.hpp"
#include "data/csv_rows.hpp"
#include "data/text_file.hpp"
#include "report/tables.hpp"
#include "tempo/error.hpp"
#include "tempo/version.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

/// Places in lists of distinct values, in the order they come up.
template <class Value>
class Numbering {
 public:
  std::size_t operator()(const Value& value) {
    const auto [at, is_new] = numbers_.emplace(value, values_.size());
    if (is_new) values_.push_back(value);
    return at->second;
  }
  const std::vector<Value>& values() const { return values_; }

 private:
  std::map<Value, std::size_t> numbers_;
  std::vector<Value> values_;
};

/// Whether a row belongs into tables of methods: a trained method counts by the model of the
/// hypothesis at hand, or of all.
RunResults in_distribution(const RunResults& results) {
  RunResults out{results.name, results.axes, {}};
  std::copy_if(results.rows.begin(), results.rows.end(), std::back_inserter(out.rows),
               [](const ResultRow& row) { return is_in_distribution(row); });
  return out;
}

/// The rows as if they were of one hypothesis.
RunResults pooled(RunResults results) {
  for (auto& row : results.rows) {
    row.hypothesis.clear();
    row.trained_on.clear();
  }
  return results;
}

/// The rows of a table as `tempo results --format json` has it.
Json rows_of(const std::string& text, const char* key) { return Json::parse(text)[key]; }

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json fits(const RunResults& results, Json& out) {
  Numbering<std::vector<std::string>> points;
  Numbering<std::string> hypotheses, methods, models;
  std::map<std::string, std::string> labels;
  Json columns;
  for (const auto& row : results.rows) {
    columns["point"].push_back(points(row.axis_values));
    columns["hypothesis"].push_back(hypotheses(row.hypothesis));
    columns["cohort"].push_back(row.cohort);
    columns["method"].push_back(methods(row.method));
    columns["trained_on"].push_back(row.trained_on.empty() ? Json() : Json(models(row.trained_on)));
    columns["in_distribution"].push_back(is_in_distribution(row) ? 1 : 0);
    columns["status"].push_back(static_cast<int>(row.status));
    const bool is_ok = row.status == ResultRow::Status::ok;
    for (const auto& metric : metrics())
      columns[metric.name].push_back(is_ok ? number(row.*metric.value) : Json());
    labels[row.method] = row.labels;
  }
  out["points"] = points.values();
  out["hypotheses"] = hypotheses.values();
  out["methods"] = Json::array();
  for (const auto& method : methods.values())
    out["methods"].push_back({{"id", method}, {"labels", labels[method]}});
  out["trained_on"] = models.values();
  return columns;
}

/// What was said of fits: each text once, with the methods, how often and where first.
class Remarks {
 public:
  void add(const ResultRow& row, const std::string& text) {
    const auto at = numbers_(text);
    if (at == remarks_.size()) remarks_.push_back({row, {}, 0});
    remarks_[at].methods.insert(row.method);
    ++remarks_[at].count;
  }
  Json list() const {
    Json out = Json::array();
    for (std::size_t i = 0; i < remarks_.size(); ++i)
      out.push_back({{"text", numbers_.values()[i]},
                     {"methods", remarks_[i].methods},
                     {"fits", remarks_[i].count},
                     {"hypothesis", remarks_[i].first.hypothesis},
                     {"cohort", remarks_[i].first.cohort},
                     {"trained_on", remarks_[i].first.trained_on}});
    return out;
  }

 private:
  struct Remark {
    ResultRow first;
    std::set<std::string> methods;
    std::size_t count;
  };
  Numbering<std::string> numbers_;
  std::vector<Remark> remarks_;
};

Json model(const ModelRecord& record) {
  Json out{{"name", record.name},
           {"method", record.method},
           {"trained_on", record.trained_on},
           {"seconds", number(record.seconds)},
           {"warnings", record.warnings},
           {"columns", Json::array()},
           {"epochs", Json::array()}};
  Problems ignored;  // tempo wrote it
  for_each_csv_row(record.history, record.name, ignored, [&](const CsvRow& row) {
    auto& line = out["columns"].empty() ? out["columns"] : out["epochs"].emplace_back();
    const bool is_head = &line == &out["columns"];
    for (const auto& field : row) {
      const auto value = is_head ? Json() : Json::parse(field.text, nullptr, false);
      line.push_back(is_head ? Json(field.text) : value.is_number() ? value : Json());
    }
  });
  return out;
}

/// Probabilities in per mille: what a colour can show.
Json in_per_mille(const nlohmann::json& matrix) {
  constexpr double kScale = 1000.0;
  Json out = Json::array();
  for (const auto& row : matrix) {
    auto& cells = out.emplace_back(Json::array());
    for (const auto& cell : row)
      cells.push_back(std::lround(kScale * (cell.is_number() ? cell.get<double>() : 0.0)));
  }
  return out;
}

Json rank_posteriors(Store& store, const RunResults& results) {
  Json out = Json::array();
  const auto id = [](const ResultRow& row) {
    return std::tie(row.axis_values, row.hypothesis, row.cohort, row.method, row.trained_on);
  };
  std::map<decltype(id(results.rows[0])), const ResultRow*> with_warnings;
  for (const auto& row : results.rows) with_warnings.emplace(id(row), &row);
  const auto models = store.models();
  for (const auto& [row, text] : store.first_details()) {
    if (!is_in_distribution(row)) continue;
    const auto details = nlohmann::json::parse(text);
    const auto posterior = details.find("rank_posterior");
    // Those of a real cohort, whose biomarkers are kept elsewhere, are in its analysis.
    if (posterior == details.end() || !details.contains("biomarkers")) continue;
    auto doubts = doubts_of_model(*with_warnings.at(id(row)), models, store);
    if (auto doubt = doubt_of_chains(details)) doubts.push_back(std::move(*doubt));
    out.push_back(
        {{"sweep", row.axis_values},
         {"hypothesis", row.hypothesis},
         {"cohort", row.cohort},
         {"method", row.method},
         {"trained_on", row.trained_on},
         {"doubts", doubts},
         {"biomarkers", details["biomarkers"]},
         {"true_ranks",
          details.value("true_ranks", nlohmann::json())},  // runs of older versions kept none
         {"per_mille", in_per_mille(*posterior)}});
  }
  return out;
}

/// Rows of objects with equal keys as a list per key: a third of the text.
Json by_column(const Json& rows) {
  Json out = Json::object();
  for (const auto& row : rows)
    for (const auto& [key, value] : row.items()) out[key].push_back(value);
  return out;
}

/// What lines below the tables of a real cohort say: which fits and biomarkers are in doubt and
/// why, and what is left out.
Json caution(const FittedCohort& cohort, const std::vector<std::string>& axes) {
  Json out;
  for (std::size_t axis = 0; axis < axes.size(); ++axis)
    out["sweep"][axes[axis]] = cohort.axis_values[axis];
  out["cohort"] = cohort.name;
  const auto ids = [&](std::size_t f) {
    return Json{{"method", cohort.fits[f].method}, {"trained_on", cohort.fits[f].model}};
  };
  out["doubts"] = Json::array();
  for (std::size_t f = 0; f < cohort.fits.size(); ++f)
    if (const auto& doubts = cohort.fits[f].doubts; !doubts.empty()) {
      out["doubts"].push_back(ids(f));
      out["doubts"].back()["why"] = doubts;
    }
  out["not_separating"] = cohort.not_separating ? Json(*cohort.not_separating) : Json();
  out["why_not_separating"] = kNotSeparating;
  out["groups_ordered"] = cohort.groups_ordered;
  out["without_times"] = Json::array();
  for (const auto& [fits, why, can_be_asked_for] : timeline(cohort).left_out) {
    out["without_times"].push_back({{"fits", Json::array()}, {"why", why}});
    for (const auto f : fits) out["without_times"].back()["fits"].push_back(ids(f));
  }
  return out;
}

/// What is said of real cohorts: tables of their analysis, and what became of whom.
void add_real_cohorts(Store& store, const RunResults& results, Json& out) {
  out["cohorts"] = Json::array();
  for (const auto& cohort : store.cohorts())
    out["cohorts"].push_back(
        {{"sweep", cohort.axis_values}, {"name", cohort.name}, {"intake", cohort.intake}});
  auto cohorts = fitted_cohorts(store, {.stages = true, .posteriors = true, .replicates = true});
  std::erase_if(cohorts, [](const FittedCohort& cohort) { return cohort.fits.empty(); });
  if (cohorts.empty()) return;
  for (const auto& cohort : cohorts)
    out["analysis"]["cohorts"].push_back(caution(cohort, results.axes));
  for (const auto* table :
       {"ranks", "positional-variance", "timeline", "stages", "groups", "agreement"})
    out["analysis"][table] =
        by_column(rows_of(render_analysis(table, cohorts, results.axes, "json"), "rows"));
}

constexpr std::string_view kDataGoesHere = "{{report}}";

}  // namespace

const char* const kHowToGetReport =
    "the page of reports was not built. Install Node.js and npm (Debian: apt install nodejs npm), "
    "with a network, then configure (without -DTEMPO_REPORT=OFF) and build tempo again";

Json report_data(Store& store, const std::string& lock) {
  const auto results = store.results();
  const auto about = store.about();
  Json out{{"schema", 1}, {"tempo", TEMPO_VERSION}, {"name", results.name}, {"axes", results.axes}};
  out["about"] = about.empty() ? Json::object() : Json::parse(about);
  out["content"] = store.plan_key();
  out["lock"] = lock;
  out["fits"] = fits(results, out);

  const auto counted = in_distribution(results);
  const auto limit = out["about"].value("limit", std::string());
  out["metrics"] = Json::array();
  for (const auto& metric : metrics()) {
    out["metrics"].push_back(
        {{"name", metric.name}, {"title", metric.title}, {"decimals", metric.decimals}});
    out["overall"][metric.name] =
        rows_of(render(summarise(pooled(counted), metric), metric, "json"), "rows");
    out["summaries"][metric.name] =
        rows_of(render(summarise(results, metric), metric, "json"), "rows");
    if (!limit.empty())
      out["against_limit"][metric.name] =
          rows_of(render(summarise_against(limit, results, metric), metric, "json"), "rows");
    if (const auto tables = cross_tables(results, metric); !tables.empty())
      out["cross"][metric.name] = rows_of(render(tables, results.axes, metric, "json"), "tables");
  }

  Remarks failures, warnings;
  for (const auto& row : results.rows) {
    if (row.status == ResultRow::Status::failed) failures.add(row, row.error);
    for (const auto& warning : row.warnings) warnings.add(row, warning);
  }
  out["failures"] = failures.list();
  out["warnings"] = warnings.list();
  out["models"] = Json::array();
  for (const auto& record : store.planned_models()) out["models"].push_back(model(record));
  out["rank_posteriors"] = rank_posteriors(store, results);
  add_real_cohorts(store, results, out);
  const auto fits = store.evidence();
  if (const auto evidence = preference_tables(fits); !evidence.empty())
    out["evidence"] =
        Json::parse(render(evidence, evidence_caveats(fits, store.about()), results.axes, "json"));
  return out;
}

std::string fill_page(std::string page, const Json& data) {
  const auto place = page.find(kDataGoesHere);
  if (place == std::string::npos) throw Error("the page of reports has no place for data");
  // ASCII only; and JSON inside <script> is safe once it holds no `<`.
  const auto text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return page.replace(place, kDataGoesHere.size(), safe);
}

ReportFiles report_files() {
  std::error_code failure;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
  const auto folder =
      (program.parent_path() / ".." / TEMPO_DATA_FOLDER / "tempo").lexically_normal();
  return {folder / "report.html", folder / "figure_files.mjs"};
}

void write_report(Store& store, const std::filesystem::path& run_folder,
                  const std::filesystem::path& out) {
  Problems problems;
  auto page = read_text_file(report_files().page, problems);
  problems.throw_if_any();
  Problems absent;  // a run folder without its lock file has a report all the same
  const auto lock = read_text_file(run_folder / "experiment.lock.toml", absent);
  write_text_file(out, fill_page(std::move(*page), report_data(store, lock.value_or(""))));
}

}  // namespace tempo
