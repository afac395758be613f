#pragma once

// The rounds of a network and their gradient, written by hand: what stages and events say of each
// other. A network adds what comes before: cells and first tokens.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "arena.hpp"
#include "kernels.hpp"
#include "network_shape.hpp"
#include "posteriors.hpp"

namespace tempo::amortised {

template <class Real>
View<Real> rows_from(View<Real> view, std::size_t first) {
  return {view.row(first), view.stride};
}

/// Of the thread that asks; what it took before is free.
template <class Real>
Arena<Real>& memory_of_thread() {
  thread_local Arena<Real> memory;
  memory.begin();
  return memory;
}

/// A pass over S samples of B biomarkers. Tokens are columns b S + s of a matrix.
template <class Real>
class RoundsPass {
 public:
  /// Mean over the samples, after a pass forward.
  double loss();

 protected:
  static constexpr std::size_t kWidth = NetworkShape::kWidth;

  /// What backward needs of an encoder layer.
  struct Encoder {
    View<Real> normal1, y1, projections, mixed, normal2, y2, hidden;
    Real *inverse1 = nullptr, *inverse2 = nullptr, *attention = nullptr;
  };
  /// A sample's part in a round.
  struct Exchange {
    Real* evidence = nullptr;   // [D, L]
    View<Real> where;           // [K, asked] the posterior of the stages
    View<Real> shares;          // [L, asked] of it at the places
    Real* log_total = nullptr;  // [asked] of all stages' odds
    double stage_loss = 0.0;    // sum over those asked
  };
  struct Round {
    View<Real> normal, state;  // [W, R]
    Real* inverse = nullptr;
    View<Real> mean_state;             // [W, S]
    View<Real> scores;                 // [2, R] less 1/2; and the logarithm of their variance
    View<Real> statistics, occupancy;  // [C slots, R], [slots + 1, S]
    Encoder layer;
    std::vector<Exchange> exchanges;  // [S]
    std::vector<Real> dscores;        // [2, R] of the loss
  };
  /// Of a sample, those whose stage is asked.
  struct Sample {
    std::size_t asked = 0;
    View<Real> cells, dcells;                        // [D, asked]
    Real count = 1;                                  // asked, at least 1
    std::vector<Real> present;                       // [B] those of them with a value, at least 1
    std::vector<std::uint32_t> stages;               // [asked], or empty: not known
    const float *target = nullptr, *time = nullptr;  // [B], where known
    double weight = 1.0;  // of a stage in the loss, in units of the mean over all
  };

  /// @param shape  its slots are weights along the stages. K stages are summed at L = min(K, slots)
  ///   places: a stage between two slots has its share of both; one between two places is
  ///   interpolated
  RoundsPass(const NetworkShape& shape, const Real* weights, std::size_t S, std::size_t B)
      : shape_(shape),
        w_(weights),
        memory_(memory_of_thread<Real>()),
        S_(S),
        B_(B),
        C_(shape.C),
        K_(B + 1),
        L_(std::min(shape.slots, K_)),
        D_(B * shape.C),
        R_(B * S),
        samples_(S),
        rounds_(shape.rounds.size()) {}

  /// From the cells of all samples and the first tokens [W, R].
  void forward_rounds(View<Real> tokens);
  /// Adds the gradient of `scale` times the loss: of the weights, of the cells, and of the first
  /// tokens, which is dtokens then.
  void backward_rounds(double scale, View<Real> dtokens);

  /// Appends the scores of a sample after the last round, and how unsure each is.
  void append_scores(std::size_t s, std::vector<double>& scores, std::vector<double>& sds) const {
    const auto& found = rounds_.back().scores;
    for (std::size_t b = 0; b < B_; ++b) {
      scores.push_back(0.5 + static_cast<double>(found.row(0)[b * S_ + s]));
      sds.push_back(score_sd(static_cast<double>(found.row(1)[b * S_ + s]),
                             static_cast<double>(w_[shape_.sharpness])));
    }
  }

