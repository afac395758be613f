#include "generalist_pass.hpp"

#include <array>
#include <stdexcept>

#include "rounds_pass.hpp"

namespace tempo::amortised {
namespace {

template <class Real>
class Pass final : public RoundsPass<Real> {
 public:
  using Base = RoundsPass<Real>;
  static constexpr std::size_t kEntries = Grid::kEntries, kBasis = Grid::kBasis,
                               C = GeneralistShape::kChannels;

  Pass(const GeneralistShape& shape, const Real* weights, std::span<const PreparedCohort> cohorts)
      : Base(shape, weights, cohorts.size(), cohorts[0].B), shape_(shape), cohorts_(cohorts) {}

  void forward();
  void backward(double scale, Real* gradient);
  std::vector<GeneralistFound> answers() const;

 private:
  using Base::kWidth, Base::w_, Base::g_, Base::memory_, Base::S_, Base::B_, Base::K_, Base::D_,
      Base::R_, Base::samples_, Base::rounds_, Base::total_asked_, Base::linear,
      Base::linear_backward;
  using Table = std::array<Real, (kEntries + 1) * C>;

  void read_samples();
  void look_up(std::size_t s);
  void look_up_backward(std::size_t s, View<Real> dchange);
  const float* basis_of(std::size_t s, std::size_t b) const {
    return &cohorts_[s].basis[b * kEntries * kBasis];
  }

