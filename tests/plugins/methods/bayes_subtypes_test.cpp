#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "data/toml_table.hpp"
#include "node_likelihood.hpp"
#include "order_centre.hpp"
#include "planted_subtypes.hpp"
#include "stages_between_times.hpp"
#include "statistics.hpp"
#include "subtype_model.hpp"
#include "subtype_number.hpp"
#include "subtype_stages.hpp"
#include "switch_subtypes.hpp"
#include "tempo/error.hpp"
#include "tempo/metrics.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;

/// The biomarkers of `planted`.
BiomarkerTable planted_biomarkers(double shift = 4.0) {
  std::vector<Biomarker> out;
  for (std::size_t b = 0; b < kPlantedEvents; ++b) {
    const double mean = 10.0 * static_cast<double>(b);
    out.push_back({fmt::format("b{}", b), {mean, 1.0}, {mean + shift, 1.0}});
  }
  return BiomarkerTable(out);
}

PartSpec read_part(const std::string& plugin, const std::string& settings) {
  Problems problems;
  auto out = part(plugin);
  out.settings = read_toml_text(settings, "test", problems);
  problems.throw_if_any();
  return out;
}

/// Continuous event times without noise, as the public cohorts of h9 with subtypes have them.
PartSpec between_times() {
  return read_part("composed",
                   "event_times = { kind = 'beta', noise_sd = 0 }\nmeasurement_model = "
                   "'ebm_normal'\nstage_prior = { plugin = 'beta', alpha = 5, beta = 2 }");
}

Inference fit(const std::string& settings, const PartSpec& hypothesis, const Cohort& cohort,
              double shift = 4.0) {
  const auto process = shipped().hypothesis(hypothesis, planted_biomarkers(shift));
  Problems problems;
  auto spec = part("bayes");
  if (!settings.empty()) spec.settings = read_toml_text(settings, "test", problems);
  problems.throw_if_any();
  auto random = stream(1);
  return shipped().method_under(spec, *process)->fit(cohort, random);
}

Inference fit(const std::string& settings, const std::string& hypothesis, const Cohort& cohort,
              double shift = 4.0) {
  return fit(settings, part(hypothesis), cohort, shift);
}

/// Two subtypes of equal size, as the hypothesis draws them.
/// @param hypothesis  as in an experiment
SimulatedCohort drawn_from(const std::string& hypothesis, std::uint64_t seed) {
  auto random = stream(seed);
  return shipped()
      .hypothesis(read_part("mixture", "hypothesis = " + hypothesis +
                                           "\nsubtypes = { number = 2, orders = 'independent', "
                                           "sizes = 'equal' }"),
                  planted_biomarkers())
      ->simulate({.participants = 400, .healthy_ratio = 0.2}, random);
}

using Order = std::vector<std::size_t>;

double discordant(const Order& a, const Order& b) {
  Order place(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) place[b[i]] = i;
  double pairs = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = i + 1; k < a.size(); ++k) pairs += place[a[i]] > place[a[k]] ? 1.0 : 0.0;
  return pairs;
}

std::vector<Order> all_orders(std::size_t biomarkers) {
  Order order(biomarkers);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Order> out;
  do out.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return out;
}

double discordant(const Order& centre, const toolkit::OrderSet& orders) {
  double pairs = 0.0;
  for (const auto& order : orders) pairs += discordant(order, centre);
  return pairs;
}

/// What a cohort of three biomarkers tells, and the probabilities of their stages.
struct SmallEvidence {
  bayes::SwitchEvidence evidence;
  bayes::WholeStageLaw stages;
  std::size_t diseased;
};

SmallEvidence small_evidence(const std::string& hypothesis) {
  std::vector<Biomarker> biomarkers;
  for (std::size_t b = 0; b < 3; ++b)
    biomarkers.push_back({fmt::format("b{}", b), {0.0, 1.0}, {1.5, 1.0}});
  const auto process = shipped().hypothesis(part(hypothesis), BiomarkerTable(biomarkers));
  auto random = stream(7);
  const auto cohort = process->simulate({.participants = 40, .healthy_ratio = 0.25}, random).cohort;
  std::vector<std::size_t> columns, diseased;
  for (const auto& biomarker : biomarkers)
    columns.push_back(static_cast<std::size_t>(
        std::find(cohort.biomarkers.begin(), cohort.biomarkers.end(), biomarker.name) -
        cohort.biomarkers.begin()));
  for (std::size_t j = 0; j < cohort.participant_count(); ++j)
    if (cohort.diseased[j] != 0) diseased.push_back(j);
  const auto& law = *process->law();
  return {bayes::switch_evidence(*law.measurement_model().law(), cohort, columns, diseased),
          bayes::whole_stage_law(law.stage_prior(), biomarkers.size()), diseased.size()};
}

/// p(x_j) / p(x_j before every event) of each diseased, under an order.
std::vector<double> likelihoods(const SmallEvidence& small, const Order& order,
                                const std::vector<std::size_t>& traits) {
  std::vector<double> out;
  for (std::size_t i = 0; i < small.diseased; ++i) {
    double sum = std::exp(small.stages.log_weights[0]), ratio = 0.0;
    for (std::size_t k = 1; k <= order.size(); ++k) {
      const auto b = order[k - 1];
      ratio += small.evidence.log_ratios[traits[b]][b][i];
      sum += std::exp(small.stages.log_weights[k] + ratio);
    }
    out.push_back(sum);
  }
  return out;
}

