#include "chains.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "stage_report.hpp"
#include "tempo/quantile.hpp"
#include "tempo/toolkit/order_traces.hpp"
#include "tempo/toolkit/pointwise_likelihoods.hpp"

namespace tempo::bayes {
namespace {

using toolkit::OrderTraces;

/// From a likelihood that hardly counts to all of it, then sweeps that tune.
void cool_down(Chain& chain, std::size_t diseased) {
  constexpr long kAnnealing = 30;  // sweeps
  for (long i = 0; i < kAnnealing; ++i)
    chain.sweep(std::pow(0.1 * static_cast<double>(diseased) + 1.0,
                         1.0 - static_cast<double>(i + 1) / kAnnealing));
  for (long i = 0; i < chain.tuning_sweeps(); ++i) chain.sweep(1.0);
  chain.end_tuning();
}

/// Which order and traits these are.
std::uint64_t state_of(std::span<const std::size_t> order, std::span<const int> traits) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, by numbers instead of bytes
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3; };
  for (const auto b : order) add(b);
  for (const auto trait : traits) add(static_cast<std::uint64_t>(trait));
  return hash;
}

/// Means of event times in [0, 1], and how far draws are spread about them.
/// @param times  [chains] [draws, B] on the scale 0..B
/// @param first  the first draw of each chain that counts
void report_times(const std::vector<std::vector<double>>& times, std::size_t first,
                  std::span<const std::size_t> columns, Inference& out) {
  const auto B = columns.size();
  out.event_times.emplace(B, 0.0);
  out.event_time_spreads.emplace(B);
  std::vector<double> draws;
  for (std::size_t b = 0; b < B; ++b) {
    draws.clear();
    for (const auto& of_chain : times)
      for (std::size_t i = first * B + b; i < of_chain.size(); i += B)
        draws.push_back(of_chain[i] / static_cast<double>(B));
    const auto n = static_cast<double>(draws.size());
    const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / n;
    double squares = 0.0;
    for (const double draw : draws) squares += (draw - mean) * (draw - mean);
    std::sort(draws.begin(), draws.end());
    (*out.event_times)[columns[b]] = mean;
    (*out.event_time_spreads)[columns[b]] = {std::sqrt(squares / n), quantile(draws, 0.025),
                                             quantile(draws, 0.975)};
  }
}

}  // namespace

std::vector<std::size_t> diseased_rows(const Cohort& cohort) {
  std::vector<std::size_t> out;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (cohort.diseased[j] != 0) out.push_back(j);
  return out;
}

Inference run_chains(std::vector<std::unique_ptr<Chain>>& chains, const Cohort& cohort,
                     std::span<const std::size_t> columns, std::span<const std::size_t> diseased,
                     bool timed, const ChainSettings& settings, const Visit& visit) {
  const std::size_t B = columns.size(), J = cohort.participant_count();
  for (const auto& chain : chains) cool_down(*chain, diseased.size());

  OrderTraces traces(chains.size(), B, static_cast<std::size_t>(settings.burn_in),
                     toolkit::Watched::everything);
  std::vector<std::vector<double>> times(chains.size());  // [chains] [draws, B] on the scale 0..B
  StageSums sums(diseased.size(), B, static_cast<std::size_t>(settings.burn_in));
  toolkit::PointwiseLikelihoods pointwise(chains.size(), J);
  Draw draw;
  draw.event_times.resize(B);
  draw.traits.resize(B);
  draw.log_likelihoods.resize(J);
  constexpr long kStagesEvery = 5;  // sweeps: neighbouring ones tell little new
  long sweeps = 0;
  toolkit::run_until_agreed(
      traces, 4 * static_cast<std::size_t>(settings.burn_in),
      static_cast<std::size_t>(settings.iterations), [&](std::size_t c) {
        auto& chain = *chains[c];
        chain.sweep(1.0);
        chain.read_traits(draw.traits);
        traces.add(c, chain.order(), chain.log_likelihood(), draw.traits);
        if (timed) {
          times[c].resize(times[c].size() + B);
          chain.read_times(std::span(times[c]).last(B));
        }
        const std::size_t length = traces.length_of(c);
        if (static_cast<long>(length) <= settings.burn_in || ++sweeps % kStagesEvery != 0) return;
        chain.read(draw, sums.of_draw(length));
        const bool is_discrete =
            !timed && draw.stage_probabilities.empty() && draw.biomarkers.empty();
        pointwise.add(
            c, length, draw.log_likelihoods,
            is_discrete ? std::optional(state_of(chain.order(), draw.traits)) : std::nullopt);
        draw.chain = c;
        draw.number = length;
        if (visit) visit(draw);
      });

  Inference out;
  traces.report(columns, out);
  out.diagnostics["iterations"] = static_cast<double>(traces.length());
  out.diagnostics["burn_in"] = static_cast<double>(traces.first_used());
  double acceptance = 0.0;
  for (const auto& chain : chains)
    acceptance += chain->acceptance() / static_cast<double>(chains.size());
  out.diagnostics["acceptance"] = acceptance;
  if (timed) report_times(times, traces.first_used(), columns, out);
  report_stages(sums.after(traces.first_used()), diseased, J, out);
  pointwise.report(traces.first_used(), out);
  return out;
}

}  // namespace tempo::bayes
