// Models that an earlier version trained (tests/core/results/version_1) are read and applied.

#include <filesystem>

#include "../../../core/cli/program.hpp"

namespace tempo::test {
namespace {

/// The fields of a CSV without quotes.
std::vector<std::vector<std::string>> rows(const std::string& csv) {
  std::vector<std::vector<std::string>> out;
  for (const auto& line : split(csv, '\n')) out.push_back(split(line, ','));
  return out;
}

}  // namespace

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
    const auto now = rows(program.results("trained/results.csv"));
    const auto then = rows(program.results("expected/trained-three-cohorts.csv"));
    REQUIRE(now.size() == then.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      REQUIRE(now[i].size() == then[i].size());
      for (std::size_t column = 0; column < now[i].size(); ++column) {
        CAPTURE(i, now[0][column]);
        if (i == 0 || now[0][column] != "sequence_mae")
          REQUIRE(now[i][column] == then[i][column]);
        else  // of times in single precision, which the kernels of each processor add up as they do
          REQUIRE(std::stod(now[i][column]) == Approx(std::stod(then[i][column])).epsilon(1e-5));
      }
    }
  }
}

}  // namespace tempo::test
