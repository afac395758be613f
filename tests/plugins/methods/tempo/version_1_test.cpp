// Models that an earlier version trained (tests/core/results/version_1) are read and applied.

#include <filesystem>

#include "../../../core/cli/program.hpp"

namespace tempo::test {

using Catch::Matchers::Contains;

TEST_CASE("an earlier version's model is taken for trained", "[version_1]") {
  const Program program;
  std::filesystem::copy(source("tests/core/results/version_1"), program.path(),
                        std::filesystem::copy_options::recursive);
  const auto before = program.text("trained/results.csv");
  SECTION("a continued run trains and fits nothing") {
    const auto found = program.tempo("run trained.toml --out trained");
    REQUIRE(found.code == 0);
    REQUIRE_THAT(found.output,
                 Contains("0 models trained, 0 failed, 1 taken from an earlier run; 0 fitted, 0 "
                          "failed, 2 taken from an earlier run"));
    REQUIRE(program.text("trained/results.csv") == before);
  }
  SECTION("and finds in another cohort what the earlier version found with it") {
    const auto found = program.tempo("run trained.toml --out trained --set cohorts.test=3");
    REQUIRE(found.code == 0);
    REQUIRE_THAT(found.output, Contains("1 fitted, 0 failed, 2 taken from an earlier run"));
    REQUIRE(program.results("trained/results.csv") ==
            program.results("expected/trained-three-cohorts.csv"));
  }
}

}  // namespace tempo::test
