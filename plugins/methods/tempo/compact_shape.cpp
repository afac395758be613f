#include "compact_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tempo::amortised {
namespace {

constexpr double kLastHinge = 2.5;  // the first is at -kLastHinge; standard deviations
// Most of the time with many biomarkers goes into products of cells (B x channels) and evidence.
constexpr std::size_t kManyBiomarkers = 50, kChannels = 8, kFewChannels = 4;
constexpr std::size_t kNearby = 256;
constexpr std::size_t kExchanges = 5;  // after which scores and stages are read off once more

}  // namespace

std::size_t CompactShape::declare(WeightSpec weight) {
  const auto place = count_;
  count_ += value_count(weight);
  layout.push_back(std::move(weight));
  return place;
}

void CompactShape::take_place(LinearPlace& place, std::size_t in, std::size_t out) {
  place = {count_, count_ + in * out, in, out};
  count_ += in * out + out;
}

void CompactShape::take_place(NormPlace& place) {
  place = {count_, count_ + kWidth};
  count_ += 2 * kWidth;
}

LinearPlace CompactShape::linear(const std::string& name, std::size_t in, std::size_t out) {
  declare_linear(layout, name, static_cast<std::int64_t>(in), static_cast<std::int64_t>(out));
  LinearPlace place;
  take_place(place, in, out);
  return place;
}

NormPlace CompactShape::norm(const std::string& name) {
  declare_norm(layout, name, kWidth);
  NormPlace place;
  take_place(place);
  return place;
}

EncoderPlace CompactShape::encoder(const std::string& name) {
  declare_encoder_layer(layout, name, kWidth, kHidden);
  EncoderPlace place;  // in the order of declare_encoder_layer
  take_place(place.norm1);
  take_place(place.projections, kWidth, 3 * kWidth);
  take_place(place.out, kWidth, kWidth);
  take_place(place.norm2);
  take_place(place.linear1, kWidth, kHidden);
  take_place(place.linear2, kHidden, kWidth);
  return place;
}

CompactShape::CompactShape(const Columns& columns)
    : B(columns.biomarkers.size()),
      C(B < kManyBiomarkers ? kChannels : kFewChannels),
      knots(columns.knots),
      atoms(columns.atoms) {
  K = B + 1;
  const auto sizes_of = [](auto... n) {
    return std::vector<std::int64_t>{static_cast<std::int64_t>(n)...};
  };
  smooth = declare({"cells.smooth",
                    sizes_of(B, kBasis, C),
                    {Initial::Law::uniform, 1.0 / std::sqrt(static_cast<double>(kHinges))}});
  table = declare({"cells.table", sizes_of(B, kEntries, C), {}});
  biomarker = declare({"tokens.biomarker", sizes_of(B, kWidth), {Initial::Law::normal, 0.1}});
  pooled = linear("tokens.pooled", 2 * (C + kEntries), kWidth);
  first_layer = encoder("tokens.layer");
  adapted = linear("cells.adapted", kWidth, kBasis * C);
  for (std::size_t r = 0; r <= kExchanges; ++r) {
    const auto part = [r](const char* name) { return fmt::format("rounds.{}.{}", r, name); };
    RoundPlace round;
    round.norm = norm(part("norm"));
    round.score = linear(part("score"), kWidth, 2);
    round.evidence = linear(part("evidence"), kWidth, C * K);
    round.prior = linear(part("prior"), kWidth, K);
    if (r < kExchanges) {
      round.statistics = linear(part("statistics"), C * K, kWidth);
      round.occupancy = linear(part("occupancy"), K + 1, kWidth);
      round.layer = encoder(part("layer"));
    }
    rounds.push_back(round);
  }
  sharpness = declare({"sharpness", {1}, {Initial::Law::constant, 2.5}});

  if (count_ != value_count(layout)) throw std::logic_error("weights without a place");
  if (knots.size() != B * kKnots || atoms.size() != B * kAtoms)
    throw std::logic_error("columns without knots");

  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
      auto x = entry < kKnots ? knots[b * kKnots + entry] : atoms[b * kAtoms + entry - kKnots];
      if (x == kNoAtom) x = 0.0F;
      basis.push_back(x);
      basis.push_back(0.2F * x * x);
      for (std::size_t h = 0; h < kHinges; ++h) {
        const auto share = static_cast<double>(h) / static_cast<double>(kHinges - 1);
        basis.push_back(std::max(0.0F, x - static_cast<float>(kLastHinge * (2.0 * share - 1.0))));
      }
    }
    const auto* first = &knots[b * kKnots];
    const float width = (first[kKnots - 1] - first[0]) / static_cast<float>(kNearby);
    for (std::size_t i = 0; i < kNearby; ++i) {
      const auto left = first[0] + static_cast<float>(i) * width;
      const auto above = std::upper_bound(first, first + kKnots - 1, left) - first;
      nearby_.push_back(static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(above - 1, 0)));
    }
  }
}

std::map<std::string, std::int64_t> CompactShape::sizes() const {
  const auto whole = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  return {{"biomarkers", whole(B)},   {"stages", whole(K)},
          {"channels", whole(C)},     {"knots", whole(kKnots)},
          {"d_model", whole(kWidth)}, {"heads", whole(kHeads)},
          {"hidden", whole(kHidden)}, {"rounds", whole(rounds.size() - 1)}};
}

CompactShape::Place CompactShape::place_of(std::size_t b, float x) const {
  for (std::size_t m = 0; m < kAtoms; ++m)
    if (std::abs(x - atoms[b * kAtoms + m]) < kSameValue)
      return {static_cast<std::uint32_t>(kKnots + m), 0.0F};
  const auto* first = &knots[b * kKnots];
  const float low = first[0], high = first[kKnots - 1];
  if (!(x > low)) return {0, 0.0F};
  if (x >= high) return {static_cast<std::uint32_t>(kKnots - 2), 1.0F};
  const auto interval = static_cast<std::size_t>((x - low) / (high - low) * kNearby);
  auto entry = nearby_[b * kNearby + std::min(interval, kNearby - 1)];
  while (entry > 0 && first[entry] > x) --entry;
  while (entry + 2 < kKnots && first[entry + 1] <= x) ++entry;
  return {entry, (x - first[entry]) / (first[entry + 1] - first[entry])};
}

}  // namespace tempo::amortised
