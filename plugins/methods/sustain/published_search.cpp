#include "published_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "maximisation.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::sustain {
namespace {

constexpr int kTuningChains = 3;
constexpr std::int64_t kTuningIterations = 10'000;
constexpr double kFirstSd = 1.0, kFirstShareSd = 0.01, kLeastSd = 0.01;
constexpr std::int64_t kUsedSamples = 1000;

/// How far steps of a chain go.
struct StepSizes {
  Matrix places;               // [K, B] sd of a step, in places
  std::vector<double> shares;  // [K]
};

/// Sums over samples, for the standard deviation of each of several numbers.
struct Spread {
  double n = 0.0, sum = 0.0, squares = 0.0;
  void add(double x) {
    n += 1.0;
    sum += x;
    squares += x * x;
  }
  double sd() const {
    return std::max(kLeastSd, std::sqrt(std::max(0.0, squares / n - (sum / n) * (sum / n))));
  }
};

/// A chain of exchanges in all subtypes at once, shares moved along.
class PublishedChain {
 public:
  PublishedChain(const DensityMixture& mixture, Solution start, const StepSizes& steps)
      : mixture_(mixture),
        now_(std::move(start)),
        shares_sd_(steps.shares),
        terms_(now_.orders.size()),
        proposed_terms_(terms_) {
    for (std::size_t s = 0; s < terms_.size(); ++s) mixture_.weigh(now_.orders[s], terms_[s]);
    const std::size_t B = mixture.biomarkers();
    for (std::size_t s = 0; s < terms_.size(); ++s) {
      auto& of_subtype = chances_.emplace_back();
      for (std::size_t from = 0; from < B; ++from) {
        auto& chances = of_subtype.emplace_back();
        for (std::size_t to = 0; to < B; ++to) {
          const double z =
              (static_cast<double>(to) - static_cast<double>(from)) / steps.places(s, from);
          chances.push_back(toolkit::portable_exp(-0.5 * z * z));
        }
        const double sum = std::accumulate(chances.begin(), chances.end(), 0.0);
        for (double& chance : chances) chance /= sum;
      }
    }
  }

  void step(RandomStream& stream) {
    proposed_ = now_;
    // The published sizes of steps are by place instead of event, and by turn instead of subtype.
    std::size_t turn = 0;
    for (const auto s : stream.permutation(terms_.size())) {
      auto& order = proposed_.orders[s];
      const auto from = stream.index(order.size());
      std::swap(order[from], order[stream.categorical(chances_[turn++][from])]);
      mixture_.weigh(order, proposed_terms_[s]);
    }
    move_shares(stream.normal());
    proposed_.log_likelihood = mixture_.log_likelihood(proposed_terms_, proposed_.shares);
    const double gain = proposed_.log_likelihood - now_.log_likelihood;
    if (gain < 0.0 && toolkit::portable_exp(gain) < stream.uniform()) return;
    std::swap(now_, proposed_);
    std::swap(terms_, proposed_terms_);
    accepted_ += 1.0;
  }

  const Solution& now() const { return now_; }
  Matrix memberships() const { return mixture_.responsibilities(terms_, now_.shares); }
  double accepted() const { return accepted_; }

 private:
  void move_shares(double z) {
    double sum = 0.0;
    for (std::size_t s = 0; s < shares_sd_.size(); ++s) {
      double& share = proposed_.shares[s];
      share = std::abs(share + shares_sd_[s] * z);
      sum += share;
    }
    for (double& share : proposed_.shares) share /= sum;
  }

