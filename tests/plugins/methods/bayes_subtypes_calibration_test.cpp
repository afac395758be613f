// Calibration of several progressions. What is asked does not hang on how subtypes are numbered:
// a participant's stage, the ranks of events in the participant's own progression, and whether two
// participants follow the same one.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "assumptions.hpp"
#include "data/biomarker_file.hpp"
#include "data/toml_table.hpp"
#include "posterior_places.hpp"
#include "subtype_model.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/process_law.hpp"

namespace tempo::test {
namespace {

/// Whether probabilities of yes or no come true, over cohorts.
class Chances {
 public:
  void add(double chance, bool came_true) {
    of_cohort_.emplace_back(chance, came_true ? 1.0 : 0.0);
  }

  /// Ends a cohort, whose chances depend on each other.
  void next_cohort() {
    double sum = 0.0, slope = 0.0;
    for (const auto& [chance, truth] : of_cohort_) {
      sum += truth - chance;
      slope += (truth - chance) * (chance - 0.5);
      const auto tenth = std::min(static_cast<std::size_t>(chance * kTenths), kTenths - 1);
      counts_[tenth] += 1.0;
      chances_[tenth] += chance;
      truths_[tenth] += truth;
    }
    const auto n = static_cast<double>(of_cohort_.size());
    sums_.push_back(sum / n);
    slopes_.push_back(slope / n);
    of_cohort_.clear();
  }

  /// Of all chances: too high or too low.
  double mean_p_value() const { return p_value(sums_); }
  /// Too near the ends, or too far from them.
  double slope_p_value() const { return p_value(slopes_); }
  /// By tenths of the chance: its mean, and how often it came true.
  std::string table() const {
    std::string out;
    for (std::size_t i = 0; i < kTenths; ++i)
      out += fmt::format(" {:.3f} {:.3f} ({:.0f});", chances_[i] / counts_[i],
                         truths_[i] / counts_[i], counts_[i]);
    return out;
  }

 private:
  static constexpr std::size_t kTenths = 10;
  static double p_value(const std::vector<double>& values) {
    return test::mean_p_value(mean(values), values.size(), 0.0, std::sqrt(variance(values)));
  }
  std::vector<std::pair<double, double>> of_cohort_;
  std::vector<double> sums_, slopes_;
  std::vector<double> counts_ = std::vector<double>(kTenths), chances_ = counts_, truths_ = counts_;
};

struct Calibration {
  Places ranks, stages;
  Places means, sds;  ///< of biomarkers before and after their events, where they are sampled
  Chances together;
};

/// What the draws of a fit say of the diseased.
class Reading {
 public:
  /// @param pairs  of participants
  Reading(std::vector<std::size_t> diseased, std::size_t events,
          std::vector<std::pair<std::size_t, std::size_t>> pairs)
      : diseased_(std::move(diseased)), pairs_(std::move(pairs)), together_(pairs_.size(), 0.0) {
    for (std::size_t i = 0; i < diseased_.size(); ++i) ranks_.emplace_back(events, events, 0.0);
  }

  void add(const bayes::SubtypeDraw& draw, std::span<const Matrix> weights) {
    const auto K = weights.size();
    Matrix chances(weights.front().rows(), K);
    for (std::size_t j = 0; j < chances.rows(); ++j) {
      double all = 0.0;
      for (std::size_t s = 0; s < K; ++s) {
        const auto row = weights[s].row(j);
        all += chances(j, s) = std::accumulate(row.begin(), row.end(), 0.0);
      }
      for (std::size_t s = 0; s < K; ++s) chances(j, s) /= all;
    }
    for (std::size_t i = 0; i < diseased_.size(); ++i)
      for (std::size_t s = 0; s < K; ++s)
        for (std::size_t r = 0; r < draw.state.orders[s].size(); ++r)
          ranks_[i](draw.state.orders[s][r], r) += chances(diseased_[i], s);
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      for (std::size_t s = 0; s < K; ++s)
        together_[p] += chances(pairs_[p].first, s) * chances(pairs_[p].second, s);
    biomarkers_.push_back(draw.biomarkers);
    draws_ += 1.0;
  }

