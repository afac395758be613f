#pragma once

#include <filesystem>
#include <string>

namespace tempo::process {

/// A new folder among the temporary files, which goes with the object unless it is kept.
class ScratchFolder {
 public:
  /// @param purpose  a part of its name
  /// @throws Error if the system gives none
  explicit ScratchFolder(const std::string& purpose);
  /// Removes also what programs have taken the permission to remove from.
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void keep() { is_kept_ = true; }

 private:
  std::filesystem::path path_;
  bool is_kept_ = false;
};

}  // namespace tempo::process
