#include "compact_pass.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "arena.hpp"
#include "kernels.hpp"

namespace tempo::amortised {
namespace {

template <class Real>
View<Real> rows_from(View<Real> view, std::size_t first) {
  return {view.row(first), view.stride};
}

template <class Real>
class Pass {
 public:
  using Shape = CompactShape;

  Pass(const Shape& shape, const Real* weights, const Samples& samples);

  void forward();
  double loss();
  /// After both: adds the gradient of `scale` times the loss.
  void backward(double scale, Real* gradient);
  CompactFound answers() const;

 private:
  static constexpr std::size_t kWidth = Shape::kWidth, kEntries = Shape::kEntries,
                               kBasis = Shape::kBasis;

  /// What backward needs of an encoder layer.
  struct Encoder {
    View<Real> normal1, y1, projections, mixed, normal2, y2, hidden;
    Real *inverse1 = nullptr, *inverse2 = nullptr, *attention = nullptr;
  };
  /// A sample's part in a round.
  struct Exchange {
    Real* evidence = nullptr;   // [D, K]
    View<Real> where;           // [K, ill] the posterior of the stages
    Real* log_total = nullptr;  // [ill] of all stages' odds
    double stage_loss = 0.0;    // sum over the diseased
  };
  struct Round {
    View<Real> normal, state;  // [W, R]
    Real* inverse = nullptr;
    View<Real> mean_state;             // [W, S]
    View<Real> scores;                 // [2, R] less 1/2; and the logarithm of their variance
    View<Real> statistics, occupancy;  // [C K, R], [K + 1, S]
    Encoder layer;
    std::vector<Exchange> exchanges;  // [S]
    std::vector<Real> dscores;        // [2, R] of the loss
  };
  struct Sample {
    std::vector<std::size_t> ill;      // rows
    std::vector<Shape::Place> places;  // [B, ill]
    View<Real> cells, dcells;          // [D, ill]
    Real count = 1;                    // of the diseased, at least 1
  };

  /// Of the j-th diseased.
  std::size_t stage_of(const Sample& sample, std::size_t s, std::size_t j) const {
    return static_cast<std::size_t>(in_.stages[s * in_.J + sample.ill[j]]);
  }
  void read_samples();
  void make_tables();
  /// Calls `work` with the number of channels as a constant, over which loops are unrolled.
  template <class Work>
  void with_channels(const Work& work) const {
    if (C_ == 8)
      work(std::integral_constant<std::size_t, 8>());
    else if (C_ == 4)
      work(std::integral_constant<std::size_t, 4>());
    else
      throw std::logic_error("a number of channels that the pass does not know");
  }
  template <std::size_t C>
  void look_up(Sample& sample, std::size_t s);
  template <std::size_t C>
  void look_up_backward(const Sample& sample, std::size_t s, View<Real> dchange);
  void exchange(Round& round, std::size_t s, View<Real> prior, Real* statistics);
  void exchange_backward(Round& round, std::size_t s, double of_stage, Real* dstatistics,
                         View<Real> doccupancy, Real* devidence, View<Real> dprior);
  double score_loss(Round& round);
  double share_of(const Round& round) const {
    return &round == &rounds_.back() ? 1.0 : Shape::kLossOfRound;
  }
  void round_backward(std::size_t r, double scale, View<Real> dtokens);

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