  /// P(event b has rank r + 1 in the progression of the i-th diseased): [B] by r.
  std::vector<double> ranks(std::size_t i, std::size_t b) const {
    std::vector<double> out;
    for (const double sum : std::as_const(ranks_[i]).row(b)) out.push_back(sum / draws_);
    return out;
  }
  double together(std::size_t pair) const { return together_[pair] / draws_; }
  /// Where a number of a biomarker is among those of the draws.
  double place(std::size_t b, const std::function<double(const Biomarker&)>& number,
               const Biomarker& truth, RandomStream& stream) const {
    double below = 0.0;
    for (const auto& of_draw : biomarkers_) below += number(of_draw[b]) < number(truth) ? 1.0 : 0.0;
    return (below + stream.uniform()) / (draws_ + 1.0);
  }

 private:
  std::vector<std::size_t> diseased_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
  std::vector<Matrix> ranks_;                       // [diseased][B, B] sums
  std::vector<double> together_;                    // [pairs] sums
  std::vector<std::vector<Biomarker>> biomarkers_;  // [draws]
  double draws_ = 0.0;
};

/// The hypothesis of each progression.
struct Single {
  std::string id;
  std::string settings;  ///< as lines of TOML
};

/// Continuous event times, as the public cohorts of h9 with subtypes have them: without noise.
const Single kBetween{"composed",
                      "event_times = { kind = 'beta', noise_sd = 0 }\n"
                      "stage_prior = { plugin = 'beta', alpha = 5, beta = 2 }\n"
                      "measurement_model = 'ebm_normal'"};

/// h7, but that nothing is clipped: of a value that nobody shares it is not known whether it is a
/// clip, and distributions are sampled as if it were none.
const Single kFarClips{"composed",
                       "event_times = 'permutation'\n"
                       "stage_prior = { plugin = 'beta', alpha = 5, beta = 2 }\n"
                       "measurement_model = { plugin = 'ebm_non_normal', clip = 50 }"};

std::shared_ptr<const GenerativeProcess> hypothesis(const std::string& id,
                                                    const std::string& settings,
                                                    const BiomarkerTable& table) {
  Problems problems;
  auto spec = part(id);
  if (!settings.empty()) spec.settings = read_toml_text(settings, "test", problems);
  problems.throw_if_any();
  return shipped().hypothesis(spec, table);
}

/// What a cohort is drawn from, and what bayes knows of it.
struct Setting {
  const GenerativeProcess& process;
  const ProcessLaw& of_each;  ///< law of each progression
  /// About which distributions are drawn beforehand, where they are sampled.
  const BiomarkerTable* centre = nullptr;
};

/// Distributions wait around what the cohort says, and are drawn about the centre beforehand.
bayes::BiomarkerEstimates estimates_about(const BiomarkerTable& centre, const ProcessLaw& of_each,
                                          const Cohort& cohort,
                                          std::span<const std::size_t> columns) {
  auto out = bayes::estimate_biomarkers(of_each, cohort, columns);
  for (auto& of_trait : out)
    for (std::size_t b = 0; b < centre.size(); ++b) {
      of_trait[b].prior_centre = centre[b];
      of_trait[b].least_sd = 0.0;
    }
  return out;
}

/// Fits the i-th cohort, and adds where its truth is.
void calibrate_cohort(const Setting& setting, std::uint64_t i, std::size_t participants,
                      const bayes::SubtypeSettings& settings, Calibration& out) {
  const auto& table = setting.process.biomarkers();
  const auto B = table.size();
  std::vector<std::size_t> columns(B);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  auto draw = stream(2 * i);
  const auto [cohort, truth] =
      setting.process.simulate({.participants = participants, .healthy_ratio = 0.2}, draw);
  std::vector<std::size_t> diseased;
  for (std::size_t j = 0; j < participants; ++j)
    if (cohort.diseased[j] != 0) diseased.push_back(j);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto j : diseased) {
    const auto other = diseased[draw.index(diseased.size())];
    if (other != j) pairs.emplace_back(j, other);
  }
  Reading reading(diseased, B, pairs);
  const auto estimates = setting.centre == nullptr
                             ? bayes::BiomarkerEstimates()
                             : estimates_about(*setting.centre, setting.of_each, cohort, columns);
  const auto model = bayes::subtype_model(setting.of_each, cohort, columns, diseased, estimates);
  const auto found = bayes::sample_subtypes(
      *model, columns, settings, stream(2 * i + 1),
      [&](const bayes::SubtypeDraw& drawn, const bayes::SubtypesOfEveryone& everyone) {
        reading.add(drawn, everyone.weights);
      });
  const auto& [progressions, subtype] = *truth.subtypes;
  for (std::size_t d = 0; d < diseased.size(); ++d) {
    const auto j = diseased[d];
    out.stages.add(place(std::as_const(*found.stage_posterior).row(j),
                         static_cast<std::size_t>(truth.ordinal_stages[j]), draw));
    const auto& ranks = progressions[static_cast<std::size_t>(subtype[j])].event_ranks;
    for (std::size_t b = 0; b < B; ++b)
      out.ranks.add(place(reading.ranks(d, b), ranks[b] - 1, draw));
  }
  for (std::size_t p = 0; p < pairs.size(); ++p)
    out.together.add(reading.together(p), subtype[pairs[p].first] == subtype[pairs[p].second]);
  out.ranks.next_cohort(draw);
  out.stages.next_cohort(draw);
  out.together.next_cohort();
  if (estimates.empty()) return;
  for (std::size_t b = 0; b < B; ++b)
    for (const auto part : {&Biomarker::phi, &Biomarker::theta}) {
      out.means.add(reading.place(
          b, [&](const Biomarker& of) { return (of.*part).mean; }, table[b], draw));
      out.sds.add(reading.place(
          b, [&](const Biomarker& of) { return (of.*part).sd; }, table[b], draw));
    }
  out.means.next_cohort(draw);
  out.sds.next_cohort(draw);
}

/// As TOML: nearly what bayes assumes beforehand. Of a mixture no two orders are the same, and no
/// subtype is empty.
std::string mixture_of(const Single& of_each, std::size_t subtypes, bayes::SubtypeSizes sizes) {
  return fmt::format(
      "subtypes = {{ number = {}, orders = 'mallows', dispersion = [0.01, 0.5], sizes = {}, least "
      "= 1 }}\n[hypothesis]\nplugin = '{}'\n{}",
      subtypes, sizes == bayes::SubtypeSizes::even ? "[2, 5, 20]" : "1", of_each.id,
      of_each.settings);
}

Calibration calibrate(const Single& of_each, const BiomarkerTable& table, std::size_t subtypes,
                      std::size_t cohorts, std::size_t participants,
                      bayes::SubtypeSizes sizes = bayes::SubtypeSizes::even) {
  const auto single = hypothesis(of_each.id, of_each.settings, table);
  const auto several = hypothesis("mixture", mixture_of(of_each, subtypes, sizes), table);
  Calibration out;
  for (std::uint64_t i = 0; i < cohorts; ++i)
    calibrate_cohort({*several, *single->law()}, i, participants,
                     {.subtypes = subtypes, .sizes = sizes}, out);
  return out;
}

/// The same where distributions are sampled: those of each cohort are drawn about a centre.
/// @param assumed  the centre that bayes takes for true
Calibration calibrate_sampled(const Single& of_each, const BiomarkerTable& centre,
                              const BiomarkerTable& assumed, std::size_t subtypes,
                              std::size_t cohorts, std::size_t participants) {
  const auto single = hypothesis(of_each.id, of_each.settings, centre);
  Calibration out;
  for (std::uint64_t i = 0; i < cohorts; ++i) {
    auto draw = stream(1000 + i);
    std::vector<Biomarker> drawn;
    for (auto biomarker : centre) {
      for (const auto part : {&Biomarker::phi, &Biomarker::theta}) {
        auto& normal = biomarker.*part;
        normal.mean += bayes::kMeansWithin * normal.sd * draw.normal();
        normal.sd *= std::exp(bayes::kLogSdsWithin * draw.normal());
      }
      drawn.push_back(biomarker);
    }
    const auto several = hypothesis(
        "mixture", mixture_of(of_each, subtypes, bayes::SubtypeSizes::even), BiomarkerTable(drawn));
    calibrate_cohort({*several, *single->law(), &assumed}, i, participants, {.subtypes = subtypes},
                     out);
  }
  return out;
}

void require_calibrated(const Calibration& found, std::size_t classes) {
  require_uniform("ranks", found.ranks, classes);
  require_uniform("stages", found.stages, classes);
  CHECK(found.stages.mean_p_value() > kRarely);
  CAPTURE(found.together.table());
  CHECK(found.together.mean_p_value() > kRarely);
  CHECK(found.together.slope_p_value() > kRarely);
}

}  // namespace

