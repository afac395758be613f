#include "report/withheld_ids.hpp"

#include <nlohmann/json.hpp>

#include "support.hpp"

namespace tempo::test {
namespace {

WithheldIds of(std::vector<std::string> participants) {
  StoredCohort cohort;
  cohort.participants = std::move(participants);
  return WithheldIds({cohort});
}

}  // namespace

TEST_CASE("ids of participants are taken out of texts", "[report][privacy]") {
  const auto ids = of({"p-1", "Ann Lee", "7", "dr.x"});
  REQUIRE(ids.without("no value of p-1, 'Ann Lee' (999) and dr.x.") ==
          "no value of ..., '...' (999) and ....");
  SECTION("a number only where it stands in quotes") {
    REQUIRE(ids.without("7 fits of '7' took 7.") == "7 fits of '...' took 7.");
  }
  SECTION("of several words, the longest first") {
    const auto names = of({"Lee", "Lee, Ann", "Lee, Ann B.", "o (2)"});
    REQUIRE(names.without("Lee, Ann B. (Lee, Ann) and Lee; Lee, Anna, \"o (2)\", o (2).") ==
            "... (...) and ...; ..., Anna, \"...\", ....");
  }
  SECTION("and all else stays, quotes of others and parts of words, too") {
    for (const std::string text :
         {"", "'", "p-10 and xp-1", "it's p-2's", "'h1' \"h2\" [a]", "two\nlines.  "})
      REQUIRE(ids.without(text) == text);
  }
}

TEST_CASE("ids are taken out of texts wherever they stand in a value", "[report][privacy]") {
  nlohmann::ordered_json value{{"why", {"p-1 is odd", 3}}, {"p-1", {{"x", "of p-1"}}}};
  of({"p-1"}).remove_from(value);
  REQUIRE(value == nlohmann::ordered_json{{"why", {"... is odd", 3}}, {"p-1", {{"x", "of ..."}}}});
}

}  // namespace tempo::test
