#include "program.hpp"

#include <algorithm>
#include <sstream>

namespace tempo::test {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

Outcome Program::shell(const std::string& line) const {
  // No plugins of whoever runs the tests.
  return run("export XDG_DATA_HOME='" + path().string() +
                 "' TEMPO_PLUGIN_PATH='" TEMPO_PROBES "'; tempo() { '" TEMPO_TEST_PROGRAM
                 "' \"$@\"; }; " +
                 line,
             path());
}

std::vector<std::string> Program::lines(const std::string& name) const {
  return split(text(name), '\n');
}

std::string Program::results(const std::string& name) const {
  std::string out;
  std::ptrdiff_t seconds = -1;
  for (const auto& line : lines(name)) {
    auto fields = split(line, ',');
    if (seconds < 0) seconds = std::find(fields.begin(), fields.end(), "seconds") - fields.begin();
    fields.erase(fields.begin() + seconds);
    for (const auto& field : fields) out += field + ",";
    out += "\n";
  }
  return out;
}

std::string undisturbed(const std::string& experiment) {
  const Program program;
  program.experiment(experiment);
  REQUIRE(program.tempo("run e.toml --jobs 1").code == 0);
  return program.results("runs/e/results.csv");
}

std::string report_line(const std::string& run_folder) {
  const auto page = std::filesystem::path(TEMPO_TEST_PROGRAM) / "../../share/tempo/report.html";
  return std::filesystem::exists(page.lexically_normal())
             ? "report: " + run_folder + "/report.html\n"
             : "report: none, tempo report says why\n";
}

std::string line_with(const std::string& text, const std::string& passage) {
  for (const auto& line : split(text, '\n'))
    if (line.find(passage) != std::string::npos) return line;
  return {};
}

}  // namespace tempo::test
