// tempo power: how many participants a study needs.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

/// Biomarkers that part the groups by two sds: some hundred participants give the order.
const std::string kStudy =
    edited("plugin = \"probe\"\n", "plugin = \"debm\"\n[[method]]\nplugin = \"chance\"\n");

const std::string kPower =
    "power e.toml --method debm --hypothesis h3 --at-most 0.15 --from 20 --to 2000 --within 0.2 ";

std::size_t fits_in(const Program& program, const std::string& run) {
  return program.lines(run + "/results.csv").size();
}

}  // namespace

TEST_CASE("the participants that a study needs are found, whatever the jobs", "[cli][power]") {
  const Program program;
  program.experiment(kStudy);
  const auto outcome = program.tempo(kPower + "--jobs 2 --format json");
  INFO(outcome.errors);
  REQUIRE(outcome.code == 0);
  const auto found = nlohmann::json::parse(outcome.output);
  const double needed = found.at("participants");
  REQUIRE(found.at("low") < needed);
  REQUIRE(needed < found.at("high"));
  REQUIRE_THAT(found.at("answer").get<std::string>(),
               StartsWith("tau_distance of 'debm' under 'h3' is at most 0.15 in 80 % of cohorts "
                          "from "));

  SECTION("at a size apart from it the shares are on either side") {
    const auto share = [&](double participants) {
      const auto run = program.tempo(
          fmt::format("run e.toml --out b{0} --set cohorts.participants={0} --set cohorts.test=60",
                      std::lround(participants)));
      REQUIRE(run.code == 0);
      double met = 0.0;
      std::size_t cohorts = 0;
      for (const auto& line :
           program.lines(fmt::format("b{}/results.csv", std::lround(participants)))) {
        const auto fields = split(line, ',');
        if (line.find("h3,") != 0 || line.find(",debm,") == std::string::npos) continue;
        ++cohorts;
        const auto ok = std::find(fields.begin(), fields.end(), "ok");
        met += std::stod(*(ok + 1)) <= 0.15 ? 1.0 : 0.0;
      }
      REQUIRE(cohorts == 60);
      return met / 60.0;
    };
    REQUIRE(share(0.5 * needed) < 0.8);
    REQUIRE(share(2.0 * needed) > 0.8);
  }
  SECTION("a second search makes no fit anew, and says the same") {
    const auto again = program.tempo(kPower + "--jobs 1 --format json");
    REQUIRE(again.output == outcome.output);
  }
  SECTION("its folder is that of a sweep over participants") {
    const auto table = program.tempo("results runs/e-power --format csv");
    REQUIRE_THAT(table.output, StartsWith("cohorts.participants,"));
    const auto run = program.tempo("run runs/e-power/experiment.lock.toml --out runs/e-power");
    REQUIRE(run.code == 0);
    REQUIRE_THAT(run.output, Contains("0 fitted, 0 failed, "));
    REQUIRE(fits_in(program, "runs/e-power") > 32);
  }
}

TEST_CASE("where too little is known no number is made up", "[cli][power]") {
  const Program program;
  program.experiment(kStudy);
  const auto outcome = program.tempo(
      "power e.toml --method chance --hypothesis h3 --at-most 0.55 --cohorts 32 --format json");
  REQUIRE(outcome.code == 0);
  const auto found = nlohmann::json::parse(outcome.output);
  REQUIRE(found.at("high").is_null());
  const std::string answer = found.at("answer");
  REQUIRE(answer.find("inf") == std::string::npos);
  REQUIRE(answer.find("nan") == std::string::npos);
}

TEST_CASE("a guest's crash costs a search its fits", "[cli][power][isolation]") {
  const Program program;
  program.experiment(edited("plugin = \"probe\"", "plugin = \"bad_method\"\nfault = \"crash\""));
  const auto outcome = program.tempo(
      "power e.toml --hypothesis h3 --at-most 0.6 --cohorts 32 --plugin-path '" TEMPO_BAD_PLUGINS
      "'");
  REQUIRE(outcome.code == 1);
  REQUIRE_THAT(outcome.errors, StartsWith("all 32 fits failed: the fit crashed (signal 11"));
}

