#include "fault_text.hpp"

#include <filesystem>
#include <new>
#include <system_error>

#include "tempo/error.hpp"

namespace tempo {

std::string fault_text(const std::exception& fault) {
  if (dynamic_cast<const std::bad_alloc*>(&fault) != nullptr) return kNoMemory;
  if (const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&fault))
    return "'" + of_file->path1().string() + "'" +
           (of_file->path2().empty() ? "" : " to '" + of_file->path2().string() + "'") + ": " +
           of_file->code().message();
  const auto* of_system = dynamic_cast<const std::system_error*>(&fault);
  if (of_system != nullptr && of_system->code() == std::errc::resource_unavailable_try_again)
    return "cannot start a thread: " + of_system->code().message();
  return fault.what();
}

}  // namespace tempo
