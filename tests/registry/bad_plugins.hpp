#pragma once

#include <filesystem>
#include <string>

#include "support.hpp"

namespace tempo::test {

/// The libraries of bad_plugins/.
const Registry& bad_plugins();

/// Why a library was refused; empty if it is usable. `id` is the name of its file.
std::string problem_of(const Registry& registry, const std::string& id);

/// Copies a library of bad_plugins/ to `folder / name`.
std::filesystem::path copy_plugin(const std::string& id, const std::filesystem::path& folder,
                                  const std::string& name);

/// As long as it lives, root is another user; other users stay as they are. Root may read all.
class Nobody {
 public:
  Nobody();
  ~Nobody();
  Nobody(const Nobody&) = delete;
  Nobody& operator=(const Nobody&) = delete;

 private:
  bool root_;
};

}  // namespace tempo::test
