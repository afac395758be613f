// Compiled twice, together with the toolkit's vectorised files: see CMakeLists.txt.

#include "processor_digest.hpp"

#include "tempo/random_stream.hpp"
#include "tempo/toolkit/order_sampler.hpp"
#include "tempo/toolkit/stage_likelihood.hpp"

namespace tempo::test {

std::vector<double> TEMPO_DIGEST() {
  using namespace tempo::toolkit;
  constexpr std::size_t J = 61, B = 9;
  RandomStream draw(/*seed=*/3, "digest");
  std::vector<double> out;
  const auto keep = [&](const auto& values) {
    out.insert(out.end(), values.begin(), values.end());
  };

  ParticipantColumns values(B, J), ratios(B, J);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t j = 0; j < J; ++j) values[b][j] = draw.normal();
  StageLikelihood likelihood(values);
  for (std::size_t b = 0; b < B; ++b) {
    const double shift = 0.3 * static_cast<double>(b);
    likelihood.normal_log_ratios(b, {0.0, 1.0}, {shift, 0.7}, ratios);
    keep(ratios[b]);
  }
  const auto order = draw.permutation(B);
  std::vector<double> log_pi(B, -2.0), u(values.padded(), 0.5);
  for (std::size_t j = 0; j < J; ++j) u[j] = draw.uniform();
  StageSums sums;
  for (const auto kind : {Sums::counts, Sums::moments}) {
    likelihood.expect(ratios, order, log_pi, kind, sums);
    out.push_back(sums.log_likelihood);
    keep(sums.happened);
  }
  for (const auto* column : {&sums.weight, &sums.x, &sums.xx}) keep(*column);
  likelihood.assign(ratios, order, log_pi, u, sums);
  for (const auto* column : {&sums.happened, &sums.weight, &sums.x, &sums.xx}) keep(*column);

  OrderSampler sampler(J, B);
  sampler.set_evidence(ratios);
  sampler.set_order(order);
  for (int i = 0; i < 20; ++i) {
    sampler.sweep(draw);
    out.push_back(sampler.value());
    keep(sampler.places(0));
  }
  sampler.draw_stages(draw, u);
  keep(u);
  return out;
}

}  // namespace tempo::test
