#pragma once

#include <boost/program_options.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "data/names.hpp"
#include "registry.hpp"
#include "study/experiment.hpp"

namespace tempo::cli {

/// What the program leaves with.
enum ExitCode {
  kOk = 0,
  kFailed = 1,        ///< a fit failed, or something broke on the way
  kBadInput = 2,      ///< command line, experiment file or data; nothing was written
  kInterrupted = 130  ///< Ctrl-C; the same command continues
};

/// A sub-command: one file each.
struct Command {
  const char* name;
  const char* arguments;  ///< what follows the name in the usage line
  const char* summary;
  int (*run)(const Command& command, const std::vector<std::string>& arguments);
};

extern const Command run_command;
extern const Command validate_command;
extern const Command plan_command;
extern const Command train_command;
extern const Command import_command;
extern const Command fit_parameters_command;
extern const Command infer_command;
extern const Command stage_command;
extern const Command compare_command;
extern const Command plausibility_command;
extern const Command simulate_command;
extern const Command synthesize_adnimerge_command;
extern const Command report_command;
extern const Command results_command;
extern const Command merge_command;
extern const Command plugins_command;
const std::vector<Command>& commands();

/// Thrown once `--help` has been answered: nothing else is to be done.
struct HelpShown {};

/// Options of a sub-command and what the user gave.
class Options {
 public:
  explicit Options(const Command& command) : command_(command), described_("options") {}

  boost::program_options::options_description_easy_init add() { return described_.add_options(); }
  /// An argument without dashes, in order.
  void positional(const std::string& name);
  void optional_positional(const std::string& name);
  /// All arguments that follow, at least one.
  void positional_list(const std::string& name);
  /// @throws InputError, one problem per fault: unknown options with the nearest one, missing
  ///   arguments; HelpShown.
  void parse(const std::vector<std::string>& arguments);

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  /// Whether its value is the option's default, and nobody's choice.
  bool is_default(const std::string& name) const { return values_[name].defaulted(); }
  template <class T>
  const T& get(const std::string& name) const {
    return values_[name].as<T>();
  }
  /// The values of an option that may be repeated; none if it was not given.
  std::vector<std::string> list(const std::string& name) const;

 private:
  void add_positional(const std::string& name, int count);

  const Command& command_;
  boost::program_options::options_description described_;
  boost::program_options::options_description hidden_;
  boost::program_options::positional_options_description positional_;
  std::vector<std::string> required_;
  boost::program_options::variables_map values_;
};

/// A problem with the command line itself.
Place command_line(const Command& command);

/// --plugin-path
void add_registry_options(Options& options);
/// Searches for plugins; says on standard error which named folders are not there.
Registry open_registry(const Options& options);

/// EXPERIMENT, --set, --plugin-path
void add_study_options(Options& options);
/// @throws InputError with all faults of the experiment file and what it names.
Study open_study(const Options& options, const Registry& registry);

/// --jobs, by default one per core. @throws InputError
std::size_t jobs(const Command& command, const Options& options);
/// Adds --jobs. @param help what there are as many of
void add_jobs_option(Options& options, const char* help);

/// Complains of a --format that is none of these.
void expect_format(const Command& command, const Options& options,
                   const std::vector<std::string>& formats, Problems& problems);
/// Complains if what an option such as `out` names, if it is given, is one of the files that are
/// read.
void refuse_overwriting(const Options& options, const std::string& option,
                        const std::vector<std::filesystem::path>& inputs, Problems& problems);
/// Complains if --out, which has no default here, was not given.
void expect_out(const Command& command, const Options& options, Problems& problems);
/// `9 hypotheses x 1 method x 5 cohorts = 45 fits`
std::string count_in_words(const Study& study);
/// --out, or else runs/NAME.
std::filesystem::path run_folder(const Options& options, const Study& study);

}  // namespace tempo::cli
