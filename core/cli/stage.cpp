// tempo stage: stages of new patients, by a model or a fit that is there.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_set>

#include "cli/command.hpp"
#include "cli/trained_model.hpp"
#include "data/csv_rows.hpp"
#include "data/estimated_biomarkers.hpp"
#include "data/real_cohort.hpp"
#include "data/table_description.hpp"
#include "data/text_file.hpp"
#include "engine/models.hpp"
#include "engine/run_folder.hpp"
#include "report/fitted_cohorts.hpp"
#include "report/staging.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

constexpr const char* kConsensus = "consensus";

/// A participant's stage and, where the fit has probabilities of stages, what they say.
struct Staged {
  double stage = 0.0;
  std::optional<Within> posterior;
};

/// The stages of new patients, and how they came about.
struct Outcome {
  std::vector<Staged> stages;
  std::string how;
  std::vector<std::string> warnings;
};

/// The cohort with these biomarkers in this order. @param whose for the complaint about what lacks
Cohort with_biomarkers(const Cohort& cohort, const std::vector<std::string>& biomarkers,
                       const std::string& file, const std::string& whose, Problems& problems) {
  const auto found = find_columns(cohort, biomarkers);
  if (!found.missing.empty())
    problems.add({file}, fmt::format("lacks biomarkers of {}: {}", whose,
                                     fmt::join(found.missing, ", ")));
  for (const auto& name : found.unknown)
    std::cerr << fmt::format("note: {}: '{}' is none of the biomarkers of {}, and is left out\n",
                             file, name, whose);
  auto out = cohort;
  out.biomarkers.clear();
  out.measurements = Matrix(cohort.participant_count(), found.columns.size());
  for (std::size_t b = 0; b < found.columns.size(); ++b) {
    out.biomarkers.push_back(cohort.biomarkers[found.columns[b]]);
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      out.measurements(j, b) = cohort.measurements(j, found.columns[b]);
  }
  return out;
}

/// The reference and one more participant at its end.
Cohort with_participant(const Cohort& reference, const Cohort& patients, std::size_t j) {
  Cohort out = reference;
  const auto J = reference.participant_count(), B = reference.biomarker_count();
  out.participants.push_back(patients.participants[j]);
  out.diseased.push_back(patients.diseased[j]);
  out.diagnoses.clear();
  auto values = reference.measurements.values();
  const auto row = patients.measurements.row(j);
  values.insert(values.end(), row.begin(), row.end());
  out.measurements = Matrix(J + 1, B);
  out.measurements.values() = std::move(values);
  return out;
}

