// tempo score: orders and stages that any program found, beside the truth.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "analysis/log_scores.hpp"
#include "cli/command.hpp"
#include "data/found_json.hpp"
#include "data/public_cohorts.hpp"
#include "report/found_scores_table.hpp"
#include "run/fit.hpp"
#include "run/inference_details.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

void add_score_options(Options& options) {
  options.text("method", "NAME", "what tables call it (default: 'plugin' of the file)");
  options.choice("format", "F", {"csv", "table", "json"}, "", "csv");
  options.text("out", "FILE", "where to write (default: standard output)");
  options.positional("COHORTS");
  options.positional_list("FOUND.json");
}

/// The data set that an entry is about: called alike, and in the same folder where it names one.
const PublicDataset* dataset_of(const FoundEntry& entry, const std::vector<PublicDataset>& all) {
  const fs::path named(entry.cohort);
  const auto stem = named.extension() == ".csv" ? named.stem() : named.filename();
  const auto folder = named.parent_path().filename();
  const PublicDataset* found = nullptr;
  for (const auto& dataset : all) {
    if (dataset.csv.stem() != stem) continue;
    if (dataset.csv.parent_path().filename() == folder) return &dataset;
    if (found == nullptr) found = &dataset;
  }
  return found;
}

FoundScores score(const FoundEntry& entry, const PublicDataset& dataset, const Inference& found,
                  PublicCohort cohort) {
  const SimulatedCohort with_truth{std::move(cohort.cohort), std::move(cohort.truth)};
  const auto labels = entry.labels.value_or(LabelUse::none);
  FoundScores out;
  out.hypothesis = dataset.hypothesis;
  out.cohort = dataset.number;
  out.method = entry.plugin;
  out.labels = entry.labels ? std::string(to_string(labels)) : "not stated";
  out.scores = scores_of(found, with_truth);
  out.ranks.log_score = rank_log_score(found, with_truth.truth);
  out.stages.log_score = stage_log_score(found, with_truth, labels);
  const auto details = details_of(found, with_truth, {.labels = labels});
  out.ranks.calibration = details.rank_calibration;
  out.stages.calibration = details.stage_calibration;
  return out;
}

/// All entries of all files, named.
std::vector<FoundEntry> read_entries(const Options& options, Problems& problems) {
  std::vector<FoundEntry> out;
  for (const auto& file : options.list("FOUND.json"))
    for (auto& entry : read_found(file, problems)) {
      if (options.has("method")) entry.plugin = options.get_text("method");
      if (entry.plugin.empty())
        problems.add({file}, "does not say what found it ('plugin'): give --method NAME");
      out.push_back(std::move(entry));
    }
  return out;
}

int score_found(const Options& options) {
  Problems problems;
  expect_choice(options, "format", problems);
  const auto files = options.list("FOUND.json");
  refuse_overwriting(options, "out", {files.begin(), files.end()}, problems);
  const auto folder = options.argument("COHORTS");
  const auto datasets = list_public_cohorts(folder, problems);
  const auto entries = read_entries(options, problems);
  problems.throw_if_any();
  std::vector<FoundScores> rows;
  std::set<std::tuple<std::string, std::size_t, std::string>> known;
  for (const auto& entry : entries) {
    const auto* dataset = dataset_of(entry, datasets);
    if (dataset == nullptr) {
      problems.add({entry.file}, fmt::format("'{}' is no cohort of {}", entry.cohort, folder));
      continue;
    }
    if (!known.emplace(dataset->hypothesis, dataset->number, entry.plugin).second) {
      problems.add({entry.file},
                   fmt::format("'{}' on {} is given twice", entry.plugin, dataset->csv.string()));
      continue;
    }
    const auto before = problems.size();
    auto cohort = read_public_cohort(*dataset, problems);
    if (problems.size() > before) continue;
    if (const auto found = found_in(entry, cohort.cohort, problems))
      rows.push_back(score(entry, *dataset, *found, std::move(cohort)));
  }
  problems.throw_if_any();
  put_out(options, render(found_scores_table(rows), format_of(options)));
  return kOk;
}

}  // namespace

const Command score_command{
    "score",
    "COHORTS FOUND.json... [options]",
    "score orders and stages that any program found in cohorts with a truth",
    {{"tempo score cohorts mine.json --out mine.csv",
      "a line per cohort, for 'tempo results RUN --with mine.csv'"},
     {"tempo score cohorts mine.json yours.json --format table", "means over cohorts"}},
    add_score_options,
    score_found};

}  // namespace tempo::cli
