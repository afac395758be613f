#include "process/scratch_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "tempo/error.hpp"

namespace tempo::process {
namespace fs = std::filesystem;
namespace {

/// Gives the owner back what a program may have taken from folders.
void make_removable(const fs::path& folder) {
  std::error_code ignored;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
  for (fs::directory_iterator at(folder, ignored), end; at != end; at.increment(ignored))
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) make_removable(at->path());
}

}  // namespace

ScratchFolder::ScratchFolder(const std::string& purpose) {
  auto name = (fs::temp_directory_path() / fmt::format("tempo-{}-XXXXXX", purpose)).string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(fmt::format("cannot make a folder '{}': {}", name, std::strerror(errno)));
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  if (is_kept_) return;
  std::error_code failure;
  fs::remove_all(path_, failure);
  if (!failure) return;
  make_removable(path_);
  fs::remove_all(path_, failure);
}

}  // namespace tempo::process