/// Each patient among the reference's participants, without the other patients: what is said of one
/// does not depend on who else is asked about. @throws InputError naming the patient
Outcome stage_among(const InferenceMethod& method, const Cohort& reference, const Cohort& patients,
                    const std::string& file) {
  constexpr std::size_t kAtATime = 32;
  Outcome out;
  std::set<std::string> warnings;
  for (std::size_t begin = 0; begin < patients.participant_count(); begin += kAtATime) {
    const auto end = std::min(begin + kAtATime, patients.participant_count());
    std::vector<Cohort> cohorts;
    for (std::size_t j = begin; j < end; ++j)
      cohorts.push_back(with_participant(reference, patients, j));
    std::vector<RandomStream> streams(cohorts.size(), RandomStream(/*seed=*/0, "infer"));
    try {
      for (const auto& found : method.fit_all(cohorts, streams)) {
        auto& staged = out.stages.emplace_back();
        staged.stage = found.stages.back();
        if (found.stage_posterior)
          staged.posterior = within_posterior(
              std::as_const(*found.stage_posterior).row(reference.participant_count()), 0.0);
        warnings.insert(found.warnings.begin(), found.warnings.end());
      }
    } catch (const Error&) {  // of one patient: of whom, and what of the others, each has to say
      Problems problems;
      for (std::size_t i = 0; i < cohorts.size(); ++i) {
        try {
          RandomStream stream(/*seed=*/0, "infer");
          method.fit(cohorts[i], stream);
        } catch (const Error& error) {
          problems.add({file}, patients.participants[begin + i] + ": " + error.what());
        }
      }
      problems.throw_if_any();
      throw;
    }
  }
  out.warnings.assign(warnings.begin(), warnings.end());
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

/// By an order of events and the distributions before and after them, everybody alone.
Outcome stage_by_order(const Sequence& order, const BiomarkerTable& biomarkers,
                       const Cohort& patients) {
  Outcome out;
  const auto posterior = event_based_stages(patients, order, biomarkers);
  for (std::size_t j = 0; j < patients.participant_count(); ++j)
    out.stages.push_back(
        {most_likely_stage(posterior.row(j)), within_posterior(posterior.row(j), 0.0)});
  return out;
}

/// A run of one real cohort.
struct Run {
  FittedCohort fits;
  Study study;
  const Experiment& experiment() const { return study.points.front(); }
  const Cohort& cohort() const { return experiment().cohorts.real->table.cohort; }
};

/// @throws InputError if the folder is no run of one real cohort, or that cohort is another by now.
Run open_run(const fs::path& folder, const Registry& registry) {
  Problems problems;
  const auto file = RunFolder::store_in(folder);
  if (!fs::exists(file)) problems.add({folder.string()}, "is no run folder: it has no results.sqlite");
  problems.throw_if_any();
  Store store(file, Database::Mode::read);
  auto cohorts = fitted_cohorts(store);
  const auto about = store.about();
  if (cohorts.size() != 1)
    problems.add({folder.string()},
                 cohorts.empty() ? "has no real cohort ([cohorts] source = \"table\") whose fits could "
                                   "stage new patients"
                                 : "is a sweep; which of its points should stage new patients?");
  problems.throw_if_any();
  auto study = read_study(folder / "experiment.lock.toml", {}, registry, problems);
  problems.throw_if_any();
  Run out{std::move(cohorts.front()), std::move(study)};
  if (out.cohort().participants != out.fits.participants ||
      out.cohort().biomarkers != out.fits.biomarkers)
    problems.add({out.experiment().cohorts.path.string()},
                 "has other participants or biomarkers than when " + folder.string() + " was made");
  else if (about.empty() ||
           nlohmann::json::parse(about).at("cohorts").value("content", std::string()) !=
               out.experiment().cohorts.real_key)
    problems.add({out.experiment().cohorts.path.string()},
                 "its files are not, byte for byte, those that " + folder.string() +
                     " was made of; run the experiment again");
  if (out.fits.fits.empty()) problems.add({folder.string()}, "none of its fits is done");
  problems.throw_if_any();
  return out;
}

/// The fit of that name; null for the consensus. @throws InputError
const CohortFit* find_fit(const Options& options, const Run& run, const Command& command) {
  const auto& fits = run.fits.fits;
  if (!options.has("fit") && fits.size() == 1) return &fits.front();
  std::vector<std::string> names;
  for (const auto& fit : fits) names.push_back(fit.name());
  names.emplace_back(kConsensus);
  Problems problems;
  if (!options.has("fit"))
    problems.add(command_line(command), "--fit is missing; expected " + one_of(names));
  problems.throw_if_any();
  const auto& name = options.get<std::string>("fit");
  if (name == kConsensus) return nullptr;
  for (const auto& fit : fits)
    if (fit.name() == name) return &fit;
  problems.add(command_line(command), "--fit: no fit '" + name + "'; expected " + one_of(names) +
                                          did_you_mean(name, names));
  throw InputError(problems);
}

/// The file of the model that made a fit; empty if its method is not trained. Entries of [[method]] may
/// share a model. @throws InputError if there is none
std::string model_of(const CohortFit& fit, const Run& run, const fs::path& folder,
                     const Registry& registry) {
  const auto& methods = run.experiment().methods;
  const auto method = std::find_if(methods.begin(), methods.end(),
                                   [&](const MethodEntry& entry) { return entry.id == fit.method; });
  if (method != methods.end() && !method->trains()) return {};
  const auto plan = make_plan(run.study, registry);
  const auto planned =
      std::find_if(plan.fits.begin(), plan.fits.end(), [&](const PlannedFit& one) {
        return one.row.method == fit.method && one.row.trained_on == fit.model;
      });
  Problems problems;
  if (planned == plan.fits.end()) {
    problems.add({folder.string()}, "plans no model for '" + fit.name() + "'");
    throw InputError(problems);
  }
  const auto& task = plan.tasks[static_cast<std::size_t>(planned - plan.fits.begin())];
  const auto file = Models::folder_in(folder) /
                    (plan.trainings[task.training.value()].name + Models::kModelEnding);
  if (!fs::exists(file))
    problems.add({folder.string()},
                 fmt::format("has no model of '{}' as this tempo would train it: no file '{}'; run "
                             "the experiment again",
                             fit.name(), file.string()));
  problems.throw_if_any();
  return file.string();
}

/// What of a cohort a model knows, and the model.
struct LoadedModel {
  std::vector<std::string> biomarkers;
  std::unique_ptr<InferenceMethod> method;
};

LoadedModel open_model(const std::string& file, const Options& options, const Registry& registry,
                       std::size_t threads) {
  Problems problems;
  const auto metadata = read_model_metadata(file, problems);
  problems.throw_if_any();
  return {metadata->biomarkers, load_model(file, *metadata, options, registry, threads)};
}

/// Nobody may be there twice. @throws InputError
void expect_new(const Cohort& reference, const Cohort& patients, const std::string& file,
                const std::string& reference_name) {
  const std::unordered_set<std::string> known(reference.participants.begin(),
                                              reference.participants.end());
  std::vector<std::string> both;
  for (const auto& id : patients.participants)
    if (known.contains(id)) both.push_back(id);
  if (both.empty()) return;
  constexpr std::size_t kShown = 5;
  Problems problems;
  problems.add({file},
               fmt::format("has participants that are in {} too: {}{}", reference_name,
                           fmt::join(both.begin(), both.begin() + std::min(kShown, both.size()), ", "),
                           both.size() > kShown ? fmt::format(" and {} more", both.size() - kShown)
                                                : ""));
  throw InputError(problems);
}

/// Says which values of new patients are made of other new patients', and not of the reference's.
void warn_of_own_table(const RealCohort& patients, const std::string& file) {
  if (fs::path(file).extension() != ".toml") return;
  Problems problems;
  const auto description = read_table_description(file, problems);
  problems.throw_if_any();
  if (!description.covariates.empty())
    std::cerr << fmt::format(
        "warning: {}: 'adjust' fits this table's own healthy participants, not the cohort's that "
        "the new patients are compared with: their values may be shifted against it, and their "
        "stages with them\n",
        file);
  if (description.missing == TableDescription::Missing::mean && patients.table.missing.total() > 0)
    std::cerr << fmt::format(
        "warning: {}: missing = \"mean\" puts this table's own means where values are missing, "
        "not the cohort's: the stage of one new patient depends on the others\n",
        file);
}

Outcome by_model(const std::string& model_file, const Cohort& reference,
                 const std::string& reference_name, const Cohort& patients, const std::string& file,
                 const Options& options, const Registry& registry, std::size_t threads) {
  expect_new(reference, patients, file, reference_name);
  const auto model = open_model(model_file, options, registry, threads);
  const auto& names = model.biomarkers.empty() ? reference.biomarkers : model.biomarkers;
  Problems problems;
  const auto others = with_biomarkers(reference, names, reference_name, "the model", problems);
  const auto ours = with_biomarkers(patients, names, file, "the model", problems);
  problems.throw_if_any();
  auto out = stage_among(*model.method, others, ours, file);
  out.how = fmt::format("the model {}, each patient one at a time among the {} of {}", model_file,
                        counted(others.participant_count(), "participant"), reference_name);
  return out;
}

Outcome by_run(const Command& command, const fs::path& folder, const Cohort& patients,
               const std::string& file, const Options& options, const Registry& registry,
               std::size_t threads) {
  const auto run = open_run(folder, registry);
  const auto& reference = run.cohort();
  const auto* fit = find_fit(options, run, command);
  if (fit != nullptr)
    if (const auto model = model_of(*fit, run, folder, registry); !model.empty())
      return by_model(model, reference, run.fits.name, patients, file, options, registry, threads);
  Problems problems;
  const auto ours = with_biomarkers(patients, reference.biomarkers, file, folder.string(), problems);
  problems.throw_if_any();
  const auto& known = run.experiment().cohorts.biomarkers;
  const auto biomarkers =
      known.size() > 0 ? known : estimated_biomarkers(reference, run.fits.name);
  std::vector<Biomarker> in_order;
  for (const auto& name : reference.biomarkers) {
    const auto one = std::find_if(biomarkers.begin(), biomarkers.end(),
                                  [&](const Biomarker& known_one) { return known_one.name == name; });
    if (one == biomarkers.end())
      problems.add({folder.string()}, "knows no distributions of '" + name + "'");
    else
      in_order.push_back(*one);
  }
  problems.throw_if_any();
  const auto order = fit != nullptr ? sequence_by_score(fit->event_scores)
                                    : consensus_table(run.fits).kemeny.order;
  auto out = stage_by_order(order, BiomarkerTable(std::move(in_order)), ours);
  out.how = fmt::format("the order of {} and normal distributions {}, all stages equally likely "
                        "beforehand",
                        fit != nullptr ? fit->name() : std::string("the fits' consensus"),
                        known.size() > 0 ? "as the run had them"
                                         : "estimated from " + run.fits.name);
  return out;
}

std::string as_csv(const Cohort& patients, const std::vector<Staged>& stages) {
  std::string out = "participant,stage,mean,low,high\n";
  for (std::size_t j = 0; j < stages.size(); ++j) {
    const auto& [stage, posterior] = stages[j];
    out += fmt::format("{},{},", csv_field(patients.participants[j]), stage);
    out += posterior ? fmt::format("{},{},{}\n", posterior->mean, posterior->low, posterior->high)
                     : std::string(",,\n");
  }
  return out;
}

std::string as_json(const Cohort& patients, const Outcome& found) {
  nlohmann::ordered_json out;
  out["how"] = found.how;
  out["stages"] = nlohmann::ordered_json::array();
  for (std::size_t j = 0; j < found.stages.size(); ++j) {
    const auto& [stage, posterior] = found.stages[j];
    nlohmann::ordered_json item{{"participant", patients.participants[j]}, {"stage", stage}};
    if (posterior)
      item.update({{"mean", posterior->mean}, {"low", posterior->low}, {"high", posterior->high}});
    out["stages"].push_back(std::move(item));
  }
  out["warnings"] = found.warnings;
  return out.dump(2) + "\n";
}

int stage(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  const std::vector<std::string> formats{"csv", "json"};
  options.add()("fit", po::value<std::string>()->value_name("FIT"),
                "of a run: whose model, or order of events, as its tables name it; 'consensus': the "
                "order that all fits agree on best")(
      "reference", po::value<std::string>()->value_name("COHORT"),
      "of a model file: the cohort (long CSV or TABLE.toml) among which each patient is staged")(
      "out", po::value<std::string>()->value_name("FILE"),
      "where to write (default: standard output)")(
      "format", po::value<std::string>()->value_name("F")->default_value("csv"),
      one_of(formats).c_str())("device", po::value<std::string>()->value_name("D"),
                               "where to compute, for methods that have a choice");
  add_jobs_option(options, "threads (default: one per core)");
  add_registry_options(options);
  options.positional("FROM");
  options.positional("NEW");
  options.parse(arguments);

  Problems problems;
  const auto& format = options.get<std::string>("format");
  expect_format(command, options, formats, problems);
  const auto from = options.list("FROM").front();
  const auto file = options.list("NEW").front();
  const bool is_run = fs::is_directory(from);
  if (is_run && options.has("reference"))
    problems.add(command_line(command), "--reference is for a model file; a run has its own cohort");
  if (!is_run && options.has("fit"))
    problems.add(command_line(command), "--fit is for a run folder; a model file is one fit");
  if (!is_run && !options.has("reference"))
    problems.add(command_line(command),
                 "--reference is missing: a model looks at a participant among others, so that new "
                 "patients need a cohort to be staged in ('tempo infer' takes them for a cohort of "
                 "their own)");
  const auto patients = read_real_cohort(file, problems);
  RealCohort reference;
  if (options.has("reference"))
    reference = read_real_cohort(options.get<std::string>("reference"), problems);
  const fs::path out = options.has("out") ? options.get<std::string>("out") : "";
  std::vector<fs::path> inputs{from};
  inputs.insert(inputs.end(), patients.files.begin(), patients.files.end());
  inputs.insert(inputs.end(), reference.files.begin(), reference.files.end());
  refuse_overwriting(options, "out", inputs, problems);
  problems.throw_if_any();

  warn_of_own_table(patients, file);
  const auto threads = jobs(command, options);
  const auto registry = open_registry(options);
  const auto& cohort = patients.table.cohort;
  const auto found =
      is_run ? by_run(command, from, cohort, file, options, registry, threads)
             : by_model(from, reference.table.cohort, options.get<std::string>("reference"), cohort,
                        file, options, registry, threads);
  std::cerr << "note: stages by " << found.how << "\n";
  for (const auto& warning : found.warnings) std::cerr << "warning: " << warning << "\n";
  const auto text =
      format == "csv" ? as_csv(cohort, found.stages) : as_json(cohort, found);
  if (out.empty())
    std::cout << text;
  else
    write_text_file(out, text);
  return kOk;
}

}  // namespace

const Command stage_command{"stage", "MODEL|RUN NEW [options]",
                            "stage new patients by a trained model, or by a fit of a run", stage};

}  // namespace tempo::cli
