// tempo fit-parameters: the distributions before and after events, from a cohort.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/command.hpp"
#include "cli/screen.hpp"
#include "data/biomarker_file.hpp"
#include "data/estimated_biomarkers.hpp"
#include "data/names.hpp"
#include "data/real_cohort.hpp"
#include "data/text_file.hpp"
#include "report/estimates_text.hpp"
#include "report/mixture_plot.hpp"
#include "report/text_layout.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

void add_fit_parameters_options(Options& options) {
  options.choice(
      "healthy", "H", {"free", "fixed"},
      "'fixed': the healthy alone say what is before an event; 'free': so do the diseased "
      "whose event has not happened",
      "free");
  options.text("out", "FILE",
               "the table of biomarkers: .toml as experiments read it, or .json with all that is "
               "known of it");
  options.text("densities", "FILE", "fitted densities and histograms for plotting, .csv or .json");
  options.number<int>("width", "N", "columns of the plots", 80);
  options.flag("ascii", "plots without signs beyond ASCII");
  options.flag("no-plots", "the table and the warnings only");
  options.positional("COHORT");
}

/// Complains of an output that is no such file or would overwrite what is read.
void check_output(const Options& options, const std::string& option,
                  const std::vector<std::string>& endings, const RealCohort& cohort,
                  Problems& problems) {
  if (!options.has(option)) return;
  const auto out = options.path(option);
  if (std::find(endings.begin(), endings.end(), out.extension().string()) == endings.end())
    problems.add({"--" + option},
                 fmt::format("'{}' must end in {}", out.string(), one_of(endings)));
  refuse_overwriting(options, option, cohort.files, problems);
}

/// @throws InputError with all faults of the options and of the cohort
RealCohort read_cohort(const Options& options) {
  Problems problems;
  expect_choice(options, "healthy", problems);
  expect_between(options, "width", static_cast<int>(PlotStyle::kLeastWidth), 1000, problems);
  auto cohort = read_real_cohort(options.argument("COHORT"), problems);
  check_output(options, "out", {".toml", ".json"}, cohort, problems);
  check_output(options, "densities", {".csv", ".json"}, cohort, problems);
  problems.throw_if_any();
  return cohort;
}

/// @throws InputError naming the biomarkers that cannot be estimated
std::vector<EstimatedBiomarker> estimate(const Options& options, const Cohort& cohort) {
  const bool is_fixed = options.get_text("healthy") == "fixed";
  std::vector<std::string> faults;
  auto estimated =
      estimate_biomarkers(cohort, is_fixed ? HealthyAre::fixed : HealthyAre::free, faults);
  Problems problems;
  for (const auto& fault : faults) problems.add({options.argument("COHORT")}, fault);
  problems.throw_if_any();
  return estimated;
}

void write_estimates(const Options& options, const std::vector<EstimatedBiomarker>& estimated) {
  const auto out = options.path("out");
  const auto file = options.argument("COHORT");
  const auto& healthy = options.get_text("healthy");
  const auto text = out.extension() == ".json"
                        ? estimates_json(estimated, healthy)
                        : biomarkers_to_toml(
                              table_of(estimated), fs::path(file).stem().string(),
                              fmt::format("estimated by tempo fit-parameters from '{}', healthy {}",
                                          file, healthy));
  write_text_file(out, text);
  std::cout << out.string() << ": " << counted(estimated.size(), "biomarker") << "\n";
}

void write_densities(const fs::path& out, const std::vector<EstimatedBiomarker>& estimated,
                     const Cohort& cohort) {
  const auto format = out.extension() == ".json" ? TableFormat::json : TableFormat::csv;
  write_text_file(out, render(density_table(densities(estimated, cohort)), format));
  std::cout << out.string() << ": densities of " << counted(estimated.size(), "biomarker") << "\n";
}

int fit_parameters(const Options& options) {
  const auto read = read_cohort(options);
  const auto& cohort = read.table.cohort;
  const auto estimated = estimate(options, cohort);
  std::cout << wrapped_lines(read.table.report(), screen_width()) << "\n";
  if (!options.has("no-plots")) {
    const auto width = static_cast<std::size_t>(options.get<int>("width"));
    std::cout << plot(estimated, cohort, {width, options.has("ascii")}) << "\n";
  }
  std::cout << wrapped_lines(report(estimated), screen_width());
  if (options.has("out")) write_estimates(options, estimated);
  if (options.has("densities")) write_densities(options.path("densities"), estimated, cohort);
  return kOk;
}

}  // namespace

const Command fit_parameters_command{
    "fit-parameters",
    "COHORT [options]",
    "estimate biomarkers before and after their events from a cohort (.csv, or a table's .toml)",
    {{"tempo fit-parameters cohort.csv", "plots, and a table of means and standard deviations"},
     {"tempo fit-parameters clinic.toml --healthy fixed --out biomarkers.toml",
      "write the table that experiments read"}},
    add_fit_parameters_options,
    fit_parameters};

}  // namespace tempo::cli
