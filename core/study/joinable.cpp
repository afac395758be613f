#include "study/joinable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "study/recipes.hpp"

namespace tempo {
namespace {

using nlohmann::json;

/// What a name stands for, and in which run it was first seen.
template <class Meaning>
struct Meant {
  Meaning meaning;
  std::string folder;
};

/// `settings.shift is 1.5, there 0; ...`: what differs, no more than three of it.
std::string in_words(const std::vector<RecipeDifference>& all) {
  constexpr std::size_t kMost = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
    const auto& [name, there, here] = all[i];
    out += i == 0 ? "" : "; ";
    // A hash says nothing.
    out += name.ends_with("biomarkers") ? "the biomarker table"
                                        : fmt::format("{} is {}, there {}", name, here, there);
  }
  if (all.size() > kMost) out += fmt::format("; and {} more", all.size() - kMost);
  return out;
}

/// A part of a recipe; null in one that does not have it, as those of a tempo to come may not.
json part_of(const json& recipe, const char* key) { return recipe.value(key, json()); }

/// `a, b`
std::string listed_axes(const std::vector<std::string>& axes) {
  return axes.empty() ? "nothing" : fmt::format("{}", fmt::join(axes, ", "));
}

/// Compares runs, each with all before it.
class JoinCheck {
 public:
  explicit JoinCheck(Problems& problems) : problems_(problems) {}

  void add(const RunToJoin& run) {
    folder_ = run.folder;
    store_ = run.store;
    axes_ = store_->results().axes;
    about_ = store_->description().value_or(RunDescription());
    complained_.clear();
    if (!first_folder_.empty() && axes_ != first_axes_) {
      complain(
          fmt::format("sweeps over {}, and '{}' over {}: only runs that sweep the same "
                      "settings, in the same order, can be joined",
                      listed_axes(axes_), first_folder_, listed_axes(first_axes_)));
      return;
    }
    const auto fits = store_->planned();
    if (!fits.empty() && !has_one_kind_of_cohorts(fits.front().id.is_real())) return;
    add_real_cohorts();
    add_cohorts();
    add_fits(fits);
    add_names();
    if (first_folder_.empty()) {
      first_folder_ = folder_;
      first_axes_ = axes_;
    }
  }

 private:
  using CohortName = std::tuple<std::vector<std::string>, std::string, std::size_t>;
  struct Fit {
    std::string key;
    const json* recipe;  // null where no such fit is done
  };
  struct Files {
    std::string path;
    bool is_known;  // what is in them
    bool operator==(const Files&) const = default;
  };

  void complain(const std::string& message) { problems_.add({folder_}, message); }
  /// Once per run and thing.
  void complain_of(const std::string& thing, const std::string& message) {
    if (complained_.insert(thing).second) complain(message);
  }

  bool has_one_kind_of_cohorts(bool is_real) {
    if (first_folder_.empty()) is_real_ = is_real;
    if (is_real_ == is_real) return true;
    complain(fmt::format("has {}, and '{}' {}: they have no table in common",
                         is_real ? "a real cohort" : "cohorts with a truth", first_folder_,
                         is_real_ ? "a real cohort" : "cohorts with a truth"));
    return false;
  }

  /// Notes what a name stands for. @return what it stood for before, if that is something else
  template <class Key, class Meaning>
  static const Meant<Meaning>* other_meaning(std::map<Key, Meant<Meaning>>& known, const Key& key,
                                             const Meaning& meaning, const std::string& folder) {
    const auto [at, is_new] = known.try_emplace(key, Meant<Meaning>{meaning, folder});
    return is_new || at->second.meaning == meaning ? nullptr : &at->second;
  }

  void add_real_cohorts() {
    for (const auto& cohort : store_->cohorts()) {
      const json same{cohort.participants, cohort.diseased, cohort.diagnoses, cohort.biomarkers};
      if (const auto* other = other_meaning(real_cohorts_, cohort.axis_values, same, folder_))
        complain_of("real cohort", another_real_cohort(cohort.name, other->folder));
    }
  }

  std::string another_real_cohort(const std::string& name, const std::string& folder) const {
    return fmt::format(
        "its cohort '{}' is another than that of '{}': only runs of one cohort can "
        "be joined, or sweeps over cohorts.path",
        name, folder);
  }

  void add_cohorts() {
    for (const auto& cohort : store_->planned_cohorts()) {
      const CohortName id{cohort.axis_values, cohort.hypothesis, cohort.number};
      keys_here_[id] = cohort.key;
      const auto* other = other_meaning(cohorts_, id, cohort.key, folder_);
      if (other != nullptr) other_cohorts_[id] = other->folder;
    }
  }

  void add_fits(const std::vector<PlannedFit>& fits) {
    const auto recipes = store_->recipe_ids();
    std::vector<std::pair<const PlannedFit*, const json*>> with_recipe;
    for (const auto& fit : fits) {
      const auto id = recipes.find(fit.key);
      with_recipe.emplace_back(&fit, id == recipes.end() ? nullptr : parsed(id->second));
    }
    // What a name stands for explains most of what differs below.
    for (const auto& [fit, recipe] : with_recipe)
      if (recipe != nullptr) add_parts(*fit, *recipe);
    for (const auto& [fit, recipe] : with_recipe) add_fit(*fit, recipe);
    other_cohorts_.clear();
    keys_here_.clear();
  }

