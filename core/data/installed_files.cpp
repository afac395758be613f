#include "data/installed_files.hpp"

#include <system_error>

namespace tempo {

std::filesystem::path installed_files() {
  std::error_code failure;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
  return (program.parent_path() / ".." / TEMPO_DATA_FOLDER / "tempo").lexically_normal();
}

}  // namespace tempo
