// Calibration of one progression: posterior_places.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "data/biomarker_file.hpp"
#include "gradual_posterior.hpp"
#include "posterior_places.hpp"
#include "switch_posterior.hpp"
#include "tempo/composed_process.hpp"
#include "tempo/process_law.hpp"

namespace tempo::test {
namespace {

struct Calibration {
  Places ranks, stages, times;
};

Calibration calibrate(const GenerativeProcess& process, std::size_t cohorts,
                      std::size_t participants, const bayes::ChainSettings& settings,
                      const bayes::OwnTimes* own = nullptr) {
  const auto& table = process.biomarkers();
  const auto& composed = *process.law();
  std::vector<std::size_t> columns(table.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const bool ordinal_switch =
      composed.measurement_model().law()->effect() == EventEffect::switched &&
      composed.event_times().are_ranks() && composed.event_times().noise_sd() == 0.0;
  Calibration out;
  for (std::size_t i = 0; i < cohorts; ++i) {
    auto draw = stream(2 * i), fit = stream(2 * i + 1);
    const auto [cohort, truth] =
        process.simulate({.participants = participants, .healthy_ratio = 0.2}, draw);
    std::vector<std::vector<double>> draws(table.size());
    const auto found =
        ordinal_switch
            ? bayes::sample_switch_posterior(composed, cohort, columns, {}, own, settings, fit)
            : bayes::sample_gradual_posterior(composed, cohort, columns, {}, own, settings, fit,
                                              [&](const bayes::Draw& drawn) {
                                                for (std::size_t b = 0; b < table.size(); ++b)
                                                  draws[b].push_back(drawn.event_times[b]);
                                              });
    for (std::size_t b = 0; b < table.size(); ++b)
      out.ranks.add(place(found.rank_posterior->row(b), truth.event_ranks[b] - 1, draw));
    for (std::size_t j = 0; j < participants; ++j)
      if (cohort.diseased[j] != 0)
        out.stages.add(place(found.stage_posterior->row(j),
                             static_cast<std::size_t>(truth.ordinal_stages[j]), draw));
    out.ranks.next_cohort(draw);
    out.stages.next_cohort(draw);
    if (!found.event_times) continue;
    for (std::size_t b = 0; b < table.size(); ++b) {
      const auto earlier = std::count_if(draws[b].begin(), draws[b].end(),
                                         [&](double time) { return time < truth.event_times[b]; });
      out.times.add((static_cast<double>(earlier) + draw.uniform()) /
                    static_cast<double>(draws[b].size() + 1));
    }
    out.times.next_cohort(draw);
  }
  return out;
}

Calibration calibrate(const std::string& hypothesis, const BiomarkerTable& table,
                      std::size_t cohorts, std::size_t participants,
                      const bayes::ChainSettings& settings) {
  return calibrate(*shipped().hypothesis(part(hypothesis), table), cohorts, participants, settings);
}

const BiomarkerTable& four_unlike() {
  static const BiomarkerTable table({{"a", {0, 1}, {1.5, 1}},
                                     {"b", {10, 2}, {7, 2}},
                                     {"c", {0, 1e-6}, {2e-6, 2e-6}},
                                     {"d", {5, 1}, {6, 2}}});
  return table;
}

/// Two waves that come together after a time u of their own, uniform on (0, 1), half of B apart.
/// Every event belongs to either and is normal about it, within 0..B.
class WavesLaw final : public EventTimeLaw {
 public:
  static constexpr double kSpread = 0.06;  // of B
  static std::vector<double> draw(std::size_t B, RandomStream& stream) {
    const auto last = static_cast<double>(B);
    const double u = stream.uniform();
    std::vector<double> times(B);
    for (double& time : times) {
      const double centre = last * (static_cast<double>(stream.index(2)) + u) / 2.0;
      do time = centre + kSpread * last * stream.normal();
      while (!(time > 0.0 && time < last));
    }
    return times;
  }

 private:
  static constexpr std::size_t kCells = 25;  // of u

  /// In sds, the middle of a wave, and the share of a normal about it that is within 0..B.
  struct Wave {
    double middle, within;
  };
  static std::array<std::array<Wave, 2>, kCells> waves() {
    std::array<std::array<Wave, 2>, kCells> out{};
    for (std::size_t i = 0; i < kCells; ++i)
      for (std::size_t w = 0; w < 2; ++w) {
        const double u = (static_cast<double>(i) + 0.5) / kCells;
        const double middle = (static_cast<double>(w) + u) / 2.0 / kSpread;
        out[i][w] = {middle, 0.5 * (std::erfc(-middle / std::sqrt(2.0)) -
                                    std::erfc((1.0 / kSpread - middle) / std::sqrt(2.0)))};
      }
    return out;
  }

  double do_log_density(std::span<const double> times) const override {
    const auto last = static_cast<double>(times.size());
    double sum = 0.0;
    for (const auto& cell : waves_) {
      double product = 1.0;
      for (const double time : times) {
        double density = 0.0;
        for (const auto& [middle, within] : cell) {
          const double z = time / last / kSpread - middle;
          density += std::exp(-0.5 * z * z) / within;
        }
        product *= density;
      }
      sum += product;
    }
    return std::log(sum);
  }

  std::array<std::array<Wave, 2>, kCells> waves_ = waves();
};

/// Orders near that of the biomarkers: each pair the other way round costs one nat.
class NearLaw final : public EventTimeLaw {
 public:
  NearLaw() : EventTimeLaw(TimeSupport::ranks) {}
  static std::vector<double> draw(std::size_t B, RandomStream& stream) {
    // Event b comes k places before the earlier ones with a probability that falls as e^-k.
    std::vector<std::size_t> order;
    for (std::size_t b = 0; b < B; ++b) {
      std::vector<double> weights;
      for (std::size_t k = 0; k <= b; ++k) weights.push_back(std::exp(-static_cast<double>(k)));
      double left = stream.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
      std::size_t k = 0;
      while (k < b && (left -= weights[k]) >= 0.0) ++k;
      order.insert(order.end() - static_cast<std::ptrdiff_t>(k), b);
    }
    std::vector<double> ranks(B);
    for (std::size_t i = 0; i < B; ++i) ranks[order[i]] = static_cast<double>(i + 1);
    return ranks;
  }

 private:
  double do_log_density(std::span<const double> ranks) const override {
    double out = 0.0;
    for (std::size_t a = 0; a < ranks.size(); ++a)
      for (std::size_t b = a + 1; b < ranks.size(); ++b) out -= ranks[b] < ranks[a] ? 1.0 : 0.0;
    return out;
  }
};

template <class Law>
class OwnTimesProcess final : public ComposedProcess {
 public:
  explicit OwnTimesProcess(const PartSpec& measurement_model)
      : ComposedProcess({.event_times = own_times(std::make_shared<Law>()),
                         .stage_prior = fixed_part("beta", {{"alpha", 2.0}, {"beta", 2.0}}),
                         .measurement_model = measurement_model},
                        {four_unlike(), shipped()}) {}
  bayes::OwnTimes own() const {
    return {*law()->event_times().law(),
            [](RandomStream& stream) { return Law::draw(four_unlike().size(), stream); }};
  }

 private:
  std::vector<double> do_draw_event_times(RandomStream& stream) const override {
    return Law::draw(biomarkers().size(), stream);
  }
};

template <class Law>
Calibration calibrate_own(const PartSpec& measurement_model) {
  const OwnTimesProcess<Law> process(measurement_model);
  const auto own = process.own();
  // Few participants: the law of event times counts as much as what was measured.
  return calibrate(process, 80, 8, {.chains = 4, .burn_in = 20, .iterations = 160}, &own);
}

}  // namespace

// 80 cohorts. Under other laws the same cohorts fail: see below.
TEST_CASE("bayes is calibrated under a law of event times that a hypothesis states", "[bayes]") {
  for (const std::string model : {"ebm_normal", "sigmoid"}) {
    SECTION("waves, " + model) {
      const auto found = calibrate_own<WavesLaw>(part(model));
      require_uniform("ranks", found.ranks, 5);
      require_uniform("stages", found.stages, 5);
      require_uniform("times", found.times, 5);
      CHECK(found.times.mean_p_value() > kRarely);
    }
    SECTION("orders near one, " + model) {
      const auto found = calibrate_own<NearLaw>(part(model));
      require_uniform("ranks", found.ranks, 5);
      require_uniform("stages", found.stages, 5);
    }
  }
}

namespace {

/// Says of waves that events come late.
class LateLaw final : public EventTimeLaw {
 public:
  static std::vector<double> draw(std::size_t B, RandomStream& stream) {
    return WavesLaw::draw(B, stream);
  }

