#include "cli/stage_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "analysis/counted_fits.hpp"
#include "analysis/fitted_cohorts.hpp"
#include "analysis/rank_table.hpp"
#include "cli/cohort_columns.hpp"
#include "cli/trained_model.hpp"
#include "data/content_key.hpp"
#include "data/estimated_biomarkers.hpp"
#include "data/names.hpp"
#include "data/real_cohort.hpp"
#include "report/doubts_text.hpp"
#include "run/models.hpp"
#include "run/run_folder.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kConsensus = "consensus";

/// A run of one real cohort: its fits, and the cohort as it was then.
struct StoredRun {
  fs::path folder;
  FittedCohort fits;
  CohortContent content;
};

/// Says so if the cohort's files hold another cohort by now: it is not the one that patients are
/// staged by.
void note_changes(const StoredRun& run) {
  const fs::path path = run.fits.name;
  if (std::error_code ignored; !fs::exists(path, ignored)) return;
  Problems problems;
  const auto now = read_real_cohort(path, problems);
  if (!problems.empty() || cohort_key(now.table.cohort) != run.content.key)
    std::cerr << fmt::format(
        "note: {} has changed since {} was made; new patients are staged by the "
        "cohort as it was then\n",
        run.fits.name, run.folder.string());
}

/// @throws InputError if the folder is no run of one real cohort.
StoredRun open_run(const fs::path& folder) {
  Problems problems;
  RunFolder::expect_store(folder, problems);
  problems.throw_if_any();
  Store store(RunFolder::store_in(folder), Database::Mode::read);
  auto cohorts = fitted_cohorts(store, {.parts = {DetailPart::subtypes}});
  auto content = store.cohort_content();
  const Place place{folder.string()};
  if (cohorts.empty())
    problems.add(place,
                 "has no real cohort ([cohorts] source = \"table\") whose fits could stage new "
                 "patients");
  else if (cohorts.size() > 1)
    problems.add(place, "is a sweep; which of its points should stage new patients?");
  else if (!content)
    problems.add(place,
                 "was made by a tempo that did not keep the cohort; run the experiment again");
  else if (cohorts.front().fits.empty())
    problems.add(place, "none of its fits is done");
  problems.throw_if_any();
  StoredRun out{folder, std::move(cohorts.front()), std::move(*content)};
  note_changes(out);
  return out;
}

/// The fit of --fit, or the only one; null for the consensus. @throws InputError
const CohortFit* find_fit(const Options& options, const StoredRun& run) {
  const auto& fits = run.fits.fits;
  if (!options.has("fit") && fits.size() == 1) return &fits.front();
  std::vector<std::string> names;
  for (const auto& fit : fits) names.push_back(fit.name());
  names.emplace_back(kConsensus);
  Problems problems;
  const auto place = command_line(options.command());
  if (!options.has("fit")) problems.add(place, "--fit is missing; expected " + one_of(names));
  problems.throw_if_any();
  const auto& name = options.get_text("fit");
  if (name == kConsensus) return nullptr;
  for (const auto& fit : fits)
    if (fit.name() == name) return &fit;
  problems.add(place, fmt::format("--fit: no fit '{}'; expected {}{}", name, one_of(names),
                                  did_you_mean(name, names)));
  throw InputError(problems);
}

/// The file of the model that made a fit; empty if its method is not trained.
/// @throws InputError if it is gone
std::string model_of(const CohortFit& fit, const StoredRun& run) {
  if (fit.model.empty()) return {};
  const auto models = Store(RunFolder::store_in(run.folder), Database::Mode::read).models();
  const auto model = std::find_if(models.begin(), models.end(),
                                  [&](const ModelRecord& known) { return known.key == fit.model; });
  Problems problems;
  if (model == models.end()) {
    problems.add({run.folder.string()},
                 fmt::format("has no model of '{}'; run the experiment again", fit.name()));
    throw InputError(problems);
  }
  const auto file = Models::folder_in(run.folder) / (model->name + Models::kModelEnding);
  const bool is_there = fs::exists(file);
  if (!is_there || file_key(file) != model->content)
    problems.add({file.string()}, fmt::format("the model of '{}' is {}; run the experiment again",
                                              fit.name(), is_there ? "another by now" : "gone"));
  problems.throw_if_any();
  return file.string();
}

/// By a model among the participants of a cohort, which is called `name`. @throws InputError
StageBasis by_model(const std::string& model_file, const std::string& name, const Cohort& cohort,
                    const Adjustment& adjustment, const Options& options, const Registry& registry,
                    std::size_t threads) {
  Problems problems;
  const auto metadata = read_model_metadata(model_file, problems);
  problems.throw_if_any();
  const auto& names = metadata->biomarkers.empty() ? cohort.biomarkers : metadata->biomarkers;
  expect_biomarkers(cohort, names, name, "the model", "", problems);
  problems.throw_if_any();
  note_unknown(cohort, names, name, "the model");
  StageBasis out{name, with_biomarkers(cohort, names), adjustment, "the model", {}};
  out.how = fmt::format("the model {}, each patient one at a time among the {} of {}", model_file,
                        counted(cohort.participant_count(), "participant"), name);
  out.model = load_model(model_file, *metadata, options, registry, threads);
  return out;
}

