#pragma once

#include <cstddef>
#include <functional>

namespace tempo::cli {

/// Calls fit(i), which says whether it failed, for each i < count on `jobs` threads, and shows how
/// far it is. fit may throw Stopped, and nothing else. @return whether it was interrupted before
/// the last was done
bool fit_all(std::size_t count, std::size_t jobs, const std::function<bool(std::size_t)>& fit);

}  // namespace tempo::cli
