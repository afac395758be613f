#include "run/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "data/names.hpp"

namespace tempo {
namespace {

using What = Shard::What;

/// What stands before the numbers of a part.
constexpr std::array<std::pair<What, std::string_view>, 4> kSorts{{{What::trainings, "train:"},
                                                                   {What::applied, "apply:"},
                                                                   {What::fits, "fits:"},
                                                                   {What::all, ""}}};

bool has_number(const Shard& shard, std::size_t number) {
  return number % shard.count == shard.index - 1;
}

/// Deals out the fits without a model, one method after the other.
std::vector<bool> dealt_out(const Plan& plan, const Shard& shard) {
  std::vector<std::size_t> order(plan.fits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order,
                [&](std::size_t position) { return plan.tasks[position].training.has_value(); });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return plan.fits[a].id.method < plan.fits[b].id.method;
  });
  std::vector<bool> out(plan.fits.size(), false);
  for (std::size_t number = 0; number < order.size(); ++number)
    out[order[number]] = has_number(shard, number);
  return out;
}

}  // namespace

bool Shard::has_training(std::size_t training) const {
  return (what == What::all || what == What::trainings) && has_number(*this, training);
}

std::vector<bool> Shard::fits_of(const Plan& plan) const {
  if (what == What::fits) return dealt_out(plan, *this);
  std::vector<bool> out(plan.fits.size(), false);
  if (what == What::trainings) return out;
  for (std::size_t position = 0; position < out.size(); ++position) {
    const auto& training = plan.tasks[position].training;
    if (training || what == What::all)
      out[position] = has_number(*this, training.value_or(position));
  }
  return out;
}

std::optional<Shard> parse_shard(std::string_view text) {
  Shard shard;
  for (const auto& [what, word] : kSorts)
    if (text.starts_with(word)) {
      shard.what = what;
      text.remove_prefix(word.size());
      break;
    }
  const auto slash = text.find('/');
  if (slash == text.npos || parse_number(text.substr(0, slash), shard.index) != std::errc() ||
      parse_number(text.substr(slash + 1), shard.count) != std::errc() || shard.index < 1 ||
      shard.index > shard.count)
    return std::nullopt;
  return shard;
}

std::string to_string(const Shard& shard) {
  for (const auto& [what, word] : kSorts)
    if (what == shard.what) return fmt::format("{}{}/{}", word, shard.index, shard.count);
  return {};
}

}  // namespace tempo
