#include "cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <thread>

namespace tempo::cli {
namespace po = boost::program_options;

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      run_command,     validate_command,       plan_command,
      train_command,   infer_command,          stage_command,
      compare_command, plausibility_command,   simulate_command,
      results_command, report_command,         merge_command,
      import_command,  fit_parameters_command, synthesize_adnimerge_command,
      plugins_command};
  return all;
}

Place command_line(const Command& command) { return {fmt::format("tempo {}", command.name)}; }

void Options::add_positional(const std::string& name, int count) {
  hidden_.add_options()(name.c_str(), po::value<std::vector<std::string>>());
  positional_.add(name.c_str(), count);
}

void Options::positional(const std::string& name) {
  add_positional(name, 1);
  required_.push_back(name);
}

void Options::optional_positional(const std::string& name) { add_positional(name, 1); }

void Options::positional_list(const std::string& name) {
  add_positional(name, -1);
  required_.push_back(name);
}

void Options::parse(const std::vector<std::string>& arguments) {
  described_.add_options()("help,h", "show this help");
  po::options_description all;
  all.add(described_).add(hidden_);
  Problems problems;
  const auto complain = [&](const std::string& message) {
    problems.add(command_line(command_),
                 fmt::format("{} (see tempo {} --help)", message, command_.name));
  };
  try {
    // No guessing of abbreviated options: a typo must not become another option.
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(
        po::command_line_parser(arguments).options(all).positional(positional_).style(style).run(),
        values_);
    po::notify(values_);
  } catch (const po::unknown_option& error) {
    std::vector<std::string> known;
    for (const auto& option : described_.options()) known.push_back("--" + option->long_name());
    complain(fmt::format("unknown option '{}'{}", error.get_option_name(),
                         did_you_mean(error.get_option_name(), known)));
  } catch (const po::too_many_positional_options_error&) {
    complain(
        fmt::format("too many arguments; usage: tempo {} {}", command_.name, command_.arguments));
  } catch (const po::error& error) {
    complain(error.what());
  }
  problems.throw_if_any();
  if (has("help")) {
    std::cout << "usage: tempo " << command_.name << " " << command_.arguments << "\n\n"
              << command_.summary << "\n\n"
              << described_;
    throw HelpShown();
  }
  for (const auto& name : required_)
    if (!has(name)) complain(fmt::format("{} is missing", name));
  problems.throw_if_any();
}

std::vector<std::string> Options::list(const std::string& name) const {
  return has(name) ? get<std::vector<std::string>>(name) : std::vector<std::string>();
}

void add_registry_options(Options& options) {
  options.add()("plugin-path", po::value<std::vector<std::string>>()->value_name("FOLDER"),
                "search this folder for plugins first (repeatable)");
}

Registry open_registry(const Options& options) {
  std::vector<std::filesystem::path> paths;
  for (const auto& path : options.list("plugin-path")) paths.emplace_back(path);
  Registry registry(default_search_folders(paths));
  for (const auto& warning : registry.warnings()) std::cerr << "warning: " << warning << "\n";
  return registry;
}

void add_study_options(Options& options) {
  options.add()("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
                "change a setting of the experiment, e.g. cohorts.participants=300 or "
                "method.debm.fidelity=paper (repeatable)");
  add_registry_options(options);
}

Study open_study(const Options& options, const Registry& registry) {
  Problems problems;
  std::vector<Override> overrides;
  for (const auto& argument : options.list("set"))
    overrides.push_back(parse_override(argument, problems));
  problems.throw_if_any();
  auto study = read_study(options.list("EXPERIMENT").front(), overrides, registry, problems);
  problems.throw_if_any();
  for (const auto& warning : study.warnings) std::cerr << "warning: " << warning << "\n";
  return study;
}

std::string count_in_words(const Study& study) {
  std::size_t fits = 0;
  for (const auto& point : study.points)
    for (const auto& hypothesis : point.hypotheses)
      for (const auto& method : point.methods)
        fits += (point.has_real_cohort() && !method.bootstrap ? 1 : hypothesis.cohorts.size()) *
                (hypothesis.cohorts.empty() ? 0 : point.fits_per_cohort(method));
  std::string text;
  if (study.points.size() > 1) text += counted(study.points.size(), "sweep point") + ": ";
  const auto& first = study.points.front();
  const auto cohorts = first.hypotheses.front().cohorts.size();
  std::size_t models = 0;
  for (const auto& method : first.methods) models += method.models.size();
  auto methods = counted(first.methods.size(), "method");
  if (models > 0) methods += fmt::format(" ({})", counted(models, "trained model"));
  if (first.has_real_cohort()) {
    const auto replicates = first.analysis.bootstrap;
    return text + fmt::format("1 real cohort{} x {} = {}",
                              replicates == 0
                                  ? std::string()
                                  : fmt::format(" and {}", counted(replicates, "replicate")),
                              methods, counted(fits, "fit"));
  }
  bool equal = true;
  for (const auto& point : study.points)
    for (const auto& hypothesis : point.hypotheses)
      equal = equal && hypothesis.cohorts.size() == cohorts;
  return text + fmt::format("{} x {} x {} = {}", counted(first.hypotheses.size(), "hypothesis"),
                            methods, equal ? counted(cohorts, "cohort") : "their cohorts",
                            counted(fits, "fit"));
}

void add_jobs_option(Options& options, const char* help) {
  options.add()("jobs,j", po::value<int>()->value_name("N"), help);
}

std::size_t jobs(const Command& command, const Options& options) {
  constexpr int kMost = 1024;
  const int count = options.has("jobs")
                        ? options.get<int>("jobs")
                        : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  Problems problems;
  if (count < 1 || count > kMost)
    problems.add(command_line(command),
                 fmt::format("--jobs must be between 1 and {}, not {}", kMost, count));
  problems.throw_if_any();
  return static_cast<std::size_t>(count);
}

void expect_format(const Command& command, const Options& options,
                   const std::vector<std::string>& formats, Problems& problems) {
  const auto& format = options.get<std::string>("format");
  if (std::find(formats.begin(), formats.end(), format) == formats.end())
    problems.add(command_line(command), "unknown format '" + format + "'; expected " +
                                            one_of(formats) + did_you_mean(format, formats));
}

void refuse_overwriting(const Options& options, const std::string& option,
                        const std::vector<std::filesystem::path>& inputs, Problems& problems) {
  if (!options.has(option)) return;
  const std::filesystem::path out = options.get<std::string>(option);
  std::error_code ignored;
  for (const auto& input : inputs)
    if (std::filesystem::equivalent(out, input, ignored))
      problems.add({"--" + option},
                   fmt::format("'{}' is read, and would be overwritten", out.string()));
}

void expect_out(const Command& command, const Options& options, Problems& problems) {
  if (!options.has("out"))
    problems.add(command_line(command),
                 fmt::format("--out FOLDER is missing (see tempo {} --help)", command.name));
}

std::filesystem::path run_folder(const Options& options, const Study& study) {
  if (options.has("out")) return options.get<std::string>("out");
  return std::filesystem::path("runs") / study.name;
}

}  // namespace tempo::cli
