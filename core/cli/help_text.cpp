// What people read on a terminal.

#include <fmt/format.h>

#include <filesystem>

#include "cli/help.hpp"
#include "cli/study_options.hpp"

namespace tempo::cli {
namespace {

constexpr const char* kAbout =
    "tempo finds the order and timing in which a disease changes its biomarkers, from one visit\n"
    "per participant: it simulates cohorts from competing hypotheses, runs inference methods on\n"
    "them and scores every method side by side.\n";

/// The experiment to begin with: that of the sources, or else the installed one.
std::string first_experiment() {
  const std::string of_sources = "experiments/quickstart.toml";
  const auto installed = shipped_experiments() / "quickstart.toml";
  std::error_code ignored;
  const bool is_installed_only =
      !std::filesystem::exists(of_sources, ignored) && std::filesystem::exists(installed, ignored);
  return is_installed_only ? installed.string() : of_sources;
}

/// Calls of the first five minutes.
std::string lines_of_first_steps() {
  const auto step = [](const std::string& line, const char* meaning) {
    return fmt::format("  {:<38} {}\n", line, meaning);
  };
  return "Try first:\n" +
         step("tempo run " + first_experiment(),
              "simulate cohorts, run every method, show a table") +
         step("tempo results runs/quickstart", "show the table again") +
         step("tempo plugins list", "see which hypotheses and methods there are") +
         step("tempo help", "see all commands; tempo help run: one of them");
}

}  // namespace

std::string first_steps() { return fmt::format("{}\n{}", kAbout, lines_of_first_steps()); }

std::string usage() {
  auto out = fmt::format("{}\nusage: tempo COMMAND ...\n\n", kAbout);
  for (const auto& command : commands())
    out += fmt::format("  {:<20} {}\n", command.name, command.summary);
  return out + "\n" + lines_of_first_steps() +
         "\ntempo help COMMAND shows a command's options; tempo --version the version.\n";
}

}  // namespace tempo::cli
