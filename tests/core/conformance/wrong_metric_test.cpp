// Wrong metrics: each fault is found by the check that is meant for it, and by those others that
// have to see it, too.

#include "wrong_plugins.hpp"

namespace tempo::test {
namespace {

using FoundBy = std::set<std::string>;

}  // namespace

TEST_CASE("a wrong metric", "[conformance]") {
  const auto [fault, found_by] = GENERATE(table<std::string, FoundBy>({
      {"none", {}},
      {"no_better", {}},
      {"of_posteriors", {}},
      {"needs_posteriors", {"P03", "P07", "S01", "S02", "S03", "S04", "S05", "S06", "S07"}},
      {"infinite", {"S01"}},
      {"counts_calls", {"S02", "S03", "S04", "S05", "S06"}},
      {"first_column", {"S03"}},
      {"later_rows", {"S04"}},
      {"reads_names", {"S05"}},
      {"differences", {"S03", "S06"}},
      {"wrong_way", {"S07"}},
      {"cannot_tell", {"S07"}},
  }));
  CAPTURE(fault);
  REQUIRE(failing("wrong_metric", fault) == found_by);
}

}  // namespace tempo::test
