#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "biomarker_values.hpp"
#include "stage_likelihood.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/random_stream.hpp"
#include "two_means.hpp"

namespace tempo::toolkit {

/// What is known of one biomarker's values, or of a weighted part of them.
struct Moments {
  double n = 0.0;   ///< number, or sum of weights
  double x = 0.0;   ///< weighted sum
  double xx = 0.0;  ///< weighted sum of squares

  double mean() const { return x / n; }
  /// About the mean; not negative.
  double squares() const;
  Moments operator-(const Moments& other) const {
    return {n - other.n, x - other.x, xx - other.xx};
  }
};

/// A cohort as chains over orders and normals see it: standardised per biomarker by the mean and
/// standard deviation of all its values.
struct Study {
  std::vector<std::size_t> columns;        ///< [B] column of the cohort of each biomarker here
  std::vector<std::size_t> rows;           ///< [J] row of the cohort of each participant here
  ParticipantColumns everyone;             ///< [B, J] NaN where missing
  ParticipantColumns diseased;             ///< [B, n] those of the diseased, in the same order
  std::vector<std::size_t> diseased_rows;  ///< [n] places in `everyone`
  std::vector<Moments> moments;            ///< [B] of everyone
  std::vector<double> scale;               ///< [B] the standard deviation in units of the cohort
  std::vector<double> least_sd;            ///< [B] of a fitted normal
  std::vector<TwoMeans> clusters;  ///< [B] from the values present, in the order of participants
  std::vector<std::string> warnings;

  std::size_t biomarkers() const { return columns.size(); }
};

struct StudySettings {
  Fidelity fidelity = Fidelity::repaired;
  /// paper: an sd is at least this in the units of the biomarker; absent: at least 0.001 of its
  /// standard deviation
  std::optional<double> published_least_sd = {};
};

/// paper: biomarkers and participants are worked through as they come. repaired: an sd is at least
/// 0.001 of that of all values, or as steps of the values allow, and biomarkers are worked through
/// in an order that depends on their values only, increasing with group separation in standard
/// deviations, identical ones by lot: moving or renaming columns changes nothing. Each is oriented
/// so that the diseased have the larger mean: nor does negating it. Participants are in an order
/// that follows from their values, so that neither do the rows of the cohort matter.
/// @throws NumericError naming the biomarker if a group has fewer than two values, all values are
/// equal, or (paper) a
///   value is missing.
Study study_of(const Cohort& cohort, const StudySettings& settings, RandomStream& stream);

/// What a method finds in the study of a cohort without the values that cannot be believed
/// (`believed`): in the rows of the cohort, with all that there is to warn of.
/// @param given  the cohort as the method gets it
/// @param fit    gives event scores in the cohort's columns, and the rest in the study's rows
/// @throws as study_of
Inference fit_to_study(const Cohort& given, const StudySettings& settings, RandomStream& stream,
                       const std::function<Inference(const Study&)>& fit);

}  // namespace tempo::toolkit
