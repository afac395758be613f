// tempo stage: stages of new patients, by a model or a fit that is there.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "analysis/fitted_cohorts.hpp"
#include "analysis/staging.hpp"
#include "cli/command.hpp"
#include "cli/trained_model.hpp"
#include "data/content_key.hpp"
#include "data/csv_rows.hpp"
#include "data/estimated_biomarkers.hpp"
#include "data/names.hpp"
#include "data/real_cohort.hpp"
#include "data/text_file.hpp"
#include "model/printable.hpp"
#include "run/models.hpp"
#include "run/run_folder.hpp"
#include "study/experiment.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

constexpr const char* kConsensus = "consensus";

/// The cohort with these biomarkers in this order; a column that it lacks is empty.
Cohort with_biomarkers(const Cohort& cohort, const std::vector<std::string>& biomarkers) {
  auto out = cohort;
  out.biomarkers = biomarkers;
  out.measurements = Matrix(cohort.participant_count(), biomarkers.size(), std::nan(""));
  for (std::size_t b = 0; b < biomarkers.size(); ++b) {
    const auto at = std::find(cohort.biomarkers.begin(), cohort.biomarkers.end(), biomarkers[b]);
    if (at == cohort.biomarkers.end()) continue;
    const auto column = static_cast<std::size_t>(at - cohort.biomarkers.begin());
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      out.measurements(j, b) = cohort.measurements(j, column);
  }
  return out;
}

/// Says which columns of a cohort are left out.
void note_unknown(const Cohort& cohort, const std::vector<std::string>& biomarkers,
                  const std::string& file, const std::string& whose) {
  for (const auto& name : find_columns(cohort, biomarkers).unknown)
    std::cerr << printable(
                     fmt::format("note: {}: '{}' is none of the biomarkers of {}, and is left out",
                                 file, name, whose),
                     "")
              << "\n";
}

