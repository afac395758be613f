#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tempo {

/// `; did you mean 'runs/quickstart'?` or empty: of all that lies in these folders, what is called
/// most like the path's last part; of equals that of the earlier folder.
/// @param is_meant  whether it is what was asked for, such as a run folder
std::string did_you_mean_path(const std::filesystem::path& path,
                              const std::vector<std::filesystem::path>& folders,
                              const std::function<bool(const std::filesystem::path&)>& is_meant);

}  // namespace tempo
