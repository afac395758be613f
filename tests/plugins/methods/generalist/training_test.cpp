// The training program: what it writes depends on neither threads nor interruptions.

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "support.hpp"

namespace tempo::test {
namespace {

/// Trains for so many of two epochs. @return whether it ended well
bool train(const std::filesystem::path& file, int threads, const std::string& more = "") {
  const auto command =
      fmt::format("{} '{}' --epochs 2 --samples 64 --validation 8 --threads {} {} > /dev/null 2>&1",
                  TEMPO_TRAIN_GENERALIST, file.string(), threads, more);
  return std::system(command.c_str()) == 0;
}

TEST_CASE("the generalist's training is reproducible", "[generalist][training]") {
  const TemporaryFolder folder;
  const auto one = folder.path() / "one", two = folder.path() / "two";
  REQUIRE(train(one, 1));
  REQUIRE(train(two, 2));
  REQUIRE(read_text(one).size() > 1'000'000);
  REQUIRE(read_text(one) == read_text(two));
  // From the end of the first epoch on, as after a kill.
  const auto again = folder.path() / "again";
  REQUIRE(train(again, 2, "--stop-after 1"));
  REQUIRE(!std::filesystem::exists(again));
  REQUIRE(train(again, 1));
  REQUIRE(read_text(again) == read_text(one));
}

}  // namespace
}  // namespace tempo::test