 private:
  double do_log_density(std::span<const double> times) const override {
    double out = 0.0;
    for (const double time : times) out += 4.0 * std::log(time);
    return out;
  }
};

/// Says of orders near one that they are near its reverse.
class ReversedLaw final : public EventTimeLaw {
 public:
  ReversedLaw() : EventTimeLaw(TimeSupport::ranks) {}
  static std::vector<double> draw(std::size_t B, RandomStream& stream) {
    return NearLaw::draw(B, stream);
  }

 private:
  double do_log_density(std::span<const double> ranks) const override {
    std::vector<double> reversed(ranks.rbegin(), ranks.rend());
    return 3.0 * NearLaw().log_density(reversed);
  }
};

}  // namespace

TEST_CASE("calibration finds a law that disagrees with its draws", "[bayes]") {
  const auto late = calibrate_own<LateLaw>(part("ebm_normal"));
  CHECK(late.times.mean_p_value() < kRarely);
  const auto reversed = calibrate_own<ReversedLaw>(part("ebm_normal"));
  CHECK(reversed.ranks.spread_p_value() < kRarely);
}

// 30 cohorts of 4 biomarkers: posteriors half as wide again as they should be, or two thirds as
// wide, fail the test of the spread by 5 standard errors if places of different events are
// independent.
TEST_CASE("bayes is calibrated where event times are continuous or measurements gradual",
          "[bayes]") {
  const std::string hypothesis = GENERATE("h5", "h8");
  CAPTURE(hypothesis);
  const auto found =
      calibrate(hypothesis, four_unlike(), 30, 50, {.chains = 4, .burn_in = 20, .iterations = 320});
  require_uniform("ranks", found.ranks, 5);
  require_uniform("stages", found.stages, 5);
  CHECK(found.stages.mean_p_value() > kRarely);
  if (hypothesis == "h5") return;
  require_uniform("times", found.times, 5);
  CHECK(found.times.mean_p_value() > kRarely);
}

// 200 cohorts of 12 biomarkers: a tenth too narrow or too wide fails the test of the spread.
TEST_CASE("bayes is calibrated, all nine hypotheses", "[bayes][.long]") {
  Problems problems;
  const auto table = find_biomarkers("adni-12", {}, {}, problems);
  problems.throw_if_any();
  for (const std::string hypothesis : {"h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9"})
    SECTION(hypothesis) {  // test_bayes_calibration "[.long]" -c h5
      const auto found = calibrate(hypothesis, table, 200, 200, {});
      WARN(fmt::format(
          "{}: ranks p {:.3f}, spread {:.3f}, cover {:.3f}; stages p {:.3f}, spread {:.3f}, "
          "cover {:.3f}",
          hypothesis, found.ranks.histogram_p_value(10), found.ranks.spread() * 12.0,
          found.ranks.coverage(), found.stages.histogram_p_value(10), found.stages.spread() * 12.0,
          found.stages.coverage()));
      require_uniform("ranks", found.ranks, 10);
      require_uniform("stages", found.stages, 10);
      CHECK(found.stages.mean_p_value() > kRarely);
      if (hypothesis < "h8") continue;
      WARN(fmt::format("{}: times p {:.3f}, spread {:.3f}, 90 % intervals cover {:.3f}", hypothesis,
                       found.times.histogram_p_value(10), found.times.spread() * 12.0,
                       found.times.coverage()));
      require_uniform("times", found.times, 10);
      CHECK(found.times.mean_p_value() > kRarely);
    }
}

}  // namespace tempo::test
