// The published cohorts against cohorts simulated here: could one program have drawn both?
//
// Rows of a public cohort share one truth (event times, stages, families, directions), so only what
// is independent given the truth is pooled. Each public cohort's people are measured again under
// their own truth, twice over, and the two sides, made up of the same people, are compared per
// biomarker and group; what varies between cohorts is compared with freshly simulated truths. All
// checks of a hypothesis count as one test: it fails if the smallest p-value times the number of
// checks (Bonferroni) is below kFalseAlarms, which happens to a correct program with at most one in
// a thousand sets of cohorts.
//
// Cohorts of the same number have one truth in hypotheses 1 to 7 and another in 8 and 9: the nine
// tests are not independent of each other.

#include "data/public_cohorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "data/biomarker_file.hpp"
#include "hypothesis_support.hpp"
#include "statistics.hpp"

namespace tempo::test {
namespace {

constexpr double kFalseAlarms = 1e-3;  // per hypothesis and number of biomarkers
constexpr std::size_t kRepeats = 2;    // measurements of each public participant
constexpr std::size_t kEnough = 50;    // public values from which Welch's normal limit is used

struct PublicSet {
  BiomarkerTable biomarkers;  // in the order of the cohorts' columns
  std::vector<PublicCohort> cohorts;
};

/// All public cohorts of a hypothesis with 12 or 100 biomarkers, read once.
const PublicSet& public_set(const std::string& id, std::size_t B) {
  static std::map<std::pair<std::string, std::size_t>, PublicSet> read;
  auto& set = read[{id, B}];
  if (!set.cohorts.empty()) return set;
  Problems problems;
  const auto table = find_biomarkers(B == 12 ? "adni-12" : "synthetic-100", {}, {}, problems);
  std::vector<Biomarker> sorted(table.begin(), table.end());
  std::ranges::sort(sorted, {}, &Biomarker::name);
  set.biomarkers = BiomarkerTable(sorted);
  const auto folder = shared_data() / fmt::format("public-cohorts-{}", B);
  for (const auto& dataset : list_public_cohorts(folder, problems))
    if (dataset.hypothesis == public_folder_name(id))
      set.cohorts.push_back(read_public_cohort(dataset, problems));
  problems.throw_if_any();
  return set;
}

/// Makes the hypothesis, or a deviation from it, for a table of biomarkers.
using Maker = std::function<std::unique_ptr<GenerativeProcess>(const BiomarkerTable&)>;

Maker hypothesis(const std::string& id) {
  return
      [=](const BiomarkerTable& biomarkers) { return shipped().hypothesis(part(id), biomarkers); };
}

/// A composed hypothesis with the settings of an experiment file.
Maker deviation(const std::string& toml) {
  return [=](const BiomarkerTable& biomarkers) { return composed(toml, biomarkers); };
}

struct Check {
  std::string what;
  double p = 1.0;
};

/// Public and simulated values of the same kind, told apart by shape, mean and mean square.
struct Samples {
  std::vector<double> published;
  std::vector<double> simulated;

