#include "generalist_shape.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tempo::amortised {
namespace {

constexpr std::size_t kSlots = 24, kFirstLayers = 2;

}  // namespace

GeneralistShape::GeneralistShape() {
  C = kChannels;
  slots = kSlots;
  smooth = declare({"cells.smooth",
                    dimensions({Grid::kBasis, C}),
                    {Initial::Law::uniform, 1.0 / std::sqrt(static_cast<double>(Grid::kBasis))}});
  described = linear("tokens.described", Grid::kFeatures, kWidth);
  for (std::size_t i = 0; i < kFirstLayers; ++i)
    first_layers.push_back(encoder(fmt::format("tokens.layers.{}", i)));
  adapted = linear("cells.adapted", kWidth, Grid::kBasis * C);
  declare_rounds();
}

}  // namespace tempo::amortised