  void linear(View<Real> to, const LinearPlace& place, View<Real> x, std::size_t length,
              bool rectified = false) {
    product(to, place.out, {w_ + place.weight, place.in, 1}, x, place.in, length, false);
    add_to_rows(to, w_ + place.bias, place.out, length, rectified);
  }
  void linear_backward(const LinearPlace& place, View<Real> dy, View<Real> x, std::size_t length,
                       View<Real> dx, bool adds) {
    inner_products(g_ + place.weight, place.in, dy, place.out, x, place.in, length, true);
    add_sums_of_rows(g_ + place.bias, dy, place.out, length);
    product(dx, place.in, {w_ + place.weight, 1, place.in}, dy, place.out, length, adds);
  }
  View<Real> encoder(Encoder& state, const EncoderPlace& place, View<Real> x);
  /// d becomes the gradient of the input instead of the output.
  void encoder_backward(const Encoder& state, const EncoderPlace& place, View<Real> d);

  const NetworkShape& shape_;
  const Real* w_;
  Real* g_ = nullptr;
  Arena<Real>& memory_;
  /// K stages; sums over participants and over biomarkers are made for L places along them.
  std::size_t S_, B_, C_, K_, L_, D_, R_;
  std::vector<Sample> samples_;
  std::vector<Round> rounds_;
  double total_asked_ = 0.0;  // all samples

 private:
  bool has_place_per_slot() const { return shape_.slots == L_; }
  bool has_place_per_stage() const { return K_ == L_; }
  /// Calls work(place, slot, share) for all that belong together.
  template <class Work>
  void for_slots(const Work& work) const {
    for (std::size_t l = 0; l < L_; ++l)
      if (has_place_per_slot()) {
        work(l, l, Real{1});
      } else {
        const auto [below, beyond] = between<Real>(l, L_, shape_.slots);
        work(l, below, 1 - beyond);
        if (beyond > 0) work(l, below + 1, beyond);
      }
  }
  /// Rows of stages [K, length] from rows of places [L, length].
  View<Real> to_stages(View<Real> places, std::size_t length) const;
  /// The other way round: each place gets its shares of the stages about it.
  View<Real> to_places(View<Real> stages, std::size_t length) const;
  double share_of(const Round& round) const {
    return &round == &rounds_.back() ? 1.0 : NetworkShape::kLossOfRound;
  }
  /// to[f, s] += scale times the sum over b of x[f, b S + s]; f < kWidth.
  void add_sums_over_biomarkers(View<Real> to, View<Real> x, Real scale) const {
    for (std::size_t f = 0; f < kWidth; ++f)
      for (std::size_t b = 0; b < B_; ++b)
        for (std::size_t s = 0; s < S_; ++s) to.row(f)[s] += scale * x.row(f)[b * S_ + s];
  }
  /// to[f, b S + s] += scale times x[f, s]; f < kWidth.
  void add_to_every_biomarker(View<Real> to, View<Real> x, Real scale) const {
    for (std::size_t f = 0; f < kWidth; ++f)
      for (std::size_t b = 0; b < B_; ++b)
        for (std::size_t s = 0; s < S_; ++s) to.row(f)[b * S_ + s] += scale * x.row(f)[s];
  }
  void to_samples(View<Real> features, Real* matrices) const;
  void from_samples(const Real* matrices, View<Real> features) const;
  void exchange(Round& round, std::size_t s, View<Real> prior, Real* statistics);
  void exchange_backward(Round& round, std::size_t s, double of_stage, Real* dstatistics,
                         View<Real> doccupancy, Real* devidence, View<Real> dprior);
  double score_loss(Round& round);
  void round_backward(std::size_t r, double scale, View<Real> dtokens);