/// How likely each pair of orders is beforehand: of all alike, or by Mallows' law about a centre
/// that may be any, over a grid of 64 dispersions.
Matrix priors_of_pairs(const std::vector<Order>& orders, bayes::SubtypeOrders prior) {
  const auto n = orders.size();
  if (prior == bayes::SubtypeOrders::uniform) return Matrix(n, n, 1.0 / static_cast<double>(n * n));
  Matrix out(n, n);
  constexpr int kGrid = 64;
  for (int i = 0; i < kGrid; ++i) {
    const double t = 0.01 + (0.5 - 0.01) * (i + 0.5) / kGrid;
    for (const auto& centre : orders) {
      std::vector<double> chances;
      double sum = 0.0;
      for (const auto& order : orders)
        sum += chances.emplace_back(std::exp(-t * discordant(order, centre)));
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          out(a, b) += chances[a] * chances[b] / (sum * sum * kGrid * static_cast<double>(n));
    }
  }
  return out;
}

/// The density of the share of one of two subtypes: a mean of Beta(a, a).
double density_of_share(double share, bayes::SubtypeSizes sizes) {
  if (sizes == bayes::SubtypeSizes::any) return 1.0;
  double sum = 0.0;
  for (const double a : {2.0, 5.0, 20.0})
    sum += std::exp(std::lgamma(2.0 * a) - 2.0 * std::lgamma(a)) *
           std::pow(share * (1.0 - share), a - 1.0) / 3.0;
  return sum;
}

/// The log evidence of one and of two progressions by hand: the sum over all traits and all orders,
/// and over shares by the midpoints of a grid.
std::pair<double, double> evidence_by_hand(const SmallEvidence& small,
                                           const bayes::SubtypeSettings& known) {
  const auto B = small.evidence.size(), T = small.evidence.traits.size();
  const auto orders = all_orders(B);
  const auto n = static_cast<double>(orders.size());
  const auto pairs = priors_of_pairs(orders, known.orders);
  std::vector<double> ones, twos;  // logs, by traits of all biomarkers
  std::size_t codes = 1;
  for (std::size_t b = 0; b < B; ++b) codes *= T;
  for (std::size_t code = 0; code < codes; ++code) {
    std::vector<std::size_t> traits;
    for (std::size_t rest = code; traits.size() < B; rest /= T) traits.push_back(rest % T);
    double before = -std::log(static_cast<double>(codes));
    for (std::size_t b = 0; b < B; ++b) before += small.evidence.all_before[traits[b]][b];
    std::vector<std::vector<double>> by_order;
    for (const auto& order : orders) by_order.push_back(likelihoods(small, order, traits));
    constexpr int kShares = 100;
    double one = 0.0, two = 0.0;
    for (std::size_t a = 0; a < by_order.size(); ++a) {
      const auto& first = by_order[a];
      double alone = 1.0 / n;
      for (const double value : first) alone *= value;
      one += alone;
      for (std::size_t b = 0; b < by_order.size(); ++b)
        for (int w = 0; w < kShares; ++w) {
          const auto& second = by_order[b];
          const double share = (w + 0.5) / kShares;
          double together = pairs(a, b) * density_of_share(share, known.sizes) / kShares;
          for (std::size_t i = 0; i < first.size(); ++i)
            together *= share * first[i] + (1.0 - share) * second[i];
          two += together;
        }
    }
    ones.push_back(before + std::log(one));
    twos.push_back(before + std::log(two));
  }
  const auto log_sum = [](const std::vector<double>& logs) {
    const double top = *std::max_element(logs.begin(), logs.end());
    double sum = 0.0;
    for (const double value : logs) sum += std::exp(value - top);
    return top + std::log(sum);
  };
  return {log_sum(ones), log_sum(twos)};
}

}  // namespace

TEST_CASE("bayes finds two planted orders", "[bayes][subtypes]") {
  const auto cohort = planted();
  const auto found = fit("subtypes = 2", "h3", cohort.cohort);
  REQUIRE(distance(found, cohort) == 0.0);
  REQUIRE(score(found, cohort) > 0.9);
  REQUIRE(stage_mae(found.stages, cohort.truth.ordinal_stages, kPlantedEvents) < 0.3);
  REQUIRE(std::min(found.subtypes->shares[0], found.subtypes->shares[1]) > 0.15);
  for (std::size_t j = 0; j < cohort.cohort.participant_count(); ++j)
    if (cohort.cohort.diseased[j] == 0) REQUIRE(found.stages[j] == 0.0);
}

TEST_CASE("bayes with several subtypes gives the same for the same seed, whatever the rows",
          "[bayes][subtypes]") {
  const std::string hypothesis = GENERATE("h1", "h5", "h9");
  const auto cohort = planted().cohort;
  const auto find = [&](const Cohort& given) {
    return fit("subtypes = 2\nstarts = 2\niterations = 40", hypothesis, given);
  };
  const auto first = find(cohort);
  REQUIRE(find(cohort).subtypes->posterior == first.subtypes->posterior);
  std::vector<std::size_t> order(cohort.participant_count());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  const auto turned = find(with_rows(cohort, order));
  for (std::size_t j = 0; j < order.size(); ++j) {
    REQUIRE(turned.stages[j] == first.stages[order[j]]);
    for (std::size_t s = 0; s < 2; ++s)
      REQUIRE(turned.subtypes->posterior(j, s) == first.subtypes->posterior(order[j], s));
  }
}

