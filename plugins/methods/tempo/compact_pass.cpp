#include "compact_pass.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "rounds_pass.hpp"

namespace tempo::amortised {
namespace {

template <class Real>
class Pass final : public RoundsPass<Real> {
 public:
  using Shape = CompactShape;
  using Base = RoundsPass<Real>;

  Pass(const Shape& shape, const Real* weights, const Samples& samples)
      : Base(shape, weights, samples.S, shape.B), shape_(shape), in_(samples) {}

  void forward();
  /// After forward and loss: adds the gradient of `scale` times the loss.
  void backward(double scale, Real* gradient);
  CompactFound answers() const;

 private:
  using Base::kWidth, Base::w_, Base::g_, Base::memory_, Base::S_, Base::B_, Base::C_, Base::K_,
      Base::D_, Base::R_, Base::samples_, Base::rounds_, Base::total_asked_, Base::linear,
      Base::linear_backward;
  using Sample = typename Base::Sample;
  static constexpr std::size_t kEntries = Shape::kEntries, kBasis = Shape::kBasis;

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
  /// How much of a form a biomarker's table has in a sample.
  Real* share_of_form(View<Real> change, std::size_t f, std::size_t b, std::size_t s) const {
    return &change.row(kBasis * C_ + f)[b * S_ + s];
  }
  const Real* form(std::size_t b, std::size_t f) const {
    return w_ + shape_.forms + (b * shape_.F + f) * kEntries * C_;
  }
  template <std::size_t C>
  void look_up(Sample& sample, std::size_t s);
  template <std::size_t C>
  void look_up_backward(const Sample& sample, std::size_t s, View<Real> dchange);

  const Shape& shape_;
  const Samples& in_;
  std::vector<std::vector<CellPlace>> places_;  // [S], of each [B, ill]
  std::vector<std::vector<std::size_t>> ill_;   // [S] rows of the diseased, whose stages are asked
  View<Real> pooled_, first_tokens_, change_input_;
  typename Base::Encoder first_;
  std::vector<Real> fixed_, dfixed_;  // [B, entries, C]
};

/// Where every value stands; how many do so, of the diseased and of the healthy.
template <class Real>
void Pass<Real>::read_samples() {
  pooled_ = memory_.matrix(2 * (C_ + kEntries), R_);
  ill_.resize(S_);
  places_.resize(S_);
  for (std::size_t s = 0; s < S_; ++s) {
    auto& sample = samples_[s];
    const float* diseased = in_.diseased.data() + s * in_.J;
    std::size_t well = 0;
    for (std::size_t j = 0; j < in_.J; ++j)
      if (diseased[j] > 0.5F)
        ill_[s].push_back(j);
      else
        ++well;
    const auto ill = ill_[s].size();
    total_asked_ += static_cast<double>(ill);
    sample.asked = ill;
    sample.count = static_cast<Real>(std::max<std::size_t>(ill, 1));
    sample.present.assign(B_,
                          sample.count);  // what is missing has the mean of the training cohorts
    if (!in_.stages.empty()) {
      sample.target = in_.target.data() + s * B_;
      sample.time = in_.xi.data() + s * B_;
      for (const auto j : ill_[s])
        sample.stages.push_back(static_cast<std::uint32_t>(in_.stages[s * in_.J + j]));
    }
    places_[s].resize(B_ * ill);
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
        if (is_ill) places_[s][b * ill + next++] = place;
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
  const auto ill = sample.asked;
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
    for (std::size_t f = 0; f < shape_.F; ++f) {
      const Real share = static_cast<Real>(Shape::kChange) * *share_of_form(change_input_, f, b, s);
      const Real* here = form(b, f);
      for (std::size_t i = 0; i < kEntries * C; ++i) entries[i] += share * here[i];
    }
    for (std::size_t j = 0; j < ill; ++j) {
      const auto [entry, beyond] = places_[s][b * ill + j];
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
  const auto ill = sample.asked;
  std::array<Real, (kEntries + 1) * C> d;
  for (std::size_t b = 0; b < B_; ++b) {
    d.fill(0);
    for (std::size_t j = 0; j < ill; ++j) {
      const auto [entry, beyond] = places_[s][b * ill + j];
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
    for (std::size_t f = 0; f < shape_.F; ++f) {
      const Real share = static_cast<Real>(Shape::kChange) * *share_of_form(change_input_, f, b, s);
      const Real* here = form(b, f);
      Real* to = g_ + (here - w_);
      Real sum = 0;
      for (std::size_t i = 0; i < kEntries * C; ++i) {
        sum += here[i] * d[i];
        to[i] += share * d[i];
      }
      *share_of_form(dchange, f, b, s) = static_cast<Real>(Shape::kChange) * sum;
    }
  }
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
  first_tokens_ = Base::encoder(first_, shape_.first_layer, start);
  change_input_ = memory_.unwritten(kBasis * C_ + shape_.F, R_);
  linear(change_input_, shape_.adapted, first_tokens_, R_);
  for (std::size_t s = 0; s < S_; ++s) {
    auto& sample = samples_[s];
    sample.cells = memory_.matrix(D_, sample.asked);
    with_channels([&](auto channels) { look_up<channels>(sample, s); });
  }
  Base::forward_rounds(first_tokens_);
}

template <class Real>
void Pass<Real>::backward(double scale, Real* gradient) {
  g_ = gradient;
  const auto dtokens = memory_.matrix(kWidth, R_);
  Base::backward_rounds(scale, dtokens);

  dfixed_.assign(B_ * kEntries * C_, 0);
  const auto dchange = memory_.matrix(kBasis * C_ + shape_.F, R_);
  for (std::size_t s = 0; s < S_; ++s)
    with_channels([&](auto channels) { look_up_backward<channels>(samples_[s], s, dchange); });
  linear_backward(shape_.adapted, dchange, first_tokens_, R_, dtokens, true);
  Base::encoder_backward(first_, shape_.first_layer, dtokens);
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
    Base::append_scores(s, out.scores, out.score_sds);
    double* posterior = &out.stage_posterior[s * in_.J * stages];
    for (std::size_t j = 0; j < in_.J; ++j)
      if (!(in_.diseased[s * in_.J + j] > 0.5F)) posterior[j * stages] = 1.0;
    const auto& ill = ill_[s];
    for (std::size_t j = 0; j < ill.size(); ++j)
      for (std::size_t k = 0; k < K_; ++k)
        posterior[ill[j] * stages + k] = static_cast<double>(round.exchanges[s].where.row(k)[j]);
  }
  return out;
}

}  // namespace

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
