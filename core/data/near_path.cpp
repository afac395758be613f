#include "data/near_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tempo/problem.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

/// What lies in a folder, sorted; nothing if it cannot be read.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code failure;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, failure), end;
       !failure && entry != end; entry.increment(failure))
    out.push_back(folder / entry->path().filename());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::string did_you_mean_path(const fs::path& path, const std::vector<fs::path>& folders,
                              const std::function<bool(const fs::path&)>& is_meant) {
  std::vector<fs::path> paths;
  std::vector<std::string> names;
  for (const auto& folder : folders)
    for (const auto& entry : entries_of(folder))
      if (is_meant(entry)) {
        paths.push_back(entry);
        names.push_back(entry.filename().string());
      }
  const auto wanted = path.has_filename() ? path.filename() : path.parent_path().filename();
  const auto name = nearest(wanted.string(), names);
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end()
             ? std::string()
             : fmt::format("; did you mean '{}'?",
                           paths[static_cast<std::size_t>(found - names.begin())].string());
}

}  // namespace tempo
