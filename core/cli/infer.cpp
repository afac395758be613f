// tempo infer: what a trained model says of cohorts.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "cli/cohort_columns.hpp"
#include "cli/command.hpp"
#include "cli/trained_model.hpp"
#include "data/cohort_csv.hpp"
#include "data/model_file.hpp"
#include "model/printable.hpp"
#include "report/inference_text.hpp"
#include "run/fit.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace {

void add_infer_options(Options& options) {
  options.text("out", "FILE", "where to write (default: standard output)");
  options.choice("format", "F", {"csv", "json"}, "", "csv");
  add_device_option(options, "where to compute, for methods that have a choice");
  add_jobs_option(options, "threads (default: one per core)");
  add_registry_options(options);
  options.positional("MODEL");
  options.positional_list("COHORT");
}

/// A file of a cohort and, if it was read without a fault, what the model is given of it.
struct Subject {
  std::string file;
  Cohort cohort;
  std::vector<std::string> left_out;  ///< biomarkers that the model does not know
};

/// The biomarkers that the model was trained on and no others, in the model's order. Of a model
/// that does not say which, the cohort as it is.
Subject read_subject(const std::string& file, const std::optional<ModelMetadata>& model,
                     Problems& problems) {
  Problems faults;
  auto read = read_cohort_csv(file, faults);
  problems.append(faults);
  if (!faults.empty() || !model || model->biomarkers.empty())
    return {file, std::move(read.cohort), {}};
  const auto found = find_columns(read.cohort, model->biomarkers);
  if (!found.missing.empty())
    problems.add({file}, fmt::format("lacks biomarkers that the model was trained on: {}",
                                     fmt::join(found.missing, ", ")));
  return {file, with_biomarkers(read.cohort, model->biomarkers), found.unknown};
}

std::vector<Subject> read_subjects(const Options& options,
                                   const std::optional<ModelMetadata>& model, Problems& problems) {
  std::vector<Subject> subjects;
  for (const auto& file : options.list("COHORT"))
    subjects.push_back(read_subject(file, model, problems));
  return subjects;
}

/// Complains of an --out that is also read.
void check_infer_out(const Options& options, Problems& problems) {
  const auto cohorts = options.list("COHORT");
  std::vector<std::filesystem::path> inputs(cohorts.begin(), cohorts.end());
  inputs.emplace_back(options.argument("MODEL"));
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

void print_remarks(const Subject& subject, const Inference& found) {
  for (const auto& name : subject.left_out)
    std::cerr << printable(fmt::format(
        "note: {}: the model does not know '{}', which is left out\n", subject.file, name));
  for (const auto& warning : found.warnings)
    std::cerr << printable(fmt::format("warning: {}: {}\n", subject.file, warning));
}

int infer(const Options& options) {
  Problems problems;
  expect_format(options, problems);
  const auto model_file = options.argument("MODEL");
  const auto metadata = read_model_metadata(model_file, problems);
  const auto subjects = read_subjects(options, metadata, problems);
  check_infer_out(options, problems);
  problems.throw_if_any();
  const auto threads = jobs(options);
  const auto registry = open_registry(options);
  const auto method = load_model(model_file, *metadata, options, registry, threads);
  auto found = infer_all(*method, subjects);

  std::vector<InferredCohort> inferred;
  for (std::size_t c = 0; c < subjects.size(); ++c) {
    add_missing(subjects[c].cohort, method->missing_data(), found[c]);
    print_remarks(subjects[c], found[c]);
    inferred.push_back({subjects[c].file, subjects[c].cohort, std::move(found[c])});
  }
  put_out(options, format_of(options) == TableFormat::csv
                       ? inference_csv(inferred)
                       : inference_json(inferred, metadata->plugin));
  return kOk;
}

}  // namespace

const Command infer_command{
    "infer",
    "MODEL COHORT.csv [COHORT.csv ...] [options]",
    "apply a trained model: order and times of events, stage of each participant",
    {{"tempo infer h6.safetensors cohort.csv --out stages.csv", "events and stages of one cohort"},
     {"tempo infer h6.safetensors first.csv second.csv --format json", "two cohorts, as JSON"}},
    add_infer_options,
    infer};

}  // namespace tempo::cli
