#pragma once

// The program, run in a folder of its own with the shipped plugins and the probes of
// tests/support/plugins.

#include <string>
#include <vector>

#include "small_experiment.hpp"

namespace tempo::test {

class Program : public Workplace {
 public:
  /// Runs `tempo ARGUMENTS`.
  Outcome tempo(const std::string& arguments) const { return shell("tempo " + arguments); }
  /// Runs a line of shell in which `tempo` is the program.
  Outcome shell(const std::string& line) const;

  /// Writes `e.toml`.
  void experiment(const std::string& text) const { write("e.toml", text); }
  bool has(const std::string& name) const { return std::filesystem::exists(path() / name); }
  std::string text(const std::string& name) const { return read_text(path() / name); }
  std::vector<std::string> lines(const std::string& name) const;
  /// A results.csv without the column `seconds`, the only one that differs from run to run.
  std::string results(const std::string& name) const;
};

/// results.csv of an experiment that is run undisturbed, one fit at a time.
std::string undisturbed(const std::string& experiment);

/// What `tempo run` and `tempo merge` say of the report, which a build without Node.js has not.
std::string report_line(const std::string& run_folder);

/// The parts of a text between separators; none after a last separator.
std::vector<std::string> split(const std::string& text, char separator);

/// The line of a text that holds a passage, or empty.
std::string line_with(const std::string& text, const std::string& passage);

}  // namespace tempo::test
