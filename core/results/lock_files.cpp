#include "results/lock_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/text_file.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

/// Without the line that names a folder of this machine.
std::string without_absolute_folder(std::string text) {
  constexpr std::string_view kFolder = "\nfolder = \"/";
  const auto at = text.find(kFolder);
  const auto experiment = text.find("\n[experiment]");
  if (at == std::string::npos || experiment == std::string::npos || at < experiment ||
      text.find("\n[", experiment + 1) < at)
    return text;
  return text.erase(at, text.find('\n', at + 1) - at);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> lock_files(const fs::path& run_folder) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& entry : fs::directory_iterator(run_folder)) {
    auto name = entry.path().filename().string();
    if (!name.ends_with(kLockEnding)) continue;
    if (auto text = text_if_there(entry.path()))
      out.emplace_back(std::move(name), std::move(*text));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string lock_text(const fs::path& run_folder) {
  auto files = lock_files(run_folder);
  for (auto& [name, text] : files) text = without_absolute_folder(std::move(text));
  if (files.size() == 1) return std::move(files.front().second);
  std::string out;
  for (const auto& [name, text] : files)
    out += fmt::format("{}# ---- {}\n{}", out.empty() ? "" : "\n", name, text);
  return out;
}

}  // namespace tempo
