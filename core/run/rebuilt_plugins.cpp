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

/// Those of these plugins whose file is not the one that made a result.
std::vector<std::string> rebuilt_since(const std::string& key,
                                       const std::vector<std::string>& plugins,
                                       const Libraries& now,
                                       const std::map<std::string, Libraries>& makers) {
  std::vector<std::string> out;
  const auto made = makers.find(key);
  if (made == makers.end()) return out;
  for (const auto& name : plugins) {
    const auto was = made->second.find(name);
    const auto is = now.find(name);
    if (was != made->second.end() && is != now.end() && was->second != is->second)
      out.push_back(name);
  }
  return out;
}

}  // namespace

std::vector<RebuiltPlugin> rebuilt_plugins(const Plan& plan, const Libraries& now,
                                           const std::map<std::string, Libraries>& makers) {
  std::vector<RebuiltPlugin> out;
  for (const auto& fit : plan.fits)
    for (const auto& name : rebuilt_since(fit.key, fit.plugins, now, makers)) {
      auto& entry = entry_of(name, plan, out);
      ++entry.fits;
      auto& methods = entry.methods;
      if (std::find(methods.begin(), methods.end(), fit.id.method) == methods.end())
        methods.push_back(fit.id.method);
    }
  return out;
}

std::set<std::string> to_make_again(const Study& study, const Plan& plan,
                                    const std::vector<std::string>& methods, const Libraries& now,
                                    const std::map<std::string, Libraries>& makers,
                                    const std::map<std::string, Libraries>& model_makers) {
  const auto is_wanted = [&](const std::string& id) {
    return std::find(methods.begin(), methods.end(), id) != methods.end();
  };
  std::set<std::string> out;
  for (const auto& fit : plan.fits)
    if (is_wanted(fit.id.method) && !rebuilt_since(fit.key, fit.plugins, now, makers).empty())
      out.insert(fit.key);
  for (const auto& training : plan.trainings)
    if (is_wanted(study.points[training.point].methods[training.method].id) &&
        !rebuilt_since(training.key, training.plugins, now, model_makers).empty())
      out.insert(training.key);
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
      "results were kept that other files of these plugins made, although their versions are the "
      "same: {}; if a plugin computes something else now, raise its version, or run with{}",
      names, refit);
}

}  // namespace tempo
