#include "run/rebuilt_plugins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "data/names.hpp"

namespace tempo {
namespace {

RebuiltPlugin& entry_of(const std::string& name, const Plan& plan,
                        std::vector<RebuiltPlugin>& found) {
  const auto known = std::find_if(found.begin(), found.end(),
                                  [&](const RebuiltPlugin& plugin) { return plugin.name == name; });
  if (known != found.end()) return *known;
  return found.emplace_back(RebuiltPlugin{name, plan.versions.at(name), 0, {}});
}

}  // namespace

std::vector<RebuiltPlugin> rebuilt_plugins(const Plan& plan, const Libraries& now,
                                           const std::map<std::string, Libraries>& makers) {
  std::vector<RebuiltPlugin> out;
  for (const auto& fit : plan.fits) {
    const auto made = makers.find(fit.key);
    if (made == makers.end()) continue;
    for (const auto& name : fit.plugins) {
      const auto was = made->second.find(name);
      const auto is = now.find(name);
      if (was == made->second.end() || is == now.end() || was->second == is->second) continue;
      auto& entry = entry_of(name, plan, out);
      ++entry.fits;
      auto& methods = entry.methods;
      if (std::find(methods.begin(), methods.end(), fit.id.method) == methods.end())
        methods.push_back(fit.id.method);
    }
  }
  return out;
}

std::string in_words(const std::vector<RebuiltPlugin>& plugins) {
  if (plugins.empty()) return {};
  std::string names, refit;
  std::set<std::string> methods;
  for (const auto& plugin : plugins) {
    names += fmt::format("{}{} {} ({})", names.empty() ? "" : ", ", plugin.name, plugin.version,
                         counted(plugin.fits, "fit"));
    methods.insert(plugin.methods.begin(), plugin.methods.end());
  }
  for (const auto& method : methods) refit += " --refit " + method;
  return fmt::format(
      "plugins are other files than those that made results of an earlier run, although their "
      "versions are the same: {}; if their numbers have changed, raise the version or run with{}",
      names, refit);
}

}  // namespace tempo
