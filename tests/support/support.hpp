#pragma once

// What every test may use. Includes Catch2 last.

#include <filesystem>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "registry.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/matrix.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::test {

/// A value that was not measured.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// The shipped plugins, through the real loader.
const Registry& shipped();

/// Where the public cohorts are, or empty.
std::filesystem::path shared_data();

/// A file or folder of the source tree.
std::filesystem::path source(const std::string& relative);

/// A stream for tests; the same seed gives the same values.
RandomStream stream(std::uint64_t seed);

Matrix matrix(std::initializer_list<std::initializer_list<double>> rows);

/// A part without settings.
PartSpec part(const std::string& plugin);

/// B biomarkers `b0`.. with phi N(0, 1) and theta N(2, 1.5), shifted by their index.
BiomarkerTable plain_biomarkers(std::size_t count);

/// A folder that is empty now and removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// Writes a file below the folder, making folders as needed.
  std::filesystem::path write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

std::string read_text(const std::filesystem::path& path);

/// What a program did.
struct Outcome {
  int code = -1;       ///< exit status; 128 + N for signal N
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};
/// Runs a shell command in `folder`.
Outcome run(const std::string& command, const std::filesystem::path& folder);

}  // namespace tempo::test

#include <catch2/catch.hpp>
