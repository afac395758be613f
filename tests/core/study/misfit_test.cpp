// A method that cannot infer under one of the hypotheses, or is not meant to.

#include "planned_study.hpp"

namespace tempo::test {
namespace {

/// h3, and own_parts, which states no law; a probe, and a method that is given.
std::string with(const std::string& method) {
  const auto text = std::string(kExperiment);
  return text.substr(0, text.find("id = \"late\"")) + "plugin = \"own_parts\"\n" +
         "[[method]]\nplugin = \"probe\"\n" + method;
}

/// `METHOD HYPOTHESIS` of every fit of the first cohorts.
std::vector<std::string> first_fits(const Plan& plan) {
  std::vector<std::string> out;
  for (const auto& fit : plan.fits)
    if (fit.id.cohort == 0) out.push_back(fit.id.method + " " + fit.id.hypothesis);
  return out;
}

std::vector<Problem> problems_of(const std::string& text) {
  const Workplace folder;
  Problems problems;
  read_study(folder.write("e.toml", text), {}, with_assuming_probes(), problems);
  return problems.all();
}

/// The one fault of an experiment that is found when it is planned.
Problem fault_of_plan(const std::string& text) {
  const Workplace folder;
  Problems problems;
  const auto study = read_study(folder.write("e.toml", text), {}, with_assuming_probes(), problems);
  REQUIRE(problems.empty());
  try {
    make_plan(study, with_assuming_probes());
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 1);
    return error.problems().all().front();
  }
  FAIL("there is a plan");
  return {};
}

const std::string kBayes = "[[method]]\nplugin = \"bayes\"\n";

}  // namespace

TEST_CASE("a method that cannot infer under a hypothesis has no fits of it", "[study][misfit]") {
  const PlannedStudy found(with(kBayes));
  const auto& plan = found.plan;
  REQUIRE(first_fits(plan) == std::vector<std::string>{"probe h3", "bayes h3", "probe own_parts"});
  REQUIRE(plan.misfits.size() == 1);
  const auto& [what, place, on_purpose] = plan.misfits[0];
  REQUIRE(what.method == "bayes");
  REQUIRE(what.hypothesis == "own_parts");
  REQUIRE(what.fits == 3);
  REQUIRE(what.reason == "it is not composed of parts");
  REQUIRE(!on_purpose);
  REQUIRE(place.line == 13);
  SECTION("the keys of all other fits are those without the misfit") {
    const PlannedStudy alone(edited(with(kBayes), "[[hypothesis]]\nplugin = \"own_parts\"\n", ""));
    REQUIRE(alone.plan.fits.size() == 6);
    for (const auto& fit : alone.plan.fits)
      REQUIRE(std::any_of(plan.fits.begin(), plan.fits.end(),
                          [&](const PlannedFit& other) { return other.key == fit.key; }));
  }
}

TEST_CASE("a method that can infer under none of the hypotheses is a fault of its entry",
          "[study][misfit]") {
  const auto fault = fault_of_plan(edited(with(kBayes), "[[hypothesis]]\nplugin = \"h3\"\n", ""));
  REQUIRE(fault.place.line == 11);
  REQUIRE(fault.message ==
          "[[method]] 'bayes' can infer under none of the hypotheses; of 'own_parts': it is not "
          "composed of parts; 'assume' names another hypothesis to infer under");
}

TEST_CASE("a method that cannot infer under the hypothesis of its 'assume' is a fault of its entry",
          "[study][misfit]") {
  const auto fault = fault_of_plan(with(kBayes + "assume = \"own_parts\"\n"));
  REQUIRE(fault.place.line == 13);
  REQUIRE(fault.message ==
          "[[method]] 'bayes' cannot infer under 'own_parts': it is not composed of parts");
}

TEST_CASE("a method that fails while it is made is no misfit", "[study][misfit]") {
  REQUIRE_THROWS_WITH(
      PlannedStudy(with("[[method]]\nplugin = \"unmade\"\n")),
      Catch::Matchers::StartsWith("plugin unmade, while being created: out of order"));
}

TEST_CASE("a method is restricted to hypotheses on purpose", "[study][misfit]") {
  SECTION("one that infers under them") {
    const PlannedStudy found(with(kBayes + "hypotheses = [\"h3\"]\n"));
    const auto& plan = found.plan;
    REQUIRE(first_fits(plan) ==
            std::vector<std::string>{"probe h3", "bayes h3", "probe own_parts"});
    REQUIRE(plan.misfits.at(0).what.reason == "its 'hypotheses' leave it out");
    REQUIRE(plan.misfits.at(0).on_purpose);
    REQUIRE(plan.fits[1].key == PlannedStudy(with(kBayes)).plan.fits[1].key);
  }
  SECTION("one that assumes none") {
    const PlannedStudy found(with("[[method]]\nplugin = \"debm\"\nhypotheses = [\"own_parts\"]\n"));
    const auto& plan = found.plan;
    REQUIRE(first_fits(plan) ==
            std::vector<std::string>{"probe h3", "probe own_parts", "debm own_parts"});
  }
  SECTION("one that is trained: its models are applied to their cohorts only") {
    const PlannedStudy found(with(
        "[[method]]\nplugin = \"learner\"\ntrain_on = [\"h3\"]\nhypotheses = [\"own_parts\"]\n"));
    const auto& plan = found.plan;
    REQUIRE(first_fits(plan) ==
            std::vector<std::string>{"probe h3", "probe own_parts", "learner own_parts"});
    REQUIRE(plan.trainings.size() == 1);
  }
  SECTION("the lock file says so") {
    const PlannedStudy found(with(kBayes + "hypotheses = [\"h3\"]\n"));
    const auto& methods = std::get<ParameterValue::Array>(found.study.lock.find("method")->value);
    REQUIRE_THAT(canonical_json(methods[1]), Catch::Matchers::Contains(R"("hypotheses":["h3"])"));
    REQUIRE(canonical_json(methods[0]).find("hypotheses") == std::string::npos);
  }
}

TEST_CASE("a key of tempo that is misspelt beside a plugin's settings is suggested",
          "[study][misfit]") {
  const auto problems = problems_of(with(kBayes + "hypothesis = [\"h3\"]\n"));
  REQUIRE(problems.size() == 1);
  REQUIRE_THAT(problems[0].message,
               Catch::Matchers::StartsWith("unknown key 'hypothesis' in [[method]] 'bayes'") &&
                   Catch::Matchers::EndsWith("; did you mean 'hypotheses'?"));
}

TEST_CASE("faults of 'hypotheses' are named at their place", "[study][misfit]") {
  const auto fault = [](const std::string& value) {
    const auto problems = problems_of(with(kBayes + "hypotheses = " + value + "\n"));
    REQUIRE(problems.size() == 1);
    REQUIRE(problems[0].place.line == 15);
    return problems[0].message;
  };
  REQUIRE(fault("[\"h3\", \"own_prats\"]") ==
          "'hypotheses' names 'own_prats', which is no hypothesis of this experiment; expected "
          "'h3' or 'own_parts'; did you mean 'own_parts'?");
  REQUIRE(fault("[\"h3\", \"h3\"]") == "'hypotheses' names 'h3' twice");
  REQUIRE(fault("\"h3\"") == "'hypotheses' must be a list of ids of hypotheses, not a string");
  REQUIRE(fault("[3]") == "'hypotheses' must hold ids of hypotheses, not an integer");
  REQUIRE(fault("[]") ==
          "'hypotheses' names no hypothesis; to leave the method out, remove its [[method]]");
}

}  // namespace tempo::test
