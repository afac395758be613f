#include "run/fit_costs.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace tempo {

using nlohmann::json;

namespace {

/// The power of the size by which a mean grows: that of a straight line through their logarithms.
/// Absent where sizes are too near each other to tell. No cost falls as cohorts grow, and none
/// grows by more than their cube, whatever a few noisy fits say.
std::optional<double> growth(const std::map<double, double>& means) {
  constexpr double kLeastSpan = 1.5, kMostPower = 3.0;
  if (means.rbegin()->first < kLeastSpan * means.begin()->first) return std::nullopt;
  const auto n = static_cast<double>(means.size());
  double mean_x = 0.0, mean_y = 0.0;
  for (const auto& [size, mean] : means) {
    mean_x += std::log(size) / n;
    mean_y += std::log(mean) / n;
  }
  double xx = 0.0, xy = 0.0;
  for (const auto& [size, mean] : means) {
    const double x = std::log(size) - mean_x;
    xx += x * x;
    xy += x * (std::log(mean) - mean_y);
  }
  return std::clamp(xy / xx, 0.0, kMostPower);
}

/// Of these sizes the one that differs by the least factor.
std::pair<double, double> nearest(double size, const std::map<double, double>& means) {
  return *std::min_element(means.begin(), means.end(), [&](const auto& a, const auto& b) {
    return std::abs(std::log(a.first / size)) < std::abs(std::log(b.first / size));
  });
}

}  // namespace

void FitCosts::Mean::add(std::size_t fits, double mean) {
  count += fits;
  sum += static_cast<double>(fits) * mean;
}

const FitCosts::Kind& FitCosts::kind_of(std::string_view recipe) const {
  const auto known = kinds_.find(recipe);
  if (known != kinds_.end()) return known->second;
  auto all = json::parse(recipe, nullptr, /*allow_exceptions=*/false);
  json kind;
  double participants = 0.0;
  if (all.is_object()) {
    kind["method"] = all.value("method", json());
    auto cohorts = all.value("cohorts", json::object());
    if (const auto found = cohorts.find("participants");
        found != cohorts.end() && found->is_number())
      participants = found->get<double>();
    for (const auto* key : {"hypothesis", "process", "participants"}) cohorts.erase(key);
    kind["cohorts"] = std::move(cohorts);
    if (all.contains("model")) kind["network"] = all["model"].value("method", json());
  }
  return kinds_.emplace(recipe, Kind{kind.dump(), participants}).first->second;
}

void FitCosts::add(const std::string& recipe, std::size_t fits, double mean) {
  by_recipe_[recipe].add(fits, mean);
  const auto& kind = kind_of(recipe);
  by_kind_[kind.text][kind.participants].add(fits, mean);
}

void FitCosts::learn(Store& store) {
  for (const auto& [recipe, fits, mean] : store.seconds_by_recipe()) add(recipe, fits, mean);
}

void FitCosts::learn(const Plan& plan, std::size_t position, double seconds) {
  add(plan.recipes.at(plan.fits[position].recipe), 1, seconds);
}

std::optional<double> FitCosts::seconds(const Plan& plan, std::size_t position) const {
  return seconds(plan.recipes.at(plan.fits[position].recipe));
}

std::optional<double> FitCosts::seconds(const std::string& recipe) const {
  const auto found = cost(recipe);
  return found ? std::optional(found->seconds) : std::nullopt;
}

std::optional<FitCost> FitCosts::cost(const Plan& plan, std::size_t position) const {
  return cost(plan.recipes.at(plan.fits[position].recipe));
}

std::optional<FitCost> FitCosts::cost(const std::string& recipe) const {
  if (const auto exact = by_recipe_.find(recipe); exact != by_recipe_.end())
    return FitCost{exact->second.value()};
  const auto& [kind, participants] = kind_of(recipe);
  const auto like = by_kind_.find(kind);
  if (like == by_kind_.end()) return std::nullopt;
  const auto& sizes = like->second;
  if (const auto same = sizes.find(participants); same != sizes.end())
    return FitCost{same->second.value()};
  std::map<double, double> means;
  for (const auto& [size, mean] : sizes)
    if (size > 0.0 && mean.value() > 0.0) means[size] = mean.value();
  if (means.empty() || participants <= 0.0) return std::nullopt;
  const auto power = growth(means);
  FitCost out{.basis = power ? FitCost::Basis::growth : FitCost::Basis::proportion,
              .power = power.value_or(1.0)};
  const auto [size, seconds] = nearest(participants, means);
  out.seconds = seconds * std::pow(participants / size, out.power);
  return out;
}

}  // namespace tempo
