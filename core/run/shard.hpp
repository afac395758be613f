#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/plan.hpp"

namespace tempo {

/// A part of a plan, as --shard names it: `2/8`, `train:1/3`, `apply:1/3`, `fits:2/8`. Indices are
/// from 1. The parts of one sort, of all indices, have everything of that sort, each thing once.
struct Shard {
  enum class What {
    all,        ///< every count-th fit, and every count-th model with all its fits
    trainings,  ///< `train:`: every count-th model, and no fit
    applied,    ///< `apply:`: all fits with these models, which have been trained
    /// `fits:`: fits without a model. Each method's are dealt out in turn, so that parts cost
    /// alike.
    fits
  };
  std::size_t index = 1;
  std::size_t count = 1;
  What what = What::all;

  /// Whether the part trains this model. A model is trained in one part only.
  bool has_training(std::size_t training) const;
  /// Of each fit of a plan, in its order: whether the part makes it.
  std::vector<bool> fits_of(const Plan& plan) const;

  bool operator==(const Shard&) const = default;
};

/// So many parts of the sort `fits` have something to do, at most.
std::size_t fits_without_model(const Plan& plan);

/// @return nothing if the text names no part
std::optional<Shard> parse_shard(std::string_view text);
/// As --shard takes it.
std::string to_string(const Shard& shard);

}  // namespace tempo
