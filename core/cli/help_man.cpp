// Manual pages, in the macros of man(7).

#include <fmt/format.h>

#include "cli/help.hpp"
#include "tempo/version.hpp"

namespace tempo::cli {
namespace {

/// A text that troff takes as it is: no escapes, no requests, dashes that can be copied.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '.' && out.empty())
      out += "\\&.";
    else
      out += c;
  }
  return out;
}

std::string head(const std::string& title, std::string_view summary) {
  return fmt::format(".TH {} 1 \"\" \"tempo {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     escaped(title), TEMPO_VERSION, escaped(title), escaped(summary));
}

std::string example(const Example& example) {
  return fmt::format(".TP\n.B {}\n{}\n", escaped(example.line), escaped(example.meaning));
}

std::string option(const DeclaredOption& option) {
  auto out = fmt::format(".TP\n\\fB\\-\\-{}\\fR", escaped(option.name));
  if (!option.letter.empty()) out += fmt::format(", \\fB\\-{}\\fR", option.letter);
  if (!option.value.empty()) out += fmt::format(" \\fI{}\\fR", escaped(option.value));
  out += "\n" + escaped(option.meaning);
  if (!option.fallback.empty()) out += fmt::format(" (default: {})", escaped(option.fallback));
  return out + "\n";
}

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nAll went well.\n"
    ".TP\n.B 1\nA fit failed, or something broke on the way.\n"
    ".TP\n.B 2\nThe command line or an input has faults; nothing was run.\n"
    ".TP\n.B 130\nInterrupted; the same command continues.\n";

}  // namespace

std::string manual_of_program() {
  auto out = head("tempo", "order and timing in which a disease changes its biomarkers");
  out +=
      ".SH SYNOPSIS\n.B tempo\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n"
      "tempo simulates cohorts from competing hypotheses of how a disease goes. It runs "
      "inference\nmethods on them and scores every method side by side.\nEach command has a page "
      "of its\nown, such as\n.BR tempo\\-run (1).\n.SH COMMANDS\n";
  for (const auto& command : commands())
    out += fmt::format(".TP\n.BR tempo\\-{} (1)\n{}\n", escaped(command.name),
                       escaped(command.summary));
  out += std::string(".SH EXAMPLES\n") + example(commands().front().examples[0]);
  return out + kExitStatus;
}

std::string manual_of(const Command& command) {
  const auto name = fmt::format("tempo-{}", command.name);
  auto out = head(name, command.summary);
  out += fmt::format(".SH SYNOPSIS\n.B tempo {}\n{}\n.SH OPTIONS\n", escaped(command.name),
                     escaped(command.arguments));
  const Options options(command);
  for (const auto& declared : options.declared()) out += option(declared);
  out += ".SH EXAMPLES\n";
  for (const auto& call : command.examples) out += example(call);
  return out + kExitStatus + ".SH SEE ALSO\n.BR tempo (1)\n";
}

}  // namespace tempo::cli
