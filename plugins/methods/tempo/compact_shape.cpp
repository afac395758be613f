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
constexpr std::size_t kForms = 8, kStagesPerSlot = 3;  // the latter of many biomarkers
constexpr std::size_t kNearby = 256;

}  // namespace

CompactSizes CompactSizes::latest(std::size_t biomarkers) {
  const auto stages = biomarkers + 1;
  return {kForms, biomarkers < kManyBiomarkers ? stages : stages / kStagesPerSlot + 1};
}

CompactShape::CompactShape(const Columns& columns, CompactSizes sizes)
    : F(sizes.forms),
      B(columns.biomarkers.size()),
      K(B + 1),
      knots(columns.knots),
      atoms(columns.atoms) {
  if (sizes.slots < 2 || sizes.slots > K) throw std::logic_error("so many slots cannot be");
  C = B < kManyBiomarkers ? kChannels : kFewChannels;
  slots = sizes.slots;
  smooth = declare({"cells.smooth",
                    dimensions({B, kBasis, C}),
                    {Initial::Law::uniform, 1.0 / std::sqrt(static_cast<double>(kHinges))}});
  table = declare({"cells.table", dimensions({B, kEntries, C}), {}});
  biomarker = declare({"tokens.biomarker", dimensions({B, kWidth}), {Initial::Law::normal, 0.1}});
  pooled = linear("tokens.pooled", 2 * (C + kEntries), kWidth);
  first_layer = encoder("tokens.layer");
  if (F > 0)
    forms = declare({"cells.forms", dimensions({B, F, kEntries, C}), {Initial::Law::normal, 0.05}});
  adapted = linear("cells.adapted", kWidth, kBasis * C + F);
  declare_rounds();
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
  std::map<std::string, std::int64_t> out = {
      {"biomarkers", whole(B)},   {"stages", whole(K)},
      {"channels", whole(C)},     {"knots", whole(kKnots)},
      {"d_model", whole(kWidth)}, {"heads", whole(kHeads)},
      {"hidden", whole(kHidden)}, {"rounds", whole(rounds.size() - 1)}};
  if (F > 0) out["forms"] = whole(F);
  if (slots != K) out["slots"] = whole(slots);
  return out;
}

CellPlace CompactShape::place_of(std::size_t b, float x) const {
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
