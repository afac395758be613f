#include "run/fit_costs.hpp"

#include <nlohmann/json.hpp>

namespace tempo {

using nlohmann::json;

void FitCosts::Mean::add(std::size_t fits, double mean) {
  count += fits;
  sum += static_cast<double>(fits) * mean;
}

const std::string& FitCosts::kind_of(std::string_view recipe) const {
  const auto known = kinds_.find(recipe);
  if (known != kinds_.end()) return known->second;
  auto all = json::parse(recipe, nullptr, /*allow_exceptions=*/false);
  json kind;
  if (all.is_object()) {
    kind["method"] = all.value("method", json());
    auto cohorts = all.value("cohorts", json::object());
    for (const auto* key : {"hypothesis", "process"}) cohorts.erase(key);
    kind["cohorts"] = std::move(cohorts);
    if (all.contains("model")) kind["network"] = all["model"].value("method", json());
  }
  return kinds_.emplace(recipe, kind.dump()).first->second;
}

void FitCosts::add(const std::string& recipe, std::size_t fits, double mean) {
  by_recipe_[recipe].add(fits, mean);
  by_kind_[kind_of(recipe)].add(fits, mean);
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
  const auto mean_of = [](const Mean& mean) { return mean.sum / static_cast<double>(mean.count); };
  if (const auto exact = by_recipe_.find(recipe); exact != by_recipe_.end())
    return mean_of(exact->second);
  if (const auto like = by_kind_.find(kind_of(recipe)); like != by_kind_.end())
    return mean_of(like->second);
  return std::nullopt;
}

}  // namespace tempo