  const Shape& shape_;
  const Real* w_;
  const Samples& in_;
  Real* g_ = nullptr;
  Arena<Real>& memory_;
  std::size_t S_, B_, C_, K_, D_, R_;
  std::vector<Sample> samples_;
  View<Real> pooled_, first_tokens_, change_input_;
  Encoder first_;
  std::vector<Real> fixed_, dfixed_;  // [B, entries, C]
  std::vector<Round> rounds_;
  double total_ill_ = 0.0, dsharpness_ = 0.0;
};

template <class Real>
Arena<Real>& memory_of_thread() {
  thread_local Arena<Real> memory;
  memory.begin();
  return memory;
}

template <class Real>
Pass<Real>::Pass(const Shape& shape, const Real* weights, const Samples& samples)
    : shape_(shape),
      w_(weights),
      in_(samples),
      memory_(memory_of_thread<Real>()),
      S_(samples.S),
      B_(shape.B),
      C_(shape.C),
      K_(shape.K),
      D_(shape.B * shape.C),
      R_(shape.B * samples.S),
      samples_(samples.S),
      rounds_(shape.rounds.size()) {}

/// Where every value stands; how many do so, of the diseased and of the healthy.
template <class Real>
void Pass<Real>::read_samples() {
  pooled_ = memory_.matrix(2 * (C_ + kEntries), R_);
  for (std::size_t s = 0; s < S_; ++s) {
    auto& sample = samples_[s];
    const float* diseased = in_.diseased.data() + s * in_.J;
    std::size_t well = 0;
    for (std::size_t j = 0; j < in_.J; ++j)
      if (diseased[j] > 0.5F)
        sample.ill.push_back(j);
      else
        ++well;
    const auto ill = sample.ill.size();
    total_ill_ += static_cast<double>(ill);
    sample.count = static_cast<Real>(std::max<std::size_t>(ill, 1));
    sample.places.resize(B_ * ill);
    const auto share_ill = Real{1} / sample.count;
    const auto share_well = Real{1} / static_cast<Real>(std::max<std::size_t>(well, 1));
    for (std::size_t b = 0; b < B_; ++b) {
      const auto column = b * S_ + s;
      std::size_t next = 0;
      for (std::size_t j = 0; j < in_.J; ++j) {
        const auto place = shape_.place_of(b, in_.x[(s * in_.J + j) * B_ + b]);
        const bool is_ill = diseased[j] > 0.5F;
        const auto first = 2 * C_ + (is_ill ? 0 : kEntries) + place.entry;
        const auto share = is_ill ? share_ill : share_well;
        const auto beyond = static_cast<Real>(place.beyond);
        pooled_.row(first)[column] += share * (1 - beyond);
        if (place.beyond > 0.0F) pooled_.row(first + 1)[column] += share * beyond;
        if (is_ill) sample.places[b * ill + next++] = place;
      }
    }
  }
}

template <class Real>
void Pass<Real>::make_tables() {
  fixed_.assign(B_ * kEntries * C_, 0);
  for (std::size_t b = 0; b < B_; ++b)
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
      const float* basis = shape_.basis_at(b, entry);
      Real* to = &fixed_[(b * kEntries + entry) * C_];
      for (std::size_t c = 0; c < C_; ++c)
        to[c] = w_[shape_.table + (b * kEntries + entry) * C_ + c];
      for (std::size_t i = 0; i < kBasis; ++i)
        for (std::size_t c = 0; c < C_; ++c)
          to[c] += static_cast<Real>(basis[i]) * w_[shape_.smooth + (b * kBasis + i) * C_ + c];
    }
  for (std::size_t group = 0; group < 2; ++group)
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
      const Real* shares = pooled_.row(2 * C_ + group * kEntries + entry);
      for (std::size_t c = 0; c < C_; ++c)
        for (std::size_t b = 0; b < B_; ++b)
          for (std::size_t s = 0; s < S_; ++s)
            pooled_.row(group * C_ + c)[b * S_ + s] +=
                shares[b * S_ + s] * fixed_[(b * kEntries + entry) * C_ + c];
    }
}

template <class Real>
template <std::size_t C>
void Pass<Real>::look_up(Sample& sample, std::size_t s) {
  const auto ill = sample.ill.size();
  std::array<Real, kBasis * C> change;
  std::array<Real, kEntries * C> entries;
  for (std::size_t b = 0; b < B_; ++b) {
    for (std::size_t i = 0; i < kBasis * C; ++i)
      change[i] = static_cast<Real>(Shape::kChange) * change_input_.row(i)[b * S_ + s];
    std::copy_n(&fixed_[b * kEntries * C], kEntries * C, entries.begin());
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
      const float* basis = shape_.basis_at(b, entry);
      for (std::size_t i = 0; i < kBasis; ++i)
        for (std::size_t c = 0; c < C; ++c)
          entries[entry * C + c] += static_cast<Real>(basis[i]) * change[i * C + c];
    }
    for (std::size_t j = 0; j < ill; ++j) {
      const auto [entry, beyond] = sample.places[b * ill + j];
      const Real* low = &entries[entry * C];
      const Real* high = entry + 1 < kEntries ? low + C : low;
      const auto share = static_cast<Real>(beyond);
      for (std::size_t c = 0; c < C; ++c)
        sample.cells.row(b * C + c)[j] = low[c] + share * (high[c] - low[c]);
    }
  }
}

