#include "tempo/toolkit/order_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support.hpp"
#include "tempo/toolkit/order_likelihood.hpp"

namespace tempo::test {
using namespace tempo::toolkit;

namespace {

using Order = std::vector<std::size_t>;

Matrix random_matrix(std::size_t J, std::size_t B, RandomStream& draw) {
  Matrix out(J, B);
  for (double& value : out.values()) value = draw.uniform();
  return out;
}

/// Term by term, as the formula is written.
double directly(const Matrix& y, const Matrix& n, double floor, const Order& order) {
  const std::size_t B = order.size();
  double sum = 0.0;
  for (std::size_t j = 0; j < y.rows(); ++j) {
    double stages = 0.0;
    for (std::size_t k = 0; k <= B; ++k) {
      double product = 1.0;
      for (std::size_t i = 0; i < B; ++i) product *= i < k ? y(j, order[i]) : n(j, order[i]);
      stages += product;
    }
    sum += std::log(floor + stages / static_cast<double>(B + 1));
  }
  return sum;
}

}  // namespace

TEST_CASE("order likelihood", "[toolkit][order_likelihood]") {
  auto draw = stream(5);

  SECTION("it is the formula, for any number of participants and events") {
    for (const std::size_t J : {1u, 15u, 16u, 17u, 100u})
      for (const std::size_t B : {1u, 2u, 7u}) {
        INFO("J " << J << ", B " << B);
        const auto y = random_matrix(J, B, draw), n = random_matrix(J, B, draw);
        OrderLikelihood likelihood(y, n, 1e-4);
        const auto order = draw.permutation(B);
        likelihood.set_order(order);
        REQUIRE(likelihood.value() == Approx(directly(y, n, 1e-4, order)).epsilon(1e-12));
      }
  }
  SECTION("a proposal is what its order would give, taken over or not") {
    const auto y = random_matrix(40, 9, draw), n = random_matrix(40, 9, draw);
    OrderLikelihood likelihood(y, n, 0.0);
    Order order = draw.permutation(9);
    likelihood.set_order(order);
    for (int step = 0; step < 300; ++step) {
      auto next = order;
      const std::size_t a = draw.index(9), b = draw.index(9);
      std::swap(next[a], next[b]);
      const double proposed = likelihood.propose_exchange(a, b);
      REQUIRE(proposed == Approx(directly(y, n, 0.0, next)).epsilon(1e-12));
      REQUIRE(likelihood.order() == order);
      if (draw.index(3) != 0) continue;
      likelihood.accept();
      order = next;
      REQUIRE(likelihood.order() == order);
      REQUIRE(likelihood.value() == Approx(proposed).epsilon(1e-12));
    }
  }
  SECTION("participants who contradict every stage are a plateau at exactly the floor") {
    // Event 0 has certainly happened, event 1 certainly not: with 1 before 0 no stage is left.
    Matrix y(30, 2), n(30, 2);
    for (std::size_t j = 0; j < 30; ++j) {
      y(j, 0) = n(j, 1) = 1.0;
      n(j, 0) = y(j, 1) = 0.0;
    }
    OrderLikelihood likelihood(y, n, 1e-250);
    likelihood.set_order(Order{1, 0});
    REQUIRE(likelihood.value() == Approx(30 * std::log(1e-250)).epsilon(1e-14));
    REQUIRE(likelihood.propose_exchange(0, 1) == Approx(30 * std::log(1.0 / 3.0)).epsilon(1e-12));
  }
}

TEST_CASE("search for the order", "[toolkit][order_search]") {
  auto draw = stream(6);
  const auto y = random_matrix(6, 4, draw), n = random_matrix(6, 4, draw);
  OrderLikelihood likelihood(y, n, 0.0);
  Order order(4), best;
  std::iota(order.begin(), order.end(), std::size_t{0});
  double highest = -1e300;
  do {
    const double value = directly(y, n, 0.0, order);
    if (value > highest) {
      highest = value;
      best = order;
    }
  } while (std::next_permutation(order.begin(), order.end()));

  SECTION("as published it finds the most likely of all orders") {
    for (const auto proposal : {Proposal::exchange_any, Proposal::exchange_distinct}) {
      const auto found = search_as_published(
          likelihood,
          {.proposal = proposal, .starts = 3, .start_iterations = 50, .iterations = 1000}, draw);
      REQUIRE(found.most_likely.order == best);
      REQUIRE(found.most_likely.log_likelihood == Approx(highest));
      REQUIRE(found.climbed.log_likelihood <= found.most_likely.log_likelihood);
    }
  }
  SECTION("one event has one order") {
    OrderLikelihood single(random_matrix(5, 1, draw), random_matrix(5, 1, draw), 0.0);
    REQUIRE(search_as_published(single, {}, draw).most_likely.order == Order{0});
  }
}

TEST_CASE("the evidence of one participant is bounded as a whole", "[toolkit][order_sampler]") {
  SECTION("what adds up to less than the limit stays, and a missing cell says nothing") {
    std::vector<double> row = {600, -500, std::nan(""), 3};
    bound_evidence(row);
    REQUIRE(row == std::vector<double>{600, -500, 0, 3});
  }
  SECTION("else the largest cells share what the small ones leave") {
    // 1300 - 100 left for three: 400 each; -350 takes less, so that the others have 425.
    std::vector<double> row = {1e6, -350, 100, -9000};
    bound_evidence(row);
    REQUIRE(row == std::vector<double>{425, -350, 100, -425});
  }
}

}  // namespace tempo::test
