// Completion of command lines by bash.

#include <fmt/format.h>

#include "cli/help.hpp"

namespace tempo::cli {
namespace {

/// Functions of the script: what they leave in COMPREPLY.
constexpr const char* kHead = R"(# bash completion of tempo, written by: tempo help --format bash

# Adds the words that go on from what is typed.
_tempo_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}

# Adds folders, and files that end as one of the arguments; without arguments all files.
_tempo_files() {
  local file ending
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$cur")
  (($#)) || while IFS= read -r file; do [[ -d $file ]] || COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
  for ending; do
    while IFS= read -r file; do [[ -d $file ]] || COMPREPLY+=("$file"); done < <(compgen -f -X "!*.$ending" -- "$cur")
  done
}

_tempo_folders() { _tempo_files ' '; }

# How many arguments stand before what is typed; the argument names the options with values.
_tempo_arguments() {
  local i count=0 is_value=0
  for ((i = 2; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      =) is_value=1 ;;
      -*) if [[ " $1 " == *" ${COMP_WORDS[i]} "* ]]; then is_value=1; else is_value=0; fi ;;
      *) if ((is_value)); then is_value=0; else ((++count)); fi ;;
    esac
  done
  echo "$count"
}

)";

/// Functions that ask tempo which plugins there are.
std::string functions_of_plugins() {
  return fmt::format(R"(# Ids of plugins of some kind.
_tempo_ids() {{ "${{COMP_WORDS[0]}}" {}; }}

# Adds lists, separated by commas, that go on with one of the words.
_tempo_lists() {{
  local word last=${{cur##*,}}
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -P "${{cur%"$last"}}" -W "$1" -- "$last")
}}

)",
                     kPrintIds);
}

/// The main function, after those of the commands.
constexpr const char* kTail = R"(
_tempo() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _tempo_words "$(_tempo_commands) --help --version"
    return
  fi
  # --option=value: bash takes the sign of equality for a word.
  if [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi
  if [[ $cur == = ]]; then cur=; fi
  if declare -F "_tempo_${COMP_WORDS[1]}" >/dev/null; then "_tempo_${COMP_WORDS[1]}"; fi
}
complete -F _tempo tempo
)";

/// A call that offers what may stand in this place.
std::string offer(const std::string& value, const std::vector<std::string>& choices) {
  const auto completed = completed_as(value, choices);
  switch (completed) {
    case Completed::words:
      return fmt::format("_tempo_words '{}'", fmt::join(choices, " "));
    case Completed::folders:
      return "_tempo_folders";
    case Completed::experiments:
      return "_tempo_files toml";
    case Completed::cohorts:
      return "_tempo_files csv toml";
    case Completed::files:
      return "_tempo_files";
    case Completed::plugins:
    case Completed::methods:
    case Completed::hypotheses:
      return fmt::format("_tempo_words \"$(_tempo_ids '{}')\"", kind_pattern(completed));
    case Completed::lists_of_hypotheses:
      return fmt::format("_tempo_lists \"$(_tempo_ids '{}')\"", kind_pattern(completed));
    case Completed::nothing:
      break;
  }
  return ":";
}

/// What may stand where an argument does: that of its place, or of the list that the last one is.
std::string offers(const std::vector<DeclaredArgument>& arguments, const std::string& valued) {
  if (arguments.empty()) return "        :\n";
  auto out = fmt::format("        case $(_tempo_arguments '{}') in\n", valued);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    out += fmt::format("          {}) {} ;;\n", arguments[i].is_list ? "*" : fmt::format("{}", i),
                       offer(arguments[i].name, arguments[i].choices));
  return out + "        esac\n";
}

std::string function_of(const Command& command) {
  const Options options(command);
  std::vector<std::string> all, valued;
  std::string cases;
  for (const auto& option : options.declared()) {
    all.push_back("--" + option.name);
    if (option.value.empty()) continue;
    valued.push_back("--" + option.name);
    if (!option.letter.empty()) valued.push_back("-" + option.letter);
    const auto letter = option.letter.empty() ? std::string() : " | -" + option.letter;
    cases += fmt::format("    --{}{}) {} ;;\n", option.name, letter,
                         offer(option.value, option.choices));
  }
  return fmt::format(
      "_tempo_{}() {{\n  case $prev in\n{}    *)\n      if [[ $cur == -* ]]; then\n        "
      "_tempo_words '{}'\n      else\n{}      fi\n      ;;\n  esac\n}}\n",
      command.name, cases, fmt::join(all, " "),
      offers(options.arguments(), fmt::format("{}", fmt::join(valued, " "))));
}

}  // namespace

std::string bash_completion() {
  auto out = kHead + functions_of_plugins() +
             fmt::format("_tempo_commands() {{ echo '{}'; }}\n\n", fmt::join(command_names(), " "));
  for (const auto& command : commands()) out += function_of(command);
  return out + kTail;
}

}  // namespace tempo::cli