TEST_CASE("two subtypes predict two planted orders better than one does", "[bayes][subtypes]") {
  const auto cohort = planted().cohort;
  const auto two = fit("subtypes = 2", "h1", cohort), one = fit("", "h1", cohort);
  REQUIRE(two.evidence->elpd_loo > one.evidence->elpd_loo + 20.0);
  // And it is known by how much they may be off: a comparison can tell them apart.
  REQUIRE(two.evidence->elpd_mcse < 5.0);
}

TEST_CASE("scores of several subtypes are as far off as their Monte Carlo error says",
          "[bayes][subtypes]") {
  // The sd of 12 sums is known to a fifth; their errors, each of four quarters, to an eighth: twice
  // that of both, and twice that again since a quarter is not much longer than what its draws
  // remember. Draws that take turns in the quarters would have a third of the error or less.
  const auto cohort = planted(3, 1.5).cohort;
  const auto process = shipped().hypothesis(part("h1"), planted_biomarkers(1.5));
  std::vector<double> sums, squares;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    auto spec = part("bayes");
    Problems problems;
    spec.settings = read_toml_text("subtypes = 2\niterations = 600", "test", problems);
    auto random = stream(seed);
    const auto evidence = *shipped().method_under(spec, *process)->fit(cohort, random).evidence;
    sums.push_back(evidence.elpd_waic);
    constexpr double kHalfOfT = 1.65;  // by which the error is wider, with three degrees of freedom
    squares.push_back(std::pow(evidence.elpd_mcse / kHalfOfT, 2.0));
  }
  const double spread = std::sqrt(variance(sums)), said = std::sqrt(mean(squares));
  CAPTURE(spread, said);
  REQUIRE(spread < 2.0 * said);
  REQUIRE(spread > 0.4 * said);
}

TEST_CASE("two orders follow a biomarker's units where distributions are not known",
          "[bayes][subtypes]") {
  const auto [hypothesis, factor] =
      GENERATE(table<std::string, double>({{"h1", -1e6}, {"h2", 1e6}, {"h2", 1e-6}}));
  CAPTURE(hypothesis, factor);
  const auto cohort = drawn_from("'" + hypothesis + "'", 4);
  const std::string settings = "subtypes = 2\nparameters = 'sample'";
  const auto one = fit(settings, hypothesis, cohort.cohort);
  const auto other = fit(settings, hypothesis, with_column(cohort.cohort, 1, factor));
  REQUIRE(std::abs(distance(one, cohort) - distance(other, cohort)) < 0.05);
  // Chains part at a rounding error, and are other draws of the same posterior.
  double apart = 0.0;
  for (std::size_t j = 0; j < one.stages.size(); ++j)
    apart += std::abs(one.stages[j] - other.stages[j]) / static_cast<double>(one.stages.size());
  REQUIRE(apart < 0.1);
  REQUIRE(one.diagnostics.at("second_attempt_behind") ==
          Approx(other.diagnostics.at("second_attempt_behind")).margin(3.0));
}

TEST_CASE("bayes says under which hypotheses it takes several subtypes", "[bayes][subtypes]") {
  const auto cohort = planted().cohort;
  for (const std::string hypothesis : {"h5", "h8", "h9"})
    REQUIRE_THROWS_WITH(fit("most_subtypes = 2", hypothesis, cohort), Contains("give 'subtypes'"));
  for (const std::string hypothesis : {"h5", "h8", "h9"})
    REQUIRE_THROWS_WITH(fit("subtypes = 2\nparameters = 'sample'", hypothesis, cohort),
                        Contains("give 'parameters' = 'estimate'"));
  for (const std::string parameters : {"estimate", "sample"})
    REQUIRE_THROWS_WITH(fit("most_subtypes = 2\nparameters = '" + parameters + "'", "h1", cohort),
                        Contains("'most_subtypes' needs 'parameters' = 'known'"));
}

TEST_CASE("bayes finds two orders without knowing the distributions", "[bayes][subtypes]") {
  const auto [hypothesis, parameters] = GENERATE(table<std::string, std::string>(
      {{"h1", "estimate"}, {"h1", "sample"}, {"h2", "sample"}, {"h5", "estimate"}}));
  CAPTURE(hypothesis, parameters);
  const auto cohort = drawn_from("'" + hypothesis + "'", 4);
  const auto settings = "subtypes = 2\nparameters = '" + parameters + "'";
  // The table's distributions are wrong by far.
  const auto found = fit(settings, hypothesis, cohort.cohort, 40.0);
  const auto known = fit("subtypes = 2", hypothesis, cohort.cohort);
  REQUIRE(distance(found, cohort) < 0.1);
  REQUIRE(score(found, cohort) > score(known, cohort) - 0.1);
  REQUIRE(stage_mae(found.stages, cohort.truth.ordinal_stages, kPlantedEvents) < 0.4);
  const auto other = fit(settings, hypothesis, cohort.cohort);
  REQUIRE(found.stages == other.stages);
  REQUIRE(found.subtypes->posterior == other.subtypes->posterior);
}

