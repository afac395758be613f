#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "process/scratch_folder.hpp"
#include "results/store.hpp"

namespace tempo {

/// All results of a run that there are, to read: of one that is at work as tasks those of its
/// parts, too, which nobody has joined yet. The run folder stays as it is.
class WholeRun {
 public:
  /// @pre the folder has a store
  explicit WholeRun(const std::filesystem::path& run);
  Store& store() { return *store_; }

 private:
  std::optional<process::ScratchFolder> joined_;
  std::unique_ptr<Store> store_;
};

}  // namespace tempo
