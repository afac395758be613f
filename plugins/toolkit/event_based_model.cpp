#include "tempo/toolkit/event_based_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "tempo/toolkit/central_order.hpp"
#include "tempo/toolkit/most_likely_stage.hpp"

namespace tempo::toolkit {
namespace {

constexpr const char* kStageOrders[] = {"greedy", "ml", "mean"};

constexpr long kLeastKept = 4;  // what split_r_hat needs

/// Sweeps that cost what `settings.iterations` of them cost with 12 biomarkers.
long sweeps_for(std::size_t biomarkers, const SamplingSettings& settings) {
  constexpr double kBiomarkers = 12.0;
  constexpr long kLeast = 40;
  const double share = std::min(1.0, kBiomarkers / static_cast<double>(biomarkers));
  const auto sweeps = static_cast<long>(share * share * static_cast<double>(settings.iterations));
  const long kept = kLeastKept * settings.thinning;
  return std::min(settings.iterations,
                  std::max({sweeps, kLeast, 2 * kept, settings.burn_in + kept}));
}

long whole(Parameters& keys, const char* key, long fallback, double low, const char* help) {
  return static_cast<long>(keys.integer(key, fallback, {.low = low, .high = 1e9}, help));
}

}  // namespace

EventBasedSettings::EventBasedSettings(Parameters& keys, const Published& published) {
  fidelity = read_fidelity(keys);
  const bool paper = fidelity == Fidelity::paper;
  sampling.starts = whole(keys, "starts", paper ? search.starts : sampling.starts, 1,
                          "starts from random orders, of which the best is continued: ascents "
                          "(paper default: 25), or annealed ones per chain");
  sampling.start_iterations =
      whole(keys, "start_iterations", paper ? search.start_iterations : sampling.start_iterations,
            1, "orders of an ascent (paper default: 1000), or sweeps of an annealing");
  sampling.iterations =
      whole(keys, "iterations", paper ? published.iterations : sampling.iterations, paper ? 1 : 8,
            fmt::format(
                "orders of the chain (paper default: {}), or sweeps of one chain at most: (12/B)^2 "
                "of it with B > 12 biomarkers",
                published.iterations)
                .c_str());
  sampling.chains =
      whole(keys, "chains", paper ? 1 : sampling.chains, 1, "independent chains (paper: 1)");
  sampling.burn_in = whole(keys, "burn_in", paper ? 0 : sampling.burn_in, 0,
                           "sweeps left out, at the least; the first half always is (paper: 0)");
  sampling.thinning = whole(keys, "thinning", paper ? 1 : sampling.thinning, 1,
                            "of the sweeps of a chain, every n-th is kept (paper: 1)");
  const auto order = keys.choice(
      "stage_with", kStageOrders[static_cast<int>(paper ? published.stage_with : StageOrder::mean)],
      {"greedy", "ml", "mean"},
      "order for the stages: best of the ascents or most likely on the chain (paper), mean rank "
      "(repaired)");
  stage_with =
      static_cast<StageOrder>(std::find(std::begin(kStageOrders), std::end(kStageOrders), order) -
                              std::begin(kStageOrders));

  if (paper) {
    if (sampling.chains != 1) keys.complain("chains", "fidelity = 'paper' has one chain");
    if (sampling.burn_in != 0) keys.complain("burn_in", "fidelity = 'paper' has no burn-in");
    if (sampling.thinning != 1) keys.complain("thinning", "fidelity = 'paper' does not thin");
    if (stage_with == StageOrder::mean)
      keys.complain("stage_with", "fidelity = 'paper' has no mean rank; try 'greedy' or 'ml'");
  } else {
    if (stage_with != StageOrder::mean)
      keys.complain(
          "stage_with",
          "'stage_with' must be 'mean': fidelity = 'repaired' stages with the mean ranks");
    if (std::min(sampling.iterations - sampling.burn_in, sampling.iterations / 2) <
        kLeastKept * sampling.thinning)
      keys.complain(
          "iterations",
          fmt::format("iterations = {}, burn_in = {} and thinning = {} keep fewer than "
                      "{} orders of a chain",
                      sampling.iterations, sampling.burn_in, sampling.thinning, kLeastKept));
  }
  search = {.proposal = published.proposal,
            .climb_ties = published.climb_ties,
            .starts = sampling.starts,
            .start_iterations = sampling.start_iterations,
            .iterations = sampling.iterations};
}

Inference inference_of(const PublishedSearch& search) {
  Inference inference;
  const auto& order = search.most_likely.order;
  inference.event_scores.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inference.event_scores[order[i]] = static_cast<double>(i);
  inference.diagnostics = {{"acceptance", search.acceptance},
                           {"log_likelihood", search.most_likely.log_likelihood},
                           {"log_likelihood_greedy", search.climbed.log_likelihood}};
  return inference;
}

const std::vector<std::size_t>& staging_order(const PublishedSearch& search, StageOrder which) {
  return which == StageOrder::greedy ? search.climbed.order : search.most_likely.order;
}

Inference infer_from_sample(const Matrix& log_ratios, const Matrix& stage_log_ratios,
                            const SamplingSettings& settings, RandomStream& stream) {
  const std::size_t J = log_ratios.rows(), B = log_ratios.cols();
  auto keys = column_means(log_ratios);
  for (double& key : keys) key = -key;  // early events first: have happened in most
  const auto columns = order_by(keys, stream.permutation(B));

  Matrix evidence(J, B);
  for (std::size_t j = 0; j < J; ++j)
    for (std::size_t i = 0; i < B; ++i) evidence(j, i) = log_ratios(j, columns[i]);
  OrderSampler sampler(J, B);
  sampler.set_evidence(evidence);
  auto affordable = settings;
  affordable.iterations = sweeps_for(B, settings);
  const auto sample = sample_orders(sampler, affordable, stream);

  Inference inference;
  sample.traces.report(columns, inference);
  inference.diagnostics["acceptance"] = sample.acceptance;
  inference.diagnostics["iterations"] = static_cast<double>(sample.sweeps);
  auto staging = stages_by_log_ratios(stage_log_ratios, order_by(inference.event_scores, {}));
  inference.stages = std::move(staging.stages);
  inference.stage_posterior = std::move(staging.posterior);
  return inference;
}

}  // namespace tempo::toolkit