TEST_CASE("bayes finds the orders of two subtypes whose biomarkers have families of their own",
          "[bayes][subtypes]") {
  const auto cohort = drawn_from("'h2'", 4);
  const auto found = fit("subtypes = 2", "h2", cohort.cohort);
  REQUIRE(distance(found, cohort) < 0.05);
  REQUIRE(score(found, cohort) > 0.8);
  REQUIRE(stage_mae(found.stages, cohort.truth.ordinal_stages, kPlantedEvents) < 0.3);
}

TEST_CASE("bayes finds the orders of two subtypes at continuous stages", "[bayes][subtypes]") {
  const auto cohort = drawn_from("'h6'", 5);
  const auto found = fit("subtypes = 2", "h6", cohort.cohort);
  REQUIRE(distance(found, cohort) < 0.05);
  REQUIRE(score(found, cohort) > 0.8);
  REQUIRE(stage_mae(found.stages, cohort.truth.ordinal_stages, kPlantedEvents) < 0.3);
}

TEST_CASE("bayes finds the orders of two subtypes at continuous event times", "[bayes][subtypes]") {
  const auto cohort = drawn_from(
      "{ plugin = 'composed', event_times = { kind = 'beta', noise_sd = 0 }, stage_prior = { plugin "
      "= 'beta', alpha = 5, beta = 2 }, measurement_model = 'ebm_normal' }",
      6);
  const auto found = fit("subtypes = 2", between_times(), cohort.cohort);
  // Events that come nearly at once cannot be told apart.
  REQUIRE(distance(found, cohort) < 0.08);
  REQUIRE(score(found, cohort) > 0.7);
  REQUIRE(stage_mae(found.stages, cohort.truth.ordinal_stages, kPlantedEvents) < 0.3);
  REQUIRE(fit("most_subtypes = 3", between_times(), cohort.cohort).subtypes->shares.size() == 2);
}

TEST_CASE("bayes finds the orders of two subtypes where stages are summed over nodes",
          "[bayes][subtypes]") {
  const std::string hypothesis = GENERATE("h5", "h8", "h9");
  CAPTURE(hypothesis);
  const auto cohort = drawn_from("'" + hypothesis + "'", 9);
  const auto found = fit("subtypes = 2\nstarts = 4\niterations = 400", hypothesis, cohort.cohort);
  // Noisy events that come nearly at once cannot be told apart; chance is 0.44.
  REQUIRE(distance(found, cohort) < 0.2);
  REQUIRE(score(found, cohort) > 0.3);
  REQUIRE(stage_mae(found.stages, cohort.truth.ordinal_stages, kPlantedEvents) < 0.4);
}

namespace {

/// A small cohort of a hypothesis and what is needed to look at chains over its subtypes.
struct SmallCohort {
  explicit SmallCohort(const PartSpec& hypothesis, std::size_t events, std::size_t participants) {
    std::vector<Biomarker> biomarkers;
    for (std::size_t b = 0; b < events; ++b)
      biomarkers.push_back({fmt::format("b{:02}", b), {0.0, 1.0}, {1.5, 1.0}});
    process = shipped().hypothesis(hypothesis, BiomarkerTable(biomarkers));
    auto random = stream(3);
    cohort = process->simulate({.participants = participants, .healthy_ratio = 0.2}, random).cohort;
    columns = find_columns(cohort, process->biomarkers().names()).columns;
    for (std::size_t j = 0; j < participants; ++j)
      if (cohort.diseased[j] != 0) diseased.push_back(j);
    model = bayes::subtype_model(*process->law(), cohort, columns, diseased);
  }

  std::shared_ptr<const GenerativeProcess> process;
  Cohort cohort;
  std::vector<std::size_t> columns, diseased;
  std::unique_ptr<bayes::SubtypeModel> model;
};

}  // namespace

TEST_CASE("what a draw says of everyone is what its chain was at where measurements switch",
          "[bayes][subtypes]") {
  const auto hypothesis = GENERATE(part("h1"), part("h2"), between_times());
  const bool are_sampled = GENERATE(false, true);
  CAPTURE(hypothesis.plugin, are_sampled);
  const SmallCohort small(hypothesis, 5, 60);
  const auto& law = *small.process->law();
  const auto estimates = are_sampled ? bayes::estimate_biomarkers(law, small.cohort, small.columns)
                                     : bayes::BiomarkerEstimates();
  const auto process = are_sampled ? bayes::with_estimates(law, estimates) : law;
  const auto model =
      bayes::subtype_model(process, small.cohort, small.columns, small.diseased, estimates);
  const auto chain = model->start({.subtypes = 2}, stream(4));
  for (int i = 0; i < 20; ++i) chain->sweep(1.0);
  const auto draw = chain->draw();
  REQUIRE(draw.biomarkers.size() == (are_sampled ? 5 : 0));
  double sum = 0.0;
  for (const double value : model->everyone_under(draw).log_likelihoods) sum += value;
  double expected = draw.log_likelihood;
  if (!are_sampled) {  // that of before shares were drawn; go there instead
    const auto evidence = bayes::switch_evidence(*law.measurement_model().law(), small.cohort,
                                                 small.columns, small.diseased);
    const auto stages = bayes::draw_stages_of(law);
    bayes::SwitchSubtypesChain there(evidence, std::nullopt, stages, {.subtypes = 2}, stream(5));
    there.go_to(draw);
    expected = there.log_likelihood();
  }
  REQUIRE(sum == Approx(expected).margin(1e-6));
}

