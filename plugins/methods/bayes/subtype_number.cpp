#include "subtype_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "subtypes_chain.hpp"
#include "tempo/toolkit/simplex.hpp"

namespace tempo::bayes {
namespace {

constexpr std::size_t kStates = 128, kPasses = 2;

double log_mean_exp(const std::vector<double>& logs) {
  const double top = *std::max_element(logs.begin(), logs.end());
  double sum = 0.0;
  for (const double value : logs) sum += std::exp(value - top);
  return top + std::log(sum / static_cast<double>(logs.size()));
}

/// Makes probabilities of logs.
std::vector<double> normalised(std::vector<double> logs) {
  const double top = *std::max_element(logs.begin(), logs.end());
  double sum = 0.0;
  for (double& value : logs) sum += value = std::exp(value - top);
  for (double& value : logs) value /= sum;
  return logs;
}

std::vector<std::size_t> shuffled(std::vector<std::size_t> items, RandomStream& stream) {
  std::vector<std::size_t> out;
  for (const auto i : stream.permutation(items.size())) out.push_back(items[i]);
  return out;
}

/// One number of subtypes, one pass over the participants.
class Pass {
 public:
  Pass(const SwitchEvidence& evidence, const WholeStageLaw& law, const SubtypeSettings& settings,
       RandomStream stream)
      : evidence_(evidence), law_(law), settings_(settings), stream_(std::move(stream)) {
    std::vector<std::size_t> diseased;
    for (std::size_t j = 0; j < evidence.row.size(); ++j)
      (evidence.row[j] == SwitchEvidence::kHealthy ? taken_ : diseased).push_back(j);
    waiting_ = shuffled(std::move(diseased), stream_);
  }

  double log_evidence() {
    double log_evidence = take_healthy();
    for (std::uint64_t step = 0; !waiting_.empty(); ++step) {
      // Ever more at a time: the more are taken, the less a new one tells.
      constexpr double kGrowth = 0.1;
      const auto so_far = static_cast<double>(taken_diseased_);
      const auto more = std::min(waiting_.size(), 1 + static_cast<std::size_t>(kGrowth * so_far));
      const std::vector<std::size_t> next(waiting_.end() - static_cast<std::ptrdiff_t>(more),
                                          waiting_.end());
      waiting_.resize(waiting_.size() - more);
      taken_.insert(taken_.end(), next.begin(), next.end());
      taken_diseased_ += more;
      log_evidence += weigh(next);
      move(step);
    }
    return log_evidence;
  }

 private:
  /// The healthy tell of traits alone, and of each biomarker's by itself: exact.
  double take_healthy() {
    const auto healthy = evidence_.of(taken_);
    double log_evidence = 0.0;
    std::vector<std::vector<double>> chances;  // [B][traits]
    for (std::size_t b = 0; b < healthy.size(); ++b) {
      std::vector<double> logs;
      for (const auto& of_trait : healthy.all_before) logs.push_back(of_trait[b]);
      log_evidence += log_mean_exp(logs);
      chances.push_back(normalised(std::move(logs)));
    }
    for (std::size_t i = 0; i < kStates; ++i) states_.push_back(draw_beforehand(chances));
    return log_evidence;
  }

  SubtypeDraw draw_beforehand(const std::vector<std::vector<double>>& chances) {
    const auto K = settings_.subtypes, B = evidence_.size();
    SubtypeDraw out;
    if (settings_.orders == SubtypeOrders::mallows)
      out.centre.emplace(B, kLeastDispersion, kMostDispersion, stream_);
    const auto draw_stages = stages_by(law_);
    for (std::size_t s = 0; s < K; ++s) {
      out.state.orders.push_back(out.centre ? out.centre->draw_order(stream_)
                                            : stream_.permutation(B));
      out.state.log_pi.push_back(draw_stages(std::vector<double>(B + 1, 0.0), stream_));
    }
    out.state.log_shares = toolkit::draw_log_shares(std::vector<double>(K, 0.0), stream_);
    for (const auto& of_biomarker : chances)
      out.traits.push_back(stream_.categorical(of_biomarker));
    return out;
  }

