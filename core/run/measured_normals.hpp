#pragma once

#include <optional>

#include "tempo/generative_process.hpp"

namespace tempo {

/// Whether the two normals of the process' table are what each biomarker is drawn from, before its
/// event and after it; absent where the process does not tell what it is composed of.
std::optional<bool> draws_from_normals(const GenerativeProcess& process);

}  // namespace tempo
