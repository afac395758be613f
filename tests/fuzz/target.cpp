#include "target.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "data/text_file.hpp"
#include "tempo/error.hpp"

namespace tempo::fuzz {
namespace {

class Scratch {
 public:
  Scratch() {
    auto name = (std::filesystem::temp_directory_path() / "tempo-fuzz-XXXXXX").string();
    expect(::mkdtemp(name.data()) != nullptr, "there is room for temporary files");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

void read(const Target& target, std::string_view input) {
  try {
    target.read(input);
  } catch (const Error& refusal) {
    expect(*refusal.what() != '\0', "a refusal says why");
  }
}

void expect(bool holds, std::string_view claim) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(claim.size()), claim.data());
  std::abort();
}

void expect_no_error(std::string_view claim, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    expect(false, claim);
  }
}

void expect_clear(const Problems& problems) {
  for (const auto& [place, message] : problems.all())
    expect(!message.empty(), "a fault says what it is");
  Problems of_report;
  expect(checked_text(problems.report(), "report", of_report).has_value(),
         "faults are told in UTF-8");
}

const std::filesystem::path& scratch() {
  static const Scratch folder;
  return folder.path();
}

std::filesystem::path scratch_file(std::string_view name, std::string_view content) {
  auto path = scratch() / name;
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  return path;
}

Halves halves_of(std::string_view input) {
  constexpr std::string_view kLine = "\n---\n";
  const auto at = input.find(kLine);
  if (at == std::string_view::npos) return {input, {}};
  return {input.substr(0, at + 1), input.substr(at + kLine.size())};
}

}  // namespace tempo::fuzz