  /// Draws states anew by how well they predict further participants. @return log of the mean
  double weigh(const std::vector<std::size_t>& participants) {
    const auto part = evidence_.of(participants);
    SubtypesChain chain(part, law_, settings_, stream_.substream("weigh"));
    std::vector<double> logs;
    for (const auto& state : states_) {
      chain.go_to(state);
      logs.push_back(chain.log_likelihood_here());
    }
    // Systematic: each as often as its weight says, rounded down or up.
    const auto weights = normalised(logs);
    std::vector<double> upto(weights.size());
    std::partial_sum(weights.begin(), weights.end(), upto.begin());
    const double first = stream_.uniform();
    std::vector<SubtypeDraw> drawn;
    for (std::size_t i = 0, from = 0; i < kStates; ++i) {
      const double at = (static_cast<double>(i) + first) / static_cast<double>(kStates);
      while (from + 1 < kStates && upto[from] <= at) ++from;
      drawn.push_back(states_[from]);
    }
    states_ = std::move(drawn);
    return log_mean_exp(logs);
  }

  void move(std::uint64_t step) {
    const auto part = evidence_.of(taken_);
    SubtypesChain chain(part, law_, settings_, stream_.substream("move", step));
    for (auto& state : states_) {
      chain.go_to(state);
      chain.sweep();
      state = chain.draw();
    }
  }

  const SwitchEvidence& evidence_;
  const WholeStageLaw& law_;
  const SubtypeSettings& settings_;
  RandomStream stream_;
  std::vector<std::size_t> taken_, waiting_;  // participants; the latter from the end
  std::size_t taken_diseased_ = 0;
  std::vector<SubtypeDraw> states_;
};

std::string doubt_of_number(const std::vector<double>& chances) {
  constexpr double kWorthTelling = 0.05;
  std::vector<std::string> told;
  for (std::size_t i = 0; i < chances.size(); ++i)
    if (chances[i] >= kWorthTelling)
      told.push_back(fmt::format("{} ({:.0f} %)", i + 1, 100.0 * chances[i]));
  return fmt::format("the cohort does not tell for sure how many subtypes there are: {}",
                     fmt::join(told, ", "));
}

}  // namespace

NumberEvidence evidence_of_numbers(const SwitchEvidence& evidence, const WholeStageLaw& law,
                                   const SubtypeSettings& settings, std::size_t most,
                                   const RandomStream& stream) {
  NumberEvidence out;
  for (std::size_t number = 1; number <= most; ++number) {
    auto of_number = settings;
    of_number.subtypes = number;
    std::vector<double> passes;
    for (std::size_t pass = 0; pass < kPasses; ++pass)
      passes.push_back(
          Pass(evidence, law, of_number, stream.substream("pass", number * kPasses + pass))
              .log_evidence());
    out.log_evidence.push_back(log_mean_exp(passes));
    out.errors.push_back(0.5 * std::abs(passes[0] - passes[1]));
  }
  return out;
}

Inference sample_number_and_subtypes(const SwitchEvidence& evidence, const WholeStageLaw& law,
                                     std::span<const std::size_t> columns,
                                     std::span<const std::size_t> diseased,
                                     SubtypeSettings settings, std::size_t most,
                                     const RandomStream& stream) {
  const auto found = evidence_of_numbers(evidence, law, settings, most, stream.substream("number"));
  const auto chances = normalised(found.log_evidence);
  const auto best = std::max_element(chances.begin(), chances.end());
  settings.subtypes = static_cast<std::size_t>(best - chances.begin()) + 1;
  auto out = sample_subtypes(evidence, law, columns, diseased, settings, stream);
  out.subtypes->log_evidence = found.log_evidence;
  out.diagnostics["log_evidence_error"] =
      *std::max_element(found.errors.begin(), found.errors.end());
  for (std::size_t i = 0; i < most; ++i)
    out.diagnostics[fmt::format("probability_of_{}_subtypes", i + 1)] = chances[i];
  constexpr double kSure = 0.9;
  if (*best < kSure) out.warnings.push_back(doubt_of_number(chances));
  return out;
}

}  // namespace tempo::bayes
