#include "support.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tempo::test {
namespace fs = std::filesystem;

const Registry& shipped() {
  static const Registry registry({{TEMPO_TEST_PLUGINS, "build", true}});
  return registry;
}

fs::path shared_data() {
  const char* named = std::getenv("TEMPO_SHARED_DATA");
  const auto folder =
      named != nullptr ? fs::path(named) : fs::path(TEMPO_TEST_SOURCES) / ".." / "shared" / "data";
  return fs::is_directory(folder) ? folder.lexically_normal() : fs::path();
}

fs::path source(const std::string& relative) { return fs::path(TEMPO_TEST_SOURCES) / relative; }

RandomStream stream(std::uint64_t seed) { return RandomStream(seed, "test"); }

Matrix matrix(std::initializer_list<std::initializer_list<double>> rows) {
  Matrix out(rows.size(), rows.size() == 0 ? 0 : rows.begin()->size());
  std::size_t j = 0;
  for (const auto& row : rows) {
    std::copy(row.begin(), row.end(), out.row(j).begin());
    ++j;
  }
  return out;
}

PartSpec part(const std::string& plugin) { return {plugin, {}, {}}; }

BiomarkerTable plain_biomarkers(std::size_t count) {
  std::vector<Biomarker> biomarkers;
  for (std::size_t b = 0; b < count; ++b) {
    const auto shift = static_cast<double>(b);
    biomarkers.push_back({fmt::format("b{}", b), {shift, 1.0}, {shift + 2.0, 1.5}});
  }
  return BiomarkerTable(std::move(biomarkers));
}

TemporaryFolder::TemporaryFolder() {
  auto pattern = (fs::temp_directory_path() / "tempo-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw std::runtime_error("cannot make a temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(const std::string& name, const std::string& text) const {
  const auto path = path_ / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Outcome run(const std::string& command, const fs::path& folder) {
  const TemporaryFolder capture;
  const auto out = capture.path() / "out";
  const auto err = capture.path() / "err";
  const auto line = fmt::format("cd '{}' && ( {} ) >'{}' 2>'{}'", folder.string(), command,
                                out.string(), err.string());
  const int status = std::system(line.c_str());
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.output = read_text(out);
  outcome.errors = read_text(err);
  return outcome;
}

}  // namespace tempo::test
