#include "tempo/toolkit/mixture_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tempo/toolkit/for_each_cpu.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::toolkit {
namespace {

constexpr std::size_t kBlock = ParticipantColumns::kBlock;
constexpr std::size_t kGroups = kBlock / kLanes;

/// One subtype and one block of participants; columns in the order of events.
struct WeighedBlock {
  std::size_t events, first;
  const double* const* log_ratios;
  double* const* happened;  // null: not asked for
  double *top, *total;
  double* scratch;  // [events, kBlock]
};

template <bool kHappened>
[[gnu::always_inline]] inline void weigh_block(const WeighedBlock& block, const double* log_pi) {
  Lanes sum[kGroups] = {}, top[kGroups];
  for (auto& lane : top) lane = Lanes{} + log_pi[0];
  for (std::size_t i = 0; i < block.events; ++i) {
    const double* ratios = block.log_ratios[i] + block.first;
    for (std::size_t g = 0; g < kGroups; ++g) {
      sum[g] += lanes(ratios + g * kLanes);
      const Lanes weighed = sum[g] + log_pi[i + 1];
      lanes(block.scratch + i * kBlock + g * kLanes) = weighed;
      raise_to(top[g], weighed);
    }
  }
  Lanes total[kGroups];  // from the last stage on
  for (auto& lane : total) lane = Lanes{};
  for (std::size_t i = block.events; i-- > 0;)
    for (std::size_t g = 0; g < kGroups; ++g) {
      Lanes& cell = lanes(block.scratch + i * kBlock + g * kLanes);
      Lanes probability;
      exp_lanes(cell - top[g], probability);
      total[g] += probability;
      if constexpr (kHappened) cell = total[g];
    }
  for (std::size_t g = 0; g < kGroups; ++g) {
    Lanes none{};
    if (log_pi[0] > -std::numeric_limits<double>::infinity()) exp_lanes(log_pi[0] - top[g], none);
    total[g] += none;
    lanes(block.top + block.first + g * kLanes) = top[g];
    lanes(block.total + block.first + g * kLanes) = total[g];
  }
  if constexpr (kHappened) {
    for (auto& lane : total) lane = 1.0 / lane;
    for (std::size_t i = 0; i < block.events; ++i)
      for (std::size_t g = 0; g < kGroups; ++g)
        lanes(block.happened[i] + block.first + g * kLanes) =
            lanes(block.scratch + i * kBlock + g * kLanes) * total[g];
  }
}

TEMPO_FOR_EACH_CPU void weigh_with_events(WeighedBlock block, std::size_t padded,
                                          const double* log_pi) {
  for (; block.first < padded; block.first += kBlock) weigh_block<true>(block, log_pi);
}
TEMPO_FOR_EACH_CPU void weigh_without_events(WeighedBlock block, std::size_t padded,
                                             const double* log_pi) {
  for (; block.first < padded; block.first += kBlock) weigh_block<false>(block, log_pi);
}

/// P(s | x_j) of one block to `responsibility`.
/// @return the product over participants of sum_s w_s p(x_j | s) exp(-M), M the largest of log w_s
/// +
///   top: between the least share and K (B + 1), to the power of kBlock. `largest` gets the sum of
///   the M.
TEMPO_FOR_EACH_CPU double share_block(std::span<const SubtypeTerms> terms,
                                      std::span<const double> log_shares, std::size_t first,
                                      std::span<std::vector<double>> responsibility,
                                      double& largest) {
  const std::size_t K = terms.size();
  Lanes product = Lanes{} + 1.0, tops{};
  for (std::size_t at = first; at < first + kBlock; at += kLanes) {
    Lanes top = Lanes{} - std::numeric_limits<double>::infinity(), sum{};
    for (std::size_t s = 0; s < K; ++s) raise_to(top, lanes(&terms[s].top[at]) + log_shares[s]);
    for (std::size_t s = 0; s < K; ++s) {
      Lanes weight;
      exp_lanes(lanes(&terms[s].top[at]) + log_shares[s] - top, weight);
      weight *= lanes(&terms[s].total[at]);
      lanes(&responsibility[s][at]) = weight;
      sum += weight;
    }
    const Lanes scale = 1.0 / sum;
    for (std::size_t s = 0; s < K; ++s) lanes(&responsibility[s][at]) *= scale;
    product *= sum;
    tops += top;
  }
  largest = (tops[0] + tops[1]) + (tops[2] + tops[3]);
  return (product[0] * product[1]) * (product[2] * product[3]);
}

struct EventSums {
  Lanes weight{}, x{}, xx{};
};

TEMPO_FOR_EACH_CPU void sum_event(std::span<const SubtypeTerms> terms,
                                  std::span<const std::vector<double>> responsibility,
                                  std::size_t b, std::span<const double> values,
                                  std::span<const double> present, std::span<const double> counted,
                                  EventSums& out) {
  const std::size_t K = terms.size();
  for (std::size_t at = 0; at < values.size(); at += kLanes) {
    Lanes w{};
    for (std::size_t s = 0; s < K; ++s)
      w += lanes(&responsibility[s][at]) * lanes(&terms[s].happened[b][at]);
    w *= lanes(&counted[at]);
    const Lanes x = lanes(&values[at]), wx = w * x;
    out.weight += w * lanes(&present[at]);
    out.x += wx;
    out.xx += wx * x;
  }
}

double sum_of(const Lanes& four) { return (four[0] + four[1]) + (four[2] + four[3]); }

}  // namespace

