#include "data/seen_from.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

/// Without a slash at its end.
fs::path absolute_folder(const fs::path& path) {
  auto out = fs::absolute(path).lexically_normal();
  return out.has_filename() ? out : out.parent_path();
}

bool share_a_folder(const fs::path& a, const fs::path& b) {
  const auto after_root = [](const fs::path& path) {
    const auto relative = path.relative_path();
    return relative.empty() ? fs::path() : *relative.begin();
  };
  return !after_root(a).empty() && after_root(a) == after_root(b);
}

}  // namespace

fs::path seen_from(const fs::path& folder, const fs::path& path) {
  const auto from = absolute_folder(folder), to = absolute_folder(path);
  if (!share_a_folder(from, to)) return to;
  auto seen = to.lexically_relative(from);
  std::error_code failure;
  const auto real_from = fs::weakly_canonical(from, failure);
  if (failure) return to;
  const auto real_to = fs::weakly_canonical(to, failure);
  return failure || real_to.lexically_relative(real_from) != seen ? to : seen;
}

}  // namespace tempo
