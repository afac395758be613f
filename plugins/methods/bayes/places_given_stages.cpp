#include "places_given_stages.hpp"

#include <algorithm>

#include "tempo/toolkit/draw_index.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::bayes {

PlacesGivenStages::PlacesGivenStages(const TimeFactors& factors, const StageNodes& nodes)
    : factors_(factors),
      nodes_(nodes),
      B_(nodes.biomarkers),
      T_(factors.traits()),
      by_trait_(B_ * T_ * B_),
      factors_of_(B_, B_) {}

void PlacesGivenStages::set_nodes(std::span<const std::size_t> node, const Matrix& log_weights) {
  const auto m = static_cast<std::ptrdiff_t>(nodes_.per_stage);
  const auto B = static_cast<std::ptrdiff_t>(B_);
  std::vector<double> steps(B_ + 1);
  for (std::size_t b = 0; b < B_; ++b)
    for (std::size_t t = 0; t < T_; ++t) {
      double* out = by_trait_.data() + (b * T_ + t) * B_;
      std::fill_n(out, B_, factors_.log_scale(b, t) + log_weights(b, t));
      std::fill(steps.begin(), steps.end(), 0.0);
      const auto last = static_cast<std::ptrdiff_t>(factors_.length(b, t)) - 1;
      for (std::size_t j = 0; j < node.size(); ++j) {
        const auto logs = factors_.logs(b, t, j);
        // Of place p (0 = first) the row is `at - p m`; before place `from` it is the last or
        // beyond, from place `to` on the first.
        const auto at = static_cast<std::ptrdiff_t>(nodes_.first + nodes_.stride * node[j]) - m -
                        factors_.low(b, t);
        const auto from = at < last ? 0 : std::min((at - last) / m + 1, B);
        const auto to = at <= 0 ? 0 : std::min((at + m - 1) / m, B);
        steps[0] += logs.back();
        steps[static_cast<std::size_t>(from)] -= logs.back();
        steps[static_cast<std::size_t>(std::max(from, to))] += logs.front();
        for (auto p = from; p < to; ++p) out[p] += logs[static_cast<std::size_t>(at - p * m)];
      }
      double sum = 0.0;
      for (std::size_t p = 0; p < B_; ++p) out[p] += sum += steps[p];
    }
  for (std::size_t b = 0; b < B_; ++b)
    for (std::size_t p = 0; p < B_; ++p) {
      double top = log_factor(b, 0, p), sum = 0.0;
      for (std::size_t t = 1; t < T_; ++t) top = std::max(top, log_factor(b, t, p));
      for (std::size_t t = 0; t < T_; ++t) sum += toolkit::portable_exp(log_factor(b, t, p) - top);
      factors_of_(b, p) = top + toolkit::portable_log(sum);
    }
}

void PlacesGivenStages::draw(std::vector<std::size_t>& order, std::vector<std::size_t>& traits,
                             RandomStream& stream) {
  constexpr std::size_t kExchanges = 4;  // of each pair
  for (std::size_t i = 0; i < kExchanges * B_ * (B_ - 1) / 2; ++i) {
    const std::size_t p = stream.index(B_), q = stream.index(B_);
    const std::size_t a = order[p], b = order[q];
    const double gain =
        factors_of_(a, q) + factors_of_(b, p) - factors_of_(a, p) - factors_of_(b, q);
    if (gain >= 0.0 || toolkit::portable_exp(gain) > stream.uniform())
      std::swap(order[p], order[q]);
  }
  std::vector<double> logs(T_);
  for (std::size_t p = 0; p < B_; ++p) {
    for (std::size_t t = 0; t < T_; ++t) logs[t] = log_factor(order[p], t, p);
    traits[order[p]] = toolkit::draw_index(logs, 1.0, stream);
  }
}

}  // namespace tempo::bayes
