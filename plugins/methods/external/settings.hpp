#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "process/program.hpp"
#include "tempo/method_abilities.hpp"
#include "tempo/parameters.hpp"

namespace tempo::external {

/// What the experiment says of a program.
struct Settings {
  explicit Settings(Parameters& keys);

  std::vector<std::string> command;
  bool is_persistent = false;   ///< one process answers many cohorts, a line each
  std::string settings = "{}";  ///< of the program: an object in JSON
  LabelUse labels = LabelUse::none;
  MissingData missing = MissingData::refused;
  std::string version;  ///< of the program; empty: not known
  bool keep_failed = false;
  process::Limits limits;

  /// How the program is called.
  /// @param folder  where it works
  process::Call call(const std::string& folder) const;

 private:
  void read_settings(Parameters& keys);
  void find_program(Parameters& keys, const char* key, const std::vector<std::string>& words) const;
  void find_version(Parameters& keys, const std::vector<std::string>& command_of_version);

  std::vector<std::string> environment_;
};

}  // namespace tempo::external
