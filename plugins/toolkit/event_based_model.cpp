#include "event_based_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "central_order.hpp"
#include "most_likely_stage.hpp"

namespace tempo::toolkit {
namespace {

constexpr double kLargestEvidence = 1300.0;  // nats: e^-650 is well above the smallest double
constexpr double kAgreement = 1.1;           // R-hat above which the chains disagree
constexpr const char* kStageOrders[] = {"greedy", "ml", "mean"};

long whole(Parameters& keys, const char* key, long fallback, double low, const char* help) {
  return static_cast<long>(keys.integer(key, fallback, {.low = low, .high = 1e9}, help));
}

}  // namespace

EventBasedSettings::EventBasedSettings(Parameters& keys, const Published& published) {
  fidelity = read_fidelity(keys);
  const bool paper = fidelity == Fidelity::paper;
  sampling.starts = whole(keys, "starts", paper ? search.starts : sampling.starts, 1,
                          "ascents from random orders, per chain (paper default: 25)");
  sampling.start_iterations =
      whole(keys, "start_iterations", sampling.start_iterations, 1, "orders of one ascent");
  sampling.iterations =
      whole(keys, "iterations", paper ? published.iterations : sampling.iterations, paper ? 1 : 4,
            fmt::format("orders of one chain (paper default: {})", published.iterations).c_str());
  sampling.chains =
      whole(keys, "chains", paper ? 1 : sampling.chains, 1, "independent chains (paper: 1)");
  sampling.burn_in =
      whole(keys, "burn_in", paper ? 0 : sampling.iterations / 4, 0,
            "orders dropped from the start of a chain, by default a quarter (paper: 0)");
  sampling.thinning = whole(keys, "thinning", paper ? 1 : sampling.thinning, 1,
                            "of the orders of a chain every so manieth is kept (paper: 1)");
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
      keys.complain("stage_with", "fidelity = 'repaired' stages with the mean ranks");
    constexpr long kLeastKept = 4;  // what split_r_hat needs
    if (sampling.iterations - sampling.burn_in <= (kLeastKept - 1) * sampling.thinning)
      keys.complain(
          "iterations",
          fmt::format("{} iterations with a burn-in of {} and thinning {} keep fewer than "
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

void bound_evidence(std::span<double> log_ratios) {
  std::vector<double> sizes;
  for (double& ratio : log_ratios) {
    if (std::isnan(ratio)) ratio = 0.0;
    sizes.push_back(std::abs(ratio));
  }
  std::sort(sizes.begin(), sizes.end());
  // The largest c with sum min(size, c) <= limit: each cell in turn, smallest first, takes its size
  // or an equal part of what is left.
  double left = kLargestEvidence;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double part = left / static_cast<double>(sizes.size() - i);
    if (sizes[i] <= part) {
      left -= sizes[i];
      continue;
    }
    for (double& ratio : log_ratios) ratio = std::clamp(ratio, -part, part);
    return;
  }
}

Inference infer_from_sample(const Matrix& log_ratios, const Matrix& stage_log_ratios,
                            const SamplingSettings& settings, RandomStream& stream) {
  const std::size_t J = log_ratios.rows(), B = log_ratios.cols();
  auto keys = column_means(log_ratios);
  for (double& key : keys) key = -key;  // early events first: have happened in most
  const auto columns = order_by(keys, stream.permutation(B));

  Matrix y(J, B), n(J, B);
  std::vector<double> row(B);
  for (std::size_t j = 0; j < J; ++j) {
    for (std::size_t i = 0; i < B; ++i) row[i] = log_ratios(j, columns[i]);
    bound_evidence(row);
    for (std::size_t i = 0; i < B; ++i) {
      y(j, i) = std::exp(std::min(row[i], 0.0));
      n(j, i) = std::exp(std::min(-row[i], 0.0));
    }
  }
  OrderLikelihood likelihood(y, n, /*floor=*/0.0);
  const auto sample = sample_orders(likelihood, settings, stream);

  Inference inference;
  inference.event_scores.resize(B);
  inference.rank_posterior = Matrix(B, B);
  for (std::size_t i = 0; i < B; ++i) {
    inference.event_scores[columns[i]] = sample.mean_ranks[i];
    const auto from = sample.rank_posterior.row(i);
    std::copy(from.begin(), from.end(), inference.rank_posterior->row(columns[i]).begin());
  }
  auto staging = stages_by_log_ratios(stage_log_ratios, order_by(inference.event_scores, {}));
  inference.stages = std::move(staging.stages);
  inference.stage_posterior = std::move(staging.posterior);
  inference.diagnostics = {{"acceptance", sample.acceptance},
                           {"effective_samples", sample.effective_samples},
                           {"log_likelihood", sample.most_likely.log_likelihood},
                           {"r_hat", sample.r_hat}};
  if (sample.r_hat > kAgreement)
    inference.warnings.push_back(
        fmt::format("the chains disagree on the rank of an event (R-hat > {}): do not trust the rank "
                    "posterior in detail; more iterations may help",
                    kAgreement));
  return inference;
}

}  // namespace tempo::toolkit