template <class Real>
template <std::size_t C>
void Pass<Real>::look_up_backward(const Sample& sample, std::size_t s, View<Real> dchange) {
  const auto ill = sample.ill.size();
  std::array<Real, (kEntries + 1) * C> d;
  for (std::size_t b = 0; b < B_; ++b) {
    d.fill(0);
    for (std::size_t j = 0; j < ill; ++j) {
      const auto [entry, beyond] = sample.places[b * ill + j];
      const auto share = static_cast<Real>(beyond);
      for (std::size_t c = 0; c < C; ++c) {
        const Real here = sample.dcells.row(b * C + c)[j];
        d[entry * C + c] += (1 - share) * here;
        d[(entry + 1) * C + c] += share * here;
      }
    }
    for (std::size_t i = 0; i < kEntries * C; ++i) dfixed_[b * kEntries * C + i] += d[i];
    std::array<Real, kBasis * C> of_change{};
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
      const float* basis = shape_.basis_at(b, entry);
      for (std::size_t i = 0; i < kBasis; ++i)
        for (std::size_t c = 0; c < C; ++c)
          of_change[i * C + c] += static_cast<Real>(basis[i]) * d[entry * C + c];
    }
    for (std::size_t i = 0; i < kBasis * C; ++i)
      dchange.row(i)[b * S_ + s] = static_cast<Real>(Shape::kChange) * of_change[i];
  }
}

template <class Real>
View<Real> Pass<Real>::encoder(Encoder& state, const EncoderPlace& place, View<Real> x) {
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
  constexpr auto kEach = kWidth / Shape::kHeads;
  state.attention = memory_.take_any(Shape::kHeads * B_ * B_ * S_);
  for (std::size_t head = 0; head < Shape::kHeads; ++head)
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
  state.hidden = matrix(Shape::kHidden);
  linear(state.hidden, place.linear1, state.y2, R_, /*rectified=*/true);
  const auto out = matrix(kWidth);
  linear(out, place.linear2, state.hidden, R_);
  add(out, middle, kWidth, R_);
  return out;
}

