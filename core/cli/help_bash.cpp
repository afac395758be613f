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

)";

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
  switch (completed_as(value, choices)) {
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
    case Completed::nothing:
      break;
  }
  return ":";
}

std::string function_of(const Command& command) {
  const Options options(command);
  std::string all, cases, arguments;
  for (const auto& option : options.declared()) {
    all += (all.empty() ? "--" : " --") + option.name;
    if (option.value.empty()) continue;
    const auto letter = option.letter.empty() ? std::string() : " | -" + option.letter;
    cases += fmt::format("    --{}{}) {} ;;\n", option.name, letter,
                         offer(option.value, option.choices));
  }
  for (const auto& [name, choices] : options.arguments())
    arguments += fmt::format("\n        {}", offer(name, choices));
  return fmt::format(
      "_tempo_{}() {{\n  case $prev in\n{}    *)\n      if [[ $cur == -* ]]; then\n        "
      "_tempo_words '{}'\n      else{}\n      fi\n      ;;\n  esac\n}}\n",
      command.name, cases, all, arguments.empty() ? "\n        :" : arguments);
}

}  // namespace

std::string bash_completion() {
  auto out = kHead +
             fmt::format("_tempo_commands() {{ echo '{}'; }}\n\n", fmt::join(command_names(), " "));
  for (const auto& command : commands()) out += function_of(command);
  return out + kTail;
}

}  // namespace tempo::cli
