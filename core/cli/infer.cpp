// tempo infer: what a trained model says of cohorts.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/trained_model.hpp"
#include "data/cohort_csv.hpp"
#include "data/csv_rows.hpp"
#include "data/model_file.hpp"
#include "data/text_file.hpp"
#include "model/printable.hpp"
#include "run/fit.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

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
  const auto read = read_cohort_csv(file, faults);
  problems.append(faults);
  if (!faults.empty() || !model || model->biomarkers.empty()) return {file, read.cohort, {}};
  const auto found = find_columns(read.cohort, model->biomarkers);
  if (!found.missing.empty())
    problems.add({file}, fmt::format("lacks biomarkers that the model was trained on: {}",
                                     fmt::join(found.missing, ", ")));
  auto cohort = read.cohort;
  cohort.biomarkers.clear();
  cohort.measurements = Matrix(cohort.participant_count(), found.columns.size());
  for (std::size_t b = 0; b < found.columns.size(); ++b) {
    cohort.biomarkers.push_back(read.cohort.biomarkers[found.columns[b]]);
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      cohort.measurements(j, b) = read.cohort.measurements(j, found.columns[b]);
  }
  return {file, std::move(cohort), found.unknown};
}

/// A row per event in the order found, then a row per participant; of several cohorts each row says
/// of which.
std::string as_csv(const std::vector<Subject>& subjects, const std::vector<Inference>& found) {
  const bool several = subjects.size() > 1;
  std::string out =
      several ? "cohort,kind,name,rank,score,time,stage\n" : "kind,name,rank,score,time,stage\n";
  for (std::size_t c = 0; c < subjects.size(); ++c) {
    const auto& [file, cohort, left_out] = subjects[c];
    const auto& inference = found[c];
    const auto first = several ? csv_field(file) + "," : std::string();
    const auto order = sequence_by_score(inference.event_scores);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto b = order[i];
      out +=
          fmt::format("{}event,{},{},{},{},\n", first, csv_field(cohort.biomarkers[b]), i + 1,
                      inference.event_scores[b],
                      inference.event_times ? fmt::format("{}", (*inference.event_times)[b]) : "");
    }
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      out += fmt::format("{}stage,{},,,,{}\n", first, csv_field(cohort.participants[j]),
                         inference.stages[j]);
  }
  return out;
}

nlohmann::ordered_json as_json(const Inference& inference, const Cohort& cohort,
                               const std::string& plugin) {
  nlohmann::ordered_json out;
  out["plugin"] = plugin;
  out["events"] = nlohmann::ordered_json::array();
  const auto order = sequence_by_score(inference.event_scores);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto b = order[i];
    nlohmann::ordered_json event{
        {"biomarker", cohort.biomarkers[b]}, {"rank", i + 1}, {"score", inference.event_scores[b]}};
    if (inference.event_times) event["time"] = (*inference.event_times)[b];
    out["events"].push_back(std::move(event));
  }
  out["stages"] = nlohmann::ordered_json::array();
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    out["stages"].push_back(
        {{"participant", cohort.participants[j]}, {"stage", inference.stages[j]}});
  out["warnings"] = inference.warnings;
  return out;
}

/// Of several cohorts a list, each entry beginning with its file.
std::string as_json(const std::vector<Subject>& subjects, const std::vector<Inference>& found,
                    const std::string& plugin) {
  if (subjects.size() == 1) return as_json(found[0], subjects[0].cohort, plugin).dump(2) + "\n";
  auto out = nlohmann::ordered_json::array();
  for (std::size_t c = 0; c < subjects.size(); ++c) {
    nlohmann::ordered_json entry{{"cohort", subjects[c].file}};
    entry.update(as_json(found[c], subjects[c].cohort, plugin));
    out.push_back(std::move(entry));
  }
  return out.dump(2) + "\n";
}

/// What the method finds in all of them. @throws InputError with the faults of each
std::vector<Inference> infer_all(const InferenceMethod& method,
                                 const std::vector<Subject>& subjects) {
  std::vector<Cohort> cohorts;
  for (const auto& subject : subjects) cohorts.push_back(subject.cohort);
  std::vector<RandomStream> streams(cohorts.size(), RandomStream(/*seed=*/0, "infer"));
  try {
    return method.fit_all(cohorts, streams);
  } catch (const Error&) {  // of one cohort: of which, and what of the others, each has to say
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
}

int infer(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  const std::vector<std::string> formats{"csv", "json"};
  options.add()("out", po::value<std::string>()->value_name("FILE"),
                "where to write (default: standard output)")(
      "format", po::value<std::string>()->value_name("F")->default_value("csv"),
      one_of(formats).c_str())("device", po::value<std::string>()->value_name("D"),
                               "where to compute, for methods that have a choice");
  add_jobs_option(options, "threads (default: one per core)");
  add_registry_options(options);
  options.positional("MODEL");
  options.positional_list("COHORT");
  options.parse(arguments);

  Problems problems;
  const auto& format = options.get<std::string>("format");
  expect_format(command, options, formats, problems);
  const auto model_file = options.list("MODEL").front();
  const auto metadata = read_model_metadata(model_file, problems);
  std::vector<Subject> subjects;
  for (const auto& file : options.list("COHORT"))
    subjects.push_back(read_subject(file, metadata, problems));
  const fs::path out = options.has("out") ? options.get<std::string>("out") : "";
  const auto cohorts = options.list("COHORT");
  std::vector<fs::path> inputs(cohorts.begin(), cohorts.end());
  inputs.emplace_back(model_file);
  refuse_overwriting(options, "out", inputs, problems);
  problems.throw_if_any();
  const auto threads = jobs(command, options);
  const auto registry = open_registry(options);
  const auto method = load_model(model_file, *metadata, options, registry, threads);
  auto found = infer_all(*method, subjects);
  for (std::size_t c = 0; c < subjects.size(); ++c)
    if (auto missing = missing_in_words(subjects[c].cohort, method->missing_data());
        !missing.empty())
      found[c].warnings.insert(found[c].warnings.begin(), std::move(missing));

  for (std::size_t c = 0; c < subjects.size(); ++c) {
    for (const auto& name : subjects[c].left_out)
      std::cerr << printable(fmt::format(
          "note: {}: the model does not know '{}', which is left out\n", subjects[c].file, name));
    for (const auto& warning : found[c].warnings)
      std::cerr << printable(fmt::format("warning: {}: {}\n", subjects[c].file, warning));
  }
  const auto text =
      format == "csv" ? as_csv(subjects, found) : as_json(subjects, found, metadata->plugin);
  if (out.empty())
    std::cout << text;
  else
    write_text_file(out, text);
  return kOk;
}

}  // namespace

const Command infer_command{
    "infer", "MODEL COHORT.csv [COHORT.csv ...] [options]",
    "apply a trained model: order and times of events, stage of each participant", infer};

}  // namespace tempo::cli
