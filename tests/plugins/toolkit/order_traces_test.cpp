#include "tempo/toolkit/order_traces.hpp"

#include <array>
#include <vector>

#include "support.hpp"

namespace tempo::toolkit {
namespace {

/// Two chains over two events, whose ranks agree.
Agreement agreement_of(Watched watched, bool likelihoods_differ, bool traits_differ,
                       Inference* report = nullptr) {
  OrderTraces traces(2, 2, 0, watched);
  auto stream = test::stream(41);
  for (std::size_t chain = 0; chain < 2; ++chain)
    for (std::size_t i = 0; i < 800; ++i) {
      const std::size_t first = stream.index(2);
      const std::array<std::size_t, 2> order{first, 1 - first};
      const std::array<int, 2> traits{
          0, traits_differ ? static_cast<int>(chain) : static_cast<int>(stream.index(2))};
      traces.add(chain, order,
                 stream.normal() + (likelihoods_differ ? 5.0 * static_cast<double>(chain) : 0.0),
                 traits);
    }
  const std::array<std::size_t, 2> columns{0, 1};
  if (report != nullptr) traces.report(columns, *report);
  return traces.agreement();
}

TEST_CASE("chains agree on no more than is watched", "[order_traces]") {
  using Catch::Matchers::Contains;
  REQUIRE(agreement_of(Watched::ranks, true, true).enough());
  REQUIRE(agreement_of(Watched::everything, false, false).enough());
  Inference found;
  REQUIRE(agreement_of(Watched::everything, true, false, &found).r_hat > 1.5);
  REQUIRE(found.chains->r_hat < 1.05);
  REQUIRE(found.chains->r_hat_traits.value() < 1.05);
  REQUIRE_THAT(found.warnings.at(0), Contains("before they agreed on the likelihood"));
  REQUIRE(agreement_of(Watched::everything, false, true).r_hat > 1.5);
}

}  // namespace
}  // namespace tempo::toolkit
