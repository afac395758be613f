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

TEST_CASE("an earlier version's run and model are of use", "[version_1]") {
  const Program program;
  std::filesystem::copy(source("tests/core/results/version_1"), program.path(),
                        std::filesystem::copy_options::recursive);
  SECTION("its model finds in a cohort what the earlier version found with it") {
    REQUIRE(program.tempo("simulate trained.toml --out cohorts").code == 0);
    const auto found = program.shell(
        "tempo infer trained/models/tempo.h3.*.safetensors cohorts/exp3/*_m0.csv --format csv "
        "--out found.csv");
    CAPTURE(found.output);
    REQUIRE(found.code == 0);
    const auto now = rows(program.text("found.csv"));
    const auto then = rows(program.text("expected/trained-infer.csv"));
    REQUIRE(now.size() == then.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      REQUIRE(now[i].size() >= then[i].size());  // low and high have come since
      for (std::size_t column = 0; column < then[i].size(); ++column) {
        CAPTURE(i, then[0][column]);
        if (i == 0 || then[0][column] != "score" || then[i][column].empty())
          REQUIRE(now[i][column] == then[i][column]);
        else  // in single precision, which the kernels of each processor add up as they do
          REQUIRE(std::stod(now[i][column]) == Approx(std::stod(then[i][column])).epsilon(1e-5));
      }
    }
  }
  SECTION("its run goes on: what this version's network would do otherwise is done anew") {
    const auto before = program.text("trained/results.csv");
    const auto found = program.tempo("run trained.toml --out trained");
    CAPTURE(found.output);
    REQUIRE(found.code == 0);
    REQUIRE_THAT(found.output, Contains("1 model trained, 0 failed, 0 taken from an earlier run; 2 "
                                        "fitted, 0 failed, 0 taken from an earlier run"));
    const auto then = rows(before), now = rows(program.text("trained/results.csv"));
    REQUIRE(now.size() == then.size());
    REQUIRE(now[0] == then[0]);
    REQUIRE(now[1][5] != then[1][5]);  // tau distance
  }
}

}  // namespace tempo::test
