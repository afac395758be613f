#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/check.hpp"
#include "conformance/expected.hpp"
#include "conformance/subject.hpp"

namespace tempo::conformance {

/// A check and what came of it.
struct Result {
  const Check* check = nullptr;
  Outcome outcome = Outcome::passed;
  std::string text = {};
  std::filesystem::path cohort = {};  ///< the file of a cohort that shows the fault, or empty
  double seconds = 0.0;
  std::optional<std::string> expected = {};  ///< why it may fail, where that is on file
};
/// Whether it counts against the plugin: a failure that is not expected, or an expected one that is
/// none.
bool is_fault(const Result& result);

/// What is known of a plugin once a process of its own has loaded it.
struct Loaded {
  bool is_usable = false;
  std::string problem = {};  ///< why it is not usable
  InterfaceKind kind = InterfaceKind::generative_process;
  std::string version = {};
  std::vector<std::string> needed = {};  ///< settings without a default that are no parts
};

/// How checks are run in processes of their own.
struct ChildRuns {
  /// A command that runs checks in its own process: ids, each after `--only`, are appended. It
  /// leaves what it finds in `scratch`.
  std::vector<std::string> command;
  std::filesystem::path scratch;
  double seconds = 60.0;                          ///< a check may take; ten times that if thorough
  std::uint64_t memory = std::uint64_t{4} << 30;  ///< bytes that a check may hold
  std::size_t jobs = 1;
  const std::atomic<bool>* stop = nullptr;
};

/// Runs one check in a process of its own, whose end is an outcome, too.
Result run_in_child(const Check& check, const ChildRuns& runs);
/// Runs checks side by side. Of a method that is trained the training comes first, for the others
/// need its model.
/// @param done  called with each result, in the order of the checks, from the calling thread
/// @throws Stopped if the stop was asked for
std::vector<Result> run_in_children(const std::vector<const Check*>& checks, const ChildRuns& runs,
                                    const std::function<void(const Result&)>& done);
/// Loads the plugin in a process of its own.
Loaded load_in_child(const ChildRuns& runs);

/// Runs a check in this process.
Result run_here(const Check& check, const Subject& subject);

// What a process of its own leaves in the scratch folder.
void leave(const Loaded& loaded, const std::filesystem::path& scratch);
void leave(const Result& result, const std::filesystem::path& scratch);

}  // namespace tempo::conformance
