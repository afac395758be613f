#include "subtype_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "switch_subtypes.hpp"
#include "tempo/toolkit/log_sum.hpp"

namespace tempo::bayes {
namespace {

constexpr std::size_t kStates = 128, kPasses = 3;
constexpr double kSure = 0.9;  // of a number of subtypes

double error_of_mean(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (n - 1.0) / n);
}

/// One number of subtypes, one pass over the participants.
class Pass {
 public:
  /// @param order  of participants
  Pass(const SwitchEvidence& evidence, const DrawStages& draw_stages,
       const SubtypeSettings& settings, RandomStream order, RandomStream stream)
      : evidence_(evidence),
        draw_stages_(draw_stages),
        settings_(settings),
        stream_(std::move(stream)) {
    for (std::size_t j = 0; j < evidence.row.size(); ++j)
      (evidence.row[j] == SwitchEvidence::kHealthy ? taken_ : waiting_).push_back(j);
    order.shuffle(waiting_);
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
      log_evidence += select(next);
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
      log_evidence += toolkit::log_mean(logs);
      chances.push_back(toolkit::shares_of_logs(std::move(logs)));
    }
    for (std::size_t i = 0; i < kStates; ++i) states_.push_back(draw_beforehand(chances));
    return log_evidence;
  }

  SubtypeDraw draw_beforehand(const std::vector<std::vector<double>>& chances) {
    const auto K = settings_.subtypes, B = evidence_.size();
    SubtypeDraw out;
    if (settings_.orders == SubtypeOrders::mallows)
      out.centre.emplace(B, kLeastDispersion, kMostDispersion, stream_);
    out.state.event_times.resize(K);
    for (std::size_t s = 0; s < K; ++s) {
      out.state.orders.push_back(out.centre ? out.centre->draw_order(stream_)
                                            : stream_.permutation(B));
      out.state.log_pi.push_back(
          draw_stages_(std::vector<double>(B + 1, 0.0), out.state.event_times[s], stream_));
    }
    out.state.log_shares = settings_.share_law().draw_log_shares(K, stream_);
    for (const auto& of_biomarker : chances)
      out.traits.push_back(stream_.categorical(of_biomarker));
    return out;
  }

  /// Draws states anew by how well they predict further participants. @return log of the mean
  double select(const std::vector<std::size_t>& participants) {
    const auto part = evidence_.of(participants);
    SwitchSubtypesChain chain(part, std::nullopt, draw_stages_, settings_,
                              stream_.substream("not drawn from"));
    std::vector<double> logs;
    for (const auto& state : states_) {
      chain.go_to(state);
      logs.push_back(chain.log_likelihood());
    }
    // Systematic: each as often as its weight says, rounded down or up.
    const auto weights = toolkit::shares_of_logs(logs);
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
    return toolkit::log_mean(logs);
  }

  void move(std::uint64_t step) {
    const auto part = evidence_.of(taken_);
    SwitchSubtypesChain chain(part, std::nullopt, draw_stages_, settings_,
                              stream_.substream("move", step));
    for (auto& state : states_) {
      chain.go_to(state);
      chain.sweep(1.0);
      state = chain.draw();
    }
  }

  const SwitchEvidence& evidence_;
  const DrawStages& draw_stages_;
  const SubtypeSettings& settings_;
  RandomStream stream_;
  std::vector<std::size_t> taken_, waiting_;  // participants; the latter from the end
  std::size_t taken_diseased_ = 0;
  std::vector<SubtypeDraw> states_;
};

/// The numbers that are worth telling, each with its probability.
std::string in_words(const std::vector<double>& chances) {
  constexpr double kWorthTelling = 0.05;
  std::vector<std::string> told;
  double others = 0.0;
  for (std::size_t i = 0; i < chances.size(); ++i)
    if (chances[i] >= kWorthTelling)
      told.push_back(fmt::format("{} ({:.1f} %)", i + 1, 100.0 * chances[i]));
    else
      others += chances[i];
  if (others >= 0.001) told.push_back(fmt::format("others ({:.1f} %)", 100.0 * others));
  return fmt::format("{}", fmt::join(told, ", "));
}

