#include "analysis/checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace tempo {
namespace {

constexpr double kLowP = 0.05, kFarInSds = 3.5;

/// Distances of checks by what they look at, summed over fits.
class Distances {
 public:
  void add(const NamedCheck& check) {
    sums_[{check.statistic, check.biomarker, !check.diseased}] += distance(check);
  }
  /// The largest, whatever its sign.
  std::optional<MethodChecks::Farthest> farthest(std::size_t fits) const {
    if (sums_.empty()) return std::nullopt;
    const auto at = std::max_element(sums_.begin(), sums_.end(), [](const auto& a, const auto& b) {
      return std::abs(a.second) < std::abs(b.second);
    });
    const auto& [statistic, biomarker, healthy] = at->first;
    return MethodChecks::Farthest{{statistic, biomarker, !healthy},
                                  at->second / static_cast<double>(fits)};
  }

 private:
  std::map<std::tuple<std::string, std::string, bool>, double> sums_;
};

}  // namespace

std::vector<NamedCheck> named_checks(const std::vector<PredictiveCheck>& checks,
                                     const std::vector<std::string>& biomarkers) {
  std::vector<NamedCheck> out;
  for (const auto& check : checks)
    out.push_back({biomarkers[check.biomarker], check.diseased, check.statistic, check.observed,
                   check.mean, check.sd, check.p});
  return out;
}

double distance(const NamedCheck& check) {
  const double away = check.observed - check.mean;
  if (away == 0.0) return 0.0;
  return check.sd > 0.0 ? away / check.sd
                        : std::copysign(std::numeric_limits<double>::infinity(), away);
}

CheckSummary summarise(const std::vector<NamedCheck>& checks) {
  CheckSummary out;
  out.checks = checks.size();
  for (const auto& check : checks) {
    if (!(check.p < kLowP)) continue;
    ++out.low;
    if (std::abs(distance(check)) >= kFarInSds) out.far.push_back(&check);
  }
  std::stable_sort(out.far.begin(), out.far.end(), [](const auto* a, const auto* b) {
    return std::abs(distance(*a)) > std::abs(distance(*b));
  });
  return out;
}

std::vector<FitChecks> checks_of_fits(Store& store) {
  std::vector<FitChecks> out;
  store.visit([&](const StoredFit& fit) {
    auto checks = fit.details({DetailPart::checks}).checks;
    if (!checks.empty()) out.push_back({fit.id(), std::move(checks)});
  });
  return out;
}

std::vector<MethodChecks> checks_by_method(const std::vector<FitChecks>& fits) {
  std::vector<MethodChecks> out;
  std::vector<Distances> distances;
  for (const auto& [id, checks] : fits) {
    const auto hypothesis = generated_by(id);
    auto at = std::find_if(out.begin(), out.end(), [&](const MethodChecks& known) {
      return known.axis_values == id.axis_values && known.hypothesis == hypothesis &&
             known.method == id.method;
    });
    if (at == out.end()) {
      distances.emplace_back();
      at = out.insert(out.end(), {id.axis_values, hypothesis, id.method, 0, 0, 0, 0, {}});
    }
    const auto summary = summarise(checks);
    ++at->fits;
    at->checks += summary.checks;
    at->low += summary.low;
    at->far += summary.far.size();
    for (const auto& check : checks)
      distances[static_cast<std::size_t>(at - out.begin())].add(check);
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].farthest = distances[i].farthest(out[i].fits);
  return out;
}

}  // namespace tempo