TEST_CASE("bayes with several subtypes is calibrated", "[bayes][subtypes]") {
  const auto biomarkers = plain_biomarkers(4);
  SECTION("h5") { require_calibrated(calibrate({"h5", ""}, biomarkers, 2, 30, 50), 5); }
  SECTION("h6") {
    const auto sizes = GENERATE(bayes::SubtypeSizes::even, bayes::SubtypeSizes::any);
    INFO((sizes == bayes::SubtypeSizes::even ? "even sizes" : "any sizes"));
    require_calibrated(calibrate({"h6", ""}, biomarkers, 2, 40, 50, sizes), 5);
  }
  SECTION("h9 without noise") { require_calibrated(calibrate(kBetween, biomarkers, 2, 40, 50), 5); }
}

TEST_CASE("bayes with several subtypes is calibrated where distributions are sampled",
          "[bayes][subtypes]") {
  const auto of_each = GENERATE(Single{"h6", ""}, kFarClips);
  CAPTURE(of_each.id);
  const auto centre = plain_biomarkers(3);
  const auto found = calibrate_sampled(of_each, centre, centre, 2, 40, 60);
  require_calibrated(found, 5);
  require_uniform("means", found.means, 5);
  require_uniform("sds", found.sds, 5);
  CHECK(found.means.mean_p_value() > kRarely);
  CHECK(found.sds.mean_p_value() > kRarely);
}

