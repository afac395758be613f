#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tempo {

/// A table as texts, the first row its head.
using Rows = std::vector<std::vector<std::string>>;

std::string csv(const Rows& rows);
/// Columns padded to equal width, two spaces between them; for terminals, so that cells are
/// printable.
std::string aligned(const Rows& cells);
std::string markdown(const Rows& rows);
/// @param names how many columns hold ids; the others may hold $\pm$ but in the head
std::string latex(const Rows& rows, std::size_t names, const std::string& comment);

}  // namespace tempo
