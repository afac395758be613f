#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/withheld_ids.hpp"
#include "results/store.hpp"

namespace tempo {

/// Everything that the report of a run shows, from its store alone.
///
/// `fits` holds results.csv by column (`point`, `hypothesis`, `method` and `trained_on` are indices
/// into the lists of the same names, null for no score), `overall`, `summaries`, `against_limit`
/// and `cross` what `tempo results` gives as JSON for each metric; `overall` over all hypotheses
/// together. The rest: `failures` and `warnings` (each text once), `models` with their histories,
/// `rank_posteriors` (first cohort of each hypothesis, [B, B] in per mille, with the true ranks and
/// why a fit is in doubt), `analysis` (tables of real cohorts by column, in its `cohorts` what is
/// said of each below them, and in its `distributions` histograms and what was fitted to them) and
/// `cohorts` (their intake), `evidence`, `about` (Store::description), `content` (Store::plan_key)
/// and `lock` (experiment.lock.toml, as given).
/// Names stand in place of ids, as Store::show_names gives them; `names` has the ids by them.
/// @param results  the store's, with ids, and perhaps with scores from outside
/// @param people   withheld: texts name no participant of a real cohort, and intakes have no notes
nlohmann::ordered_json report_data(Store& store, const std::string& lock, RunResults results,
                                   People people = People::withheld);
/// The same without scores from outside.
nlohmann::ordered_json report_data(Store& store, const std::string& lock);

/// The page with the data in it. Whatever texts the data hold, they end no element and start none.
/// @param page  the page as it was built, without data
/// @throws Error if that is no such page.
std::string fill_page(std::string page, const nlohmann::ordered_json& data);

/// The files that the report is made with, built apart from the program since this takes Node.js.
struct ReportFiles {
  std::filesystem::path page;  ///< without data
  /// The script that draws the figures of a finished page into files.
  std::filesystem::path figure_files;

  bool are_there() const { return std::filesystem::exists(page); }
};
ReportFiles report_files();

/// What to do if they are not there; the end of a sentence.
extern const char* const kHowToGetReport;

/// Writes the report of a run folder. @throws Error, InputError
/// @param results, people  as above
void write_report(Store& store, const std::filesystem::path& run_folder,
                  const std::filesystem::path& out, RunResults results,
                  People people = People::withheld);
void write_report(Store& store, const std::filesystem::path& run_folder,
                  const std::filesystem::path& out);

}  // namespace tempo
