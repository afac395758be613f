// A store of which one cell lies.

#include "results/store.hpp"

#include <array>
#include <string>

#include "analysis/fitted_cohorts.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

/// A store of a simulated and a real cohort, two fits each.
std::filesystem::path a_store() {
  auto file = scratch() / "results.sqlite";
  Store store(file, Database::Mode::create);
  const auto fit = [](const char* key, CohortOrigin origin, const char* method,
                      std::size_t cohort) {
    PlannedFit out;
    out.id = {.axis_values = {},
              .origin = origin,
              .hypothesis = origin == CohortOrigin::real ? "" : "h",
              .cohort = cohort,
              .method = method,
              .trained_on = "",
              .assumed = "",
              .labels = "fit"};
    out.key = out.slot = key;
    out.recipe = "recipe";
    out.cohort_key = "cohort";
    return out;
  };
  const std::vector<PlannedFit> fits{
      fit("a", CohortOrigin::hypothesis, "m", 0), fit("b", CohortOrigin::hypothesis, "n", 0),
      fit("c", CohortOrigin::real, "m", 0), fit("d", CohortOrigin::real, "m", 1)};
  StoredCohort real;
  real.name = "clinic.csv";
  real.participants = {"p", "q", "r"};
  real.diseased = {0, 1, 1};
  real.diagnoses = {"CN", "AD", "AD"};
  real.biomarkers = {"x", "y"};
  Cohort content{real.participants, real.biomarkers, Matrix(3, 2), real.diseased, real.diagnoses};
  StoredPlan plan;
  plan.name = "run";
  plan.fits = fits;
  plan.recipes = {{"recipe", "{}"}};
  plan.cohorts = {real};
  plan.content = CohortContent{"key", content, {}, {}};
  store.set_plan(plan);
  FitRecord record;
  record.result.status = FitStatus::ok;
  record.details.event_scores = {1.0, 2.0};
  record.details.stages = {0.0, 1.0, 2.0};
  store.add({{&fits[0], record}, {&fits[1], record}, {&fits[2], record}, {&fits[3], record}});
  ModelRecord model;
  model.key = model.slot = "m";
  model.name = model.method = "m";
  store.add(model);
  store.set_description({});
  SimulatedCohort simulated;
  simulated.cohort = content;
  simulated.truth.event_ranks = Ranks({1, 2});
  simulated.truth.event_times = {1.0, 2.0};
  simulated.truth.ordinal_stages = {0, 1, 2};
  simulated.truth.subtypes =
      TrueSubtypes{{{{1.0, 2.0}, Ranks({1, 2})}, {{2.0, 1.0}, Ranks({2, 1})}}, {-1, 0, 1}};
  store.add_truths({{"cohort", simulated}});
  return file;
}

void read_all(Store& store) {
  store.visit([](const StoredFit& fit) {
    try {
      fit.details(DetailParts::all());
    } catch (const Error&) {
    }
  });
  const auto asked = [](const auto& question) {
    try {
      question();
    } catch (const Error&) {
    }
  };
  asked([&] { store.models(); });
  asked([&] { store.planned_models(); });
  asked([&] { store.planned_cohorts(); });
  asked([&] { store.cohorts(); });
  asked([&] { store.cohort_content(); });
  asked([&] { store.description(); });
  asked([&] { store.makers(); });
  asked([&] { store.truth("cohort"); });
  asked([&] { store.show_names(); });
  asked([&] { store.results(); });
  WantedOfFits wanted;
  wanted.parts = DetailParts::all();
  wanted.replicates = WantedOfFits::Replicates::read;
  fitted_cohorts(store, wanted);
}

/// The first byte of the input names a cell, the rest is what it holds.
void read_store_input(std::string_view input) {
  static const auto file = a_store();
  // The first byte says which cell; corpora know them by it, so further ones come last.
  constexpr char kFirst = '>';
  static constexpr std::array kCells{"meta SET value = ? WHERE name = 'layout'",
                                     "meta SET value = ? WHERE name = 'axes'",
                                     "meta SET value = ? WHERE name = 'about'",
                                     "recipes SET json = ?",
                                     "plan SET axis_values = ?",
                                     "plan SET cohort = ?",
                                     "plan SET is_real = ?",
                                     "plan SET hypothesis = ?",
                                     "fits SET status = ?",
                                     "fits SET tau_distance = ?",
                                     "fits SET warnings = ?",
                                     "fits SET details = ?",
                                     "models SET warnings = ?",
                                     "models SET history = ?",
                                     "cohorts SET participants = ?",
                                     "cohorts SET diseased = ?",
                                     "cohorts SET diagnoses = ?",
                                     "cohorts SET groups = ?",
                                     "cohorts SET biomarkers = ?",
                                     "cohorts SET axis_values = ?",
                                     "cohort_contents SET not_separating = ?",
                                     "cohort_contents SET adjustment = ?",
                                     "cohort_contents SET distributions = ?",
                                     "cohort_contents SET measurements = ?",
                                     "makers SET libraries = ?",
                                     "truths SET participants = ?",
                                     "truths SET biomarkers = ?",
                                     "truths SET diseased = ?",
                                     "truths SET ranks = ?",
                                     "truths SET event_times = ?",
                                     "truths SET stages = ?",
                                     "true_subtypes SET json = ?"};
  if (input.empty()) return;
  const auto damaged = scratch() / "damaged.sqlite";
  std::filesystem::copy_file(file, damaged, std::filesystem::copy_options::overwrite_existing);
  {
    Database database(damaged, Database::Mode::create);
    const auto* cell = kCells[static_cast<unsigned char>(input.front() - kFirst) % kCells.size()];
    database.prepare(std::string("UPDATE ") + cell).bind(1, input.substr(1)).run();
  }
  Store store(damaged, Database::Mode::read);
  read_all(store);
}

const Added kStoreTarget("store", read_store_input);

}  // namespace
}  // namespace tempo::fuzz