  double dsharpness_ = 0.0;
};

template <class Real>
View<Real> RoundsPass<Real>::encoder(Encoder& state, const EncoderPlace& place, View<Real> x) {
  const auto matrix = [this](std::size_t features) { return memory_.unwritten(features, R_); };
  state.inverse1 = memory_.take_any(stride_for(R_));
  state.inverse2 = memory_.take_any(stride_for(R_));
  state.normal1 = matrix(kWidth);
  state.y1 = matrix(kWidth);
  layer_norm_of_columns(x, kWidth, R_, w_ + place.norm1.weight, w_ + place.norm1.bias,
                        state.normal1, state.inverse1, state.y1);
  state.projections = matrix(3 * kWidth);
  linear(state.projections, place.projections, state.y1, R_);
  state.mixed = memory_.matrix(kWidth, R_);
  constexpr auto kEach = kWidth / NetworkShape::kHeads;
  state.attention = memory_.take_any(NetworkShape::kHeads * B_ * B_ * S_);
  for (std::size_t head = 0; head < NetworkShape::kHeads; ++head)
    attention(rows_from(state.projections, head * kEach),
              rows_from(state.projections, kWidth + head * kEach),
              rows_from(state.projections, 2 * kWidth + head * kEach), kEach, B_, S_,
              state.attention + head * B_ * B_ * S_, rows_from(state.mixed, head * kEach));
  const auto middle = matrix(kWidth);
  linear(middle, place.out, state.mixed, R_);
  add(middle, x, kWidth, R_);
  state.normal2 = matrix(kWidth);
  state.y2 = matrix(kWidth);
  layer_norm_of_columns(middle, kWidth, R_, w_ + place.norm2.weight, w_ + place.norm2.bias,
                        state.normal2, state.inverse2, state.y2);
  state.hidden = matrix(NetworkShape::kHidden);
  linear(state.hidden, place.linear1, state.y2, R_, /*rectified=*/true);
  const auto out = matrix(kWidth);
  linear(out, place.linear2, state.hidden, R_);
  add(out, middle, kWidth, R_);
  return out;
}

template <class Real>
void RoundsPass<Real>::encoder_backward(const Encoder& state, const EncoderPlace& place,
                                        View<Real> d) {
  const auto before = memory_.mark();
  const auto matrix = [this](std::size_t features) { return memory_.unwritten(features, R_); };
  const auto dhidden = matrix(NetworkShape::kHidden), dnormal = matrix(kWidth);
  linear_backward(place.linear2, d, state.hidden, R_, dhidden, false);
  rectifier_backward(dhidden, state.hidden, NetworkShape::kHidden, R_);
  linear_backward(place.linear1, dhidden, state.y2, R_, dnormal, false);
  layer_norm_backward(dnormal, state.normal2, state.inverse2, kWidth, R_, w_ + place.norm2.weight,
                      d, g_ + place.norm2.weight, g_ + place.norm2.bias);
  const auto dmixed = matrix(kWidth), dprojections = memory_.matrix(3 * kWidth, R_);
  linear_backward(place.out, d, state.mixed, R_, dmixed, false);
  constexpr auto kEach = kWidth / NetworkShape::kHeads;
  Real* const scratch = memory_.take_any(B_ * B_ * S_);
  for (std::size_t head = 0; head < NetworkShape::kHeads; ++head) {
    const auto query = head * kEach, key = kWidth + query, value = kWidth + key;
    attention_backward(rows_from(state.projections, query), rows_from(state.projections, key),
                       rows_from(state.projections, value), kEach, B_, S_,
                       state.attention + head * B_ * B_ * S_, rows_from(dmixed, query), scratch,
                       rows_from(dprojections, query), rows_from(dprojections, key),
                       rows_from(dprojections, value));
  }
  linear_backward(place.projections, dprojections, state.y1, R_, dnormal, false);
  layer_norm_backward(dnormal, state.normal1, state.inverse1, kWidth, R_, w_ + place.norm1.weight,
                      d, g_ + place.norm1.weight, g_ + place.norm1.bias);
  memory_.release(before);
}

template <class Real>
View<Real> RoundsPass<Real>::to_stages(View<Real> places, std::size_t length) const {
  if (has_place_per_stage()) return places;
  const auto stages = memory_.unwritten(K_, length);
  for (std::size_t k = 0; k < K_; ++k) {
    const auto [below, beyond] = between<Real>(k, K_, L_);
    const Real *low = places.row(below), *high = places.row(below + 1);
    Real* to = stages.row(k);
    for (std::size_t j = 0; j < places.stride; ++j) to[j] = low[j] + beyond * (high[j] - low[j]);
  }
  return stages;
}

template <class Real>
View<Real> RoundsPass<Real>::to_places(View<Real> stages, std::size_t length) const {
  if (has_place_per_stage()) return stages;
  const auto places = memory_.matrix(L_, length);
  for (std::size_t k = 0; k < K_; ++k) {
    const auto [below, beyond] = between<Real>(k, K_, L_);
    const Real* from = stages.row(k);
    Real *low = places.row(below), *high = places.row(below + 1);
    for (std::size_t j = 0; j < length; ++j) {
      low[j] += (1 - beyond) * from[j];
      high[j] += beyond * from[j];
    }
  }
  return places;
}

/// From features [C slots, R]: a matrix [D, L] of each sample, one after the other. A row is read
/// as it lies in memory; the places that the rows of a channel go to stay in the cache.
template <class Real>
void RoundsPass<Real>::to_samples(View<Real> features, Real* matrices) const {
  if (!has_place_per_slot()) std::fill_n(matrices, S_ * D_ * L_, Real{0});
  for (std::size_t c = 0; c < C_; ++c)
    for_slots([&](std::size_t l, std::size_t slot, Real share) {
      const Real* row = features.row(c * shape_.slots + slot);
      for (std::size_t b = 0; b < B_; ++b)
        for (std::size_t s = 0; s < S_; ++s) {
          Real& to = matrices[(s * D_ + b * C_ + c) * L_ + l];
          to = has_place_per_slot() ? row[b * S_ + s] : to + share * row[b * S_ + s];
        }
    });
}

/// The other way round: each slot gets its shares of the places about it. Features are 0 before,
/// but where there are as many slots as places.
template <class Real>
void RoundsPass<Real>::from_samples(const Real* matrices, View<Real> features) const {
  for (std::size_t c = 0; c < C_; ++c)
    for_slots([&](std::size_t l, std::size_t slot, Real share) {
      Real* row = features.row(c * shape_.slots + slot);
      for (std::size_t b = 0; b < B_; ++b)
        for (std::size_t s = 0; s < S_; ++s) {
          const Real from = matrices[(s * D_ + b * C_ + c) * L_ + l];
          row[b * S_ + s] = has_place_per_slot() ? from : row[b * S_ + s] + share * from;
        }
    });
}

/// Where the participants of a sample are, given the evidence; and when events are, given that.
template <class Real>
void RoundsPass<Real>::exchange(Round& round, std::size_t s, View<Real> prior, Real* statistics) {
  const auto& sample = samples_[s];
  const auto asked = sample.asked;
  auto& here = round.exchanges[s];
  const auto odds = memory_.unwritten(L_, asked);
  product(odds, L_, {here.evidence, 1, L_}, sample.cells, D_, asked, false);
  std::vector<Real> first(L_);
  for_slots(
      [&](std::size_t l, std::size_t slot, Real share) { first[l] += share * prior.row(slot)[s]; });
  add_to_rows(odds, first.data(), L_, asked, false);
  here.where = to_stages(odds, asked);
  here.log_total = memory_.take_any(stride_for(asked));
  const auto judged = sample.stages.size();
  for (std::size_t j = 0; j < judged; ++j)
    here.stage_loss -= static_cast<double>(here.where.row(sample.stages[j])[j]);
  softmax_of_columns(here.where, K_, asked, here.log_total);
  for (std::size_t j = 0; j < judged; ++j)
    here.stage_loss += static_cast<double>(here.log_total[j]);
  for (std::size_t k = 0; k < K_; ++k)
    std::fill(here.where.row(k) + asked, here.where.row(k) + here.where.stride, Real{0});
  if (statistics == nullptr) return;
  here.shares = to_places(here.where, asked);
  std::vector<Real> sums(L_);
  inner_products(statistics, L_, sample.cells, D_, here.shares, L_, asked, false);
  for (std::size_t i = 0; i < D_ * L_; ++i) statistics[i] /= sample.present[i / (C_ * L_)];
  add_sums_of_rows(sums.data(), here.shares, L_, asked);
  for_slots([&](std::size_t l, std::size_t slot, Real share) {
    round.occupancy.row(slot)[s] += share * (sums[l] / sample.count);
  });
  round.occupancy.row(shape_.slots)[s] =
      static_cast<Real>(0.5) * std::log(sample.count / Real{256});
}

template <class Real>
void RoundsPass<Real>::forward_rounds(View<Real> tokens) {
  const auto evidence = memory_.unwritten(C_ * shape_.slots, R_),
             prior = memory_.unwritten(shape_.slots, S_);
  Real* const statistics = memory_.take_any(S_ * D_ * L_);
  for (std::size_t r = 0; r < rounds_.size(); ++r) {
    const auto& place = shape_.rounds[r];
    const bool last = r + 1 == rounds_.size();
    auto& round = rounds_[r];
    round.normal = memory_.unwritten(kWidth, R_);
    round.state = memory_.unwritten(kWidth, R_);
    round.inverse = memory_.take_any(stride_for(R_));
    layer_norm_of_columns(tokens, kWidth, R_, w_ + place.norm.weight, w_ + place.norm.bias,
                          round.normal, round.inverse, round.state);
    round.scores = memory_.unwritten(2, R_);
    linear(round.scores, place.score, round.state, R_);
    linear(evidence, place.evidence, round.state, R_);
    round.mean_state = memory_.matrix(kWidth, S_);
    add_sums_over_biomarkers(round.mean_state, round.state, Real{1} / static_cast<Real>(B_));
    linear(prior, place.prior, round.mean_state, S_);
    if (!last) {
      round.statistics = memory_.matrix(C_ * shape_.slots, R_);
      round.occupancy = memory_.matrix(shape_.slots + 1, S_);
    }
    round.exchanges.resize(S_);
    Real* const matrices = memory_.take_any(S_ * D_ * L_);
    to_samples(evidence, matrices);
    for (std::size_t s = 0; s < S_; ++s) {
      round.exchanges[s].evidence = matrices + s * D_ * L_;
      exchange(round, s, prior, last ? nullptr : statistics + s * D_ * L_);
    }
    if (last) break;
    from_samples(statistics, round.statistics);
    const auto next = memory_.unwritten(kWidth, R_), everywhere = memory_.unwritten(kWidth, S_);
    linear(next, place.statistics, round.statistics, R_);
    linear(everywhere, place.occupancy, round.occupancy, S_);
    add(next, tokens, kWidth, R_);
    add_to_every_biomarker(next, everywhere, 1);
    tokens = encoder(round.layer, place.layer, next);
  }
}

/// Of the scores after a round; notes its gradient.
template <class Real>
double RoundsPass<Real>::score_loss(Round& round) {
  const auto sharpness = std::exp(static_cast<double>(w_[shape_.sharpness]));
  const auto per_score = NetworkShape::kScoreLoss / static_cast<double>(S_ * B_);
  const auto per_pair = 2.0 / static_cast<double>(S_ * B_ * B_);  // (a, b) and (b, a)
  double loss = std::log(2.0) / static_cast<double>(B_);          // of each with itself
  double dsharpness = 0.0;
  std::vector<double> score(B_), variance(B_), dscore(B_), dlog_variance(B_);
  round.dscores.resize(2 * R_);
  for (std::size_t s = 0; s < S_; ++s) {
    const float* target = samples_[s].target;
    const float* time = samples_[s].time;
    for (std::size_t b = 0; b < B_; ++b) {
      score[b] = 0.5 + static_cast<double>(round.scores.row(0)[b * S_ + s]);
      variance[b] = std::exp(static_cast<double>(round.scores.row(1)[b * S_ + s]));
      const double off = score[b] - static_cast<double>(target[b]);
      loss += per_score * off * off;
      dscore[b] = 2.0 * per_score * off;
      dlog_variance[b] = 0.0;
    }
    for (std::size_t a = 0; a < B_; ++a)
      for (std::size_t b = a + 1; b < B_; ++b) {
        const double later = time[b] > time[a] ? 1.0 : time[b] < time[a] ? -1.0 : 0.0;
        const double both = variance[a] + variance[b];
        const double slope = later * sharpness / std::sqrt(0.5 * both);
        const double gap = slope * (score[b] - score[a]);
        const double odds = std::exp(-std::abs(gap));
        loss += per_pair * (std::max(-gap, 0.0) + std::log1p(odds));
        const double dgap = -per_pair * (gap > 0.0 ? odds : 1.0) / (1.0 + odds);
        dscore[b] += dgap * slope;
        dscore[a] -= dgap * slope;
        dlog_variance[a] -= 0.5 * dgap * gap * variance[a] / both;
        dlog_variance[b] -= 0.5 * dgap * gap * variance[b] / both;
        dsharpness += dgap * gap;
      }
    for (std::size_t b = 0; b < B_; ++b) {
      round.dscores[b * S_ + s] = static_cast<Real>(dscore[b]);
      round.dscores[R_ + b * S_ + s] = static_cast<Real>(dlog_variance[b]);
    }
  }
  dsharpness_ += share_of(round) * dsharpness;
  return loss;
}

template <class Real>
double RoundsPass<Real>::loss() {
  dsharpness_ = 0.0;
  double total = 0.0;
  for (auto& round : rounds_) {
    double stages = 0.0;
    for (std::size_t s = 0; s < S_; ++s)
      stages += samples_[s].weight * round.exchanges[s].stage_loss;
    total += share_of(round) *
             (score_loss(round) + NetworkShape::kStageLoss * stages / std::max(total_asked_, 1.0));
  }
  return total;
}

/// @param of_stage what a participant's stage weighs in the loss
template <class Real>
void RoundsPass<Real>::exchange_backward(Round& round, std::size_t s, double of_stage,
                                         Real* dstatistics, View<Real> doccupancy, Real* devidence,
                                         View<Real> dprior) {
  const auto before = memory_.mark();
  auto& sample = samples_[s];
  const auto asked = sample.asked;
  const auto& here = round.exchanges[s];
  const auto weight = static_cast<Real>(of_stage);
  const auto share = Real{1} / sample.count;
  View<Real> d;  // of the odds of stages
  if (dstatistics) {
    std::vector<Real> first(L_);
    for (std::size_t i = 0; i < D_ * L_; ++i)
      dstatistics[i] *= Real{1} / sample.present[i / (C_ * L_)];
    for_slots([&](std::size_t l, std::size_t slot, Real part) {
      first[l] += part * (doccupancy.row(slot)[s] * share);
    });
    const auto dshares = memory_.unwritten(L_, asked);
    product(dshares, L_, {dstatistics, 1, L_}, sample.cells, D_, asked, false);
    add_to_rows(dshares, first.data(), L_, asked, false);
    d = to_stages(dshares, asked);
    softmax_backward(d, here.where, K_, asked);
    product(sample.dcells, D_, {dstatistics, L_, 1}, here.shares, L_, asked, true);
  } else {
    d = memory_.matrix(K_, asked);
  }
  for (std::size_t k = 0; k < K_; ++k) {
    Real* to = d.row(k);
    const Real* p = here.where.row(k);
    for (std::size_t j = 0; j < asked; ++j) to[j] += weight * p[j];
  }
  for (std::size_t j = 0; j < asked; ++j) d.row(sample.stages[j])[j] -= weight;
  const auto dodds = to_places(d, asked);
  product(sample.dcells, D_, {here.evidence, L_, 1}, dodds, L_, asked, true);
  std::vector<Real> sums(L_);
  inner_products(devidence, L_, sample.cells, D_, dodds, L_, asked, false);
  add_sums_of_rows(sums.data(), dodds, L_, asked);
  for_slots(
      [&](std::size_t l, std::size_t slot, Real part) { dprior.row(slot)[s] += part * sums[l]; });
  memory_.release(before);
}

/// dtokens: the gradient of the tokens after the round, then of those before.
template <class Real>
void RoundsPass<Real>::round_backward(std::size_t r, double scale, View<Real> dtokens) {
  const auto before = memory_.mark();
  const auto& place = shape_.rounds[r];
  auto& round = rounds_[r];
  const bool last = r + 1 == rounds_.size();
  const double share = scale * share_of(round);
  View<Real> dstatistics, doccupancy;
  if (!last) {
    encoder_backward(round.layer, place.layer, dtokens);
    dstatistics = memory_.unwritten(C_ * shape_.slots, R_);
    doccupancy = memory_.unwritten(shape_.slots + 1, S_);
    linear_backward(place.statistics, dtokens, round.statistics, R_, dstatistics, false);
    const auto deverywhere = memory_.matrix(kWidth, S_);
    add_sums_over_biomarkers(deverywhere, dtokens, 1);
    linear_backward(place.occupancy, deverywhere, round.occupancy, S_, doccupancy, false);
  }
  const auto dscores = memory_.matrix(2, R_), dstate = memory_.unwritten(kWidth, R_);
  for (std::size_t f = 0; f < 2; ++f)
    for (std::size_t i = 0; i < R_; ++i)
      dscores.row(f)[i] = static_cast<Real>(share) * round.dscores[f * R_ + i];
  linear_backward(place.score, dscores, round.state, R_, dstate, false);
  const auto devidence = memory_.matrix(C_ * shape_.slots, R_),
             dprior = memory_.matrix(shape_.slots, S_);
  const double of_stage = share * NetworkShape::kStageLoss / std::max(total_asked_, 1.0);
  Real* const devidences = memory_.take_any(S_ * D_ * L_);
  Real* const dstatistic = last ? nullptr : memory_.take_any(S_ * D_ * L_);
  if (!last) to_samples(dstatistics, dstatistic);
  for (std::size_t s = 0; s < S_; ++s)
    exchange_backward(round, s, of_stage * samples_[s].weight,
                      last ? nullptr : dstatistic + s * D_ * L_, doccupancy,
                      devidences + s * D_ * L_, dprior);
  from_samples(devidences, devidence);
  linear_backward(place.evidence, devidence, round.state, R_, dstate, true);
  const auto dmean = memory_.unwritten(kWidth, S_);
  linear_backward(place.prior, dprior, round.mean_state, S_, dmean, false);
  add_to_every_biomarker(dstate, dmean, Real{1} / static_cast<Real>(B_));
  layer_norm_backward(dstate, round.normal, round.inverse, kWidth, R_, w_ + place.norm.weight,
                      dtokens, g_ + place.norm.weight, g_ + place.norm.bias);
  memory_.release(before);
}

template <class Real>
void RoundsPass<Real>::backward_rounds(double scale, View<Real> dtokens) {
  for (auto& sample : samples_) sample.dcells = memory_.matrix(D_, sample.asked);
  for (std::size_t r = rounds_.size(); r-- > 0;) round_backward(r, scale, dtokens);
  g_[shape_.sharpness] += static_cast<Real>(scale * dsharpness_);
}

}  // namespace tempo::amortised