// With 25 biomarkers and ordinal stages a share of the time axis is not always a whole stage again.
TEST_CASE("what a draw says of everyone is what its chain was at", "[bayes][subtypes]") {
  const auto hypothesis =
      GENERATE(part("h5"), part("h8"), part("h9"),
               read_part("composed",
                         "event_times = 'permutation'\nstage_prior = { plugin = "
                         "'dirichlet_multinomial' }\nmeasurement_model = 'sigmoid'"));
  const auto events = hypothesis.plugin == "composed" ? std::size_t{25} : std::size_t{5};
  const SmallCohort small(hypothesis, events, 40);
  const auto chain = small.model->start({.subtypes = 2}, stream(4));
  for (int i = 0; i < 3; ++i) chain->sweep(1.0);
  const auto draw = chain->draw();
  const auto everyone = small.model->everyone_under(draw);
  double sum = 0.0;
  for (const double value : everyone.log_likelihoods) sum += value;
  REQUIRE(sum == Approx(draw.log_likelihood).margin(1e-6));
  for (const auto j : small.diseased) {
    double chance = 0.0;
    for (const auto& of_subtype : everyone.weights)
      for (const double value : of_subtype.row(j)) chance += value;
    REQUIRE(chance == Approx(1.0));
    if (hypothesis.plugin != "composed") continue;
    // Stages are whole numbers, from 1 on.
    REQUIRE(everyone.weights[0](j, 0) + everyone.weights[1](j, 0) == 0.0);
  }
}

// 6 x 6 pairs of orders of three events, summed over shares and directions.
TEST_CASE(
    "a chain over two subtypes draws orders as often as they are likely where measurements are "
    "gradual",
    "[bayes][subtypes]") {
  const SmallCohort small(part("h5"), 3, 25);
  const auto sizes = GENERATE(bayes::SubtypeSizes::any, bayes::SubtypeSizes::even);
  const auto& law = *small.process->law();
  const auto nodes = bayes::stage_nodes(law);
  const bayes::TimeFactors factors(law, nodes, small.cohort, small.columns, small.diseased);
  bayes::NodeLikelihood likelihood(factors, nodes, small.diseased.size());
  const auto orders = all_orders(3);
  const auto T = factors.traits(), n = small.diseased.size();
  Matrix logs(orders.size() * orders.size(), T * T * T);
  std::vector<double> own(n);
  for (std::size_t code = 0; code < T * T * T; ++code) {
    const std::vector<std::size_t> traits{code % T, code / T % T, code / T / T};
    double scale = 0.0;
    for (std::size_t b = 0; b < 3; ++b) scale += factors.log_scale(b, traits[b]);
    std::vector<std::vector<double>> of_orders;
    for (const auto& order : orders) {
      likelihood.set(nodes.places(order), traits);
      likelihood.log_likelihoods(own);
      of_orders.push_back(own);
    }
    for (std::size_t a = 0; a < orders.size(); ++a)
      for (std::size_t b = 0; b < orders.size(); ++b) {
        constexpr int kShares = 200;
        double over_shares = 0.0;
        for (int w = 0; w < kShares; ++w) {
          const double share = (w + 0.5) / kShares;
          double sum = scale + std::log(density_of_share(share, sizes));
          for (std::size_t j = 0; j < n; ++j)
            sum += std::log(share * std::exp(of_orders[a][j]) +
                            (1.0 - share) * std::exp(of_orders[b][j]));
          over_shares += std::exp(sum) / kShares;
        }
        logs(a * orders.size() + b, code) = over_shares;
      }
  }
  std::vector<double> expected(orders.size(), 0.0);  // of either subtype
  double z = 0.0;
  for (std::size_t a = 0; a < orders.size(); ++a)
    for (std::size_t b = 0; b < orders.size(); ++b)
      for (const double value : std::as_const(logs).row(a * orders.size() + b)) {
        expected[a] += value;
        z += value;
      }
  const auto chain = small.model->start(
      {.subtypes = 2, .orders = bayes::SubtypeOrders::uniform, .sizes = sizes}, stream(5));
  std::map<Order, double> found;
  constexpr int kBurnIn = 200, kDraws = 20000;
  for (int i = 0; i < kBurnIn + kDraws; ++i) {
    chain->sweep(1.0);
    if (i < kBurnIn) continue;
    for (const auto& order : chain->state().orders) found[order] += 0.5 / kDraws;
  }
  for (std::size_t a = 0; a < orders.size(); ++a) {
    CAPTURE(a);
    REQUIRE_THAT(found[orders[a]], WithinAbs(expected[a] / z, 0.02));
  }
}

TEST_CASE("bayes finds directions that two subtypes share", "[bayes][subtypes]") {
  // The distributions say that values rise; in this cohort all fall.
  auto cohort = drawn_from("'h5'", 9);
  auto& values = cohort.cohort.measurements;
  for (std::size_t j = 0; j < values.rows(); ++j)
    for (std::size_t b = 0; b < values.cols(); ++b) {
      const double before = 10.0 * static_cast<double>(b);
      if (cohort.truth.traits[b] > 0) values(j, b) = 2.0 * before - values(j, b);
    }
  const auto found = fit("subtypes = 2\nstarts = 4\niterations = 400", "h5", cohort.cohort);
  REQUIRE(distance(found, cohort) < 0.1);
}

