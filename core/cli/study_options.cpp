#include "cli/study_options.hpp"

#include <fmt/format.h>

#include <iostream>

#include "cli/command.hpp"
#include "data/installed_files.hpp"
#include "data/names.hpp"
#include "data/near_path.hpp"
#include "data/toml_table.hpp"
#include "model/printable.hpp"
#include "report/misfit_text.hpp"
#include "run/cohort_source.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

/// Fits of all points together.
std::size_t fit_count(const Study& study) {
  std::size_t fits = 0;
  for (const auto& point : study.points)
    for (const auto& group : point.groups)
      for (const auto& method : point.methods) {
        const bool is_fitted_once = group.is_real() && !method.bootstrap;
        fits += (is_fitted_once ? 1 : group.numbers.size()) * point.fits_per_cohort(method);
      }
  return fits;
}

/// `2 methods (1 trained model)`
std::string methods_in_words(const Experiment& experiment) {
  std::size_t models = 0;
  for (const auto& method : experiment.methods) models += method.models.size();
  auto text = counted(experiment.methods.size(), "method");
  if (models > 0) text += fmt::format(" ({})", counted(models, "trained model"));
  return text;
}

/// `1 real cohort and 20 replicates`
std::string real_cohort_in_words(const Experiment& experiment) {
  const auto replicates = experiment.analysis.bootstrap;
  return replicates == 0 ? "1 real cohort"
                         : fmt::format("1 real cohort and {}", counted(replicates, "replicate"));
}

/// `5 cohorts`, or `their cohorts` if hypotheses have different numbers of them.
std::string cohorts_in_words(const Study& study) {
  const auto cohorts = study.points.front().groups.front().numbers.size();
  for (const auto& point : study.points)
    for (const auto& group : point.groups)
      if (group.numbers.size() != cohorts) return "their cohorts";
  return counted(cohorts, "cohort");
}

/// Complains of an experiment that is not there, and names the one that may be meant.
void expect_there(const fs::path& file, Problems& problems) {
  std::error_code ignored;
  if (fs::status(file, ignored).type() != fs::file_type::not_found) return;
  const auto is_experiment = [](const fs::path& path) { return path.extension() == ".toml"; };
  problems.add(
      {file.string()},
      "no such file" + did_you_mean_path(file,
                                         {file.parent_path(), "experiments", shipped_experiments()},
                                         is_experiment));
}

}  // namespace

void add_study_options(Options& options) {
  options.texts("set", "KEY=VALUE",
                "change a setting of the experiment, e.g. cohorts.participants=300 or "
                "method.ID.fidelity=paper (repeatable)");
  add_registry_options(options);
}

void take_settings(const Options& options, PartSpec& part, Problems& problems) {
  for (const auto& argument : options.list("set")) {
    const auto setting = parse_override(argument, problems);
    if (!setting.path.empty()) part.settings.set(setting.path, setting.value);
  }
}

fs::path shipped_experiments() { return installed_files() / "experiments"; }

ExperimentFile read_experiment_file(const Options& options) {
  Problems problems;
  const fs::path file = options.argument("EXPERIMENT");
  expect_there(file, problems);
  ExperimentFile out;
  for (const auto& argument : options.list("set"))
    out.overrides.push_back(parse_override(argument, problems));
  problems.throw_if_any();
  out.table = read_toml(file, problems);
  problems.throw_if_any();
  return out;
}

Study open_study(const Options& options, const Registry& registry,
                 const std::vector<Override>& more) {
  auto [table, overrides] = read_experiment_file(options);
  overrides.insert(overrides.end(), more.begin(), more.end());
  Problems problems;
  auto study =
      study_from(std::move(table), options.argument("EXPERIMENT"), overrides, registry, problems);
  problems.throw_if_any();
  for (const auto& warning : study.warnings) warn(warning);
  return study;
}

void note_misfits(const Plan& plan) {
  for (const auto& misfit : plan.misfits)
    for (const auto& line : misfit_lines({misfit.what}))
      std::cerr << printable(fmt::format("note: {}: {}", to_string(misfit.place), line), "")
                << "\n";
}

void read_cohort_files(const Study& study, const Plan& plan,
                       const std::function<bool(std::size_t)>& is_needed) {
  for (const auto& note : check_cohort_files(study, plan, is_needed))
    std::cerr << printable(fmt::format("note: {}", note), "") << "\n";
}

std::string count_in_words(const Study& study, const Plan& plan) {
  const auto& first = study.points.front();
  const auto sweep =
      study.points.size() > 1 ? counted(study.points.size(), "sweep point") + ": " : std::string();
  const auto methods = methods_in_words(first);
  auto fits = counted(fit_count(study), "fit");
  if (const auto misfits = fit_count(study) - plan.fits.size(); misfits > 0)
    fits += fmt::format(", {} of them not applicable", misfits);
  if (first.has_real_cohort())
    return fmt::format("{}{} x {} = {}", sweep, real_cohort_in_words(first), methods, fits);
  return fmt::format("{}{} x {} x {} = {}", sweep, counted(first.hypotheses.size(), "hypothesis"),
                     methods, cohorts_in_words(study), fits);
}

Shard shard_of(const Options& options) {
  const auto& text = options.get_text("shard");
  if (const auto shard = parse_shard(text)) return *shard;
  Problems problems;
  problems.add(command_line(options.command()),
               fmt::format("--shard must be I/N with 1 <= I <= N, such as 2/8, not '{}'", text));
  throw InputError(problems);
}

fs::path run_folder(const Options& options, const Study& study) {
  if (options.has("out")) return options.path("out");
  return fs::path("runs") / study.name;
}

}  // namespace tempo::cli