  const json* parsed(const std::string& id) {
    const auto [at, is_new] = recipes_.try_emplace(id);
    if (is_new) at->second = json::parse(store_->recipe(id));
    return &at->second;
  }

  /// Of the swept settings those that may change what a name stands for.
  std::string swept(const FitId& id, const std::string& prefix) const {
    json out = json::object();
    for (std::size_t a = 0; a < axes_.size() && a < id.axis_values.size(); ++a)
      if (axes_[a].starts_with(prefix)) out[axes_[a]] = id.axis_values[a];
    return out.dump();
  }

  /// What the cohorts, the hypotheses and the method of a fit are.
  void add_parts(const PlannedFit& fit, const json& recipe) {
    if (const auto* other =
            other_meaning(engines_, std::string(), part_of(recipe, "engine"), folder_))
      complain_of(
          "engine",
          fmt::format("a tempo made it whose numbers are not those of '{}' (engine {}, there "
                      "{}): call tempo run again in both folders, with one version",
                      other->folder, part_of(recipe, "engine").dump(), other->meaning.dump()));
    add_cohorts_of(fit, recipe);
    if (!sweeps_methods()) add_hypotheses_behind(fit, recipe);
    add_method(fit, recipe);
  }

  void add_cohorts_of(const PlannedFit& fit, const json& recipe) {
    auto cohorts = recipe.value("cohorts", json::object());
    const auto hypothesis = generated_by(fit.id);
    const bool is_simulated = cohorts.contains("process");
    if (is_simulated) {
      add_hypothesis(hypothesis, fit, cohorts.at("process"));
      const auto name = hypothesis + swept(fit.id, "seed");
      if (const auto* other = other_meaning(seeds_, name, part_of(recipe, "seed"), folder_))
        complain_of(
            "hypothesis " + hypothesis,
            fmt::format("the cohorts of '{}' are others than in '{}': seed is {}, there {}; "
                        "runs of one hypothesis need the same seed to be joined",
                        hypothesis, other->folder, part_of(recipe, "seed").dump(),
                        other->meaning.dump()));
    }
    cohorts.erase("process");
    cohorts.erase("hypothesis");
    if (const auto* other = other_meaning(sizes_, swept(fit.id, "cohorts."), cohorts, folder_))
      complain_of("cohorts",
                  fmt::format("its cohorts are others than those of '{}': {}; runs that are to be "
                              "joined need the same [cohorts], or a sweep over what differs",
                              other->folder, in_words(differences(other->meaning, cohorts))));
  }

  bool sweeps_methods() const {
    return std::any_of(axes_.begin(), axes_.end(),
                       [](const std::string& axis) { return axis.starts_with("method."); });
  }

  /// The hypotheses that a fit takes for true, or that its model learned from.
  void add_hypotheses_behind(const PlannedFit& fit, const json& recipe) {
    if (!fit.id.assumed.empty())
      add_hypothesis(fit.id.assumed, fit,
                     part_of(recipe.value("assumed", json::object()), "process"));
    for (const auto& learned :
         recipe.value("model", json::object()).value("hypotheses", json::array()))
      add_hypothesis(learned.value("hypothesis", ""), fit, part_of(learned, "process"));
  }

  void add_hypothesis(const std::string& id, const PlannedFit& fit, const json& process) {
    const auto name = id + swept(fit.id, "hypothesis." + id + ".");
    if (const auto* other = other_meaning(hypotheses_, name, process, folder_))
      complain_of("hypothesis " + id,
                  fmt::format("'{}' stands for another hypothesis than in '{}': {}; give one of "
                              "them another id = \"...\" in its [[hypothesis]] and call tempo run "
                              "again, which draws cohorts of its own for it",
                              id, other->folder, in_words(differences(other->meaning, process))));
  }

  void add_method(const PlannedFit& fit, const json& recipe) {
    const auto& id = fit.id.method;
    json method{{"", part_of(recipe, "method")}};
    if (recipe.contains("model")) method["trained"] = part_of(recipe.at("model"), "method");
    const auto name = id + swept(fit.id, "method." + id + ".");
    if (const auto* other = other_meaning(methods_, name, method, folder_))
      complain_of("method " + id, another_method(id, method, *other));
  }

  static std::string another_method(const std::string& id, const json& method,
                                    const Meant<json>& other) {
    auto different = differences(other.meaning, method);
    for (auto& [name, there, here] : different)  // of nameless parts
      if (name.starts_with('.')) name.erase(0, 1);
    return fmt::format(
        "'{}' stands for another method than in '{}': {}; give one of them another "
        "id = \"...\" in its [[method]] and call tempo run again: a method that is "
        "renamed keeps its results",
        id, other.folder, in_words(different));
  }