TEST_CASE("stages between continuous event times are drawn as their posterior says",
          "[bayes][subtypes]") {
  const auto times = beta_times(2.0, 3.0);
  const auto process = shipped().hypothesis(between_times(), planted_biomarkers());
  const auto& stages = *process->law()->stage_prior().continuous_law();
  const bayes::StagesBetweenTimes between(times, stages, 2);
  const auto counts =
      GENERATE(std::vector{0.0, 0.0, 0.0}, std::vector{3.0, 0.0, 5.0}, std::vector{1.0, 12.0, 2.0});
  // By midpoints of a grid over both times, the first one earlier.
  constexpr std::size_t kGrid = 300;
  std::vector<double> at;
  for (std::size_t i = 0; i < kGrid; ++i)
    at.push_back(2.0 * (static_cast<double>(i) + 0.5) / kGrid);
  const auto below = stages.cumulative(2, at);
  double z = 0.0, first = 0.0, second = 0.0, middle = 0.0;
  for (std::size_t i = 0; i < kGrid; ++i)
    for (std::size_t k = i + 1; k < kGrid; ++k) {
      const double t = at[i] / 2.0, u = at[k] / 2.0, share = below[k] - below[i];
      const double weight = t * std::pow(1.0 - t, 2.0) * u * std::pow(1.0 - u, 2.0) *
                            std::pow(below[i], counts[0]) * std::pow(share, counts[1]) *
                            std::pow(1.0 - below[k], counts[2]);
      z += weight;
      first += weight * t;
      second += weight * u;
      middle += weight * share;
    }
  constexpr int kDraws = 40000;
  auto random = stream(5);
  std::vector<double> drawn;
  double found_first = 0.0, found_second = 0.0, found_middle = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const auto log_pi = between.draw(counts, drawn, random);
    REQUIRE_THAT(std::exp(log_pi[0]) + std::exp(log_pi[1]) + std::exp(log_pi[2]),
                 WithinAbs(1.0, 1e-12));
    found_first += drawn[0] / kDraws;
    found_second += drawn[1] / kDraws;
    found_middle += std::exp(log_pi[1]) / kDraws;
  }
  CAPTURE(counts);
  // Some five standard errors of as many draws, of which each depends on the one before.
  REQUIRE_THAT(found_first, WithinAbs(first / z, 0.01));
  REQUIRE_THAT(found_second, WithinAbs(second / z, 0.01));
  REQUIRE_THAT(found_middle, WithinAbs(middle / z, 0.01));
}

TEST_CASE("settings of bayes that mean something with several subtypes are used",
          "[bayes][subtypes]") {
  const auto cohort = planted().cohort;
  const auto found =
      fit("subtypes = 2\nstarts = 3\niterations = 240\nreplications = 0", "h1", cohort);
  REQUIRE(found.diagnostics.at("attempts") == 3.0);
  REQUIRE(found.diagnostics.at("iterations") == 240.0);
  REQUIRE(found.evidence->draws == 120);  // all that are kept count in scores
}

TEST_CASE("settings of bayes that mean nothing with so many subtypes are told",
          "[bayes][subtypes]") {
  const auto [settings, complaint] = GENERATE(table<std::string, std::string>(
      {{"subtypes = 2\nchains = 4", "'chains' means nothing with several subtypes"},
       {"subtypes = 2\nburn_in = 50", "'burn_in' means nothing with several subtypes"},
       {"subtypes = 2\nreplications = 200", "'replications' must be 0 with several subtypes"},
       {"starts = 3", "'starts' means nothing with one order"},
       {"subtype_orders = 'uniform'", "'subtype_orders' means nothing with one order"},
       {"subtype_sizes = 'even'", "'subtype_sizes' means nothing with one order"},
       {"subtypes = 1\nsubtype_sizes = 'evn'", "did you mean 'even'"}}));
  REQUIRE_THROWS_WITH(fit(settings, "h1", planted().cohort), Contains(complaint));
}

TEST_CASE("a sweep over the number of subtypes may have settings of several", "[bayes][subtypes]") {
  const auto cohort = planted().cohort;
  const std::string one = "burn_in = 50\niterations = 100\nreplications = 0\nsubtypes = 1\n";
  REQUIRE(fit(one + "starts = 4\nsubtype_orders = 'uniform'\nsubtype_sizes = 'any'", "h1", cohort)
              .stages == fit(one, "h1", cohort).stages);
}

TEST_CASE("a wrong number of subtypes is one fault", "[bayes][subtypes]") {
  const auto settings = GENERATE("subtypes = 'three'\nstarts = 4", "most_subtypes = -1\nstarts = 4",
                                 "subtypes = 2.5\nchains = 4");
  REQUIRE_THROWS_WITH(fit(settings, "h1", planted().cohort), !Contains("means nothing"));
}

