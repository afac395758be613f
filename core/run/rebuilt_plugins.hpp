#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/fit_result.hpp"
#include "study/plan.hpp"

namespace tempo {

/// A plugin whose file is not the one that made results of a run, although its version is the same:
/// it was rebuilt, and nobody can say whether its numbers are still those.
struct RebuiltPlugin {
  std::string name;  ///< `KIND ID`
  std::string version;
  std::size_t fits = 0;              ///< good results of the plan that the other file made
  std::vector<std::string> methods;  ///< ids of the methods of these results
};

/// Of the planned fits that have a good result. Results of which nobody knows the maker are passed
/// over.
/// @param now     StoredPlan::libraries of the plan
/// @param makers  Store::makers
/// @return in the order in which fits name them, each once
std::vector<RebuiltPlugin> rebuilt_plugins(const Plan& plan, const Libraries& now,
                                           const std::map<std::string, Libraries>& makers);

/// Content keys of what --refit makes again: fits and models of these methods that other files of
/// their plugins made. What has been made again is not among them, so that a command that was
/// interrupted goes on.
/// @param now           StoredPlan::libraries of the plan
/// @param makers        Store::makers
/// @param model_makers  Store::model_makers
std::set<std::string> to_make_again(const Study& study, const Plan& plan,
                                    const std::vector<std::string>& methods, const Libraries& now,
                                    const std::map<std::string, Libraries>& makers,
                                    const std::map<std::string, Libraries>& model_makers);

/// A warning of them all that says what to do; empty if there is none.
std::string in_words(const std::vector<RebuiltPlugin>& plugins);

}  // namespace tempo
