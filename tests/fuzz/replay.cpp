// Reads every file of a folder with a target: `replay_corpus TARGET FOLDER`. Without arguments,
// names the targets.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "target.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

int replay(const tempo::fuzz::Target& target, const fs::path& folder) {
  const auto files = files_in(folder);
  for (const auto& file : files) {
    std::fprintf(stderr, "%s\n", file.filename().c_str());  // the last one is the one that fails
    std::ifstream stream(file, std::ios::binary);
    const std::string input((std::istreambuf_iterator<char>(stream)), {});
    try {
      tempo::fuzz::read(target, input);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "threw what is no error of tempo: %s\n", error.what());
      return 1;
    }
  }
  if (files.empty()) std::fprintf(stderr, "%s has no files\n", folder.c_str());
  return files.empty() ? 1 : 0;
}

}  // namespace

int main(int count, char** arguments) {
  for (const auto& target : tempo::fuzz::targets()) {
    if (count < 2)
      std::printf("%s\n", std::string(target.name).c_str());
    else if (target.name == arguments[1] && count == 3)
      return replay(target, arguments[2]);
  }
  return count < 2 ? 0 : 2;
}