TEST_CASE("a sweep over participants gives way to the search", "[cli][power]") {
  const Program program;
  program.experiment(kStudy + "[sweep]\n\"cohorts.participants\" = [50, 60]\n");
  const auto outcome = program.tempo(kPower + "--cohorts 32");
  REQUIRE(outcome.code == 0);
  REQUIRE_THAT(outcome.errors,
               Contains("no more than 32 cohorts were asked for; the interval is still wider"));
}

TEST_CASE("what no size reaches is said to be so", "[cli][power]") {
  const Program program;
  program.experiment(kStudy);
  const auto outcome = program.tempo(
      "power e.toml --method chance --hypothesis h3 --at-most 0.05 --to 500 --cohorts 400");
  REQUIRE(outcome.code == 0);
  const auto in_one_line = std::regex_replace(outcome.output, std::regex("\\s+"), " ");
  REQUIRE_THAT(in_one_line,
               Contains("in 80 % of cohorts of more than 500 participants, if of any size"));
}

TEST_CASE("a search leaves the folder of another run alone", "[cli][power]") {
  const Program program;
  program.experiment(kStudy);
  REQUIRE(program.tempo("run e.toml").code == 0);
  const auto before = program.text("runs/e/results.csv");
  const auto outcome = program.tempo(kPower + "--out runs/e");
  REQUIRE(outcome.code == 2);
  REQUIRE_THAT(outcome.errors, StartsWith("runs/e: holds the run 'e', whose tables would be lost"));
  REQUIRE(program.text("runs/e/results.csv") == before);
}

TEST_CASE("faults of a search for sizes are told at once", "[cli][power]") {
  const Program program;
  program.experiment(kStudy);
  const auto [arguments, words] = GENERATE(table<std::string, std::string>({
      {"", "--at-most"},
      {"--at-most 0.1", "there are 2 [[method]]: choose one with --method, 'debm' or 'chance'"},
      {"--at-most 0.1", "there are 2 [[hypothesis]]: choose one with --hypothesis, 'h3' or 'late'"},
      {"--at-most 0.1 --method dbm --hypothesis h3",
       "no [[method]] 'dbm'; expected 'debm' or "
       "'chance'; did you mean 'debm'?"},
      {"--at-most 0.1 --certainty 1", "expected a number in (0, 1), found 1"},
      {"--at-most 0.1 --from 500 --to 100", "expected fewer participants than --to 100, found 500"},
      {"--at-most 0.1 --metric taus", "tau_distance"},
  }));
  const auto outcome = program.tempo("power e.toml " + arguments);
  REQUIRE(outcome.code == 2);
  REQUIRE_THAT(outcome.errors, Contains(words));
  REQUIRE_FALSE(program.has("runs"));
}

TEST_CASE("methods that are trained, sweeps and cohorts of others have no sizes to search",
          "[cli][power]") {
  const Program program;
  program.experiment(edited("plugin = \"probe\"", "plugin = \"learner\""));
  REQUIRE_THAT(program.tempo("power e.toml --hypothesis h3 --at-most 0.1").errors,
               Contains("a method that is trained would learn anew"));
  program.experiment(kStudy + "[sweep]\n\"cohorts.healthy_ratio\" = [0.2, 0.3]\n");
  REQUIRE_THAT(program.tempo("power e.toml --method debm --hypothesis h3 --at-most 0.1").errors,
               Contains("tempo power looks at one value of 'cohorts.healthy_ratio'"));
  program.experiment(
      edited(kStudy, "[cohorts]\n", "[cohorts]\nsource = \"folder\"\npath = \".\"\n"));
  REQUIRE(program.tempo("power e.toml --method debm --hypothesis h3 --at-most 0.1").code == 2);
}

}  // namespace tempo::test