/// Distributions of the reference's biomarkers. @throws InputError naming those that have none
BiomarkerTable estimated_biomarkers(const Cohort& reference, const std::string& name) {
  std::vector<std::string> faults;
  const auto found = estimate_biomarkers(reference, HealthyAre::free, faults);
  Problems problems;
  for (const auto& fault : faults) problems.add({name}, fault);
  problems.throw_if_any();
  return table_of(found);
}

/// The distributions of a run's biomarkers in the columns of its cohort. @throws InputError
BiomarkerTable distributions_of(const StoredRun& run) {
  const auto& cohort = run.content.cohort;
  const auto& known = run.content.distributions;
  const auto biomarkers = known.size() > 0 ? known : estimated_biomarkers(cohort, run.fits.name);
  std::vector<Biomarker> in_order;
  Problems problems;
  for (const auto& name : cohort.biomarkers) {
    const auto one =
        std::find_if(biomarkers.begin(), biomarkers.end(),
                     [&](const Biomarker& biomarker) { return biomarker.name == name; });
    if (one == biomarkers.end())
      problems.add({run.folder.string()}, "knows no distributions of '" + name + "'");
    else
      in_order.push_back(*one);
  }
  problems.throw_if_any();
  return BiomarkerTable(std::move(in_order));
}

/// The orders of the subtypes that a fit found, or the one that it found.
SharedOrders orders_of(const CohortFit& fit) {
  if (!fit.subtypes) return {{sequence_by_score(fit.event_scores)}, {1.0}};
  SharedOrders out{{}, fit.subtypes->shares};
  for (std::size_t s = 0; s < out.shares.size(); ++s)
    out.orders.push_back(sequence_by_score(fit.subtypes->event_scores.row(s)));
  return out;
}

/// By a fit of a run that has no model, or by the consensus if there is no fit.
/// @throws InputError
StageBasis by_order(const StoredRun& run, const CohortFit* fit) {
  StageBasis out{
      run.fits.name, run.content.cohort, run.content.adjustment, run.folder.string(), {}};
  out.orders = fit != nullptr ? orders_of(*fit)
                              : SharedOrders{{consensus_table(run.fits).kemeny.order}, {1.0}};
  out.distributions = distributions_of(run);
  const bool are_known = run.content.distributions.size() > 0;
  out.how = fmt::format(
      "the {} of {} and normal distributions {}, all stages equally likely beforehand",
      out.orders->orders.size() == 1
          ? std::string("order")
          : fmt::format("orders and shares of the {} subtypes", out.orders->orders.size()),
      fit != nullptr ? fit->name() : std::string("the fits' consensus"),
      are_known ? "as the run had them" : "estimated from " + run.fits.name);
  return out;
}

/// Why stages by a fit of a run, or by the consensus of all, are in doubt.
std::vector<std::string> doubts_of(const StoredRun& run, const CohortFit* fit) {
  if (fit != nullptr) return doubts_in_sentences(run.fits, *fit);
  const auto counting = counted_fits(run.fits);
  std::vector<std::string> out;
  const auto say = [&](const std::vector<std::string>& names, const std::string& what) {
    if (!names.empty())
      out.push_back(fmt::format("{} of {} {}: {} ('tempo results {} --table consensus' says why)",
                                names.size(), counted(run.fits.fits.size(), "fit"), what,
                                fmt::join(names, ", "), run.folder.string()));
  };
  std::vector<std::string> left_out, in_doubt;
  for (const auto& one : counting.left_out) left_out.push_back(run.fits.fits[one.fit].name());
  for (const auto f : counting.fits)
    if (const auto& one = run.fits.fits[f]; !doubts_of(run.fits, one).empty())
      in_doubt.push_back(one.name());
  say(left_out, "do not count in the consensus");
  say(in_doubt, "count in the consensus and are in doubt");
  std::vector<std::string> with_several;
  for (const auto f : counting.fits)
    if (const auto& one = run.fits.fits[f]; one.subtypes && one.subtypes->shares.size() > 1)
      with_several.push_back(one.name());
  if (!with_several.empty())
    out.push_back(
        fmt::format("{} found several orders, and the consensus is one order for all: "
                    "--fit names a fit, which gives subtypes, too",
                    fmt::join(with_several, ", ")));
  return out;
}

}  // namespace

StagedPatients StageBasis::stage(const Cohort& patients, const std::string& file) const {
  return model ? stage_among(*model, reference, patients, file)
               : stage_by_orders(*orders, distributions, patients);
}

StageBasis basis_of_run(const fs::path& folder, const Options& options, const Registry& registry,
                        std::size_t threads) {
  const auto run = open_run(folder);
  const auto* fit = find_fit(options, run);
  const auto model = fit != nullptr ? model_of(*fit, run) : std::string();
  auto out = model.empty() ? by_order(run, fit)
                           : by_model(model, run.fits.name, run.content.cohort,
                                      run.content.adjustment, options, registry, threads);
  out.doubts = doubts_of(run, fit);
  return out;
}

StageBasis basis_of_model(const std::string& model_file, const Options& options,
                          const Registry& registry, std::size_t threads,
                          std::vector<fs::path>& inputs) {
  const auto& name = options.get_text("reference");
  Problems problems;
  const auto reference = read_real_cohort(name, problems);
  problems.throw_if_any();
  inputs.insert(inputs.end(), reference.files.begin(), reference.files.end());
  return by_model(model_file, name, reference.table.cohort, reference.table.adjustment, options,
                  registry, threads);
}

}  // namespace tempo::cli
