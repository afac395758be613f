// The points of a sweep as lists of overrides, before anything is read with them.

#include <fmt/format.h>

#include "data/toml_table.hpp"
#include "small_experiment.hpp"
#include "study/overrides.hpp"

namespace tempo::test {
namespace {

using Points = std::vector<std::string>;

/// `path=value path=value` per point, after which faults there are.
Points points_of(const std::string& sweep) {
  Problems problems;
  const auto table = read_toml_text(sweep, "e.toml", problems);
  REQUIRE(problems.empty());
  Points out;
  for (const auto& point : sweep_points(table, problems)) {
    std::string text;
    for (const auto& [path, place, value] : point)
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", path, canonical_json(value));
    out.push_back(text);
  }
  for (const auto& [place, message] : problems.all())
    out.push_back(fmt::format("{}:{}: {}", place.line, place.column, message));
  return out;
}

}  // namespace

TEST_CASE("without axes there is one point", "[study][sweep]") {
  REQUIRE(points_of("seed = 1\n") == Points{""});
  REQUIRE(points_of("[sweep]\n") == Points{""});
}

TEST_CASE("points are all combinations, the last axis fastest", "[study][sweep]") {
  REQUIRE(points_of("[sweep]\na = [1, 2]\nb.c = [3, 4]\n") ==
          Points{"a=1 b.c=3", "a=1 b.c=4", "a=2 b.c=3", "a=2 b.c=4"});
}

TEST_CASE("zipped axes go side by side, also three of them", "[study][sweep]") {
  REQUIRE(points_of("[sweep]\na = [1, 2]\nb = [3, 4]\nc = [5, 6]\nd = [7]\n"
                    "zip = [[\"a\", \"b\", \"c\"]]\n") ==
          Points{"a=1 b=3 c=5 d=7", "a=2 b=4 c=6 d=7"});
  REQUIRE(points_of("[sweep]\na = [1, 2]\nb = [3, 4]\nc = [5, 6]\nd = [7, 8]\n"
                    "zip = [[\"a\", \"c\"], [\"b\", \"d\"]]\n") ==
          Points{"a=1 c=5 b=3 d=7", "a=1 c=5 b=4 d=8", "a=2 c=6 b=3 d=7", "a=2 c=6 b=4 d=8"});
}

TEST_CASE("of zipped axes only the pair must be new", "[study][sweep]") {
  REQUIRE(points_of("[sweep]\na = [1, 1]\nb = [3, 4]\nzip = [[\"a\", \"b\"]]\n") ==
          Points{"a=1 b=3", "a=1 b=4"});
  REQUIRE(points_of("[sweep]\na = [1, 1]\nb = [3, 3]\nzip = [[\"a\", \"b\"]]\n").back() ==
          "2:9: [sweep] 'a' takes the value 1, 3 twice");
}

TEST_CASE("what is wrong with an axis leaves the others", "[study][sweep]") {
  REQUIRE(points_of("[sweep]\na = 1\nb = [3, 4]\n") ==
          Points{"b=3", "b=4", "2:5: [sweep] 'a' must be a list of values, not an integer"});
  REQUIRE(points_of("[sweep]\nmethod.m.id = [\"x\"]\nb = [3]\n") ==
          Points{"b=3",
                 "2:10: [sweep] 'method.m.id' says what things are called; it is no setting to "
                 "vary"});
}

TEST_CASE("a sweep of more points than can be settled is refused before they are made",
          "[study][sweep]") {
  std::string numbers = "0";
  for (int i = 1; i < 200; ++i) numbers += "," + std::to_string(i);
  std::string sweep = "[sweep]\n";
  for (const char axis : std::string("abcdefghij"))
    sweep += fmt::format("{} = [{}]\n", axis, numbers);
  const Points refused{"",
                       "1:1: [sweep] makes more than 10000 combinations; shorten its lists, join "
                       "some with 'zip', or make several experiments of it"};
  REQUIRE(points_of(sweep) == refused);
  REQUIRE(points_of("[sweep]\na = [" + numbers + "]\nb = [" + numbers + "]\n") == refused);
}

TEST_CASE("instead of a part's plugin the part is to be swept, as an example shows",
          "[study][sweep]") {
  const auto said = [](const std::string& values) {
    return points_of("[sweep]\n\"hypothesis.h.part.plugin\" = " + values + "\n").back();
  };
  REQUIRE(said("[\"p\", \"q\"]") ==
          "2:1: [sweep] 'hypothesis.h.part.plugin' would leave one plugin's settings to another; "
          "vary 'hypothesis.h.part' instead, with values such as { plugin = \"p\" }");
  REQUIRE_THAT(said("[3]"), Catch::EndsWith("such as { plugin = \"...\" }"));
}

}  // namespace tempo::test
