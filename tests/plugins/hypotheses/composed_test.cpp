#include <boost/math/distributions/beta.hpp>
#include <cmath>

#include "hypothesis_support.hpp"
#include "probes.hpp"
#include "statistics.hpp"
#include "tempo/composed_process.hpp"

namespace tempo::test {
using Catch::Matchers::Contains;

TEST_CASE("composed", "[hypothesis][composed]") {
  SECTION("the parts of a hypothesis of the paper, named, give the same cohorts") {
    const std::string ranked = "event_times = 'permutation'\n";
    const std::string timed = "event_times = { kind = 'beta', noise_sd = 0.05 }\n";
    const auto [id, times, prior, model] =
        GENERATE_COPY(table<std::string, std::string, std::string, std::string>(
            {{"h1", ranked, "dirichlet_multinomial", "ebm_normal"},
             {"h2", ranked, "dirichlet_multinomial", "ebm_non_normal"},
             {"h3", ranked, "uniform", "ebm_normal"},
             {"h4", ranked, "uniform", "ebm_non_normal"},
             {"h5", ranked, "beta", "sigmoid"},
             {"h6", ranked, "beta", "ebm_normal"},
             {"h7", ranked, "beta", "ebm_non_normal"},
             {"h8", timed, "beta", "sigmoid"},
             {"h9", timed, "beta", "ebm_normal"}}));
    CAPTURE(id);
    const auto named =
        composed(times + "stage_prior = '" + prior + "'\nmeasurement_model = '" + model + "'",
                 plain_biomarkers(12));
    const auto hypothesis = shipped().hypothesis(part(id), plain_biomarkers(12));
    auto first = stream(1);
    auto second = stream(1);
    REQUIRE(named->simulate({.participants = 100}, first) ==
            hypothesis->simulate({.participants = 100}, second));
  }
  SECTION("a part may have settings of its own") {
    const auto process = composed(R"(stage_prior = { plugin = 'beta', alpha = 50 }
                                     measurement_model = 'ebm_normal')",
                                  plain_biomarkers(10));
    auto random = stream(2);
    const auto drawn = process->simulate({.participants = 2000, .healthy_ratio = 0.0}, random);
    // k / B ~ Beta(50, 2): mean 50/52, variance 50 * 2 / (52^2 * 53).
    REQUIRE(mean_p_value(mean(drawn.truth.stages) / 10.0, 2000, 50.0 / 52.0,
                         std::sqrt(100.0 / (52.0 * 52.0 * 53.0))) > kRarely);
  }
  SECTION("what is missing, unknown or out of range is said") {
    const auto [settings, complaint] = GENERATE(table<std::string, std::string>(
        {{"measurement_model = 'ebm_normal'", "missing key 'stage_prior'"},
         {"stage_prior = 'betta'\nmeasurement_model = 'ebm_normal'", "did you mean 'beta'"},
         {"event_times = 'permutations'\nstage_prior = 'beta'\nmeasurement_model = 'ebm_normal'",
          "did you mean 'permutation'"},
         {"event_times = { kind = 'beta', noise_sd = 2 }\nstage_prior = 'beta'\n"
          "measurement_model = 'ebm_normal'",
          "'noise_sd' must be a number in [0, 1], not 2"},
         {"stage_prior = 'ebm_normal'\nmeasurement_model = 'ebm_normal'", "ebm_normal"}}));
    REQUIRE_THROWS_WITH(composed(settings, plain_biomarkers(3)), Contains(complaint));
  }
}

/// What worded_model measures of its eight settings.
std::vector<double> settings_measured(const GenerativeProcess& process) {
  auto random = stream(1);
  const auto x = process.simulate({.participants = 1}, random).cohort.measurements;
  return {x.row(0).begin(), x.row(0).end()};
}

