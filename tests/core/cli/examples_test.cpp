// The calls that end a command's help, as that command's own options read them.

#include <algorithm>

#include "cli/command.hpp"
#include "program.hpp"

namespace tempo::test {
namespace {

using cli::Options;

/// The arguments of a call as a shell splits it: without `tempo COMMAND`, and without what follows
/// a redirection.
std::vector<std::string> arguments_of(const Program& program, const std::string& call) {
  const auto words =
      split(program.shell("printf '%s\\n' " + call.substr(0, call.find(" > "))).output, '\n');
  return {words.begin() + 2, words.end()};
}

/// Complains of a value that is none of the choices that there are.
void require_among(const std::vector<std::string>& choices, const std::string& value) {
  INFO("value: " << value);
  if (!choices.empty()) REQUIRE(std::find(choices.begin(), choices.end(), value) != choices.end());
}

}  // namespace

TEST_CASE("examples of help are calls that their commands take", "[cli][help]") {
  const Program program;
  for (const auto& command : cli::commands())
    for (const auto& example : command.examples) {
      INFO(example.line);
      Options options(command);
      options.parse(arguments_of(program, example.line));  // throws at unknown and missing ones
      for (const auto& option : options.declared())
        if (options.has(option.name) && !option.choices.empty())
          require_among(option.choices, options.get_text(option.name));
      for (const auto& argument : options.arguments())
        for (const auto& value : options.list(argument.name))
          require_among(argument.choices, value);
    }
}

}  // namespace tempo::test