  const DensityMixture& mixture_;
  Solution now_, proposed_;
  std::vector<double> shares_sd_;
  std::vector<std::vector<std::vector<double>>> chances_;  // [K][B][B] by turn, from, to
  std::vector<std::vector<double>> terms_, proposed_terms_;
  double accepted_ = 0.0;
};

StepSizes tuned(const DensityMixture& mixture, const Solution& start, RandomStream& stream) {
  const std::size_t K = start.orders.size(), B = mixture.biomarkers();
  StepSizes out{Matrix(K, B), std::vector<double>(K, kFirstShareSd)};
  for (double& sd : out.places.values()) sd = kFirstSd;
  for (int round = 0; round < kTuningChains; ++round) {
    PublishedChain chain(mixture, start, out);
    std::vector<std::vector<Spread>> places(K, std::vector<Spread>(B));
    std::vector<Spread> shares(K);
    for (std::int64_t i = 0; i < kTuningIterations; ++i) {
      if (i > 0) chain.step(stream);
      for (std::size_t s = 0; s < K; ++s) {
        for (std::size_t p = 0; p < B; ++p)
          places[s][chain.now().orders[s][p]].add(static_cast<double>(p));
        shares[s].add(chain.now().shares[s]);
      }
    }
    for (std::size_t s = 0; s < K; ++s) {
      for (std::size_t b = 0; b < B; ++b) out.places(s, b) = places[s][b].sd();
      out.shares[s] = shares[s].sd();
    }
  }
  return out;
}

/// The place of sample i of n that are spread evenly over the chain.
std::int64_t spread_sample(std::int64_t i, std::int64_t n, std::int64_t iterations) {
  if (n < 2) return 0;
  return std::llround(static_cast<double>(i) * static_cast<double>(iterations - 1) /
                      static_cast<double>(n - 1));
}

/// For each participant the likeliest stage within the likeliest subtype; the first of equals.
std::vector<double> published_stages(const std::vector<Matrix>& posterior) {
  std::vector<double> out;
  for (std::size_t j = 0; j < posterior.front().rows(); ++j) {
    std::size_t best = 0;
    double most = -1.0;
    for (std::size_t s = 0; s < posterior.size(); ++s) {
      const auto row = posterior[s].row(j);
      const double chance = std::accumulate(row.begin(), row.end(), 0.0);
      if (chance > most) most = chance, best = s;
    }
    const auto row = posterior[best].row(j);
    out.push_back(static_cast<double>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  return out;
}

}  // namespace

Inference published_search(const CellDensities& densities, const PublishedSettings& settings,
                           RandomStream& stream) {
  std::vector<std::size_t> rows(densities.post.rows()), columns(densities.post.cols());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const auto best = find_subtypes(densities, settings.subtypes, settings.starts, stream);
  const DensityMixture mixture(densities, rows);
  PublishedChain chain(mixture, best, tuned(mixture, best, stream));
  const auto samples = std::min(kUsedSamples, settings.iterations);
  Matrix memberships(rows.size(), settings.subtypes);
  // Subtypes of a sample are numbered as in the start, as published.
  toolkit::PlaceCounts places(settings.subtypes, columns.size());
  std::vector<std::size_t> as_numbered(settings.subtypes);
  std::iota(as_numbered.begin(), as_numbered.end(), std::size_t{0});
  std::int64_t used = 0;
  for (std::int64_t i = 0; i < settings.iterations; ++i) {
    if (i > 0) chain.step(stream);
    places.add(chain.now().orders, as_numbered);
    if (i != spread_sample(used, samples, settings.iterations)) continue;
    ++used;
    const auto sample = chain.memberships();
    for (std::size_t at = 0; at < sample.values().size(); ++at)
      memberships.values()[at] += sample.values()[at];
  }
  for (double& chance : memberships.values()) chance /= static_cast<double>(used);
  const auto posterior = subtype_and_stage(densities, best.orders, best.shares);
  auto out = toolkit::subtype_answer(columns, toolkit::ranks_of_orders(best.orders), best.shares,
                                     posterior);
  out.subtypes->posterior = std::move(memberships);
  out.subtypes->rank_posteriors = places.rank_posteriors(columns);
  out.stages = published_stages(posterior);
  out.stage_posterior.reset();  // whatever the subtype, which is not how stages are given
  out.diagnostics = {{"acceptance", chain.accepted() / static_cast<double>(std::max<std::int64_t>(
                                                           1, settings.iterations - 1))},
                     {"iterations", static_cast<double>(settings.iterations)},
                     {"log_likelihood", best.log_likelihood}};
  return out;
}

}  // namespace tempo::sustain
