#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "cli/command.hpp"
#include "run/shard.hpp"
#include "study/plan.hpp"

namespace tempo::cli {

/// Adds --set and --plugin-path, of commands with an argument EXPERIMENT.
void add_study_options(Options& options);
/// Gives a plugin that a command is called with the settings of --set.
void take_settings(const Options& options, PartSpec& part, Problems& problems);
/// Where the experiments lie that come with tempo; an installation has them.
std::filesystem::path shipped_experiments();
/// An experiment file and what --set says of it.
struct ExperimentFile {
  ParameterTable table;
  std::vector<Override> overrides;  ///< not applied yet
};
/// @throws InputError if there is no such file, or it or --set cannot be read
ExperimentFile read_experiment_file(const Options& options);
/// @throws InputError with all faults of the experiment file and what it names.
/// @param more  settings of options, applied after those of --set
Study open_study(const Options& options, const Registry& registry,
                 const std::vector<Override>& more = {});

/// `9 hypotheses x 1 method x 5 cohorts = 45 fits, 5 of them not applicable`
std::string count_in_words(const Study& study, const Plan& plan);
/// Says on standard error which fits are not applicable, and where the file asks for them.
void note_misfits(const Plan& plan);
/// Reads the files of cohorts, as check_cohort_files does, and says on standard error which are not
/// there though their truth is.
void read_cohort_files(const Study& study, const Plan& plan,
                       const std::function<bool(std::size_t)>& is_needed);
/// The value of --shard. @throws InputError
Shard shard_of(const Options& options);
/// --out, or else runs/NAME.
std::filesystem::path run_folder(const Options& options, const Study& study);

}  // namespace tempo::cli
