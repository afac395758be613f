// tempo infer: what a trained model says of a cohort.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "data/cohort_csv.hpp"
#include "data/csv_rows.hpp"
#include "data/model_file.hpp"
#include "data/text_file.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

/// The cohort with the biomarkers that the model was trained on and no others, in the model's
/// order. A model that does not say which gets the cohort as it is.
Cohort as_trained(const Cohort& cohort, const ModelMetadata& model, const std::string& file,
                  Problems& problems) {
  if (model.biomarkers.empty()) return cohort;
  const auto& have = cohort.biomarkers;
  std::vector<std::size_t> columns;
  std::vector<std::string> missing;
  for (const auto& name : model.biomarkers) {
    const auto at = std::find(have.begin(), have.end(), name);
    if (at == have.end())
      missing.push_back(name);
    else
      columns.push_back(static_cast<std::size_t>(at - have.begin()));
  }
  if (!missing.empty())
    problems.add({file}, fmt::format("lacks biomarkers that the model was trained on: {}",
                                     fmt::join(missing, ", ")));
  for (const auto& name : have)
    if (std::find(model.biomarkers.begin(), model.biomarkers.end(), name) == model.biomarkers.end())
      std::cerr << fmt::format("note: {}: the model does not know '{}', which is left out\n", file,
                               name);
  auto out = cohort;
  out.biomarkers.clear();
  out.measurements = Matrix(cohort.participant_count(), columns.size());
  for (std::size_t b = 0; b < columns.size(); ++b) {
    out.biomarkers.push_back(have[columns[b]]);
    for (std::size_t j = 0; j < cohort.participant_count(); ++j)
      out.measurements(j, b) = cohort.measurements(j, columns[b]);
  }
  return out;
}

/// A row per event in the order found, then a row per participant.
std::string as_csv(const Inference& inference, const Cohort& cohort) {
  std::string out = "kind,name,rank,score,time,stage\n";
  const auto order = sequence_by_score(inference.event_scores);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto b = order[i];
    out += fmt::format("event,{},{},{},{},\n", csv_field(cohort.biomarkers[b]), i + 1,
                       inference.event_scores[b],
                       inference.event_times ? fmt::format("{}", (*inference.event_times)[b]) : "");
  }
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    out += fmt::format("stage,{},,,,{}\n", csv_field(cohort.participants[j]), inference.stages[j]);
  return out;
}

std::string as_json(const Inference& inference, const Cohort& cohort, const std::string& plugin) {
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
  return out.dump(2) + "\n";
}

/// The method with the weights of the file. @throws InputError
std::unique_ptr<InferenceMethod> load(const std::string& file, const ModelMetadata& metadata,
                                      const Options& options, const Registry& registry,
                                      std::size_t threads) {
  Problems problems;
  const auto kind = InterfaceKind::trainable_method;
  if (registry.find(kind, metadata.plugin) == nullptr)
    problems.add({file}, registry.why_missing(kind, metadata.plugin));
  problems.throw_if_any();
  PartSpec part{metadata.plugin, {}, Place{file}};
  if (options.has("device"))
    part.settings.set("device", {Place{"--device"}, options.get<std::string>("device")});
  part = registry.resolve(kind, part, fmt::format("method '{}'", metadata.plugin), problems);
  problems.throw_if_any();
  const auto method = registry.trainable_method(part);
  try {
    return method->load(file, threads);
  } catch (const Error& error) {
    problems.add({file}, error.what());
    throw InputError(problems);
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
  options.positional("COHORT");
  options.parse(arguments);

  Problems problems;
  const auto& format = options.get<std::string>("format");
  if (std::find(formats.begin(), formats.end(), format) == formats.end())
    problems.add(command_line(command), "unknown format '" + format + "'; expected " +
                                            one_of(formats) + did_you_mean(format, formats));
  const auto model_file = options.list("MODEL").front();
  const auto cohort_file = options.list("COHORT").front();
  const auto metadata = read_model_metadata(model_file, problems);
  const auto read = read_cohort_csv(cohort_file, problems);
  const fs::path out = options.has("out") ? options.get<std::string>("out") : "";
  std::error_code ignored;
  for (const auto& input : {model_file, cohort_file})
    if (!out.empty() && fs::equivalent(out, input, ignored))
      problems.add({"--out"}, fmt::format("'{}' is read, and would be overwritten", input));
  problems.throw_if_any();
  const auto threads = jobs(command, options);
  const auto registry = open_registry(options);
  const auto method = load(model_file, *metadata, options, registry, threads);
  const auto cohort = as_trained(read.cohort, *metadata, cohort_file, problems);
  problems.throw_if_any();

  RandomStream stream(/*seed=*/0, "infer");
  Inference found;
  try {
    found = method->fit(cohort, stream);
  } catch (const Error& error) {
    problems.add({cohort_file}, error.what());
  }
  problems.throw_if_any();
  for (const auto& warning : found.warnings) std::cerr << "warning: " << warning << "\n";
  const auto text =
      format == "csv" ? as_csv(found, cohort) : as_json(found, cohort, metadata->plugin);
  if (out.empty())
    std::cout << text;
  else
    write_text_file(out, text);
  return kOk;
}

}  // namespace

const Command infer_command{
    "infer", "MODEL COHORT.csv [options]",
    "apply a trained model: order and times of events, stage of each participant", infer};

}  // namespace tempo::cli
