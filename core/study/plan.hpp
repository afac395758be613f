#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/public_cohort_reader.hpp"
#include "results/store.hpp"
#include "study/experiment.hpp"

namespace tempo {

/// A fit to be made: where its parts stand in the study.
struct FitTask {
  std::size_t point = 0;
  std::size_t group = 0;   ///< index into Experiment::groups
  std::size_t cohort = 0;  ///< index into CohortGroup::numbers
  std::size_t method = 0;
  std::optional<std::size_t> training;  ///< index into Plan::trainings of the model that is applied
  /// Index into Experiment::hypotheses: that of the cohort, or one that is taken for true of a real
  /// cohort; else absent.
  std::optional<std::size_t> hypothesis;
};

/// A model to be trained. Its key covers all that its weights depend on, and nothing of the cohorts
/// it will be applied to: plugin version and settings (but not the one that says where numbers are
/// made), seed, hypotheses, biomarker table and the size of cohorts.
struct Training {
  std::size_t point = 0;
  std::size_t method = 0;
  std::size_t model = 0;                  ///< index into MethodEntry::models
  std::string key;                        ///< also the id of its recipe
  std::string slot;                       ///< its place among the models, whatever the content
  std::string name;                       ///< of its files: PLUGIN.HYPOTHESIS.KEY
  std::vector<std::string> plugins = {};  ///< whose code makes it, as Libraries name them
};

/// The objects of one point of a study; immutable and shared by all threads.
struct PointObjects {
  /// Per hypothesis; null if its cohorts are read and no method learns from it or assumes it.
  std::vector<std::unique_ptr<GenerativeProcess>> processes;
  /// Per method: the hypothesis it assumes whatever the cohorts'; null for the others.
  std::vector<std::unique_ptr<GenerativeProcess>> assumed;
  /// Per method: one for all cohorts; one per hypothesis where it infers under theirs, null where
  /// it cannot or is not meant to; none if it is trained.
  std::vector<std::vector<std::unique_ptr<InferenceMethod>>> methods;
  std::vector<std::unique_ptr<TrainableMethod>> trainable;  ///< per method; null for the others

  /// The method of a fit without a model.
  const InferenceMethod& method_for(const FitTask& task) const {
    const auto& of_method = methods[task.method];
    return of_method.size() == 1 ? *of_method.front() : *of_method[task.hypothesis.value()];
  }
};

/// Fits that are left out because a method does not go with a hypothesis.
struct PlannedMisfit {
  RunDescription::Misfit what;
  Place place;              ///< of the [[method]]
  bool on_purpose = false;  ///< the `hypotheses` of the [[method]] leave them out
};

std::vector<RunDescription::Misfit> what_of(const std::vector<PlannedMisfit>& misfits);

/// All fits of a study, in the order of results.csv: point, group of cohorts, cohort, method, model
/// (or hypothesis assumed of a real cohort); and the trainings they need, each once.
struct Plan {
  std::vector<Training> trainings;
  std::vector<FitTask> tasks;
  std::vector<PlannedFit> fits;                 ///< same order
  std::vector<PlannedMisfit> misfits;           ///< what is not among the fits, and why
  std::map<std::string, std::string> recipes;   ///< id -> JSON
  std::vector<PointObjects> objects;            ///< per point
  std::map<std::string, std::string> versions;  ///< plugin (`kind id`) -> version
  /// Reads those of folders, and has read what is behind content keys; never null.
  std::shared_ptr<PublicCohortReader> files;
};

/// Makes the objects and the content keys. A key covers all that the numbers depend on: plugin
/// versions and settings, seed, cohort number, biomarker table, the bytes of the files, or what was
/// read of a real cohort.
/// A method that cannot infer under some of the hypotheses has no fits of these.
/// @throws PluginError if a plugin cannot make its object; InputError if a file cannot be read or a
///   method can infer under none of its hypotheses.
Plan make_plan(const Study& study, const Registry& registry);

/// Why a planned fit has to run again though its place in the results was filled before: what
/// differs between the recipes, one `path: old -> new` each. Empty if nothing was there before.
std::string why_stale(const Plan& plan, const PlannedFit& fit, Store& store);
/// The same of a model.
std::string why_stale(const Plan& plan, const Training& training, Store& store);

}  // namespace tempo
