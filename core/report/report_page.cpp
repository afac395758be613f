#include "report/report_page.hpp"

#include <nlohmann/json.hpp>

#include "data/installed_files.hpp"
#include "data/text_file.hpp"
#include "report/misfit_text.hpp"
#include "report/page_parts.hpp"
#include "results/codec.hpp"
#include "results/lock_files.hpp"
#include "tempo/error.hpp"
#include "tempo/version.hpp"

namespace tempo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kDataGoesHere = "{{report}}";

}  // namespace

const char* const kHowToGetReport =
    "the page of reports was not built. Install Node.js and npm (Debian: apt install nodejs npm), "
    "with a network, then configure (without -DTEMPO_REPORT=OFF) and build tempo again";

Json report_data(Store& store, const std::string& lock) {
  return report_data(store, lock, store.results());
}

Json report_data(Store& store, const std::string& lock, RunResults results, People people) {
  store.show_names();
  results = store.shown_names().shown(std::move(results));
  const auto description = store.description();
  Json out{{"schema", 1}, {"tempo", TEMPO_VERSION}, {"name", results.name}, {"axes", results.axes}};
  out["about"] = description ? codec::to_json(*description) : Json::object();
  out["names"] = {{"methods", store.shown_names().methods_by_name()},
                  {"hypotheses", store.shown_names().hypotheses_by_name()}};
  out["content"] = store.plan_key();
  out["lock"] = lock;
  page::add_fits(results, out);
  const auto limit = description ? description->limit : std::string();
  page::add_tables(results, limit, out);
  page::add_curves(results, limit, store, out);
  out["failures"] = page::remarks(failures_of(results));
  out["warnings"] = page::remarks(warnings_of(results, WarningScope::all));
  out["misfits"] =
      misfit_lines(description ? description->misfits : std::vector<RunDescription::Misfit>());
  out["models"] = page::models(store.planned_models());
  out["rank_posteriors"] = page::rank_posteriors(first_rank_posteriors(store));
  page::add_real_cohorts(store, results.axes, people, out);
  page::add_calibration(store, results.axes, out);
  page::add_evidence(store, results.axes, out);
  if (people == People::withheld) {
    const WithheldIds ids(store.cohorts());
    for (const auto* texts : {"failures", "warnings", "misfits", "cohorts"})
      if (out.contains(texts)) ids.remove_from(out[texts]);
    if (out.contains("analysis") && out["analysis"].contains("cohorts"))
      ids.remove_from(out["analysis"]["cohorts"]);
  }
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
  const auto folder = installed_files();
  return {folder / "report.html", folder / "figure_files.mjs"};
}

void write_report(Store& store, const std::filesystem::path& run_folder,
                  const std::filesystem::path& out) {
  write_report(store, run_folder, out, store.results());
}

void write_report(Store& store, const std::filesystem::path& run_folder,
                  const std::filesystem::path& out, RunResults results, People people) {
  Problems problems;
  auto page = read_text_file(report_files().page, problems);
  problems.throw_if_any();
  // A run folder without its lock file has a report all the same.
  const auto data = report_data(store, lock_text(run_folder), std::move(results), people);
  write_text_file(out, fill_page(std::move(*page), data));
}

}  // namespace tempo
