// The checks as a list, and the file of what is expected.

#include <regex>
#include <set>

#include "conformance/check.hpp"
#include "conformance/expected.hpp"
#include "support.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;
using namespace conformance;

TEST_CASE("every check has an id of its own, a sentence and a way", "[conformance]") {
  std::set<std::string> ids;
  for (const auto& check : all_checks()) {
    CAPTURE(check.id);
    REQUIRE(ids.insert(check.id).second);
    REQUIRE(std::regex_match(check.id, std::regex("[PHTMS][0-9]{2}")));
    REQUIRE(std::string(check.demand).ends_with("."));
    REQUIRE(std::string(check.way).ends_with("."));
    REQUIRE_FALSE(check.kinds.empty());
    REQUIRE(find_check(check.id) == &check);
  }
  REQUIRE(ids.size() >= 40);
  REQUIRE(find_check("X01") == nullptr);
}

TEST_CASE("the file of what is expected", "[conformance]") {
  const TemporaryFolder folder;
  SECTION("settings, failures with reasons, digests") {
    const auto file = folder.write("expected.toml", R"(schema = 1
[settings]
epochs = 2
[[expected]]
check  = "M05"
reason = "needs directions"
[[draws]]
version = "0.1.0"
digest  = "aa"
)");
    Problems problems;
    const auto read = read_expectations(file, problems);
    REQUIRE(problems.report() == "");
    REQUIRE(canonical_json(read.settings) == R"({"epochs":2})");
    REQUIRE(*read.reason("M05") == "needs directions");
    REQUIRE(read.reason("M06") == nullptr);
    REQUIRE(read.draws.at(0).digest == "aa");
  }
  SECTION("all faults at once, with their places") {
    const auto file = folder.write("expected.toml", R"(schema = 2
extra = 1
[[expected]]
check  = "M99"
reason = ""
[[expected]]
check = "M05"
)");
    Problems problems;
    read_expectations(file, problems);
    REQUIRE_THAT(problems.report(), Contains("'schema' must be 1") && Contains("no check 'M99'") &&
                                        Contains("must say why") &&
                                        Contains("missing key 'reason'") &&
                                        Contains("unknown key 'extra'"));
  }
}

}  // namespace tempo::test