TEST_CASE("settings of every type reach the parts of a hypothesis", "[hypothesis][composed]") {
  const auto table = plain_biomarkers(8);
  // worded_model: a number, an integer, a flag, letters of a text, of a choice and of a list of
  // texts, how many files, the sum of a list in a table.
  const std::vector<double> expected{2.5, 7, 1, 5, 5, 6, 1, 12};
  SECTION("from an experiment file") {
    Problems problems;
    const auto settings = read_toml_text(R"(stage_prior = "uniform"
[measurement_model]
plugin = "worded_model"
number = 2.5
integer = 7
flag = true
text = "hello"
choice = "three"
texts = ["ab", "cdef"]
files = ["none.csv"]
table = { items = [3, 4, 5] }
)",
                                         "test", problems);
    problems.throw_if_any();
    const auto process = shipped_and_probes().hypothesis({"composed", settings, {}}, table);
    REQUIRE(settings_measured(*process) == expected);
  }
  SECTION("fixed by a plugin") {
    const std::vector<std::string> files{"none.csv"};
    const ComposedProcess process(
        {permutation_times(), fixed_part("uniform"),
         fixed_part("worded_model", {{"number", 2.5},
                                     {"integer", 7},
                                     {"flag", true},
                                     {"text", "hello"},
                                     {"choice", std::string("three")},
                                     {"texts", {"ab", "cdef"}},
                                     {"files", files},
                                     {"table", fixed_table({{"items", {3, 4, 5}}})}})},
        {table, shipped_and_probes()});
    REQUIRE(settings_measured(process) == expected);
  }
  SECTION("lists in lists, lists of tables and parts in parts keep their shape") {
    REQUIRE(canonical_json(fixed_part("any", {{"rows", {{1, 2.5}, {3, 4}}},
                                              {"words", {{"a", "b"}, {"c", "d"}}},
                                              {"tables", {fixed_table({{"low", -1}})}},
                                              {"part", fixed_part("beta", {{"alpha", 2.5}})}})
                               .settings) ==
            R"({"part":{"alpha":2.5,"plugin":"beta"},"rows":[[1,2.5],[3,4]],)"
            R"("tables":[{"low":-1}],"words":[["a","b"],["c","d"]]})");
  }
  SECTION("one of another type is refused by the part") {
    REQUIRE_THROWS_WITH(
        ComposedProcess({permutation_times(), fixed_part("uniform"),
                         fixed_part("worded_model", {{"texts", "one"}, {"flag", 1}})},
                        {table, shipped_and_probes()}),
        Contains("'texts' must be a list of strings, not a string") &&
            Contains("'flag' must be true or false, not an integer"));
  }
}

TEST_CASE("continuous event times", "[hypothesis][composed]") {
  SECTION("xi / B is Beta(2, 2)") {
    const auto process = shipped().hypothesis(part("h9"), plain_biomarkers(12));
    std::vector<double> xi;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      RandomStream random(1, "test", "xi", i);
      for (const double time : process->simulate({.participants = 1}, random).truth.event_times)
        xi.push_back(time / 12.0);
    }
    REQUIRE(ks_p_value(xi, [](double x) {
              return cdf(boost::math::beta_distribution<>(2, 2), x);
            }) > kRarely);
  }
  SECTION(
      "a cell is post-event with chance Phi((k - xi) / (0.05 B)), and always or by the atom at the "
      "ends") {
    // States a million standard deviations apart show which one a cell was drawn from. B = 4, so
    // the noise has standard deviation 0.2. Noisy times below 0 are at 0, those above 4 at 4.
    std::vector<Biomarker> table;
    for (const char* name : {"a", "b", "c", "d"}) table.push_back({name, {0, 1e-6}, {1, 1e-6}});
    const auto process = shipped().hypothesis(part("h9"), BiomarkerTable(table));
    const auto& h9 = *process->law();
    const double phi = 0.5 * std::erfc(-0.5 / std::sqrt(2.0));  // Phi(0.5)
    const auto at = [&](double k, double xi) {
      const std::size_t J = 20000;
      Truth truth;
      truth.event_times = std::vector(4, xi);
      truth.stages = std::vector(J, k);
      auto random = stream(3);
      const auto x = h9.measure(truth, std::vector<std::uint8_t>(J, 1), random);
      return mean(x.values());
    };
    const auto agrees = [](double share, double p) {
      return mean_p_value(share, 80000, p, std::sqrt(p * (1.0 - p))) > kRarely;
    };
    REQUIRE(agrees(at(2.1, 2.0), phi));        // half a standard deviation after the event
    REQUIRE(agrees(at(1.9, 2.0), 1.0 - phi));  // and before it
    REQUIRE(agrees(at(2.0, 2.0), 0.5));
    REQUIRE(agrees(at(1e-8, 0.1), 1.0 - phi));  // only times clipped to 0 are that early
    REQUIRE(at(4.0, 3.9) > 1.0 - 1e-6);         // no time is later than B, whatever the noise
  }
}

}  // namespace tempo::test
