#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/fit_result.hpp"
#include "tempo/parameters.hpp"

namespace tempo {

/// How event times of a hypothesis are to be read.
enum class EventScale {
  ranks,  ///< events have an order, and no times
  times,
};

/// What a run was, beside its numbers: for reports and for whoever judges its results. Of a sweep
/// that of the first point.
struct RunDescription {
  struct Cohorts {
    enum class Source { simulate, folder, table };
    Source source = Source::simulate;
    std::string path;              ///< folder, table: as the experiment names it
    std::string content;           ///< table: cohort_key of what was read
    std::string biomarkers;        ///< simulate: the table as the user named it
    std::size_t participants = 0;  ///< simulate
    double healthy_ratio = 0.0;    ///< simulate
  };
  /// What a hypothesis assumes; texts are empty where its process does not say.
  struct Hypothesis {
    std::string id;
    std::string plugin;
    std::string event_times;           ///< in words
    std::optional<EventScale> events;  ///< absent where the process does not say
    std::string stages;                ///< id of the stage prior
    std::string measurements;          ///< id of the measurement model
    /// Whether two normals per biomarker are what its measurements are drawn from; absent where
    /// nobody can say, and in runs of earlier versions.
    std::optional<bool> measures_normals;
    std::string name = {};  ///< what people read in place of the id; empty: the id
  };
  struct Method {
    std::string id;
    std::string plugin;
    std::string settings;  ///< canonical JSON
    /// How it comes by the biomarkers' distributions; absent for methods without that choice.
    std::optional<Distributions> distributions;
    std::string name = {};  ///< as that of a hypothesis
  };
  /// A library that made numbers.
  struct Plugin {
    std::string kind;
    std::string id;
    std::string version;
    std::string file;     ///< name, without its folder; empty where it is not known
    std::string content;  ///< content key of its bytes; empty likewise
  };

  /// Fits that were not made on purpose: a method does not go with a hypothesis.
  struct Misfit {
    std::string method;      ///< id
    std::string hypothesis;  ///< id
    std::string reason;
    std::size_t fits = 0;  ///< of all points of a sweep
  };

  /// One of several experiments that were joined.
  struct Joined {
    std::string name;
    std::string plan;  ///< Store::plan_key when it stood alone
    std::string tempo;
    std::string description;
    std::uint64_t seed = 0;
    std::size_t fits = 0;  ///< planned
  };

  std::string tempo;  ///< version
  std::string build;  ///< TEMPO_BUILD_TAG
  std::string description;
  std::uint64_t seed = 0;
  Cohorts cohorts;
  /// The method that infers under the hypothesis of the cohorts with known distributions, so that
  /// others' scores show how far they are from what can be had; empty if there is none, or no
  /// other.
  std::string limit;
  std::vector<Hypothesis> hypotheses;
  std::vector<Method> methods;
  std::vector<Plugin> plugins;
  std::vector<Misfit> misfits;
  std::vector<Joined> joined;  ///< by tempo merge; none: the run is of one experiment
};

/// The settings that two methods have otherwise, or only one has; by name.
std::vector<std::string> differing_settings(const RunDescription::Method& a,
                                            const RunDescription::Method& b);

/// The libraries of the plugins of a run whose files are known.
Libraries libraries_of(const RunDescription& run);

}  // namespace tempo