TEST_CASE("calibration of subtypes finds distributions that are not where they are taken to be",
          "[bayes][subtypes]") {
  const auto centre = plain_biomarkers(3);
  const bool are_means_wrong = GENERATE(true, false);
  std::vector<Biomarker> others;
  for (auto biomarker : centre) {
    for (const auto part : {&Biomarker::phi, &Biomarker::theta})
      if (are_means_wrong)
        (biomarker.*part).mean += 3.0 * (biomarker.*part).sd;
      else
        (biomarker.*part).sd *= 4.0;
    others.push_back(biomarker);
  }
  const auto found = calibrate_sampled({"h6", ""}, centre, BiomarkerTable(others), 2, 40, 60);
  CHECK((are_means_wrong ? found.means : found.sds).mean_p_value() < kRarely);
}

TEST_CASE("calibration of subtypes finds a law that disagrees with its draws",
          "[bayes][subtypes]") {
  const auto biomarkers = plain_biomarkers(4);
  const auto early = hypothesis("composed",
                                "event_times = 'permutation'\n"
                                "stage_prior = { plugin = 'beta', alpha = 2, beta = 5 }\n"
                                "measurement_model = 'ebm_normal'",
                                biomarkers);
  const auto several =
      hypothesis("mixture", "hypothesis = 'h6'\nsubtypes = { number = 2 }", biomarkers);
  Calibration found;
  for (std::uint64_t i = 0; i < 40; ++i)
    calibrate_cohort({*several, *early->law()}, i, 50, {.subtypes = 2}, found);
  CHECK(found.stages.mean_p_value() < kRarely);
}

// 100 cohorts of 12 biomarkers and three subtypes, minutes each: ctest -L long.
TEST_CASE("bayes with three subtypes is calibrated", "[bayes][subtypes][.long]") {
  Problems problems;
  const auto table = find_biomarkers("adni-12", {}, {}, problems);
  problems.throw_if_any();
  const auto check = [&](const std::string& name, const Single& of_each) {
    const auto found = calibrate(of_each, table, 3, 100, 200);
    WARN(fmt::format(
        "{}: ranks p {:.3f}, spread {:.3f}, cover {:.3f}; stages p {:.3f}, spread "
        "{:.3f}, cover {:.3f}; pairs p {:.3f}, slope p {:.3f}; tenths{}",
        name, found.ranks.histogram_p_value(10), found.ranks.spread() * 12.0,
        found.ranks.coverage(), found.stages.histogram_p_value(10), found.stages.spread() * 12.0,
        found.stages.coverage(), found.together.mean_p_value(), found.together.slope_p_value(),
        found.together.table()));
    require_calibrated(found, 10);
  };
  SECTION("h1") { check("h1", {"h1", ""}); }
  SECTION("h3") { check("h3", {"h3", ""}); }
  SECTION("h6") { check("h6", {"h6", ""}); }
  SECTION("h9") { check("h9 without noise", kBetween); }
}

// Seconds of each fit, and therefore smaller.
TEST_CASE("bayes with two subtypes is calibrated where event times have noise",
          "[bayes][subtypes][.long]") {
  const std::string hypothesis = GENERATE("h8", "h9");
  CAPTURE(hypothesis);
  require_calibrated(calibrate({hypothesis, ""}, plain_biomarkers(4), 2, 60, 50), 5);
}

}  // namespace tempo::test
