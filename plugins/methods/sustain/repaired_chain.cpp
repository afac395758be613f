#include "repaired_chain.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "tempo/toolkit/central_order.hpp"
#include "tempo/toolkit/order_sampler.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "tempo/toolkit/row_order.hpp"
#include "tempo/toolkit/subtype_agreement.hpp"
#include "tempo/toolkit/subtype_chain.hpp"

namespace tempo::sustain {
namespace {

using toolkit::ParticipantColumns;

constexpr std::int64_t kStartSweeps = 120;

/// The evidence in an order of columns and rows that follows from values.
struct Evidence {
  std::vector<std::size_t> columns, rows;
  ParticipantColumns everyone, diseased;  // [B, J], [B, n] 0 where missing
};

Evidence evidence_of(const Cohort& cohort, const Matrix& log_ratios, RandomStream& stream) {
  const std::size_t J = log_ratios.rows(), B = log_ratios.cols();
  auto keys = toolkit::column_means(log_ratios);
  for (double& key : keys) key = -key;  // early events first: have happened in most
  Evidence out;
  out.columns = toolkit::order_by(keys, stream.permutation(B));
  out.rows = toolkit::rows_by_values(cohort, out.columns);
  const auto healthy =
      static_cast<std::size_t>(std::count(cohort.diseased.begin(), cohort.diseased.end(), 0));
  out.everyone = ParticipantColumns(B, J);
  out.diseased = ParticipantColumns(B, J - healthy);
  std::vector<double> row(B);
  for (std::size_t j = 0; j < J; ++j) {
    for (std::size_t b = 0; b < B; ++b) row[b] = log_ratios(out.rows[j], out.columns[b]);
    toolkit::bound_evidence(row);
    for (std::size_t b = 0; b < B; ++b) {
      out.everyone[b][j] = row[b];
      if (j >= healthy) out.diseased[b][j - healthy] = row[b];  // the healthy come first
    }
  }
  return out;
}

/// A chain with the log-likelihood of its last sweep.
class Chain {
 public:
  Chain(const Evidence& evidence, std::size_t subtypes, RandomStream stream)
      : chain_(
            evidence.diseased, subtypes,
            [](const std::vector<double>& counts, std::vector<double>&, RandomStream&) {
              const auto stages = static_cast<double>(counts.size());
              return std::vector<double>(counts.size(), -toolkit::portable_log(stages));
            },
            std::move(stream)) {
    chain_.set_log_ratios(evidence.diseased);
  }

  void sweep(double temperature = 1.0) {
    chain_.place_events(temperature);
    log_likelihood_ = chain_.draw_members();
    chain_.refresh();
  }
  std::size_t participants() const { return chain_.participants(); }
  double log_likelihood() const { return log_likelihood_; }
  const toolkit::SubtypeState& state() const { return chain_.state(); }

 private:
  toolkit::SubtypeChain chain_;
  double log_likelihood_ = 0.0;
};

struct Draw {
  toolkit::SubtypeState state;
  double log_likelihood;
};

/// Proportional to P(subtype, stage | x) of everyone.
std::vector<Matrix> weights(const Evidence& evidence, const toolkit::SubtypeState& state) {
  auto out = toolkit::stage_likelihoods(evidence.everyone, state.orders);
  for (std::size_t s = 0; s < out.size(); ++s)
    for (double& value : out[s].values()) value *= toolkit::portable_exp(state.log_shares[s]);
  return out;
}

}  // namespace

Inference repaired_chain(const Cohort& cohort, const Matrix& log_ratios,
                         const RepairedSettings& settings, RandomStream& stream) {
  const auto evidence = evidence_of(cohort, log_ratios, stream);
  const auto start = toolkit::likeliest_attempt<Chain>(
      settings.starts, kStartSweeps,
      [&](std::int64_t attempt) {
        return Chain(evidence, settings.subtypes,
                     stream.substream("attempt", static_cast<std::uint64_t>(attempt)));
      },
      [](Chain& chain, double temperature, std::int64_t, bool) { chain.sweep(temperature); });
  auto chain = *start.best;
  std::vector<Draw> draws;
  for (std::int64_t i = 0; i < settings.iterations; ++i) {
    chain.sweep();
    draws.push_back({chain.state(), chain.log_likelihood()});
  }
  const auto first = draws.begin() + static_cast<std::ptrdiff_t>(draws.size() / 2);
  const auto best = std::max_element(first, draws.end(), [](const Draw& a, const Draw& b) {
    return a.log_likelihood < b.log_likelihood;
  });
  toolkit::SubtypeMean mean(best->state, cohort.participant_count());
  for (const auto* draw : toolkit::spread_out<Draw>({first, draws.end()}))
    mean.add(draw->state, weights(evidence, draw->state));
  auto out = mean.answer(evidence.columns);
  toolkit::put_back(evidence.rows, out);
  out.diagnostics = {{"iterations", static_cast<double>(draws.size())},
                     {"log_likelihood", best->log_likelihood}};
  const auto trace = toolkit::trace_of<Draw>({first, draws.end()});
  report_agreement(best->state, trace, out);
  toolkit::report_attempts(start.log_posteriors, out);
  warn_of_other_orders(start.log_posteriors, start.states, best->state, trace, "starts", out);
  return out;
}

}  // namespace tempo::sustain
