#include "tempo/order.hpp"

#include "support.hpp"

namespace tempo::test {

TEST_CASE("sequence and ranks", "[model][order]") {
  SECTION("ranks say when a biomarker comes, the sequence says which comes when") {
    const Sequence sequence({2, 0, 1});
    REQUIRE(ranks_of(sequence) == Ranks({2, 3, 1}));
    REQUIRE(sequence_of(ranks_of(sequence)) == sequence);
  }
  SECTION("what is no permutation is refused") {
    REQUIRE_THROWS_AS(Sequence({0, 0}), NumericError);
    REQUIRE_THROWS_AS(Ranks({0, 1}), NumericError);
    REQUIRE_THROWS_AS(Ranks({1, 3}), NumericError);
  }
  SECTION("equal scores keep the order of the biomarkers") {
    const std::vector<double> scores{0.5, 0.1, 0.5, 0.1};
    REQUIRE(sequence_by_score(scores) == Sequence({1, 3, 0, 2}));
  }
  SECTION("the two do not convert silently") {
    STATIC_REQUIRE(!std::is_convertible_v<Sequence, Ranks>);
    STATIC_REQUIRE(!std::is_convertible_v<Ranks, Sequence>);
  }
}

}  // namespace tempo::test
