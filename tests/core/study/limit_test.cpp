// What a study knows of its methods and plugins without their names.

#include "probes.hpp"
#include "small_experiment.hpp"
#include "study/experiment.hpp"
#include "study/plugin_examples.hpp"

namespace tempo::test {
namespace {

std::string limit(const std::string& methods) {
  const Workplace folder;
  Problems problems;
  const auto study =
      read_study(folder.write("e.toml", edited("[[method]]\nplugin = \"probe\"\n", methods)), {},
                 with_assuming_probes(), problems);
  INFO(problems.report());
  REQUIRE(problems.empty());
  return limit_of(study);
}

}  // namespace

TEST_CASE("the limit is a method that is told the hypothesis and the distributions",
          "[study][limit]") {
  const std::string probe = "[[method]]\nplugin = \"probe\"\n";
  const std::string assuming = "[[method]]\nplugin = \"assuming_probe\"\n";
  REQUIRE(limit(probe).empty());
  REQUIRE(limit(assuming).empty());  // there is no other to compare with it
  REQUIRE(limit(probe + assuming) == "assuming_probe");
  REQUIRE(limit(probe + assuming + "assume = \"h3\"\n").empty());
  const std::string bayes = "[[method]]\nplugin = \"bayes\"\n";
  REQUIRE(limit(probe + bayes) == "bayes");
  REQUIRE(limit(probe + bayes + "parameters = \"known\"\n") == "bayes");
  REQUIRE(limit(probe + bayes + "parameters = \"estimate\"\n").empty());
  REQUIRE(limit(probe + bayes + "id = \"one\"\nparameters = \"sample\"\n" + bayes) == "bayes");
}

TEST_CASE("messages propose plugins that are there", "[study][examples]") {
  REQUIRE(such_as_hypothesis(with_assuming_probes()) == ", such as plugin = \"h1\"");
  REQUIRE(such_as_method(with_assuming_probes()) == ", such as plugin = \"bebms\"");
  const Registry probes({{TEMPO_PROBES, "test", true}});
  REQUIRE(such_as_hypothesis(probes) == ", such as plugin = \"own_parts\"");
  REQUIRE(such_as_method(probes) == ", such as plugin = \"labelled_probe\"");
  REQUIRE(such_as_hypothesis(Registry({})).empty());
}

}  // namespace tempo::test
