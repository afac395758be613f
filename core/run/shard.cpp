#include "run/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
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

/// Numbers the fits of a plan from 0 on. Points of a sweep share fits, which one part makes: the
/// same fit has the same number.
std::vector<std::size_t> numbers_of(const Plan& plan) {
  std::map<std::string_view, std::size_t> numbers;
  std::vector<std::size_t> out;
  for (const auto& fit : plan.fits)
    out.push_back(numbers.emplace(fit.key, numbers.size()).first->second);
  return out;
}

/// Deals out the fits without a model, one method after the other.
std::vector<bool> dealt_out(const Plan& plan, const Shard& shard) {
  const auto numbers = numbers_of(plan);
  std::vector<std::size_t> order;  // positions, of the same fits the first
  std::size_t different = 0;
  for (std::size_t position = 0; position < numbers.size(); ++position) {
    if (numbers[position] != different) continue;
    ++different;
    if (!plan.tasks[position].training) order.push_back(position);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return plan.fits[a].id.method < plan.fits[b].id.method;
  });
  std::vector<bool> has(different, false);  // by number
  for (std::size_t i = 0; i < order.size(); ++i) has[numbers[order[i]]] = has_number(shard, i);
  std::vector<bool> out;
  for (const auto number : numbers) out.push_back(has[number]);
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
  const auto numbers = numbers_of(plan);
  for (std::size_t position = 0; position < out.size(); ++position) {
    const auto& training = plan.tasks[position].training;
    if (training || what == What::all)
      out[position] = has_number(*this, training.value_or(numbers[position]));
  }
  return out;
}

std::size_t fits_without_model(const Plan& plan) {
  return static_cast<std::size_t>(
      std::count_if(plan.tasks.begin(), plan.tasks.end(),
                    [](const FitTask& task) { return !task.training.has_value(); }));
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
