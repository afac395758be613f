#include "analysis/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tempo {

std::vector<std::string> doubts_of_model(const StoredFit& fit,
                                         const std::vector<ModelRecord>& models) {
  if (fit.model().empty()) return {};
  std::vector<std::string> out;
  for (const auto& model : models)
    if (model.key == fit.model()) out = model.warnings;
  for (const auto& [kind, text] : fit.result().warnings)
    if (kind != Warning::Kind::missing_values) out.push_back(text);
  return out;
}

std::optional<std::string> doubt_of_chains(const std::optional<ChainAgreement>& chains) {
  if (!chains) return std::nullopt;
  if (!std::isfinite(chains->r_hat)) return "its chains end in different orders";
  if (chains->r_hat <= kAgreedRHat) return std::nullopt;
  return fmt::format("its chains have not settled on the order (R-hat {:.2f})", chains->r_hat);
}

namespace {

constexpr double kSureSubtype = 0.8;

}  // namespace

bool has_sure_subtype(std::span<const double> chances) {
  return std::ranges::max(chances) >= kSureSubtype;
}

std::string unsure_subtypes_in_words(std::size_t unsure, const std::string& all) {
  return fmt::format("{} of {} have no subtype with a probability of {} or more", unsure, all,
                     kSureSubtype);
}

}  // namespace tempo