  const GeneralistShape& shape_;
  std::span<const PreparedCohort> cohorts_;
  View<Real> described_, tokens_, change_;
  std::vector<typename Base::Encoder> first_;
};

template <class Real>
void Pass<Real>::read_samples() {
  described_ = memory_.matrix(Grid::kFeatures, R_);
  for (const auto& cohort : cohorts_) total_asked_ += static_cast<double>(cohort.asked.size());
  for (std::size_t s = 0; s < S_; ++s) {
    const auto& cohort = cohorts_[s];
    auto& sample = samples_[s];
    sample.asked = cohort.asked.size();
    const auto count = std::max<std::size_t>(sample.asked, 1);
    sample.count = static_cast<Real>(count);
    sample.present.assign(cohort.present.begin(), cohort.present.end());
    sample.stages = cohort.stages;
    if (!cohort.target.empty()) {
      sample.target = cohort.target.data();
      sample.time = cohort.time.data();
    }
    // Every cohort counts as much, however large it is.
    sample.weight = total_asked_ / (static_cast<double>(S_) * static_cast<double>(count));
    for (std::size_t b = 0; b < B_; ++b)
      for (std::size_t f = 0; f < Grid::kFeatures; ++f)
        described_.row(f)[b * S_ + s] = static_cast<Real>(cohort.features[b * Grid::kFeatures + f]);
  }
}

/// The cells of a sample: tables, made of the functions that are the same for all and of those that
/// follow from a biomarker's token, are read where each value stands. A missing cell is 0.
template <class Real>
void Pass<Real>::look_up(std::size_t s) {
  auto& sample = samples_[s];
  const auto& cohort = cohorts_[s];
  sample.cells = memory_.matrix(D_, sample.asked);
  std::array<Real, kBasis * C> by;
  for (std::size_t b = 0; b < B_; ++b) {
    for (std::size_t i = 0; i < kBasis * C; ++i)
      by[i] = w_[shape_.smooth + i] +
              static_cast<Real>(GeneralistShape::kChange) * change_.row(i)[b * S_ + s];
    Table table{};
    const float* basis = basis_of(s, b);
    for (std::size_t e = 0; e < kEntries; ++e)
      for (std::size_t i = 0; i < kBasis; ++i)
        for (std::size_t c = 0; c < C; ++c)
          table[e * C + c] += static_cast<Real>(basis[e * kBasis + i]) * by[i * C + c];
    for (std::size_t j = 0; j < sample.asked; ++j) {
      const auto [entry, beyond] = cohort.places[b * sample.asked + j];
      if (entry == CellPlace::kMissing) continue;
      const Real* low = &table[entry * C];
      const auto share = static_cast<Real>(beyond);
      for (std::size_t c = 0; c < C; ++c)
        sample.cells.row(b * C + c)[j] =
            share > 0 ? low[c] + share * (low[C + c] - low[c]) : low[c];
    }
  }
}

template <class Real>
void Pass<Real>::look_up_backward(std::size_t s, View<Real> dchange) {
  const auto& sample = samples_[s];
  const auto& cohort = cohorts_[s];
  for (std::size_t b = 0; b < B_; ++b) {
    Table d{};
    for (std::size_t j = 0; j < sample.asked; ++j) {
      const auto [entry, beyond] = cohort.places[b * sample.asked + j];
      if (entry == CellPlace::kMissing) continue;
      const auto share = static_cast<Real>(beyond);
      for (std::size_t c = 0; c < C; ++c) {
        const Real here = sample.dcells.row(b * C + c)[j];
        d[entry * C + c] += (1 - share) * here;
        d[(entry + 1) * C + c] += share * here;
      }
    }
    std::array<Real, kBasis * C> by{};
    const float* basis = basis_of(s, b);
    for (std::size_t e = 0; e < kEntries; ++e)
      for (std::size_t i = 0; i < kBasis; ++i)
        for (std::size_t c = 0; c < C; ++c)
          by[i * C + c] += static_cast<Real>(basis[e * kBasis + i]) * d[e * C + c];
    for (std::size_t i = 0; i < kBasis * C; ++i) {
      g_[shape_.smooth + i] += by[i];
      dchange.row(i)[b * S_ + s] = static_cast<Real>(GeneralistShape::kChange) * by[i];
    }
  }
}

template <class Real>
void Pass<Real>::forward() {
  read_samples();
  tokens_ = memory_.unwritten(kWidth, R_);
  linear(tokens_, shape_.described, described_, R_);
  first_.resize(shape_.first_layers.size());
  for (std::size_t i = 0; i < first_.size(); ++i)
    tokens_ = Base::encoder(first_[i], shape_.first_layers[i], tokens_);
  change_ = memory_.unwritten(kBasis * C, R_);
  linear(change_, shape_.adapted, tokens_, R_);
  for (std::size_t s = 0; s < S_; ++s) look_up(s);
  Base::forward_rounds(tokens_);
}

template <class Real>
void Pass<Real>::backward(double scale, Real* gradient) {
  g_ = gradient;
  const auto dtokens = memory_.matrix(kWidth, R_);
  Base::backward_rounds(scale, dtokens);
  const auto dchange = memory_.matrix(kBasis * C, R_);
  for (std::size_t s = 0; s < S_; ++s) look_up_backward(s, dchange);
  linear_backward(shape_.adapted, dchange, tokens_, R_, dtokens, true);
  for (std::size_t i = first_.size(); i-- > 0;)
    Base::encoder_backward(first_[i], shape_.first_layers[i], dtokens);
  const auto unused = memory_.unwritten(Grid::kFeatures, R_);
  linear_backward(shape_.described, dtokens, described_, R_, unused, false);
}

template <class Real>
std::vector<GeneralistFound> Pass<Real>::answers() const {
  std::vector<GeneralistFound> out(S_);
  const auto& round = rounds_.back();
  for (std::size_t s = 0; s < S_; ++s) {
    Base::append_scores(s, out[s].scores, out[s].score_sds);
    for (std::size_t j = 0; j < samples_[s].asked; ++j)
      for (std::size_t k = 0; k < K_; ++k)
        out[s].stage_posterior.push_back(static_cast<double>(round.exchanges[s].where.row(k)[j]));
  }
  return out;
}

void expect_alike(std::span<const PreparedCohort> cohorts) {
  if (cohorts.empty()) throw std::logic_error("no cohort");
  for (const auto& cohort : cohorts)
    if (cohort.B != cohorts[0].B) throw std::logic_error("unequal numbers of biomarkers");
}

}  // namespace

template <class Real>
std::vector<GeneralistFound> generalist_answers(const GeneralistShape& shape, const Real* weights,
                                                std::span<const PreparedCohort> cohorts) {
  expect_alike(cohorts);
  Pass<Real> pass(shape, weights, cohorts);
  pass.forward();
  return pass.answers();
}

template <class Real>
double generalist_loss(const GeneralistShape& shape, const Real* weights,
                       std::span<const PreparedCohort> cohorts, double scale, Real* gradient) {
  expect_alike(cohorts);
  for (const auto& cohort : cohorts)
    if (cohort.target.empty()) throw std::logic_error("a loss needs the truth");
  Pass<Real> pass(shape, weights, cohorts);
  pass.forward();
  const double loss = pass.loss();
  if (gradient) pass.backward(scale, gradient);
  return scale * loss;
}

template std::vector<GeneralistFound> generalist_answers(const GeneralistShape&, const float*,
                                                         std::span<const PreparedCohort>);
template std::vector<GeneralistFound> generalist_answers(const GeneralistShape&, const double*,
                                                         std::span<const PreparedCohort>);
template double generalist_loss(const GeneralistShape&, const float*,
                                std::span<const PreparedCohort>, double, float*);
template double generalist_loss(const GeneralistShape&, const double*,
                                std::span<const PreparedCohort>, double, double*);

}  // namespace tempo::amortised