TEST_CASE("bayes warns where another start found other orders about as probable",
          "[bayes][subtypes]") {
  const auto has_warning = [](const Inference& found) {
    return std::any_of(found.warnings.begin(), found.warnings.end(), [](const auto& warning) {
      return warning.find("other orders are about as probable") != std::string::npos;
    });
  };
  REQUIRE_FALSE(has_warning(fit("subtypes = 2", "h1", planted().cohort)));
  constexpr double kHardlyAny = 0.1;
  REQUIRE(has_warning(
      fit("subtypes = 2\niterations = 8", "h1", planted(3, kHardlyAny).cohort, kHardlyAny)));
}

TEST_CASE("probabilities of orders about a centre sum to one, and favour the centre",
          "[bayes][subtypes]") {
  auto random = stream(3);
  const bayes::OrderCentre centre(4, 0.3, 0.9, random);
  double sum = 0.0;
  for (const auto& order : all_orders(4)) {
    const double log_p = centre.log_probability({order});
    sum += std::exp(log_p);
    REQUIRE_THAT(log_p, WithinAbs(centre.log_probability({centre.centre()}) -
                                      centre.dispersion() * discordant(order, centre.centre()),
                                  1e-12));
    // The same up to a constant by an event's places.
    Order others(order.begin() + 1, order.end());
    std::vector<double> places(4, 0.0);
    centre.add_log_priors(others, order[0], places);
    auto last = others;
    last.push_back(order[0]);
    REQUIRE_THAT(places[3] - places[0], WithinAbs(centre.log_probability({last}) - log_p, 1e-12));
  }
  REQUIRE_THAT(sum, WithinAbs(1.0, 1e-12));
}

TEST_CASE("each centre of orders is drawn as often as Mallows' law says", "[bayes][subtypes]") {
  // Two orders of three events; dispersion nearly fixed.
  constexpr double kDispersion = 0.8;
  const toolkit::OrderSet orders{{0, 1, 2}, {0, 2, 1}};
  auto random = stream(2);
  bayes::OrderCentre centre(3, kDispersion, kDispersion + 1e-9, random);
  std::map<Order, double> found;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    centre.sweep(orders, random);
    found[centre.centre()] += 1.0 / kDraws;
  }
  double z = 0.0;
  for (const auto& one : all_orders(3)) z += std::exp(-kDispersion * discordant(one, orders));
  for (const auto& one : all_orders(3)) {
    CAPTURE(one);
    REQUIRE_THAT(found[one], WithinAbs(std::exp(-kDispersion * discordant(one, orders)) / z, 0.02));
  }
}

TEST_CASE("the dispersion of orders is drawn as its posterior says", "[bayes][subtypes]") {
  constexpr double kLeast = 0.01, kMost = 3.0;
  constexpr std::size_t kParts = 8, kDraws = 30000, kSteps = 4000;
  const toolkit::OrderSet orders{{0, 1, 2, 3}, {0, 1, 3, 2}, {1, 0, 2, 3}};
  // By integration over T and all centres: Z is the sum over all orders.
  std::vector<double> expected(kParts, 0.0), found(kParts, 0.0);
  double z = 0.0;
  for (std::size_t i = 0; i < kSteps; ++i) {
    const double t = kLeast + (kMost - kLeast) * (static_cast<double>(i) + 0.5) / kSteps;
    double over_centres = 0.0, of_order = 0.0;
    for (const auto& one : all_orders(4)) {
      over_centres += std::exp(-t * discordant(one, orders));
      of_order += std::exp(-t * discordant(one, orders[0]));
    }
    const double weight = over_centres / std::pow(of_order, 3.0);
    z += weight;
    expected[i * kParts / kSteps] += weight;
  }
  auto random = stream(4);
  bayes::OrderCentre centre(4, kLeast, kMost, random);
  for (std::size_t i = 0; i < kDraws; ++i) {
    centre.sweep(orders, random);
    const double at = (centre.dispersion() - kLeast) / (kMost - kLeast);
    found[static_cast<std::size_t>(at * kParts)] += 1.0 / kDraws;
  }
  for (std::size_t part = 0; part < kParts; ++part) {
    CAPTURE(part);
    REQUIRE_THAT(found[part], WithinAbs(expected[part] / z, 0.02));
  }
}

TEST_CASE("the evidence of one and of two subtypes is the sum over orders, shares and families",
          "[bayes][subtypes]") {
  const auto small = small_evidence(GENERATE(as<std::string>(), "h6", "h7"));
  const bayes::SubtypeSettings settings{
      .orders = GENERATE(bayes::SubtypeOrders::uniform, bayes::SubtypeOrders::mallows),
      .sizes = GENERATE(bayes::SubtypeSizes::any, bayes::SubtypeSizes::even)};
  const auto [one, two] = evidence_by_hand(small, settings);
  // One estimate of so small a cohort has an error of 0.1 to 0.2, the mean of eight less than
  // 0.075.
  constexpr std::uint64_t kSeeds = 8;
  double of_one = 0.0, of_two = 0.0, error = 0.0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto found = bayes::evidence_of_numbers(
        small.evidence, bayes::draw_stages_by(small.stages), settings, 2, stream(seed));
    of_one += found.log_evidence[0] / kSeeds;
    of_two += found.log_evidence[1] / kSeeds;
    error += (found.errors[0] + found.errors[1]) / (2.0 * kSeeds);
  }
  REQUIRE_THAT(of_one, WithinAbs(one, 0.2));
  REQUIRE_THAT(of_two, WithinAbs(two, 0.2));
  REQUIRE_THAT(error, WithinAbs(0.15, 0.1));
}

