#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace tempo::cli {

// What the commands declare, written for people and for shells: one source for --help, pages,
// manual pages and completion.

/// What `tempo` alone says: what to try first.
std::string first_steps();
/// What the program is, and all its commands.
std::string usage();

/// A table of all commands in Markdown.
std::string markdown_of_program();
/// Usage line, table of options and examples of one command in Markdown.
std::string markdown_of(const Command& command);

/// tempo.1
std::string manual_of_program();
/// tempo-COMMAND.1
std::string manual_of(const Command& command);

/// A script that bash, or zsh, reads to complete command lines.
std::string bash_completion();
std::string zsh_completion();

/// A line of a table in Markdown. Bars in cells are written so that they end no cell.
std::string markdown_row(const std::vector<std::string>& cells);
/// The head of a table in Markdown.
std::string markdown_head(const std::vector<std::string>& cells);

/// What a shell offers as the value of an option or argument. Plugins are those that tempo finds at
/// that time.
enum class Completed {
  nothing,
  words,
  folders,
  experiments,
  cohorts,
  files,
  plugins,
  methods,
  hypotheses,
  lists_of_hypotheses
};
/// By the name of the value, such as FOLDER, and the choices that there are.
Completed completed_as(std::string_view value, const std::vector<std::string>& choices);

/// A command of a shell that prints the ids of some plugins, and nothing where tempo cannot be
/// called: the script for sed in it takes its argument $1 for the kind of plugin.
extern const char* const kPrintIds;
/// The pattern of that kind. @pre completed is one of plugins
const char* kind_pattern(Completed completed);

}  // namespace tempo::cli
