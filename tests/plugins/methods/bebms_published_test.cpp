// The published rows of BEBMS, on the cohorts that they are of.

#include "published_subtype_rows.hpp"

namespace tempo::test {

TEST_CASE("bebms as published scores as published", "[published][bebms]") {
  const auto [variant, name] =
      GENERATE(table<std::string, std::string>({{"labels", "bebms"}, {"blind", "bebms_blind"}}));
  CAPTURE(name);
  require_as_published(beside_published_rows(
      name, "bebms", {{"fidelity", std::string("paper")}, {"variant", variant}}));
}

}  // namespace tempo::test