template <class Real>
void Pass<Real>::encoder_backward(const Encoder& state, const EncoderPlace& place, View<Real> d) {
  const auto before = memory_.mark();
  const auto matrix = [this](std::size_t features) { return memory_.unwritten(features, R_); };
  const auto dhidden = matrix(Shape::kHidden), dnormal = matrix(kWidth);
  linear_backward(place.linear2, d, state.hidden, R_, dhidden, false);
  rectifier_backward(dhidden, state.hidden, Shape::kHidden, R_);
  linear_backward(place.linear1, dhidden, state.y2, R_, dnormal, false);
  layer_norm_backward(dnormal, state.normal2, state.inverse2, kWidth, R_, w_ + place.norm2.weight,
                      d, g_ + place.norm2.weight, g_ + place.norm2.bias);
  const auto dmixed = matrix(kWidth), dprojections = memory_.matrix(3 * kWidth, R_);
  linear_backward(place.out, d, state.mixed, R_, dmixed, false);
  constexpr auto kEach = kWidth / Shape::kHeads;
  Real* const scratch = memory_.take_any(B_ * B_ * S_);
  for (std::size_t head = 0; head < Shape::kHeads; ++head) {
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

/// From features [C K, R]: a matrix [D, K] of each sample, one after the other.
template <class Real>
void Pass<Real>::to_samples(View<Real> features, Real* matrices) const {
  // A row is read as it lies in memory; the places that the rows of a channel go to stay in the
  // cache.
  for (std::size_t c = 0; c < C_; ++c)
    for (std::size_t k = 0; k < K_; ++k) {
      const Real* row = features.row(c * K_ + k);
      for (std::size_t b = 0; b < B_; ++b)
        for (std::size_t s = 0; s < S_; ++s)
          matrices[(s * D_ + b * C_ + c) * K_ + k] = row[b * S_ + s];
    }
}

template <class Real>
void Pass<Real>::from_samples(const Real* matrices, View<Real> features) const {
  for (std::size_t c = 0; c < C_; ++c)
    for (std::size_t k = 0; k < K_; ++k) {
      Real* row = features.row(c * K_ + k);
      for (std::size_t b = 0; b < B_; ++b)
        for (std::size_t s = 0; s < S_; ++s)
          row[b * S_ + s] = matrices[(s * D_ + b * C_ + c) * K_ + k];
    }
}

/// Where the diseased of a sample are, given the evidence; and when events are, given that.
template <class Real>
void Pass<Real>::exchange(Round& round, std::size_t s, View<Real> prior, Real* statistics) {
  const auto& sample = samples_[s];
  const auto ill = sample.ill.size();
  auto& here = round.exchanges[s];
  here.where = memory_.unwritten(K_, ill);
  product(here.where, K_, {here.evidence, 1, K_}, sample.cells, D_, ill, false);
  std::vector<Real> first(K_);
  for (std::size_t k = 0; k < K_; ++k) first[k] = prior.row(k)[s];
  add_to_rows(here.where, first.data(), K_, ill, false);
  here.log_total = memory_.take_any(stride_for(ill));
  const auto judged = in_.stages.empty() ? 0 : ill;
  for (std::size_t j = 0; j < judged; ++j)
    here.stage_loss -= static_cast<double>(here.where.row(stage_of(sample, s, j))[j]);
  softmax_of_columns(here.where, K_, ill, here.log_total);
  for (std::size_t j = 0; j < judged; ++j)
    here.stage_loss += static_cast<double>(here.log_total[j]);
  for (std::size_t k = 0; k < K_; ++k)
    std::fill(here.where.row(k) + ill, here.where.row(k) + here.where.stride, Real{0});
  if (statistics == nullptr) return;
  std::vector<Real> sums(K_);
  inner_products(statistics, K_, sample.cells, D_, here.where, K_, ill, false);
  for (std::size_t i = 0; i < D_ * K_; ++i) statistics[i] /= sample.count;
  add_sums_of_rows(sums.data(), here.where, K_, ill);
  for (std::size_t k = 0; k < K_; ++k) round.occupancy.row(k)[s] = sums[k] / sample.count;
  round.occupancy.row(K_)[s] = static_cast<Real>(0.5) * std::log(sample.count / Real{256});
}

template <class Real>
void Pass<Real>::forward() {
  read_samples();
  make_tables();
  const auto start = memory_.unwritten(kWidth, R_);
  linear(start, shape_.pooled, pooled_, R_);
  for (std::size_t f = 0; f < kWidth; ++f)
    for (std::size_t b = 0; b < B_; ++b)
      for (std::size_t s = 0; s < S_; ++s)
        start.row(f)[b * S_ + s] += w_[shape_.biomarker + b * kWidth + f];
  first_tokens_ = encoder(first_, shape_.first_layer, start);
  change_input_ = memory_.unwritten(kBasis * C_, R_);
  linear(change_input_, shape_.adapted, first_tokens_, R_);
  for (std::size_t s = 0; s < S_; ++s) {
    auto& sample = samples_[s];
    sample.cells = memory_.matrix(D_, sample.ill.size());
    with_channels([&](auto channels) { look_up<channels>(sample, s); });
  }
  auto tokens = first_tokens_;
  const auto evidence = memory_.unwritten(C_ * K_, R_), prior = memory_.unwritten(K_, S_);
  Real* const statistics = memory_.take_any(S_ * D_ * K_);
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
      round.statistics = memory_.matrix(C_ * K_, R_);
      round.occupancy = memory_.matrix(K_ + 1, S_);
    }
    round.exchanges.resize(S_);
    Real* const matrices = memory_.take_any(S_ * D_ * K_);
    to_samples(evidence, matrices);
    for (std::size_t s = 0; s < S_; ++s) {
      round.exchanges[s].evidence = matrices + s * D_ * K_;
      exchange(round, s, prior, last ? nullptr : statistics + s * D_ * K_);
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
double Pass<Real>::score_loss(Round& round) {
  const auto sharpness = std::exp(static_cast<double>(w_[shape_.sharpness]));
  const auto per_score = Shape::kScoreLoss / static_cast<double>(S_ * B_);
  const auto per_pair = 2.0 / static_cast<double>(S_ * B_ * B_);  // (a, b) and (b, a)
  double loss = std::log(2.0) / static_cast<double>(B_);          // of each with itself
  double dsharpness = 0.0;
  std::vector<double> score(B_), variance(B_), dscore(B_), dlog_variance(B_);
  round.dscores.resize(2 * R_);
  for (std::size_t s = 0; s < S_; ++s) {
    const float* target = in_.target.data() + s * B_;
    const float* time = in_.xi.data() + s * B_;
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
double Pass<Real>::loss() {
  dsharpness_ = 0.0;
  double total = 0.0;
  for (auto& round : rounds_) {
    double stages = 0.0;
    for (const auto& exchange : round.exchanges) stages += exchange.stage_loss;
    total += share_of(round) *
             (score_loss(round) + Shape::kStageLoss * stages / std::max(total_ill_, 1.0));
  }
  return total;
}

/// @param of_stage what a participant's stage weighs in the loss
template <class Real>
void Pass<Real>::exchange_backward(Round& round, std::size_t s, double of_stage, Real* dstatistics,
                                   View<Real> doccupancy, Real* devidence, View<Real> dprior) {
  const auto before = memory_.mark();
  auto& sample = samples_[s];
  const auto ill = sample.ill.size();
  const auto& here = round.exchanges[s];
  const auto weight = static_cast<Real>(of_stage);
  const auto share = Real{1} / sample.count;
  const auto d = dstatistics ? memory_.unwritten(K_, ill) : memory_.matrix(K_, ill);
  if (dstatistics) {
    std::vector<Real> first(K_);
    for (std::size_t i = 0; i < D_ * K_; ++i) dstatistics[i] *= share;
    for (std::size_t k = 0; k < K_; ++k) first[k] = doccupancy.row(k)[s] * share;
    product(d, K_, {dstatistics, 1, K_}, sample.cells, D_, ill, false);
    add_to_rows(d, first.data(), K_, ill, false);
    softmax_backward(d, here.where, K_, ill);
    product(sample.dcells, D_, {dstatistics, K_, 1}, here.where, K_, ill, true);
  }
  for (std::size_t k = 0; k < K_; ++k) {
    Real* to = d.row(k);
    const Real* p = here.where.row(k);
    for (std::size_t j = 0; j < ill; ++j) to[j] += weight * p[j];
  }
  for (std::size_t j = 0; j < ill; ++j) d.row(stage_of(sample, s, j))[j] -= weight;
  product(sample.dcells, D_, {here.evidence, K_, 1}, d, K_, ill, true);
  std::vector<Real> sums(K_);
  inner_products(devidence, K_, sample.cells, D_, d, K_, ill, false);
  add_sums_of_rows(sums.data(), d, K_, ill);
  for (std::size_t k = 0; k < K_; ++k) dprior.row(k)[s] = sums[k];
  memory_.release(before);
}

/// dtokens: the gradient of the tokens after the round, then of those before.
template <class Real>
void Pass<Real>::round_backward(std::size_t r, double scale, View<Real> dtokens) {
  const auto before = memory_.mark();
  const auto& place = shape_.rounds[r];
  auto& round = rounds_[r];
  const bool last = r + 1 == rounds_.size();
  const double share = scale * share_of(round);
  View<Real> dstatistics, doccupancy;
  if (!last) {
    encoder_backward(round.layer, place.layer, dtokens);
    dstatistics = memory_.unwritten(C_ * K_, R_);
    doccupancy = memory_.unwritten(K_ + 1, S_);
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
  const auto devidence = memory_.matrix(C_ * K_, R_), dprior = memory_.matrix(K_, S_);
  const double of_stage = share * Shape::kStageLoss / std::max(total_ill_, 1.0);
  Real* const devidences = memory_.take_any(S_ * D_ * K_);
  Real* const dstatistic = last ? nullptr : memory_.take_any(S_ * D_ * K_);
  if (!last) to_samples(dstatistics, dstatistic);
  for (std::size_t s = 0; s < S_; ++s)
    exchange_backward(round, s, of_stage, last ? nullptr : dstatistic + s * D_ * K_, doccupancy,
                      devidences + s * D_ * K_, dprior);
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
void Pass<Real>::backward(double scale, Real* gradient) {
  g_ = gradient;
  for (auto& sample : samples_) sample.dcells = memory_.matrix(D_, sample.ill.size());
  const auto dtokens = memory_.matrix(kWidth, R_);
  for (std::size_t r = rounds_.size(); r-- > 0;) round_backward(r, scale, dtokens);
  g_[shape_.sharpness] += static_cast<Real>(scale * dsharpness_);

  dfixed_.assign(B_ * kEntries * C_, 0);
  const auto dchange = memory_.matrix(kBasis * C_, R_);
  for (std::size_t s = 0; s < S_; ++s)
    with_channels([&](auto channels) { look_up_backward<channels>(samples_[s], s, dchange); });
  linear_backward(shape_.adapted, dchange, first_tokens_, R_, dtokens, true);
  encoder_backward(first_, shape_.first_layer, dtokens);
  for (std::size_t f = 0; f < kWidth; ++f)
    for (std::size_t b = 0; b < B_; ++b)
      for (std::size_t s = 0; s < S_; ++s)
        g_[shape_.biomarker + b * kWidth + f] += dtokens.row(f)[b * S_ + s];
  const auto dpooled = memory_.matrix(2 * (C_ + kEntries), R_);
  linear_backward(shape_.pooled, dtokens, pooled_, R_, dpooled, false);
  for (std::size_t group = 0; group < 2; ++group)
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
      const Real* shares = pooled_.row(2 * C_ + group * kEntries + entry);
      for (std::size_t c = 0; c < C_; ++c)
        for (std::size_t b = 0; b < B_; ++b)
          for (std::size_t s = 0; s < S_; ++s)
            dfixed_[(b * kEntries + entry) * C_ + c] +=
                shares[b * S_ + s] * dpooled.row(group * C_ + c)[b * S_ + s];
    }
  for (std::size_t b = 0; b < B_; ++b)
    for (std::size_t entry = 0; entry < kEntries; ++entry) {
      const float* basis = shape_.basis_at(b, entry);
      const Real* d = &dfixed_[(b * kEntries + entry) * C_];
      for (std::size_t c = 0; c < C_; ++c)
        g_[shape_.table + (b * kEntries + entry) * C_ + c] += d[c];
      for (std::size_t i = 0; i < kBasis; ++i)
        for (std::size_t c = 0; c < C_; ++c)
          g_[shape_.smooth + (b * kBasis + i) * C_ + c] += static_cast<Real>(basis[i]) * d[c];
    }
}

template <class Real>
CompactFound Pass<Real>::answers() const {
  CompactFound out;
  const auto& round = rounds_.back();
  const auto stages = B_ + 1;
  out.stage_posterior.assign(S_ * in_.J * stages, 0.0);
  for (std::size_t s = 0; s < S_; ++s) {
    for (std::size_t b = 0; b < B_; ++b) {
      out.scores.push_back(0.5 + static_cast<double>(round.scores.row(0)[b * S_ + s]));
      out.score_sds.push_back(score_sd(static_cast<double>(round.scores.row(1)[b * S_ + s]),
                                       static_cast<double>(w_[shape_.sharpness])));
    }
    double* posterior = &out.stage_posterior[s * in_.J * stages];
    for (std::size_t j = 0; j < in_.J; ++j)
      if (!(in_.diseased[s * in_.J + j] > 0.5F)) posterior[j * stages] = 1.0;
    const auto& ill = samples_[s].ill;
    for (std::size_t j = 0; j < ill.size(); ++j)
      for (std::size_t k = 0; k < K_; ++k)
        posterior[ill[j] * stages + k] = static_cast<double>(round.exchanges[s].where.row(k)[j]);
  }
  return out;
}

}  // namespace

double score_sd(double log_variance, double log_sharpness) {
  // The logistic function of x is nearest to the normal distribution's of x / 1.702.
  return 1.702 * std::sqrt(0.5) * std::exp(0.5 * log_variance - log_sharpness);
}

std::vector<double> median_stages(const std::vector<double>& posterior, std::size_t stages) {
  std::vector<double> out;
  for (auto row = posterior.begin(); row != posterior.end();
       row += static_cast<std::ptrdiff_t>(stages)) {
    std::size_t stage = 0;
    double below = 0.0;
    for (; stage + 1 < stages; ++stage) {
      below += row[static_cast<std::ptrdiff_t>(stage)];
      if (below >= 0.5) break;
    }
    out.push_back(static_cast<double>(stage));
  }
  return out;
}

template <class Real>
CompactFound compact_answers(const CompactShape& shape, const Real* weights,
                             const Samples& samples) {
  Pass<Real> pass(shape, weights, samples);
  pass.forward();
  auto found = pass.answers();
  if (!samples.stages.empty()) found.loss = pass.loss();
  return found;
}

template <class Real>
double compact_loss(const CompactShape& shape, const Real* weights, const Samples& samples,
                    double scale, Real* gradient) {
  if (samples.stages.empty()) throw std::logic_error("a loss needs the truth");
  Pass<Real> pass(shape, weights, samples);
  pass.forward();
  const double loss = pass.loss();
  pass.backward(scale, gradient);
  return scale * loss;
}

template CompactFound compact_answers(const CompactShape&, const float*, const Samples&);
template CompactFound compact_answers(const CompactShape&, const double*, const Samples&);
template double compact_loss(const CompactShape&, const float*, const Samples&, double, float*);
template double compact_loss(const CompactShape&, const double*, const Samples&, double, double*);

}  // namespace tempo::amortised
