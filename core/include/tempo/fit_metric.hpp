#pragma once

#include <string>

#include "tempo/cohort.hpp"
#include "tempo/contexts.hpp"
#include "tempo/export.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/plugin_object.hpp"

namespace tempo {

/// A number that says how near what a method found in a cohort comes to the truth.
///
/// tempo works it out from what a run keeps, so that a new metric needs no fit to be made anew.
/// Objects are immutable: const calls are thread-safe.
class TEMPO_API FitMetric : public PluginObject {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::metric;
  using Context = NoContext;

  /// Which of two values is better. Neither: of signed errors.
  enum class Better { lower, higher, neither };
  /// What readers of tables are told.
  struct About {
    std::string title;  ///< what it is, its unit, and what is perfect
    Better better = Better::lower;
    int decimals = 3;
  };

  ~FitMetric() override;

  const About& about() const { return about_; }
  /// Of a cohort the plugin is shown what every run keeps, and no more, whatever the caller has.
  /// @param found   in the columns and rows of the cohort. tempo gives event_scores, stages and,
  ///   where the method gave them, event_times, event_time_spreads, rank_posterior, subtypes and
  ///   (of runs with keep_stage_posteriors) stage_posterior.
  /// @param cohort  The plugin sees participants, biomarkers and `diseased`, but no measurements (a
  ///   matrix [0, 0]) and no diagnoses; of the truth event times, ranks and ordinal stages, but no
  ///   traits, and NaN for the stages as they were drawn.
  /// @return a finite number, or NaN where the metric has none: a posterior is not there, ...
  /// @throws NumericError if the plugin returns an infinite number; PluginError if it throws.
  double score(const Inference& found, const SimulatedCohort& cohort) const;

 protected:
  /// @throws NumericError unless the title is one line and the decimals are 0 to 9
  explicit FitMetric(About about);

 private:  // What a plugin writes.
  virtual double do_score(const Inference& found, const SimulatedCohort& cohort) const = 0;

  About about_;
};

}  // namespace tempo