  /// Compares a fit with one that another run has in its place.
  void add_fit(const PlannedFit& fit, const json* recipe) {
    expect_same_cohort(fit);
    const auto [at, is_new] = fits_.try_emplace(fit.slot, Meant<Fit>{{fit.key, recipe}, folder_});
    auto& [known, folder] = at->second;
    if (known.recipe == nullptr) known.recipe = recipe;
    if (is_new || known.key == fit.key) return;
    const auto hypothesis = generated_by(fit.id);
    for (const auto& thing :
         {std::string("cohorts"), "hypothesis " + hypothesis, "method " + fit.id.method,
          "cohorts of " + hypothesis, std::string("real cohort")})
      if (complained_.contains(thing)) return;
    std::string what = "what they are made of is not known, as no such fit is done";
    if (recipe != nullptr && known.recipe != nullptr) {
      const auto different = differences(*known.recipe, *recipe);
      what = different.empty() ? "their cohorts differ" : in_words(different);
    }
    complain_of(
        "method " + fit.id.method,
        fmt::format("fits of '{}' to cohorts of '{}' are others than in '{}': {}; make both "
                    "alike, or give one of the methods another id = \"...\" and call tempo "
                    "run again: a method that is renamed keeps its results",
                    fit.id.method, hypothesis, folder, what));
  }

  /// Complains of a cohort that has the name of another, unless its hypothesis says why.
  void expect_same_cohort(const PlannedFit& fit) {
    const auto hypothesis = generated_by(fit.id);
    if (complained_.contains("cohorts") || complained_.contains("hypothesis " + hypothesis)) return;
    const CohortName id{fit.id.axis_values, hypothesis, fit.id.cohort};
    if (const auto other = other_cohorts_.find(id); other != other_cohorts_.end()) {
      if (fit.id.is_real() && fit.id.cohort == 0)
        complain_of("real cohort", another_real_cohort(about_.cohorts.path, other->second));
      else
        complain_of("cohorts of " + hypothesis,
                    fmt::format("cohort {} of '{}' is another than in '{}': only runs on the same "
                                "cohorts can be joined",
                                fit.id.cohort, hypothesis, other->second));
    }
    expect_known_files(fit, id);
  }

  /// Cohorts of files that an earlier version read are taken for the same only if their folder is.
  void expect_known_files(const PlannedFit& fit, const CohortName& id) {
    if (about_.cohorts.source != RunDescription::Cohorts::Source::folder) return;
    const auto key = keys_here_.find(id);
    const auto* other =
        other_meaning(folders_, id, Files{about_.cohorts.path, key != keys_here_.end()}, folder_);
    if (other == nullptr || other->meaning.path == about_.cohorts.path) return;
    const bool both_known = other->meaning.is_known && key != keys_here_.end();
    if (!both_known)
      complain_of("cohorts of " + generated_by(fit.id),
                  fmt::format("whether its cohorts in '{}' are those of '{}' in '{}' is not known: "
                              "call tempo run again in both, which makes no fit anew but notes "
                              "what its cohorts are",
                              about_.cohorts.path, other->folder, other->meaning.path));
  }

  void add_names() {
    add_names("method", about_.methods);
    add_names("hypothesis", about_.hypotheses);
  }

  /// One name must not stand for two ids.
  template <class Entry>
  void add_names(const std::string& kind, const std::vector<Entry>& entries) {
    for (const auto& entry : entries) {
      const auto& name = entry.name.empty() ? entry.id : entry.name;
      if (const auto* other = other_meaning(names_, kind + " " + name, entry.id, folder_))
        complain(
            fmt::format("the {} '{}' is shown as '{}', and so is '{}' of '{}': give one of "
                        "them another name = \"...\" and call tempo run again, which makes no "
                        "fit anew",
                        kind, entry.id, name, other->meaning, other->folder));
    }
  }

  Problems& problems_;
  // Of the run at hand:
  std::string folder_;
  Store* store_ = nullptr;
  RunDescription about_;
  std::vector<std::string> axes_;
  std::set<std::string> complained_;
  std::map<CohortName, std::string> keys_here_;
  std::map<CohortName, std::string> other_cohorts_;  // and the folder of the run that has another
  // Of all runs:
  std::string first_folder_;
  std::vector<std::string> first_axes_;
  bool is_real_ = false;
  std::map<std::string, json> recipes_;  // by id, which is their hash
  std::map<std::vector<std::string>, Meant<json>> real_cohorts_;
  std::map<CohortName, Meant<std::string>> cohorts_;
  std::map<std::string, Meant<json>> engines_, sizes_, seeds_, hypotheses_, methods_;
  std::map<std::string, Meant<Fit>> fits_;  // by slot
  std::map<CohortName, Meant<Files>> folders_;
  std::map<std::string, Meant<std::string>> names_;
};

}  // namespace

void expect_joinable(const std::vector<RunToJoin>& runs, Problems& problems) {
  JoinCheck check(problems);
  for (const auto& run : runs) check.add(run);
}

}  // namespace tempo
