// tempo help: all commands, or one, for people, pages, manuals and shells.

#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace tempo::cli {
namespace {

const std::vector<std::string> kOfProgram{"text", "markdown", "man", "bash", "zsh"};
const std::vector<std::string> kOfCommand{"text", "markdown", "man"};

void add_options(Options& options) {
  options.choice("format", "F", kOfProgram,
                 one_of(kOfCommand) +
                     "; of the whole program also 'bash' or 'zsh', scripts that "
                     "complete its command lines",
                 "text");
  options.optional_positional("COMMAND", command_names());
}

/// The command that is asked about; null: the program. @throws InputError
const Command* wanted(const Options& options) {
  Problems problems;
  const Command* found = nullptr;
  if (options.has("COMMAND")) {
    const auto name = options.argument("COMMAND");
    for (const auto& command : commands())
      if (command.name == name) found = &command;
    if (found == nullptr)
      problems.add(command_line(options.command()),
                   fmt::format("unknown command '{}'; expected {}{}", name, one_of(command_names()),
                               did_you_mean(name, command_names())));
  }
  expect_format(options, options.has("COMMAND") ? kOfCommand : kOfProgram, problems);
  problems.throw_if_any();
  return found;
}

std::string help_of_program(const std::string& format) {
  if (format == "markdown") return markdown_of_program();
  if (format == "man") return manual_of_program();
  if (format == "bash") return bash_completion();
  if (format == "zsh") return zsh_completion();
  return usage();
}

int help(const Options& options) {
  const auto* command = wanted(options);
  const auto& format = options.get_text("format");
  if (command == nullptr)
    std::cout << help_of_program(format);
  else if (format == "markdown")
    std::cout << markdown_of(*command);
  else if (format == "man")
    std::cout << manual_of(*command);
  else
    Options(*command).print_help(std::cout);
  return kOk;
}

}  // namespace

const Command help_command{"help",
                           "[COMMAND] [--format F]",
                           "show all commands, or the options of one, with examples",
                           {{"tempo help run", "the options of one command, as tempo run --help"},
                            {"tempo help --format bash > tempo.bash",
                             "a script that completes command lines: source tempo.bash"}},
                           add_options,
                           help};

}  // namespace tempo::cli
