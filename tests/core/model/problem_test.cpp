#include "tempo/problem.hpp"

#include "model/printable.hpp"
#include "support.hpp"

namespace tempo::test {

TEST_CASE("lines are joined however they end", "[model]") {
  REQUIRE(joined_lines("a\nb\r\nc\rd") == "a; b; c; d");
}

TEST_CASE("a problem that quotes a whole file is told by its beginning and its end", "[model]") {
  const auto report = [](const std::string& message) {
    Problems problems;
    problems.add({"f.csv", 1, 2}, message);
    return problems.report();
  };
  const std::string place = "f.csv:1:2: ";
  const std::string longest(3000 - place.size(), 'x');
  REQUIRE(report(longest) == place + longest);

  const auto text = report("found '" + std::string(1'000'000, 'x') + "'; expected a number");
  REQUIRE(text.size() < 2600);
  REQUIRE(text.starts_with(place + "found 'xxx"));
  REQUIRE(text.find("x [... 997538 bytes ...] x") != std::string::npos);
  REQUIRE(text.ends_with("xxx'; expected a number"));

  // é takes two bytes, of which no half may stay.
  for (const std::string begin : {"", "x"}) {
    std::string accents = begin;
    for (int i = 0; i < 4000; ++i) accents += "é";
    const auto cut = report(accents);
    const auto middle = cut.find(" [... ");
    REQUIRE(cut.substr(middle - 2, 2) == "é");
    REQUIRE(cut.substr(cut.find(" bytes ...] ") + 12, 2) == "é");
  }
}

TEST_CASE("a problem that quotes what steers a terminal, or is no text, writes it out", "[model]") {
  Problems problems;
  problems.add({"f.so"},
               "needs '\x1b[2J', '\xc2\x9b', '__\xf4hrow', '\xe2\x82', '\x7f'; é, € and 😀 stay");
  REQUIRE(problems.report() ==
          R"(f.so: needs '\x1b[2J', '\x9b', '__\xf4hrow', '\xe2\x82', '\x7f'; é, € and 😀 stay)");
}

}  // namespace tempo::test
