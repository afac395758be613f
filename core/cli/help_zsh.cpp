// Completion of command lines by zsh.

#include <fmt/format.h>

#include "cli/help.hpp"

namespace tempo::cli {
namespace {

/// A function that asks tempo which plugins there are; what _arguments hands on comes first.
constexpr const char* kIds = R"zsh(# Adds ids of plugins of the kind that the last argument matches.
_tempo_ids() {{
  local -a ids
  ids=(${{(f)"$(_tempo_print_ids "$@[-1]")"}})
  compadd "$@[1,-2]" -a ids
}}

_tempo_print_ids() {{ $program {}; }}

)zsh";

/// Within quotes, where brackets and colons end a part.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

/// An action of _arguments.
std::string action(const std::string& value, const std::vector<std::string>& choices) {
  const auto completed = completed_as(value, choices);
  switch (completed) {
    case Completed::words:
      return fmt::format("({})", fmt::join(choices, " "));
    case Completed::folders:
      return "_files -/";
    case Completed::experiments:
      return "_files -g \"*.toml\"";
    case Completed::cohorts:
      return "_files -g \"*.(csv|toml)\"";
    case Completed::files:
      return "_files";
    case Completed::plugins:
    case Completed::methods:
    case Completed::hypotheses:
      return fmt::format("_tempo_ids \"{}\"", kind_pattern(completed));
    case Completed::lists_of_hypotheses:
      return fmt::format("_sequence _tempo_ids - \"{}\"", kind_pattern(completed));
    case Completed::nothing:
      break;
  }
  return " ";
}

std::string option_line(const DeclaredOption& option) {
  const bool has_value = !option.value.empty();
  const auto after = fmt::format(
      "[{}]{}", escaped(option.meaning),
      has_value ? fmt::format(":{}:{}", escaped(option.value), action(option.value, option.choices))
                : "");
  const auto* const repeated = option.is_repeatable ? "*" : "";
  auto out =
      fmt::format("        '{}--{}{}{}'", repeated, option.name, has_value ? "=" : "", after);
  if (!option.letter.empty()) out += fmt::format(" \\\n        '-{}{}'", option.letter, after);
  return out;
}

std::string case_of(const Command& command) {
  const Options options(command);
  std::string lines;
  for (const auto& option : options.declared()) lines += " \\\n" + option_line(option);
  std::size_t place = 0;
  for (const auto& [name, choices, is_required, is_list] : options.arguments())
    lines += fmt::format(" \\\n        '{}:{}:{}'", is_list ? "*" : fmt::format("{}", ++place),
                         name, action(name, choices));
  return fmt::format("    {})\n      _arguments{}\n      ;;\n", command.name, lines);
}

}  // namespace

std::string zsh_completion() {
  std::string out =
      "#compdef tempo\n# zsh completion of tempo, written by: tempo help --format zsh\n\n" +
      fmt::format(kIds, kPrintIds) + "_tempo() {\n  local -a commands options\n  commands=(\n";
  for (const auto& command : commands())
    out += fmt::format("    '{}:{}'\n", command.name, escaped(command.summary));
  out +=
      "  )\n  options=('--help:show all commands' '--version:show the version')\n"
      "  if (( CURRENT == 2 )); then\n    _describe command commands\n"
      "    _describe -o option options\n    return\n  fi\n"
      "  local program=$words[1] command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const auto& command : commands()) out += case_of(command);
  return out + "  esac\n}\n\n_tempo \"$@\"\n";
}

}  // namespace tempo::cli
