#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/subject.hpp"
#include "tempo/parameters.hpp"
#include "tempo/problem.hpp"

namespace tempo::conformance {

// What an author says of a plugin for its checks, as TOML:
//
//   schema = 1
//
//   [settings]       # optional: of the plugin in all checks, such as a short training
//   epochs = 2
//
//   [[expected]]     # a check that fails, and why that is in order
//   check  = "M05"
//   reason = "the user says which values are abnormal"
//
//   [[draws]]        # what a version draws: check H19 notices a change without a new version
//   version = "0.1.0"
//   digest  = "0123456789abcdef"

struct ExpectedFailure {
  std::string check;  ///< its id
  std::string reason;
};

struct Expectations {
  ParameterTable settings;
  std::vector<ExpectedFailure> failures;
  std::vector<Draws> draws;

  /// Why a check may fail; null if it may not.
  const std::string* reason(const std::string& check) const;
};

/// Reads such a file. All faults are reported at once.
Expectations read_expectations(const std::filesystem::path& file, Problems& problems);

}  // namespace tempo::conformance