  void compare(const std::string& what, std::vector<Check>& checks) const {
    if (published.empty()) return;
    checks.push_back({what + ", distribution", ks_p_value(published, simulated)});
    if (published.size() < kEnough) return;
    checks.push_back({what + ", mean", welch_p_value(published, simulated)});
    const auto squares = [](auto values) {
      for (auto& value : values) value *= value;
      return values;
    };
    checks.push_back(
        {what + ", mean square", welch_p_value(squares(published), squares(simulated))});
  }
};
using Side = std::vector<double> Samples::*;

void append(std::vector<double>& values, const std::vector<double>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

constexpr std::array kGroups{"healthy", "before the event", "after the event"};
using GroupedSamples = std::array<Samples, kGroups.size()>;

std::size_t group(const Truth& truth, const Cohort& cohort, std::size_t j, std::size_t b) {
  if (cohort.diseased[j] == 0) return 0;
  return truth.stages[j] >= truth.event_times[b] ? 2 : 1;
}

/// The value of a cell in standard deviations from the mean of its state.
double standardised(double x, const Biomarker& biomarker, std::size_t group) {
  const auto& state = group == 2 ? biomarker.theta : biomarker.phi;
  return (x - state.mean) / state.sd;
}

/// Families or directions of a public cohort. Its files do not say which were drawn, but the values
/// leave no doubt: the margin by which the best beats the second best, in nats, is checked.
struct Traits {
  std::vector<int> values;  // [B], empty if the model has none; 0 = left open
  double margin = std::numeric_limits<double>::infinity();  // smallest over the biomarkers
};

/// log p(z | family) of ebm_non_normal in bins 0.05 wide, from values the plugin simulates.
class FamilyDensities {
 public:
  FamilyDensities(const ProcessLaw& process, std::span<const int> families)
      : families_(families.begin(), families.end()) {
    const auto& biomarkers = process.biomarkers();
    const std::size_t J = 240000 / biomarkers.size();
    Truth truth;
    truth.event_times.assign(biomarkers.size(), 1.0);
    truth.stages.assign(J, 0.0);
    const std::vector<std::uint8_t> healthy(J, 0);
    for (const int family : families_) {
      truth.traits.assign(biomarkers.size(), family);
      RandomStream random(1, "test", "families", static_cast<std::uint64_t>(family));
      const auto x = process.measure(truth, healthy, random);
      std::array<double, kBins> counts;
      counts.fill(1.0);  // an empty bin is rare, not impossible
      for (std::size_t j = 0; j < J; ++j)
        for (std::size_t b = 0; b < x.cols(); ++b)
          ++counts[bin(standardised(x(j, b), biomarkers[b], 0))];
      for (auto& count : counts) count = std::log(count);
      log_counts_.push_back(counts);
    }
  }

  Traits identify(const PublicCohort& published, const BiomarkerTable& biomarkers) const {
    const auto& [cohort, truth, own_biomarkers, missing] = published;
    Traits out;
    for (std::size_t b = 0; b < biomarkers.size(); ++b) {
      std::vector<double> log_likelihood(families_.size());
      for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
        const auto at =
            bin(standardised(cohort.measurements(j, b), biomarkers[b], group(truth, cohort, j, b)));
        for (std::size_t f = 0; f < families_.size(); ++f) log_likelihood[f] += log_counts_[f][at];
      }
      const auto best = std::ranges::max_element(log_likelihood);
      out.values.push_back(families_[static_cast<std::size_t>(best - log_likelihood.begin())]);
      std::ranges::sort(log_likelihood, std::greater());
      out.margin = std::min(out.margin, log_likelihood[0] - log_likelihood[1]);
    }
    return out;
  }

 private:
  static constexpr std::size_t kBins = 220;  // from -5.5 to 5.5
  static std::size_t bin(double z) {
    return static_cast<std::size_t>(std::clamp((z + 5.5) / 0.05, 0.0, kBins - 1.0));
  }

  std::vector<int> families_;
  std::vector<std::array<double, kBins>> log_counts_;
};

/// The same sigmoid curves with next to no scatter about them: the slope depends on the two
/// standard deviations only through the root of the sum of their squares.
BiomarkerTable without_scatter(const BiomarkerTable& biomarkers) {
  std::vector<Biomarker> out;
  for (const auto& [name, phi, theta] : biomarkers)
    out.push_back({name, {phi.mean, 1e-9 * phi.sd}, {theta.mean, std::hypot(phi.sd, theta.sd)}});
  return BiomarkerTable(std::move(out));
}

/// Directions of the sigmoid: do the diseased move along the curve or against it? With scatter sd
/// and curve c_j, the log-likelihood ratio of the two is 2 sum_j (x_j - phi) c_j / sd^2, in the
/// mean 2 sum_j c_j^2 / sd^2 with the root of twice that for standard deviation. Where that mean is
/// below 200 (hardly any participant gets near the event) the direction is left open: choosing by x
/// would bias.
/// @param curves the process for biomarkers `without_scatter`
Traits identify_directions(const ProcessLaw& curves, const PublicCohort& published,
                           const BiomarkerTable& biomarkers) {
  const auto& [cohort, truth, own_biomarkers, missing] = published;
  auto upwards = truth;
  upwards.traits.assign(biomarkers.size(), 1);
  RandomStream random(1, "test", "curves");
  const auto curve = curves.measure(upwards, cohort.diseased, random);
  Traits out;
  for (std::size_t b = 0; b < biomarkers.size(); ++b) {
    double ratio = 0.0;
    double expected = 0.0;
    for (std::size_t j = 0; j < curve.rows(); ++j) {
      const double c = standardised(curve(j, b), biomarkers[b], 0);
      ratio += 2.0 * standardised(cohort.measurements(j, b), biomarkers[b], 0) * c;
      expected += 2.0 * c * c;
    }
    const bool known = expected >= 200.0;
    out.values.push_back(!known ? 0 : ratio > 0.0 ? 1 : -1);
    if (known) out.margin = std::min(out.margin, std::abs(ratio));
  }
  return out;
}

std::vector<double> diseased_stages(const Cohort& cohort, const Truth& truth) {
  std::vector<double> out;
  for (std::size_t j = 0; j < truth.stages.size(); ++j)
    if (cohort.diseased[j] != 0) out.push_back(truth.stages[j]);
  return out;
}

/// What varies between cohorts: stage laws and event times.
void compare_truths(const PublicSet& set, const Maker& make, std::vector<Check>& checks) {
  const auto made = make(set.biomarkers);
  const auto& law = *made->law();
  const auto B = set.biomarkers.size();
  Samples stages;                             // where independent given nothing
  std::map<std::string, Samples> per_cohort;  // ordinal stages share their probabilities
  Samples times;
  const auto collect = [&](const Cohort& cohort, const Truth& truth, Side side) {
    append(times.*side, truth.event_times);
    const auto k = diseased_stages(cohort, truth);
    if (law.stage_prior().scale() == StageScale::continuous) return append(stages.*side, k);
    std::vector<double> counts(B);
    for (const double stage : k) ++counts[static_cast<std::size_t>(stage) - 1];
    double squares = 0.0;
    for (std::size_t i = 0; i < B; ++i) {
      (per_cohort[fmt::format("participants at stage {}", i + 1)].*side).push_back(counts[i]);
      squares += counts[i] * counts[i];
    }
    (per_cohort["sum of squared stage counts"].*side).push_back(squares);
  };
  for (const auto& published : set.cohorts)
    collect(published.cohort, published.truth, &Samples::published);
  for (std::uint64_t i = 0; i < 400; ++i) {
    RandomStream random(1, "test", "truths", i);
    const auto [cohort, truth] = made->simulate({}, random);
    collect(cohort, truth, &Samples::simulated);
  }
  stages.compare("stages", checks);
  for (const auto& [what, samples] : per_cohort) samples.compare(what, checks);
  if (law.event_times().kind() == EventTimes::Kind::beta)
    return times.compare("event times", checks);
  // A rank is uniform on 1..B: mean (B + 1)/2, variance (B^2 - 1)/12.
  for (std::size_t b = 0; b < B; ++b) {
    double sum = 0.0;
    for (const auto& published : set.cohorts) sum += published.truth.event_times[b];
    const auto n = set.cohorts.size();
    const auto last = static_cast<double>(B);
    checks.push_back({set.biomarkers[b].name + ", mean rank",
                      mean_p_value(sum / static_cast<double>(n), n, (last + 1.0) / 2.0,
                                   std::sqrt((last * last - 1.0) / 12.0))});
  }
}

/// What varies between people of the same truth: measurements.
/// @return the smallest margin with which a trait was identified
double compare_measurements(const PublicSet& set, const Maker& make, std::span<const int> families,
                            std::vector<Check>& checks) {
  const auto made = make(set.biomarkers);
  const auto& process = *made->law();
  const auto model = process.measurement_model().plugin_id();
  std::function<Traits(const PublicCohort&)> identify = [](const auto&) { return Traits{}; };
  if (model == "ebm_non_normal") {
    identify = [&, densities = FamilyDensities(process, families)](const auto& published) {
      return densities.identify(published, set.biomarkers);
    };
  } else if (model == "sigmoid") {
    identify = [&, curves = std::shared_ptr(make(without_scatter(set.biomarkers)))](
                   const auto& published) {
      return identify_directions(*curves->law(), published, set.biomarkers);
    };
  }

  GroupedSamples all;
  std::vector<GroupedSamples> by_biomarker(set.biomarkers.size());
  std::map<int, GroupedSamples> by_trait;
  std::map<int, double> trait_counts;
  double margin = Traits().margin;
  RandomStream random(1, "test", "repeats");
  for (const auto& published : set.cohorts) {
    const auto& cohort = published.cohort;
    const auto traits = identify(published);
    margin = std::min(margin, traits.margin);
    auto truth = published.truth;
    truth.traits = traits.values;
    const auto add = [&](const Matrix& x, Side side) {
      for (std::size_t b = 0; b < x.cols(); ++b) {
        if (!truth.traits.empty() && truth.traits[b] == 0) continue;
        for (std::size_t j = 0; j < x.rows(); ++j) {
          const auto g = group(truth, cohort, j, b);
          const double z = standardised(x(j, b), set.biomarkers[b], g);
          (all[g].*side).push_back(z);
          (by_biomarker[b][g].*side).push_back(z);
          if (!truth.traits.empty()) (by_trait[truth.traits[b]][g].*side).push_back(z);
        }
      }
    };
    add(cohort.measurements, &Samples::published);
    for (std::size_t repeat = 0; repeat < kRepeats; ++repeat)
      add(process.measure(truth, cohort.diseased, random), &Samples::simulated);
    for (const int trait : truth.traits)
      if (trait != 0) ++trait_counts[trait];
  }

  for (std::size_t g = 0; g < kGroups.size(); ++g) {
    all[g].compare(fmt::format("all biomarkers {}", kGroups[g]), checks);
    for (std::size_t b = 0; b < set.biomarkers.size(); ++b)
      by_biomarker[b][g].compare(fmt::format("{} {}", set.biomarkers[b].name, kGroups[g]), checks);
    for (const auto& [trait, samples] : by_trait)
      samples[g].compare(fmt::format("trait {} {}", trait, kGroups[g]), checks);
  }
  if (!trait_counts.empty()) {
    std::vector<double> counts;
    for (const auto& [trait, count] : trait_counts) counts.push_back(count);
    checks.push_back({"traits", chi_square_p_value(counts, std::vector(counts.size(), 1.0))});
  }
  return margin;
}

/// All checks of a hypothesis taken together.
struct Verdict {
  double p = 1.0;             // smallest p-value times the number of checks
  std::string why;            // how many checks, and the worst
  double trait_margin = 0.0;  // see Traits
};

constexpr std::array kAllFamilies{1, 2, 3, 4, 5, 6};

Verdict compare(const PublicSet& set, const Maker& make,
                std::span<const int> families = kAllFamilies) {
  std::vector<Check> checks;
  compare_truths(set, make, checks);
  const double margin = compare_measurements(set, make, families, checks);
  const auto worst = std::ranges::min_element(checks, {}, &Check::p);
  return {std::min(1.0, worst->p * static_cast<double>(checks.size())),
          fmt::format("{} checks, smallest p {:.2g}: {}", checks.size(), worst->p, worst->what),
          margin};
}

}  // namespace

TEST_CASE("simulated and public cohorts cannot be told apart", "[hypothesis][public]") {
  const auto id = GENERATE(as<std::string>(), "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9");
  const auto B = GENERATE(std::size_t{12}, std::size_t{100});
  const auto& set = public_set(id, B);
  REQUIRE(set.cohorts.size() == (B == 12 ? 20 : 2));
  for (const auto& [cohort, truth, own_biomarkers, missing] : set.cohorts) {
    REQUIRE_NOTHROW(check(truth, cohort));
    const auto healthy = std::count(cohort.diseased.begin(), cohort.diseased.end(), 0);
    REQUIRE(static_cast<std::size_t>(healthy) ==
            healthy_count({.participants = truth.stages.size()}));
  }
  const auto result = compare(set, hypothesis(id));
  CAPTURE(id, B, result.why);
  REQUIRE(result.trait_margin > 10.0);  // a wrong trait is e^10 times less likely
  REQUIRE(result.p > kFalseAlarms);
}

// The same test must notice a simulator that is slightly wrong.
TEST_CASE("deviations from the paper are noticed", "[hypothesis][public]") {
  const auto noticed = [](const Verdict& result) {
    CAPTURE(result.why);
    REQUIRE(result.p < kFalseAlarms);
  };

  SECTION("stages from Beta(4, 2) instead of Beta(5, 2)") {
    noticed(compare(public_set("h6", 12), deviation(R"(
      stage_prior = { plugin = 'beta', alpha = 4 }
      measurement_model = 'ebm_normal')")));
  }
  SECTION("standard deviations 5 % too large") {
    noticed(compare(public_set("h6", 12), [](const BiomarkerTable& biomarkers) {
      std::vector<Biomarker> wider(biomarkers.begin(), biomarkers.end());
      for (auto& [name, phi, theta] : wider) {
        phi.sd *= 1.05;
        theta.sd *= 1.05;
      }
      return shipped().hypothesis(part("h6"), BiomarkerTable(wider));
    }));
  }
  SECTION("uniform instead of Dirichlet-multinomial stages") {
    noticed(compare(public_set("h1", 12), hypothesis("h3")));
  }
  SECTION("a family left out") {
    const std::array five{1, 2, 3, 4, 5};
    noticed(compare(public_set("h7", 12), hypothesis("h7"), five));
  }
  SECTION("noise of 0.4 instead of 0.2 sd on non-normal values") {
    noticed(compare(public_set("h7", 12), deviation(R"(
      stage_prior = 'beta'
      measurement_model = { plugin = 'ebm_non_normal', noise = 0.4 })")));
  }
  SECTION("a smallest slope of 2 instead of 1 in the sigmoid") {
    noticed(compare(public_set("h5", 12), deviation(R"(
      stage_prior = 'beta'
      measurement_model = { plugin = 'sigmoid', minimum_slope = 2 })")));
  }
  SECTION("event times without their noise") {
    noticed(compare(public_set("h9", 12), deviation(R"(
      event_times = { kind = 'beta', noise_sd = 0 }
      stage_prior = 'beta'
      measurement_model = 'ebm_normal')")));
  }
}

}  // namespace tempo::test
