#include "run/fit_costs.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace tempo {

using nlohmann::json;

namespace {

using Size = std::array<double, 2>;
using Means = std::map<Size, double>;

/// The power of one size by which means grow, the other being equal: that of straight lines of one
/// slope through their logarithms, a line for each value of the other. Not measured where sizes are
/// too near each other to tell. No cost falls as cohorts grow, and none grows by more than their
/// cube, whatever a few noisy fits say.
FitCost::Growth growth(std::size_t size, const Means& means) {
  constexpr double kLeastSpan = 1.5, kMostPower = 3.0;
  std::map<double, std::vector<std::pair<double, double>>> lines;  // of logarithms
  for (const auto& [sizes, mean] : means)
    lines[sizes[1 - size]].emplace_back(std::log(sizes[size]), std::log(mean));
  double xx = 0.0, xy = 0.0;
  for (const auto& [other, line] : lines) {
    const auto [least, most] = std::minmax_element(line.begin(), line.end());
    if (most->first - least->first < std::log(kLeastSpan)) continue;
    const auto n = static_cast<double>(line.size());
    double mean_x = 0.0, mean_y = 0.0;
    for (const auto& [x, y] : line) {
      mean_x += x / n;
      mean_y += y / n;
    }
    for (const auto& [x, y] : line) {
      xx += (x - mean_x) * (x - mean_x);
      xy += (x - mean_x) * (y - mean_y);
    }
  }
  if (xx == 0.0) return {};
  return {std::clamp(xy / xx, 0.0, kMostPower), true};
}

/// Of these sizes the one that differs by the least factor.
std::pair<Size, double> nearest(const Size& size, const Means& means) {
  const auto distance = [&](const Size& other) {
    return std::abs(std::log(other[0] / size[0])) + std::abs(std::log(other[1] / size[1]));
  };
  return *std::min_element(means.begin(), means.end(), [&](const auto& a, const auto& b) {
    return distance(a.first) < distance(b.first);
  });
}

/// How many biomarkers the cohort of a planned fit has; 0 where its hypothesis is not known.
std::size_t biomarkers_of(const Plan& plan, std::size_t position) {
  const auto& task = plan.tasks[position];
  if (!task.hypothesis) return 0;
  const auto& process = plan.objects[task.point].processes[*task.hypothesis];
  return process == nullptr ? 0 : process->biomarkers().size();
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
    for (const auto* key : {"hypothesis", "process", "participants", "biomarkers"})
      cohorts.erase(key);
    kind["cohorts"] = std::move(cohorts);
    if (all.contains("assumed")) kind["assumed"] = all["assumed"].value("process", json());
    if (all.contains("model")) kind["network"] = all["model"].value("method", json());
  }
  return kinds_.emplace(recipe, Kind{kind.dump(), participants}).first->second;
}

void FitCosts::add(const std::string& recipe, std::size_t biomarkers, std::size_t fits,
                   double mean) {
  by_recipe_[recipe].add(fits, mean);
  const auto& kind = kind_of(recipe);
  by_kind_[kind.text][{kind.participants, static_cast<double>(biomarkers)}].add(fits, mean);
}

void FitCosts::learn(Store& store) {
  for (const auto& known : store.seconds_by_recipe())
    add(known.recipe, known.biomarkers, known.fits, known.mean);
}

void FitCosts::learn(const Plan& plan, std::size_t position, double seconds) {
  add(plan.recipes.at(plan.fits[position].recipe), biomarkers_of(plan, position), 1, seconds);
}

std::optional<double> FitCosts::seconds(const Plan& plan, std::size_t position) const {
  const auto found = cost(plan, position);
  return found ? std::optional(found->seconds) : std::nullopt;
}

std::optional<FitCost> FitCosts::cost(const Plan& plan, std::size_t position) const {
  const auto& recipe = plan.recipes.at(plan.fits[position].recipe);
  if (const auto exact = by_recipe_.find(recipe); exact != by_recipe_.end())
    return FitCost{exact->second.value()};
  const auto& kind = kind_of(recipe);
  const auto like = by_kind_.find(kind.text);
  if (like == by_kind_.end()) return std::nullopt;
  const Size size{kind.participants, static_cast<double>(biomarkers_of(plan, position))};
  if (const auto same = like->second.find(size); same != like->second.end())
    return FitCost{same->second.value()};
  Means means;
  for (const auto& [other, mean] : like->second)
    if (other[0] > 0.0 && other[1] > 0.0 && mean.value() > 0.0) means[other] = mean.value();
  if (means.empty() || size[0] == 0.0 || size[1] == 0.0) return std::nullopt;
  const auto [from, seconds] = nearest(size, means);
  FitCost out{seconds};
  const auto scale = [&](std::size_t which, std::optional<FitCost::Growth>& by) {
    if (size[which] == from[which]) return;
    by = growth(which, means);
    out.seconds *= std::pow(size[which] / from[which], by->power);
  };
  scale(0, out.participants);
  scale(1, out.biomarkers);
  return out;
}

}  // namespace tempo
