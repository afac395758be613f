#include "density_mixture.hpp"

#include <cmath>
#include <numeric>

#include "maximisation.hpp"
#include "support.hpp"

namespace tempo::sustain {
namespace {

using Catch::Matchers::WithinAbs;
using test::stream;

constexpr std::size_t kCount = 5, kRowCount = 23;

/// Densities without any structure.
CellDensities densities() {
  auto random = stream(3);
  CellDensities out{Matrix(kRowCount, kCount), Matrix(kRowCount, kCount)};
  for (auto* of_state : {&out.pre, &out.post})
    for (double& value : of_state->values()) value = random.exponential();
  return out;
}

std::vector<std::size_t> all_rows() {
  std::vector<std::size_t> out(kRowCount);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

double direct_term(const CellDensities& cells, std::size_t j,
                   const std::vector<std::size_t>& order) {
  double sum = 0.0;
  for (std::size_t k = 0; k <= kCount; ++k) {
    double product = 1.0;
    for (std::size_t i = 0; i < kCount; ++i)
      product *= i < k ? cells.post(j, order[i]) : cells.pre(j, order[i]);
    sum += product;
  }
  return sum / (kCount + 1);
}

double direct(const CellDensities& cells, const OrderSet& orders,
              const std::vector<double>& shares) {
  double out = 0.0;
  for (std::size_t j = 0; j < kRowCount; ++j) {
    double sum = 1e-250;
    for (std::size_t s = 0; s < orders.size(); ++s)
      sum += shares[s] * direct_term(cells, j, orders[s]);
    out += std::log(sum);
  }
  return out;
}

}  // namespace

TEST_CASE("the published likelihood of several orders is that of its definition", "[sustain]") {
  const auto cells = densities();
  DensityMixture mixture(cells, all_rows());
  auto random = stream(4);
  const OrderSet orders{random.permutation(kCount), random.permutation(kCount)};
  const std::vector<double> shares{0.3, 0.7};
  std::vector<std::vector<double>> terms(2);
  for (std::size_t s = 0; s < 2; ++s) mixture.weigh(orders[s], terms[s]);
  REQUIRE_THAT(mixture.log_likelihood(terms, shares),
               WithinAbs(direct(cells, orders, shares), 1e-9));
  SECTION("with an event at every place") {
    mixture.set_others(terms, shares, 1);
    for (std::size_t event = 0; event < kCount; ++event) {
      auto others = orders[1];
      std::erase(others, event);
      const auto values = mixture.places(others, event, shares[1]);
      for (std::size_t place = 0; place < kCount; ++place) {
        auto moved = others;
        moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(place), event);
        REQUIRE_THAT(values[place], WithinAbs(direct(cells, {orders[0], moved}, shares), 1e-9));
      }
    }
  }
  SECTION("subtypes and stages have the probabilities of their terms") {
    const auto posterior = subtype_and_stage(cells, orders, shares);
    const auto belongs = mixture.responsibilities(terms, shares);
    for (std::size_t j = 0; j < kRowCount; ++j)
      for (std::size_t s = 0; s < 2; ++s) {
        const auto row = posterior[s].row(j);
        REQUIRE_THAT(std::accumulate(row.begin(), row.end(), 0.0), WithinAbs(belongs(j, s), 1e-12));
      }
  }
}

TEST_CASE("participants of whom nothing is possible are as likely of a subtype as anybody",
          "[sustain]") {
  auto cells = densities();
  for (std::size_t b = 0; b < kCount; ++b) cells.pre(0, b) = cells.post(0, b) = 0.0;
  DensityMixture mixture(cells, all_rows());
  const std::vector<double> shares{0.3, 0.7};
  std::vector<std::vector<double>> terms(2);
  auto random = stream(4);
  for (auto& of_subtype : terms) mixture.weigh(random.permutation(kCount), of_subtype);
  REQUIRE(mixture.responsibilities(terms, shares)(0, 1) == 0.7);
  REQUIRE(std::isfinite(mixture.log_likelihood(terms, shares)));
}

TEST_CASE("more subtypes are never less likely", "[sustain]") {
  const auto cells = densities();
  double before = -1e300;
  for (const std::size_t subtypes : {1, 2, 3}) {
    auto random = stream(6);
    const auto found = find_subtypes(cells, subtypes, 10, random);
    REQUIRE(found.orders.size() == subtypes);
    REQUIRE(found.log_likelihood > before);
    before = found.log_likelihood - 0.5;
  }
}

}  // namespace tempo::sustain
