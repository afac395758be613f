#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/kinds.hpp"
#include "tempo/cohort.hpp"

namespace tempo::conformance {

class Subject;

/// How a check ends.
enum class Outcome {
  passed,
  failed,
  crashed,         ///< its process died: a signal, an abort, a call of exit()
  timed_out,       ///< its process was killed at the limit
  not_applicable,  ///< the plugin does not declare what the check needs
};
std::string_view to_string(Outcome outcome);

/// What came of a check.
struct Finding {
  Outcome outcome = Outcome::passed;
  std::string text = {};              ///< what was found and what was expected; empty if passed
  std::optional<Cohort> cohort = {};  ///< that shows the fault
};
Finding passed();
Finding failed(std::string text, std::optional<Cohort> cohort = {});
/// Calls `work` with 0 .. count - 1 at once, each in a thread of its own. It says what differs from
/// what one thread alone got, or nothing, and may throw: the first fault is the finding.
Finding in_threads(std::size_t count, const std::function<std::string(std::size_t)>& work);
/// @param why  the end of a sentence that begins with `it` (`it takes no missing values`)
Finding not_applicable(std::string why);

/// One demand on plugins of some kinds. Checks are plain functions: they draw from streams of their
/// own, so that a check alone finds what it finds among others.
struct Check {
  const char* id;            ///< stable: never another demand under the same id
  const char* demand;        ///< one sentence
  const char* way;           ///< how it is looked at, and what mends a fault
  Kinds kinds;               ///< of plugins that it is about
  bool is_thorough = false;  ///< takes minutes
  Finding (*run)(const Subject& subject);
  bool makes_model = false;  ///< trains what other checks of the plugin infer with

  bool is_about(InterfaceKind kind) const;
};

/// All checks, in the order of pages: what every plugin does, then by kind.
const std::vector<Check>& all_checks();
/// Null if there is none of that id.
const Check* find_check(std::string_view id);

// By what they are about, a file each.
std::vector<Check> plugin_checks();
std::vector<Check> drawing_checks();
std::vector<Check> hypothesis_checks();
std::vector<Check> law_checks();
std::vector<Check> method_checks();
std::vector<Check> metric_checks();
std::vector<Check> hard_cohort_checks();
std::vector<Check> training_checks();
std::vector<Check> calibration_checks();

/// Runs a check in this process. What a plugin throws is a failure.
Finding run(const Check& check, const Subject& subject);

}  // namespace tempo::conformance