/// Why the number is in doubt; empty if it is not.
std::string doubt_of_number(const NumberEvidence& found, const std::vector<double>& chances) {
  std::vector<std::size_t> by_chance(chances.size());
  std::iota(by_chance.begin(), by_chance.end(), std::size_t{0});
  std::ranges::stable_sort(by_chance, std::greater(), [&](std::size_t i) { return chances[i]; });
  const auto best = by_chance.front();
  const auto lead_over = [&](std::size_t other) {
    return std::pair(found.log_evidence[best] - found.log_evidence[other],
                     std::hypot(found.errors[best], found.errors[other]));
  };
  if (chances[best] < kSure) {
    const auto [lead, error] = lead_over(by_chance[1]);
    return fmt::format(
        "the cohort does not tell for sure how many subtypes there are: {}; {} counted, whose log "
        "evidence leads that of {} by {:.1f}, with a sampling error of {:.1f}",
        in_words(chances), best + 1, by_chance[1] + 1, lead, error);
  }
  // Another draw of the same evidence might have said otherwise.
  for (const auto other : by_chance) {
    const auto [lead, error] = lead_over(other);
    if (other != best && lead < std::log(kSure / (1.0 - kSure)) + 2.0 * error)
      return fmt::format(
          "how many subtypes there are is less sure than it looks: the log evidence of {} leads that "
          "of {} by {:.1f}, with a sampling error of {:.1f}; try other seeds",
          best + 1, other + 1, lead, error);
  }
  return {};
}

}  // namespace

NumberEvidence evidence_of_numbers(const SwitchEvidence& evidence, const DrawStages& draw_stages,
                                   const SubtypeSettings& settings, std::size_t most,
                                   const RandomStream& stream) {
  NumberEvidence out;
  for (std::size_t number = 1; number <= most; ++number) {
    auto of_number = settings;
    of_number.subtypes = number;
    std::vector<double> passes;
    for (std::size_t pass = 0; pass < kPasses; ++pass)
      // All numbers see participants in the same orders, so that these do not decide.
      passes.push_back(Pass(evidence, draw_stages, of_number, stream.substream("order", pass),
                            stream.substream("pass", number * kPasses + pass))
                           .log_evidence());
    out.log_evidence.push_back(toolkit::log_mean(passes));
    out.errors.push_back(error_of_mean(passes));
  }
  return out;
}

Inference sample_number_and_subtypes(const SwitchEvidence& evidence, const DrawStages& draw_stages,
                                     std::span<const std::size_t> columns,
                                     std::span<const std::size_t> diseased,
                                     SubtypeSettings settings, std::size_t most,
                                     const RandomStream& stream) {
  const auto found =
      evidence_of_numbers(evidence, draw_stages, settings, most, stream.substream("number"));
  const auto chances = toolkit::shares_of_logs(found.log_evidence);
  const auto best = std::max_element(chances.begin(), chances.end());
  settings.subtypes = static_cast<std::size_t>(best - chances.begin()) + 1;
  auto out = sample_subtypes(SwitchSubtypes(evidence, std::nullopt, draw_stages, diseased), columns,
                             settings, stream);
  out.subtypes->log_evidence = found.log_evidence;
  for (std::size_t i = 0; i < most; ++i) {
    out.diagnostics[fmt::format("probability_of_{}_subtypes", i + 1)] = chances[i];
    out.diagnostics[fmt::format("log_evidence_error_of_{}_subtypes", i + 1)] = found.errors[i];
  }
  if (settings.subtypes == most)
    out.warnings.push_back(
        fmt::format("the number of subtypes that was found, {}, is the largest that "
                    "'most_subtypes' allows: there may be more; raise it",
                    most));
  if (auto doubt = doubt_of_number(found, chances); !doubt.empty())
    out.warnings.push_back(std::move(doubt));
  return out;
}

}  // namespace tempo::bayes
