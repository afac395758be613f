// tempo: the program. Each sub-command is a file of its own beside this one.

#include <fmt/format.h>
#include <malloc.h>

#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "tempo/version.hpp"

namespace tempo::cli {
namespace {

void print_usage(std::ostream& out) {
  out << "tempo finds the order and timing in which a disease changes its biomarkers, from one "
         "visit\n"
         "per participant: it simulates cohorts from competing hypotheses, runs inference methods "
         "on\n"
         "them and scores every method side by side.\n\nusage: tempo COMMAND ...\n\n";
  for (const auto& command : commands())
    out << fmt::format("  {:<20} {}\n", command.name, command.summary);
  out << "\ntempo COMMAND --help shows a command's options; tempo --version the version.\n";
}

std::string counted_problems(std::size_t count) {
  return count == 1 ? "1 problem" : fmt::format("{} problems", count);
}

int main(const std::vector<std::string>& arguments) {
  const auto name = arguments.empty() ? std::string() : arguments.front();
  if (name.empty() || name == "--help" || name == "-h" || name == "help") {
    print_usage(name.empty() ? std::cerr : std::cout);
    return name.empty() ? kBadInput : kOk;
  }
  if (name == "--version") {
    std::cout << "tempo " TEMPO_VERSION " (" TEMPO_BUILD_TAG ")\n";
    return kOk;
  }
  std::vector<std::string> known;
  for (const auto& command : commands()) {
    known.emplace_back(command.name);
    if (name != command.name) continue;
    try {
      return command.run(command, {arguments.begin() + 1, arguments.end()});
    } catch (const HelpShown&) {
      return kOk;
    } catch (const InputError& error) {
      std::cerr << error.what() << "\n"
                << counted_problems(error.problems().size()) << "; nothing was run.\n";
      return kBadInput;
    } catch (const std::exception& error) {
      std::cerr << "tempo " << command.name << ": " << error.what() << "\n";
      return kFailed;
    }
  }
  std::cerr << "tempo: unknown command '" << name << "'; expected " << one_of(known)
            << did_you_mean(name, known) << "\n";
  return kBadInput;
}

}  // namespace
}  // namespace tempo::cli

int main(int argc, char* argv[]) {
  // Cohorts come and go by the thousand: keep their memory instead of handing it back each time.
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  const int code = tempo::cli::main(std::vector<std::string>(argv + 1, argv + argc));
  if (std::cout.flush()) return code;
  std::cerr << "tempo: the output could not be written in full\n";
  return code == tempo::cli::kOk ? tempo::cli::kFailed : code;
}
