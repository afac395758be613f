// Parts of a plan, and what fits cost.

#include "run/shard.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "planned_study.hpp"
#include "run/fit_costs.hpp"

namespace tempo::test {
namespace {

using What = Shard::What;

const std::string kSeveralMethods =
    std::string(kExperiment) +
    "[[method]]\nplugin = \"learner\"\n[[method]]\nid = \"other\"\nplugin = \"probe\"\n";

/// How many parts of a sort have each fit.
std::vector<std::size_t> times_in_parts(const Plan& plan, What what, std::size_t count) {
  std::vector<std::size_t> out(plan.fits.size());
  for (std::size_t index = 1; index <= count; ++index) {
    const auto has = Shard{index, count, what}.fits_of(plan);
    for (std::size_t i = 0; i < has.size(); ++i) out[i] += has[i] ? 1 : 0;
  }
  return out;
}

}  // namespace

TEST_CASE("parts are read as they are written", "[run][shard]") {
  for (const auto* text : {"2/8", "train:1/3", "apply:3/3", "fits:10/12"}) {
    const auto shard = parse_shard(text);
    REQUIRE(shard.has_value());
    REQUIRE(to_string(*shard) == text);
  }
  for (const auto* text : {"", "1", "0/2", "3/2", "fit:1/2", "fits:", "fits:1/2/3", "train: 1/2"})
    REQUIRE(!parse_shard(text).has_value());
}

TEST_CASE("parts of models and parts of other fits have each fit once", "[run][shard]") {
  const PlannedStudy planned(kSeveralMethods);
  const auto& plan = planned.plan;
  const auto applied = times_in_parts(plan, What::applied, plan.trainings.size());
  const auto others = times_in_parts(plan, What::fits, 5);
  for (std::size_t i = 0; i < plan.fits.size(); ++i) {
    REQUIRE(applied[i] == (plan.tasks[i].training ? 1 : 0));
    REQUIRE(others[i] == (plan.tasks[i].training ? 0 : 1));
  }
  for (std::size_t i = 0; i < plan.trainings.size(); ++i) {
    REQUIRE(Shard{i + 1, plan.trainings.size(), What::trainings}.has_training(i));
    REQUIRE(!Shard{i + 1, plan.trainings.size(), What::applied}.has_training(i));
  }
}

TEST_CASE("parts have as many fits of each method as others, give or take one", "[run][shard]") {
  const PlannedStudy planned(kSeveralMethods);
  const auto& plan = planned.plan;
  for (const std::string method : {"probe", "other"}) {
    std::vector<std::size_t> counts;
    for (std::size_t index = 1; index <= 4; ++index) {
      const auto has = Shard{index, 4, What::fits}.fits_of(plan);
      counts.push_back(0);
      for (std::size_t i = 0; i < has.size(); ++i)
        if (has[i] && plan.fits[i].id.method == method) ++counts.back();
    }
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    REQUIRE(*most - *least <= 1);
  }
}

TEST_CASE("fits that points of a sweep share are made in one part", "[run][shard]") {
  const PlannedStudy planned(edited("plugin = \"probe\"",
                                    "id = \"other\"\nplugin = \"probe\"\n"
                                    "[[method]]\nplugin = \"probe\"") +
                             "[sweep]\n\"method.other.fails_on\" = [\"x\", \"y\", \"z\"]\n");
  const auto& plan = planned.plan;
  for (const auto what : {What::fits, What::all}) {
    std::map<std::string, std::size_t> part_of;
    std::vector<std::size_t> made(4, 0);
    for (std::size_t index = 1; index <= 4; ++index) {
      const auto has = Shard{index, 4, what}.fits_of(plan);
      std::set<std::string> keys;
      for (std::size_t i = 0; i < has.size(); ++i) {
        if (!has[i]) continue;
        REQUIRE(part_of.emplace(plan.fits[i].key, index).first->second == index);
        keys.insert(plan.fits[i].key);
      }
      made[index - 1] = keys.size();
    }
    REQUIRE(part_of.size() == 24);  // 6 cohorts: 3 settings of `other`, `probe` once
    if (what == What::fits) REQUIRE(made == std::vector<std::size_t>{6, 6, 6, 6});
  }
}

TEST_CASE("a fit costs what others of its method, size and hypothesis took", "[run][cost]") {
  const PlannedStudy planned(kExperiment);  // h3, then late: three cohorts each
  const auto& plan = planned.plan;
  FitCosts costs;
  REQUIRE(!costs.seconds(plan, 0).has_value());
  costs.learn(plan, 0, 1.0);
  costs.learn(plan, 1, 3.0);
  REQUIRE(costs.seconds(plan, 2) == 2.0);  // of the same hypothesis
  REQUIRE(costs.seconds(plan, 5) == 2.0);  // of none that is known: any of the same size
  costs.learn(plan, 3, 8.0);
  REQUIRE(costs.seconds(plan, 2) == 2.0);
  REQUIRE(costs.seconds(plan, 5) == 8.0);
  SECTION("a cohort of another size takes longer in proportion, as far as one size tells") {
    const PlannedStudy larger(edited("participants = 60", "participants = 240"));
    const auto cost = costs.cost(larger.plan, 0).value();  // all at 60: (1 + 3 + 8) / 3
    REQUIRE(cost.seconds == Approx(16.0));
    REQUIRE(!cost.participants.value().is_measured);
    REQUIRE(!cost.biomarkers.has_value());
  }
  SECTION("two sizes tell the power by which it grows") {
    const PlannedStudy twice(edited("participants = 60", "participants = 120"));
    costs.learn(twice.plan, 0, 16.0);  // four times as long for twice as many
    const PlannedStudy larger(edited("participants = 60", "participants = 240"));
    const auto cost = costs.cost(larger.plan, 0).value();
    REQUIRE(cost.participants.value().is_measured);
    REQUIRE(cost.participants->power == Approx(2.0));
    REQUIRE(cost.seconds == Approx(64.0));
    REQUIRE(costs.cost(twice.plan, 5).value().is_of_same_size());
  }
  SECTION("two sizes near each other tell no power") {
    const PlannedStudy near(edited("participants = 60", "participants = 61"));
    costs.learn(near.plan, 0, 16.0);
    const PlannedStudy larger(edited("participants = 60", "participants = 122"));
    const auto cost = costs.cost(larger.plan, 0).value();
    REQUIRE(cost.seconds == Approx(32.0));
    REQUIRE(!cost.participants.value().is_measured);
  }
  SECTION("no power is above 3") {
    const PlannedStudy twice(edited("participants = 60", "participants = 120"));
    costs.learn(twice.plan, 0, 4000.0);
    const PlannedStudy larger(edited("participants = 60", "participants = 240"));
    const auto cost = costs.cost(larger.plan, 0).value();
    REQUIRE(cost.participants.value().power == 3.0);
    REQUIRE(cost.seconds == Approx(32000.0));
  }
  SECTION("of other biomarkers it is scaled by their number") {
    const auto with = [](const char* table) { return edited("five.toml", table); };
    const PlannedStudy twelve(with("adni-12")), hundred(with("synthetic-100"));
    const auto supposed = costs.cost(twelve.plan, 0).value();  // all at five: (1 + 3 + 8) / 3
    REQUIRE(supposed.seconds == Approx(4.0 * 12.0 / 5.0));
    REQUIRE(!supposed.biomarkers.value().is_measured);
    costs.learn(hundred.plan, 0, 1600.0);  // 400 times as long for 20 times as many
    const auto measured = costs.cost(twelve.plan, 0).value();
    REQUIRE(measured.biomarkers.value().power == Approx(2.0));
    REQUIRE(measured.seconds == Approx(4.0 * std::pow(12.0 / 5.0, 2.0)));
    REQUIRE(!measured.participants.has_value());
  }
  SECTION("what a method costs under one hypothesis says nothing of another it assumes") {
    const PlannedStudy assuming(edited("\"probe\"", "\"assuming_probe\""));
    costs.learn(assuming.plan, 0, 1.0);
    REQUIRE(costs.seconds(assuming.plan, 2) == 1.0);
    REQUIRE(!costs.seconds(assuming.plan, 3).has_value());
  }
  SECTION("of another share of healthy participants nothing is known") {
    const PlannedStudy other(edited("participants = 60", "participants = 60\nhealthy_ratio = 0.5"));
    REQUIRE(!costs.cost(other.plan, 0).has_value());
  }
}

}  // namespace tempo::test
