#pragma once

#include <vector>

#include "tempo/plugin_object.hpp"

namespace tempo::conformance {

// Kinds of plugins that checks are about.
using Kinds = std::vector<InterfaceKind>;

inline const Kinds kEveryKind{InterfaceKind::generative_process, InterfaceKind::stage_prior,
                              InterfaceKind::measurement_model,  InterfaceKind::inference_method,
                              InterfaceKind::trainable_method,   InterfaceKind::metric};
inline const Kinds kHypotheses{InterfaceKind::generative_process};
inline const Kinds kPriors{InterfaceKind::stage_prior};
inline const Kinds kModels{InterfaceKind::measurement_model};
inline const Kinds kParts{InterfaceKind::stage_prior, InterfaceKind::measurement_model};
/// Those that draw: hypotheses and their parts.
inline const Kinds kDrawing{InterfaceKind::generative_process, InterfaceKind::stage_prior,
                            InterfaceKind::measurement_model};
inline const Kinds kMethods{InterfaceKind::inference_method, InterfaceKind::trainable_method};
/// Methods that take cohorts of any biomarkers as they come: a model is trained for some.
inline const Kinds kUntrained{InterfaceKind::inference_method};
inline const Kinds kTrained{InterfaceKind::trainable_method};
inline const Kinds kMetrics{InterfaceKind::metric};

}  // namespace tempo::conformance
