#pragma once

// What fuzz targets share. A target is one reader and what must hold whatever it is given: tempo's
// own errors are right answers; any other exception, a crash, or a broken claim is a find.
//
// The same sources make one program per target for libFuzzer (clang) and one program that replays
// the corpora, which every build has.

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "tempo/problem.hpp"

namespace tempo::fuzz {

using Read = void (*)(std::string_view input);

struct Target {
  std::string_view name;
  Read read;
};

/// Those that are linked into the program.
std::vector<Target>& targets();

/// Adds a target: a constant of this type in the source of each.
struct Added {
  Added(std::string_view name, Read read) { targets().push_back({name, read}); }
};

/// Reads, and accepts that tempo refuses.
void read(const Target& target, std::string_view input);

/// Ends the program with the claim unless it holds.
void expect(bool holds, std::string_view claim);

/// Ends the program with the claim if `work` throws an error of tempo: what was read without a
/// fault is refused no more.
void expect_no_error(std::string_view claim, const std::function<void()>& work);

/// Each fault says something, in UTF-8.
void expect_clear(const Problems& problems);

/// A folder of this process, removed when it ends well.
const std::filesystem::path& scratch();
/// Writes a file in it.
std::filesystem::path scratch_file(std::string_view name, std::string_view content);

/// The input in two: before a line that is `---`, and after it (empty where there is none).
struct Halves {
  std::string_view first, second;
};
Halves halves_of(std::string_view input);

}  // namespace tempo::fuzz
