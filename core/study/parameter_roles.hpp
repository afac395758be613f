#pragma once

#include <optional>

#include "tempo/parameters.hpp"

namespace tempo {

/// How a method with these settings comes by the biomarkers' distributions; absent if it has no
/// such setting.
/// @param part  settled: defaults filled in
std::optional<Distributions> distributions_of(const PartSpec& part);

/// The settings of a trainable method that its weights depend on: not the one that says where
/// numbers are computed.
ParameterTable without_device(ParameterTable settings);

}  // namespace tempo