/// Complains about biomarkers that a cohort lacks. @param hint what may be done about it; may be
/// empty
void expect_biomarkers(const Cohort& cohort, const std::vector<std::string>& biomarkers,
                       const std::string& file, const std::string& whose, const std::string& hint,
                       Problems& problems) {
  if (const auto missing = find_columns(cohort, biomarkers).missing; !missing.empty())
    problems.add(
        {file}, fmt::format("lacks biomarkers of {}: {}{}", whose, fmt::join(missing, ", "), hint));
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

/// A run of one real cohort: its fits, and the cohort as it was then.
struct Run {
  fs::path folder;
  FittedCohort fits;
  CohortContent content;
};

/// Says so if the cohort's files hold another cohort by now: it is not the one that patients are
/// staged by.
void note_changes(const Run& run) {
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
Run open_run(const fs::path& folder) {
  Problems problems;
  const auto file = RunFolder::store_in(folder);
  RunFolder::expect_store(folder, problems);
  problems.throw_if_any();
  Store store(file, Database::Mode::read);
  auto cohorts = fitted_cohorts(store, {});
  auto content = store.cohort_content();
  if (cohorts.size() != 1)
    problems.add({folder.string()},
                 cohorts.empty()
                     ? "has no real cohort ([cohorts] source = \"table\") whose fits could "
                       "stage new patients"
                     : "is a sweep; which of its points should stage new patients?");
  else if (!content)
    problems.add({folder.string()},
                 "was made by a tempo that did not keep the cohort; run the experiment again");
  else if (cohorts.front().fits.empty())
    problems.add({folder.string()}, "none of its fits is done");
  problems.throw_if_any();
  Run out{folder, std::move(cohorts.front()), std::move(*content)};
  note_changes(out);
  return out;
}

/// Complains if there is no such file or folder.
void expect_there(const fs::path& path, Problems& problems) {
  if (std::error_code ignored; !fs::exists(path, ignored))
    problems.add({path.string()}, "no such file or folder");
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

/// The file of the model that made a fit; empty if its method is not trained. @throws InputError if
/// it is gone
std::string model_of(const CohortFit& fit, const Run& run) {
  Store store(RunFolder::store_in(run.folder), Database::Mode::read);
  ResultRow row;
  row.axis_values = run.fits.axis_values;
  row.hypothesis = kRealCohort;
  row.method = fit.method;
  row.trained_on = fit.model;
  const auto key = store.model_key(row);
  if (!key) return {};
  Problems problems;
  for (const auto& model : store.models()) {
    if (model.key != *key) continue;
    const auto file = Models::folder_in(run.folder) / (model.name + Models::kModelEnding);
    if (fs::exists(file) && file_key(file) == model.content) return file.string();
    problems.add({file.string()},
                 fmt::format("the model of '{}' is {}; run the experiment again", fit.name(),
                             fs::exists(file) ? "another by now" : "gone"));
    throw InputError(problems);
  }
  problems.add({run.folder.string()},
               fmt::format("has no model of '{}'; run the experiment again", fit.name()));
  throw InputError(problems);
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
  Problems problems;
  problems.add({file}, fmt::format("has participants that are in {} too: {}", reference_name,
                                   in_short(both)));
  throw InputError(problems);
}

/// What new patients are staged by: a model, among the participants of a cohort, or an order of
/// events.
struct Basis {
  std::string name;  ///< what the cohort is called
  Cohort reference;  ///< it, with the biomarkers that patients need and in their order
  Adjustment adjustment;
  std::string whose;                                 ///< whose biomarkers these are
  std::string how;                                   ///< in words
  std::unique_ptr<InferenceMethod> model = nullptr;  ///< null: by the following
  std::optional<Sequence> order = std::nullopt;
  BiomarkerTable distributions = {};
  std::vector<std::string> doubts = {};  ///< of the fit that they are staged by, a sentence each

  Labels labels() const {
    return model && model->label_use() != LabelUse::none ? Labels::needed : Labels::ignored;
  }
};

/// @throws InputError
Basis basis_of(const std::string& model_file, const std::string& name, const Cohort& cohort,
               const Adjustment& adjustment, const Options& options, const Registry& registry,
               std::size_t threads) {
  Problems problems;
  const auto metadata = read_model_metadata(model_file, problems);
  problems.throw_if_any();
  const auto& names = metadata->biomarkers.empty() ? cohort.biomarkers : metadata->biomarkers;
  expect_biomarkers(cohort, names, name, "the model", "", problems);
  problems.throw_if_any();
  note_unknown(cohort, names, name, "the model");
  Basis out{name, with_biomarkers(cohort, names), adjustment, "the model", {}};
  out.how = fmt::format("the model {}, each patient one at a time among the {} of {}", model_file,
                        counted(cohort.participant_count(), "participant"), name);
  out.model = load_model(model_file, *metadata, options, registry, threads);
  return out;
}

/// By a fit of a run that has no model, or by the consensus if there is none. @throws InputError
Basis basis_of(const Run& run, const CohortFit* fit) {
  const auto& [key, cohort, adjustment, known] = run.content;
  Basis out{run.fits.name, cohort, adjustment, run.folder.string(), {}};
  out.order = fit != nullptr ? sequence_by_score(fit->event_scores)
                             : consensus_table(run.fits).kemeny.order;
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
  out.distributions = BiomarkerTable(std::move(in_order));
  out.how = fmt::format(
      "the order of {} and normal distributions {}, all stages equally likely beforehand",
      fit != nullptr ? fit->name() : std::string("the fits' consensus"),
      known.size() > 0 ? "as the run had them" : "estimated from " + run.fits.name);
  return out;
}

/// Why stages by a fit of a run, or by the consensus of all, are in doubt.
std::vector<std::string> doubts_of(const Run& run, const CohortFit* fit) {
  if (fit != nullptr) return doubts_in_sentences(*fit);
  std::vector<std::string> out;
  std::vector<std::string> names;
  for (const auto& one : run.fits.fits)
    if (!one.doubts.empty()) names.push_back(one.name());
  if (!names.empty())
    out.push_back(fmt::format(
        "{} of the {} that the consensus counts are in doubt: {} ('tempo results {} --table "
        "consensus' says why)",
        names.size(), counted(run.fits.fits.size(), "fit"), fmt::join(names, ", "),
        run.folder.string()));
  return out;
}

/// New patients, and those of their table who are not among them.
struct Patients {
  Cohort cohort;  ///< with the basis's biomarkers in their order
  std::vector<std::vector<std::string>>
      far;  ///< [J] biomarkers whose values are far from the reference's
  std::vector<CohortTable::LeftOut> left_out;
};

/// Reads new patients as the reference was read. Says who is left out, and what is made of values.
/// @param warnings  gets what makes their stages doubtful
/// @throws InputError
Patients read_patients(const std::string& file, const Basis& basis, const Options& options,
                       std::vector<fs::path> inputs, std::vector<std::string>& warnings) {
  Problems problems;
  auto read = read_later_participants(file, basis.labels(), basis.adjustment, problems);
  inputs.insert(inputs.end(), read.files.begin(), read.files.end());
  refuse_overwriting(options, "out", inputs, problems);
  problems.throw_if_any();
  const auto note = [&](const std::string& text) {
    std::cerr << printable(fmt::format("note: {}: {}", file, text), "") << "\n";
  };
  const auto& flow = read.table.flow;
  for (std::size_t i = 1; i < flow.size(); ++i)
    if (flow[i].participants < flow[i - 1].participants)
      note(fmt::format("{} of {} participants {}", flow[i].participants, flow[i - 1].participants,
                       flow[i].what));
  for (const auto& [biomarker, diagnosis, below, above] : read.table.censored)
    note(fmt::format("censored: {}: {} below, {} above", biomarker, below, above));
  for (const auto& text : read.table.notes) note(text);
  const auto& wanted = basis.reference.biomarkers;
  if (basis.model || !read.marginal_asked)
    expect_biomarkers(
        read.table.cohort, wanted, file, basis.whose,
        basis.model ? "" : "; a description with missing = \"marginal\" stages without them",
        problems);
  else if (const auto missing = find_columns(read.table.cohort, wanted).missing; !missing.empty())
    warnings.push_back(fmt::format("{} lacks {}, which {} no say in stages", file,
                                   fmt::join(missing, ", "), missing.size() == 1 ? "has" : "have"));
  note_unknown(read.table.cohort, wanted, file, basis.whose);
  problems.throw_if_any();
  auto out = with_biomarkers(read.table.cohort, wanted);
  if (basis.model) expect_new(basis.reference, out, file, basis.name);
  if (!basis.adjustment.covariates.empty() && !read.adjusts)
    warnings.push_back(fmt::format(
        "{} was adjusted for {}, and the values of {} are taken as they stand: a description with "
        "'adjust' adjusts them as those were",
        basis.name, fmt::join(basis.adjustment.covariates, ", "), file));
  for (const auto& doubt : read.table.doubts) warnings.push_back(doubt);
  auto far = far_values(basis.reference, out);
  for (auto& warning : far.warnings) warnings.push_back(std::move(warning));
  const auto missing = count_missing(out, Labels::ignored).total();
  const auto filled = read.means_asked ? fill_means(basis.reference, out) : std::size_t{0};
  if (filled > 0)
    note(fmt::format("the mean of {} stands for {}", basis.name,
                     counted(filled, "missing measurement")));
  if (missing > filled)
    note(fmt::format("{} of {} are missing{}", missing - filled,
                     counted(out.measurements.values().size(), "measurement"),
                     basis.model ? "" : " and have no say"));
  return {std::move(out), std::move(far.biomarkers), std::move(read.table.left_out)};
}

/// A row of the answer: everybody of the table has one, those who are left out at its end.
struct Row {
  std::string participant;
  Staged staged;
};
std::vector<Row> rows_of(const Patients& patients, const StagedPatients& found) {
  std::vector<Row> out;
  for (std::size_t j = 0; j < found.patients.size(); ++j) {
    auto& staged = out.emplace_back(patients.cohort.participants[j], found.patients[j]).staged;
    if (const auto& far = patients.far[j]; !far.empty())
      staged.note += fmt::format("{}far from all of the cohort's: {}",
                                 staged.note.empty() ? "" : "; ", fmt::join(far, ", "));
  }
  for (const auto& [participant, why] : patients.left_out)
    out.emplace_back(participant, Staged{{}, {}, "left out: " + why});
  return out;
}

std::string as_csv(const std::vector<Row>& rows) {
  std::string out = "participant,stage,mean,low,high,note\n";
  for (const auto& [participant, staged] : rows) {
    const auto& [stage, posterior, note] = staged;
    out += csv_field(participant) + "," + (stage ? fmt::format("{}", *stage) : "") + ",";
    out += posterior ? fmt::format("{},{},{},", posterior->mean, posterior->low, posterior->high)
                     : std::string(",,,");
    out += (note.empty() ? note : csv_field(note)) + "\n";
  }
  return out;
}

std::string as_json(const std::vector<Row>& rows, const StagedPatients& found,
                    const std::string& how) {
  nlohmann::ordered_json out;
  out["how"] = how;
  out["stages"] = nlohmann::ordered_json::array();
  for (const auto& [participant, staged] : rows) {
    const auto& [stage, posterior, note] = staged;
    nlohmann::ordered_json item{{"participant", participant}, {"stage", nullptr}};
    if (stage) item["stage"] = *stage;
    if (posterior)
      item.update({{"mean", posterior->mean}, {"low", posterior->low}, {"high", posterior->high}});
    if (!note.empty()) item["note"] = note;
    out["stages"].push_back(std::move(item));
  }
  out["warnings"] = found.warnings;
  return out.dump(2) + "\n";
}

int stage(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  const std::vector<std::string> formats{"csv", "json"};
  options.add()(
      "fit", po::value<std::string>()->value_name("FIT"),
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
  expect_there(from, problems);
  problems.throw_if_any();
  const bool is_run = fs::is_directory(from);
  if (is_run && options.has("reference"))
    problems.add(command_line(command),
                 "--reference is for a model file; a run has its own cohort");
  if (!is_run && options.has("fit"))
    problems.add(command_line(command), "--fit is for a run folder; a model file is one fit");
  if (!is_run && !options.has("reference"))
    problems.add(command_line(command),
                 "--reference is missing: a model looks at a participant among others, so that new "
                 "patients need a cohort to be staged in ('tempo infer' takes them for a cohort of "
                 "their own)");
  problems.throw_if_any();

  const auto threads = jobs(command, options);
  const auto registry = open_registry(options);
  std::vector<fs::path> inputs{from};
  const auto basis = [&] {
    if (is_run) {
      const auto run = open_run(from);
      const auto* fit = find_fit(options, run, command);
      const auto model = fit != nullptr ? model_of(*fit, run) : std::string();
      const auto& [key, cohort, adjustment, distributions] = run.content;
      auto out = model.empty() ? basis_of(run, fit)
                               : basis_of(model, run.fits.name, cohort, adjustment, options,
                                          registry, threads);
      out.doubts = doubts_of(run, fit);
      return out;
    }
    const auto name = options.get<std::string>("reference");
    const auto reference = read_real_cohort(name, problems);
    problems.throw_if_any();
    inputs.insert(inputs.end(), reference.files.begin(), reference.files.end());
    return basis_of(from, name, reference.table.cohort, reference.table.adjustment, options,
                    registry, threads);
  }();
  auto warnings = basis.doubts;
  const auto patients = read_patients(file, basis, options, inputs, warnings);
  auto found = basis.model ? stage_among(*basis.model, basis.reference, patients.cohort, file)
                           : stage_by_order(*basis.order, basis.distributions, patients.cohort);
  found.warnings.insert(found.warnings.begin(), warnings.begin(), warnings.end());
  std::cerr << "note: stages by " << basis.how << "\n";
  for (const auto& warning : found.warnings)
    std::cerr << "warning: " << printable(warning, "") << "\n";
  const auto rows = rows_of(patients, found);
  const auto text = format == "csv" ? as_csv(rows) : as_json(rows, found, basis.how);
  if (options.has("out"))
    write_text_file(options.get<std::string>("out"), text);
  else
    std::cout << text;
  return kOk;
}

}  // namespace

const Command stage_command{"stage", "MODEL|RUN NEW [options]",
                            "stage new patients by a trained model, or by a fit of a run", stage};

}  // namespace tempo::cli
