#pragma once

#include <filesystem>

namespace tempo {

/// Whether a path lies on a disk that several machines share, such as NFS or Lustre: memory that
/// processes share is none between machines there. TEMPO_DISK says so where the system does not
/// know: `network` or `local`.
bool is_on_network_disk(const std::filesystem::path& path);

}  // namespace tempo
