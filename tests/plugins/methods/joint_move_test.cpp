#include "joint_move.hpp"

#include <algorithm>
#include <cmath>

#include "support.hpp"

namespace tempo::test {
using namespace tempo::sa_ebm;

namespace {

constexpr std::size_t B = 3, n = 5, kControls = 2;
const Normal kPhi{-0.5, 1.0}, kTheta{0.5, 0.8};

/// Everything the model draws, from the prior down to the data.
struct World {
  Study study;
  std::vector<std::size_t> order;
  std::vector<double> log_pi, stages;

  std::size_t rank(std::size_t b) const {
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), b) - order.begin()) + 1;
  }
};

/// mu, sigma of the normal-inverse-gamma prior of weight 1.
Normal from_prior(const Normal& prior, RandomStream& draw) {
  return ConjugatePosterior(prior, {}).draw(0.0, draw);
}

Study study_of_sizes() {
  Study study;
  study.everyone = ParticipantColumns(B, n + kControls);
  study.diseased = ParticipantColumns(B, n);
  study.moments.resize(B);
  study.least_sd.assign(B, 1e-9);
  toolkit::TwoMeans clusters;
  clusters.phi = kPhi;
  clusters.theta = kTheta;
  study.clusters.assign(B, clusters);
  for (std::size_t b = 0; b < B; ++b) study.columns.push_back(b);
  return study;
}

}  // namespace

// If a world is drawn from prior and model, a step that leaves the posterior as it is leaves the
// prior as it is, too (Geweke 2004, Journal of the American Statistical Association 99, 799-804).
TEST_CASE("an event moved with its distributions keeps the posterior", "[sa_ebm][joint_move]") {
  constexpr int kWorlds = 20000;
  auto draw = stream(11);
  const std::vector<double> pi = {0.2, 0.5, 0.3};
  double taken = 0.0, moved = 0.0;
  double first = 0.0, low_phi = 0.0, low_theta = 0.0, wide = 0.0, together = 0.0, happened = 0.0;
  for (int world = 0; world < kWorlds; ++world) {
    World w{
        study_of_sizes(), draw.permutation(B), {}, std::vector<double>(w.study.diseased.padded())};
    for (const double share : pi) w.log_pi.push_back(std::log(share));
    for (std::size_t j = 0; j < n; ++j) w.stages[j] = static_cast<double>(draw.categorical(pi) + 1);
    Components components(w.study);
    for (std::size_t b = 0; b < B; ++b) {
      components.phi[b] = from_prior(kPhi, draw);
      components.theta[b] = from_prior(kTheta, draw);
      for (std::size_t j = 0; j < n + kControls; ++j) {
        const bool after = j < n && w.stages[j] >= static_cast<double>(w.rank(b));
        const auto& from = after ? components.theta[b] : components.phi[b];
        const bool missing = draw.uniform() < 0.1;
        const double x = missing ? std::nan("") : from.mean + from.sd * draw.normal();
        w.study.everyone[b][j] = x;
        if (j < n) w.study.diseased[b][j] = x;
        if (missing) continue;
        w.study.moments[b].n += 1.0;
        w.study.moments[b].x += x;
        w.study.moments[b].xx += x * x;
      }
    }
    JointMove move(w.study);
    const std::size_t before = w.rank(0);
    taken += move(0, w.log_pi, w.order, components, w.stages, draw);
    moved += w.rank(0) != before;
    first += w.rank(0) == 1;
    low_phi += components.phi[0].mean < kPhi.mean;
    low_theta += components.theta[0].mean < kTheta.mean;
    wide += components.theta[0].sd > kTheta.sd;
    together += components.theta[0].sd > components.phi[0].sd && w.rank(0) == 3;
    for (std::size_t j = 0; j < n; ++j) happened += w.stages[j] >= static_cast<double>(w.rank(0));
  }
  // Shares of 20,000 have a standard error of at most 0.5 / sqrt(20000) = 0.0035: allow five.
  const double all = kWorlds, margin = 0.018;
  REQUIRE(taken / all > 0.3);  // else the test has no power
  REQUIRE(moved / all > 0.1);
  REQUIRE(first / all == Approx(1.0 / 3.0).margin(margin));
  REQUIRE(low_phi / all == Approx(0.5).margin(margin));
  REQUIRE(low_theta / all == Approx(0.5).margin(margin));
  // sigma > s0 where chi^2 of one degree of freedom is below 1.
  REQUIRE(wide / all == Approx(std::erf(std::sqrt(0.5))).margin(margin));
  // sd_theta > sd_phi: |z_phi| / 1.0 > |z_theta| / 0.8 of two normals: 1 - 2/pi atan(0.8).
  const double wider = 2.0 / std::acos(-1.0) * std::atan(0.8);
  REQUIRE(together / all == Approx(wider / 3.0).margin(margin));
  // Rank 1 to 3, stage at least that: 1, 0.8, 0.3.
  REQUIRE(happened / (all * n) == Approx((1.0 + 0.8 + 0.3) / 3.0).margin(margin));
}

}  // namespace tempo::test
