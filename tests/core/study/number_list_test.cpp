#include "study/number_list.hpp"

#include "support.hpp"

namespace tempo::test {

using Numbers = std::set<std::size_t>;

TEST_CASE("lists of numbers and ranges", "[study][numbers]") {
  REQUIRE(parse_number_list("3") == Numbers{3});
  REQUIRE(parse_number_list("0-4,7") == Numbers{0, 1, 2, 3, 4, 7});
  REQUIRE(parse_number_list("7, 0-1, 1") == Numbers{0, 1, 7});
  REQUIRE(parse_number_list("5-5") == Numbers{5});
  REQUIRE(parse_number_list("999999") == Numbers{999999});
  for (const auto* other :
       {"", "a", "-3", "0-", "4-0", "1,", "1, ", "1;2", "1 2", "1.5", "1234567"})
    REQUIRE_FALSE(parse_number_list(other));
}

}  // namespace tempo::test