MixtureLikelihood::MixtureLikelihood(const ParticipantColumns& values)
    : values_(values),
      present_(values.biomarkers(), values.participants()),
      counted_(values.padded()),
      normals_(values),
      scratch_(kBlock * values.biomarkers()) {
  std::fill_n(counted_.begin(), values.participants(), 1.0);
  for (std::size_t b = 0; b < values.biomarkers(); ++b)
    for (std::size_t j = 0; j < values.participants(); ++j) {
      if (std::isnan(values_[b][j]))
        values_[b][j] = 0.0;
      else
        present_[b][j] = 1.0;
    }
}

void MixtureLikelihood::weigh(const ParticipantColumns& log_ratios,
                              std::span<const std::size_t> order, std::span<const double> log_pi,
                              SubtypeTerms& out) {
  if (out.happened.biomarkers() != biomarkers())
    out.happened = ParticipantColumns(biomarkers(), participants());
  out.top.resize(padded());
  out.total.resize(padded());
  std::vector<const double*> ratios;
  std::vector<double*> happened;
  for (const auto b : order) {
    ratios.push_back(log_ratios[b].data());
    happened.push_back(out.happened[b].data());
  }
  weigh_with_events({order.size(), 0, ratios.data(), happened.data(), out.top.data(),
                     out.total.data(), scratch_.data()},
                    padded(), log_pi.data());
}

void MixtureLikelihood::weigh_totals(const ParticipantColumns& log_ratios,
                                     std::span<const std::size_t> order,
                                     std::span<const double> log_pi, SubtypeTerms& out) {
  out.top.resize(padded());
  out.total.resize(padded());
  std::vector<const double*> ratios;
  for (const auto b : order) ratios.push_back(log_ratios[b].data());
  weigh_without_events(
      {order.size(), 0, ratios.data(), nullptr, out.top.data(), out.total.data(), scratch_.data()},
      padded(), log_pi.data());
}

void MixtureLikelihood::share_out(std::span<const SubtypeTerms> terms,
                                  std::span<const double> log_shares) {
  responsibility_.resize(terms.size());
  for (auto& of_subtype : responsibility_) of_subtype.resize(padded());
  log_likelihood_ = 0.0;
  for (std::size_t first = 0; first < padded(); first += kBlock) {
    double largest = 0.0;
    const double product = share_block(terms, log_shares, first, responsibility_, largest);
    log_likelihood_ += largest + portable_log(product);
  }
}

double MixtureLikelihood::log_likelihood(std::span<const SubtypeTerms> terms,
                                         std::span<const double> log_shares) {
  share_out(terms, log_shares);
  return log_likelihood_;
}

void MixtureLikelihood::moments(std::span<const SubtypeTerms> terms,
                                std::span<const double> log_shares, MixtureMoments& out) {
  share_out(terms, log_shares);
  for (auto* column : {&out.weight, &out.x, &out.xx}) column->resize(biomarkers());
  for (std::size_t b = 0; b < biomarkers(); ++b) {
    EventSums sums;
    sum_event(terms, responsibility_, b, values_[b], present_[b], counted_, sums);
    out.weight[b] = sum_of(sums.weight);
    out.x[b] = sum_of(sums.x);
    out.xx[b] = sum_of(sums.xx);
  }
}

std::vector<SubtypeCounts> MixtureLikelihood::counts(
    std::span<const SubtypeTerms> terms, std::span<const double> log_shares,
    std::span<const std::vector<std::size_t>> orders) {
  share_out(terms, log_shares);
  std::vector<SubtypeCounts> out(terms.size());
  for (std::size_t s = 0; s < terms.size(); ++s) {
    auto& [of_subtype, stages] = out[s];
    for (std::size_t j = 0; j < participants(); ++j) of_subtype += responsibility_[s][j];
    double before = of_subtype;  // at this stage or later
    for (const auto b : orders[s]) {
      double happened = 0.0;
      for (std::size_t j = 0; j < participants(); ++j)
        happened += responsibility_[s][j] * terms[s].happened[b][j];
      stages.push_back(std::max(0.0, before - happened));
      before = happened;
    }
    stages.push_back(before);
  }
  return out;
}

double MixtureLikelihood::assign(std::span<const SubtypeTerms> terms,
                                 std::span<const double> log_shares,
                                 std::span<const std::vector<std::size_t>> orders,
                                 RandomStream& stream, SubtypeAssignment& out) {
  share_out(terms, log_shares);
  const std::size_t B = biomarkers();
  out.counts.assign(terms.size(), {0.0, std::vector<double>(B + 1, 0.0)});
  for (auto* column : {&out.moments.weight, &out.moments.x, &out.moments.xx})
    column->assign(B, 0.0);
  out.subtypes.resize(participants());
  out.stages.resize(participants());
  for (std::size_t j = 0; j < participants(); ++j) {
    double below = 0.0;
    const double u = stream.uniform(), v = stream.uniform();
    std::size_t s = 0;
    while (s + 1 < terms.size() && u >= (below += responsibility_[s][j])) ++s;
    // P(event has happened) falls along the order: the stage is where it passes v.
    std::size_t stage = 0;
    for (; stage < B; ++stage) {
      const auto b = orders[s][stage];
      if (terms[s].happened[b][j] <= v) break;
      const double x = values_[b][j];
      out.moments.weight[b] += present_[b][j];
      out.moments.x[b] += x;
      out.moments.xx[b] += x * x;
    }
    out.subtypes[j] = s;
    out.stages[j] = stage;
    out.counts[s].participants += 1.0;
    out.counts[s].stages[stage] += 1.0;
  }
  return log_likelihood_;
}

}  // namespace tempo::toolkit
