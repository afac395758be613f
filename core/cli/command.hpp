#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "registry.hpp"

namespace tempo::cli {

/// What the program leaves with.
enum ExitCode {
  kOk = 0,
  kFailed = 1,        ///< a fit failed, or something broke on the way
  kBadInput = 2,      ///< command line, experiment file or data; nothing was written
  kInterrupted = 130  ///< Ctrl-C; the same command continues
};

/// A call that helps out, and what it does.
struct Example {
  const char* line;
  const char* meaning;
};

/// A sub-command: one file each.
struct Command {
  const char* name;
  const char* arguments;  ///< what follows the name in the usage line
  const char* summary;
  Example examples[2];  ///< which end its help
  void (*add_options)(Options& options);
  int (*run)(const Options& options);  ///< @return an exit code
};

/// Says it on standard error, on one line that begins with `warning: `: lines are joined by `; `.
void warn(const std::string& text);

extern const Command run_command;
extern const Command validate_command;
extern const Command plan_command;
extern const Command submit_command;
extern const Command status_command;
extern const Command train_command;
extern const Command import_command;
extern const Command fit_parameters_command;
extern const Command infer_command;
extern const Command stage_command;
extern const Command compare_command;
extern const Command plausibility_command;
extern const Command calibrate_command;
extern const Command score_command;
extern const Command power_command;
extern const Command simulate_command;
extern const Command synthesize_adnimerge_command;
extern const Command report_command;
extern const Command results_command;
extern const Command merge_command;
extern const Command plugins_command;
extern const Command help_command;
const std::vector<Command>& commands();
std::vector<std::string> command_names();

/// Adds --plugin-path.
void add_registry_options(Options& options);
/// Searches for plugins; says on standard error which named folders are not there.
Registry open_registry(const Options& options);

/// Adds --jobs. @param help what there are as many of
void add_jobs_option(Options& options, const std::string& help);
/// The value of --jobs, by default one per core that this process may use. @throws InputError
std::size_t jobs(const Options& options);
/// `2 jobs`, and where nobody gave the number why there are so many.
std::string jobs_in_words(const Options& options);

}  // namespace tempo::cli
