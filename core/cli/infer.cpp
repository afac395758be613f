// tempo infer: what a trained model, or a method that needs none, says of cohorts.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "cli/cohort_columns.hpp"
#include "cli/command.hpp"
#include "cli/trained_model.hpp"
#include "data/cohort_csv.hpp"
#include "data/model_file.hpp"
#include "data/table/oddities.hpp"
#include "model/printable.hpp"
#include "report/inference_text.hpp"
#include "run/fit.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace {

void add_infer_options(Options& options) {
  options.text("out", "FILE", "where to write (default: standard output)");
  options.choice("format", "F", {"csv", "json"}, "", "csv");
  options.flag("posteriors", "with --format json: the probability of every rank and stage, too");
  options.texts("set", "KEY=VALUE",
                "change a setting of a method that needs no model (repeatable)");
  add_device_option(options, "where to compute, for methods that have a choice");
  add_jobs_option(options, "threads (default: one per core that tempo may use)");
  add_registry_options(options);
  options.positional("MODEL|METHOD");
  options.positional_list("COHORT");
}

/// A file of a cohort and, if it was read without a fault, what the model is given of it.
struct Subject {
  std::string file;
  Cohort cohort;
  std::vector<std::string> left_out;  ///< biomarkers that the model does not know
  std::vector<std::string> codes;     ///< values that may stand for missing ones, a sentence each
};

/// The biomarkers that the model was trained on and no others, in the model's order. Of a model
/// that does not say which, the cohort as it is.
Subject read_subject(const std::string& file, const std::optional<ModelMetadata>& model,
                     Labels labels, Problems& problems) {
  Problems faults;
  auto read = read_cohort_csv(file, faults, labels);
  problems.append(faults);
  auto codes = possible_codes(read.cohort, kCodesAreLeftEmpty);
  if (!faults.empty() || !model || model->biomarkers.empty())
    return {file, std::move(read.cohort), {}, std::move(codes)};
  const auto found = find_columns(read.cohort, model->biomarkers);
  if (!found.missing.empty())
    problems.add({file}, fmt::format("lacks biomarkers that the model was trained on: {}",
                                     fmt::join(found.missing, ", ")));
  return {file, with_biomarkers(read.cohort, model->biomarkers), found.unknown, std::move(codes)};
}

std::vector<Subject> read_subjects(const Options& options,
                                   const std::optional<ModelMetadata>& model, Labels labels,
                                   Problems& problems) {
  std::vector<Subject> subjects;
  for (const auto& file : options.list("COHORT"))
    subjects.push_back(read_subject(file, model, labels, problems));
  return subjects;
}

/// Complains of an --out that is also read.
void check_infer_out(const Options& options, Problems& problems) {
  const auto cohorts = options.list("COHORT");
  std::vector<std::filesystem::path> inputs(cohorts.begin(), cohorts.end());
  inputs.emplace_back(options.argument("MODEL|METHOD"));
  refuse_overwriting(options, "out", inputs, problems);
}

/// Fits one cohort after the other, to say which of them a method cannot fit.
/// @throws InputError with the faults of each
std::vector<Inference> infer_each(const InferenceMethod& method,
                                  const std::vector<Subject>& subjects) {
  Problems problems;
  std::vector<Inference> found;
  for (const auto& subject : subjects) {
    try {
      RandomStream stream(/*seed=*/0, "infer");
      found.push_back(method.fit(subject.cohort, stream));
    } catch (const Error& error) {
      problems.add({subject.file}, error.what());
    }
  }
  problems.throw_if_any();
  return found;
}

/// What the method finds in all of them. @throws InputError with the faults of each
std::vector<Inference> infer_all(const InferenceMethod& method,
                                 const std::vector<Subject>& subjects) {
  std::vector<Cohort> cohorts;
  for (const auto& subject : subjects) cohorts.push_back(subject.cohort);
  std::vector<RandomStream> streams(cohorts.size(), RandomStream(/*seed=*/0, "infer"));
  try {
    return method.fit_all(cohorts, streams);
  } catch (const Error&) {  // does not say which cohort it is about
    return infer_each(method, subjects);
  }
}

/// Puts what is missing in a cohort in front of what the method warns of.
void add_missing(const Cohort& cohort, MissingData what_is_done, Inference& found) {
  if (auto missing = missing_in_words(cohort, what_is_done); !missing.empty())
    found.warnings.insert(found.warnings.begin(), std::move(missing));
}

void print_remarks(const Subject& subject, LabelUse use, const Inference& found) {
  if (use == LabelUse::optional && subject.cohort.diseased.empty())
    std::cerr << printable(
        fmt::format("note: {}: no column 'diseased': inferred without diagnosis\n", subject.file));
  for (const auto& name : subject.left_out)
    std::cerr << printable(fmt::format(
        "note: {}: the model does not know '{}', which is left out\n", subject.file, name));
  for (const auto& code : subject.codes) warn(fmt::format("{}: {}", subject.file, code));
  for (const auto& warning : found.warnings) warn(fmt::format("{}: {}", subject.file, warning));
}

