// Parts of reference pages.

#include <fmt/format.h>

#include "cli/help.hpp"

namespace tempo::cli {
namespace {

/// `--jobs N`, `-j N`
std::string spelling(const DeclaredOption& option) {
  const auto value = option.value.empty() ? std::string() : " " + option.value;
  auto out = fmt::format("`--{}{}`", option.name, value);
  if (!option.letter.empty()) out += fmt::format(", `-{}{}`", option.letter, value);
  return out;
}

std::string code(const std::string& text) {
  return text.empty() ? std::string() : fmt::format("`{}`", text);
}

}  // namespace

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const auto& cell : cells) {
    std::string text;
    for (const char c : cell) text += c == '|' ? std::string("\\|") : std::string(1, c);
    out += " " + text + " |";
  }
  return out + "\n";
}

std::string markdown_head(const std::vector<std::string>& cells) {
  std::string rule = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) rule += "---|";
  return markdown_row(cells) + rule + "\n";
}

std::string markdown_of_program() {
  auto out = markdown_head({"Command", "What it does"});
  for (const auto& command : commands())
    out += markdown_row({fmt::format("`tempo {}`", command.name), command.summary});
  return out;
}

std::string markdown_of(const Command& command) {
  auto out = fmt::format("```text\ntempo {} {}\n```\n\n", command.name, command.arguments);
  out += markdown_head({"Option", "Meaning", "Default"});
  const Options options(command);
  for (const auto& option : options.declared())
    out += markdown_row({spelling(option), option.meaning, code(option.fallback)});
  out += "\nExamples:\n\n```text\n";
  for (const auto& [line, meaning] : command.examples)
    out += fmt::format("# {}\n{}\n", meaning, line);
  return out + "```\n";
}

}  // namespace tempo::cli
