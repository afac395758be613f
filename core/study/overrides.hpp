#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tempo/parameters.hpp"
#include "tempo/problem.hpp"

namespace tempo {

/// One setting addressed by its path: `cohorts.participants`, `method.mine.fidelity`,
/// `hypothesis.late.stage_prior.alpha`. Entries of [[hypothesis]] and [[method]] go by their id.
struct Override {
  std::string path;
  Place place;  ///< of the path, for complaints about it
  ParameterValue value;
};

/// Reads `key=value`, the argument of `--set`. The value is TOML; anything else is a text, so that
/// `method.mine.fidelity=paper` needs no quotes.
Override parse_override(const std::string& argument, Problems& problems);

/// Puts the value in its place in the experiment's table. Absent keys and tables are added; the
/// reader of the table complains of unknown ones. A path that leads through a number or to an
/// absent entry is a fault.
void apply(const Override& override, ParameterTable& experiment, Problems& problems);

/// Applies each in turn, lists of [sweep] (`sweep.PATH=[...]`) among them: such a list takes the
/// place of the one that the path has in [sweep], however that is spelled there, or makes a new
/// axis.
void apply_all(const std::vector<Override>& overrides, ParameterTable& experiment,
               Problems& problems);

/// Complains of settings that no point would keep, because a sweep gives them its own values.
/// @param point  of the sweep, as sweep_points makes it
void refuse_swept(const std::vector<Override>& overrides, const std::vector<Override>& point,
                  Problems& problems);

/// The entry of [[hypothesis]] or [[method]] that a path leads into, or null.
ParameterTable* find_entry(ParameterTable& experiment, const std::string& path);

/// The most points that a sweep may have: each is settled, and kept, before anything is run.
inline constexpr std::size_t kMostPoints = 10'000;

/// The points of a sweep: each is the list of overrides that make it, in axis order. Without a
/// [sweep] table there is one point with no overrides.
///
/// Every key of the table is a path and holds a list of values, each once; nested tables are paths,
/// too (`cohorts.participants = [...]`). All combinations are run, the last axis fastest; keys
/// named together in `zip = [["a", "b"], ...]` go side by side instead.
std::vector<std::vector<Override>> sweep_points(const ParameterTable& experiment,
                                                Problems& problems);

}  // namespace tempo