/// What infers: a model of a file, or a method that needs none.
struct Inferring {
  std::optional<ModelMetadata> model;
  std::unique_ptr<InferenceMethod> method;  ///< null: it has yet to be loaded from the file
};

/// The method of that id, or null and a problem.
std::unique_ptr<InferenceMethod> method_of(const std::string& id, const Options& options,
                                           const Registry& registry, Problems& problems) {
  constexpr auto kind = InterfaceKind::inference_method;
  if (options.has("device"))
    problems.add({"--device"},
                 fmt::format("is for models that were trained; leave it out for '{}'", id));
  if (registry.assumes_process(id)) {
    problems.add({id}, "infers under a hypothesis: 'tempo compare' and 'tempo run' name one");
    return nullptr;
  }
  PartSpec part{id, {}, Place{id}};
  take_settings(options, part, problems);
  const auto before = problems.size();
  part = registry.resolve(kind, part, id, problems);
  return problems.size() > before ? nullptr : registry.method(part);
}

/// Why an argument is neither a file nor a method that can be used.
std::string why_nothing(const std::string& asked, const Registry& registry) {
  if (registry.find(InterfaceKind::trainable_method, asked) != nullptr)
    return "has to be trained first: 'tempo train' writes a model, which goes here";
  if (registry.deciding(asked) != nullptr)
    return registry.why_missing(InterfaceKind::inference_method, asked);
  return "does not exist, and is no method" +
         did_you_mean(asked, registry.usable_ids(InterfaceKind::inference_method));
}

Inferring inferring(const std::string& asked, const Options& options, const Registry& registry,
                    Problems& problems) {
  Inferring out;
  std::error_code error;
  if (std::filesystem::is_regular_file(asked, error))
    out.model = read_model_metadata(asked, problems);
  else if (registry.find(InterfaceKind::inference_method, asked) != nullptr)
    out.method = method_of(asked, options, registry, problems);
  else if (std::filesystem::exists(asked, error))
    out.model = read_model_metadata(asked, problems);  // says what it is instead
  else
    problems.add({asked}, why_nothing(asked, registry));
  return out;
}

Labels labels_for(const Inferring& by) {
  if (!by.method || needs_labels(by.method->label_use())) return Labels::needed;
  return by.method->label_use() == LabelUse::none ? Labels::ignored : Labels::optional;
}

/// A model is applied as it was trained.
void expect_no_settings(const Options& options, const std::string& model, Problems& problems) {
  if (options.has("set"))
    problems.add({"--set"},
                 fmt::format("is for methods that need no model; leave it out for '{}'", model));
}

int infer(const Options& options) {
  Problems problems;
  expect_format(options, problems);
  if (options.has("posteriors") && options.get_text("format") == "csv")
    problems.add({"--posteriors"}, "is for --format json: the CSV has intervals only");
  const auto asked = options.argument("MODEL|METHOD");
  const auto threads = jobs(options);
  const auto registry = open_registry(options);
  auto by = inferring(asked, options, registry, problems);
  if (by.model) expect_no_settings(options, asked, problems);
  const auto subjects = read_subjects(options, by.model, labels_for(by), problems);
  check_infer_out(options, problems);
  problems.throw_if_any();
  const auto method =
      by.model ? load_model(asked, *by.model, options, registry, threads) : std::move(by.method);
  for (const auto& warning : by.model ? by.model->warnings : std::vector<std::string>())
    warn(fmt::format("{}: its training warned: {}", asked, warning));
  auto found = infer_all(*method, subjects);

  std::vector<InferredCohort> inferred;
  for (std::size_t c = 0; c < subjects.size(); ++c) {
    add_missing(subjects[c].cohort, method->missing_data(), found[c]);
    print_remarks(subjects[c], method->label_use(), found[c]);
    const auto use = use_of_cohort(method->label_use(), !subjects[c].cohort.diseased.empty());
    inferred.push_back({subjects[c].file, subjects[c].cohort, std::move(found[c]), use});
  }
  put_out(options, format_of(options) == TableFormat::csv
                       ? inference_csv(inferred)
                       : inference_json(inferred, by.model ? by.model->plugin : asked,
                                        options.has("posteriors") ? Posteriors::whole
                                                                  : Posteriors::intervals));
  return kOk;
}

}  // namespace

const Command infer_command{
    "infer",
    "MODEL|METHOD COHORT.csv [COHORT.csv ...] [options]",
    "apply a trained model or a method: order and times of events, stage of each participant",
    {{"tempo infer generalist cohort.csv", "events and stages of one cohort, without a training"},
     {"tempo infer h6.safetensors first.csv second.csv --out stages.csv",
      "those of two, by a model that was trained"}},
    add_infer_options,
    infer};

}  // namespace tempo::cli