TEST_CASE("orders that are drawn about a centre are as likely as Mallows' law says",
          "[bayes][subtypes]") {
  auto random = stream(8);
  const bayes::OrderCentre centre(3, 0.6, 0.9, random);
  std::map<Order, double> found;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) found[centre.draw_order(random)] += 1.0 / kDraws;
  for (const auto& order : all_orders(3)) {
    CAPTURE(order);
    REQUIRE_THAT(found[order], WithinAbs(std::exp(centre.log_probability({order})), 0.015));
  }
}

TEST_CASE("a chain over subtypes ends when orders have settled, or says that they have not",
          "[bayes][subtypes]") {
  const auto says = [](const Inference& found) {
    return std::any_of(found.warnings.begin(), found.warnings.end(), [](const auto& warning) {
      return warning.find("orders of subtypes had not settled") != std::string::npos;
    });
  };
  const auto clear = fit("subtypes = 2", "h1", planted().cohort);
  REQUIRE(clear.diagnostics.at("iterations") == 400.0);
  REQUIRE(clear.diagnostics.at("r_hat_of_subtype_1") <= 1.05);
  REQUIRE(clear.diagnostics.at("r_hat_of_subtype_2") <= 1.05);
  REQUIRE_FALSE(says(clear));
  // All orders are about as likely, and a few sweeps do not see them.
  constexpr double kHardlyAny = 0.1;
  const auto weak =
      fit("subtypes = 2\niterations = 16", "h1", planted(3, kHardlyAny).cohort, kHardlyAny);
  REQUIRE(weak.diagnostics.at("iterations") == 16.0);
  REQUIRE(says(weak));
}

TEST_CASE(
    "a chain over subtypes goes on until enough draws are independent, or says that they are not",
    "[bayes][subtypes]") {
  const auto doubts = [](const Inference& found) {
    return std::count_if(found.warnings.begin(), found.warnings.end(), [](const auto& warning) {
      return warning.find("independent draws after 'iterations' sweeps") != std::string::npos;
    });
  };
  // Orders settle at once, but neighbouring draws are alike.
  constexpr double kLittle = 0.8;
  const auto cohort = planted(3, kLittle).cohort;
  const auto cut = fit("subtypes = 2\niterations = 400", "h1", cohort, kLittle);
  REQUIRE(cut.chains->r_hat <= 1.05);
  REQUIRE(cut.chains->effective_samples < 100.0);
  REQUIRE(doubts(cut) == 1);
  const auto whole = fit("subtypes = 2", "h1", cohort, kLittle);
  REQUIRE(whole.diagnostics.at("iterations") > 400.0);
  REQUIRE(whole.chains->effective_samples >= 100.0);
  REQUIRE(doubts(whole) == 0);
}

TEST_CASE("bayes infers how many subtypes there are", "[bayes][subtypes]") {
  const auto two = planted().cohort;
  const auto found = fit("most_subtypes = 3", "h1", two);
  REQUIRE(found.subtypes->shares.size() == 2);
  const auto& evidence = found.subtypes->log_evidence;
  REQUIRE(evidence.size() == 3);
  REQUIRE(std::max_element(evidence.begin(), evidence.end()) == evidence.begin() + 1);
  REQUIRE(found.diagnostics.at("probability_of_2_subtypes") > 0.9);
  const auto may_be_more = [](const Inference& inferred) {
    return std::any_of(inferred.warnings.begin(), inferred.warnings.end(), [](const auto& warning) {
      return warning.find("is the largest that 'most_subtypes' allows") != std::string::npos;
    });
  };
  REQUIRE_FALSE(may_be_more(found));
  REQUIRE(may_be_more(fit("most_subtypes = 2", "h1", two)));
  // All else as if their number had been given.
  REQUIRE(found.stages == fit("subtypes = 2", "h1", two).stages);

  auto random = stream(5);
  const auto one = shipped()
                       .hypothesis(part("h1"), planted_biomarkers())
                       ->simulate({.participants = 400, .healthy_ratio = 0.2}, random)
                       .cohort;
  REQUIRE(fit("most_subtypes = 3", "h1", one).subtypes->shares.size() == 1);
}

TEST_CASE("bayes says where a cohort does not tell how many subtypes there are",
          "[bayes][subtypes]") {
  const auto doubts = [](const Inference& found) {
    return std::any_of(found.warnings.begin(), found.warnings.end(), [](const auto& warning) {
      return warning.find("does not tell for sure how many subtypes") != std::string::npos;
    });
  };
  constexpr double kLittle = 0.8;
  REQUIRE(doubts(fit("most_subtypes = 3", "h1", planted(3, kLittle).cohort, kLittle)));
  REQUIRE_FALSE(doubts(fit("most_subtypes = 3", "h1", planted().cohort)));
}

TEST_CASE("the number of subtypes is given or inferred, not both", "[bayes][subtypes]") {
  REQUIRE_THROWS_WITH(fit("subtypes = 2\nmost_subtypes = 3", "h1", planted().cohort),
                      Contains("'subtypes' is inferred with 'most_subtypes'"));
  REQUIRE_THROWS_WITH(fit("most_subtypes = 1", "h1", planted().cohort),
                      Contains("'most_subtypes' must be 0 or at least 2"));
}

}  // namespace tempo::test
