// What a hypothesis is made of, and which methods want one.

#include "probes.hpp"
#include "small_experiment.hpp"
#include "tempo/process_law.hpp"

namespace tempo::test {
namespace {

template <class Value>
PartSpec own_parts(const std::string& key, Value value) {
  auto spec = part("own_parts");
  spec.settings.set(key, ParameterValue{spec.place, value});
  return spec;
}

}  // namespace

TEST_CASE("a hypothesis knows the plugins it is made of", "[registry][parts]") {
  using Kind = InterfaceKind;
  using Parts = std::vector<PartId>;
  const auto table = plain_biomarkers(3);
  SECTION("composed") {
    REQUIRE(with_assuming_probes().hypothesis(part("h3"), table)->parts() ==
            Parts{{Kind::stage_prior, "uniform"}, {Kind::measurement_model, "ebm_normal"}});
  }
  SECTION("by a constructor of its own") {
    REQUIRE(with_assuming_probes().hypothesis(part("own_parts"), table)->parts() ==
            Parts{{Kind::stage_prior, "probe_prior"}});
  }
  SECTION("those of its parts included") {
    REQUIRE(with_assuming_probes().hypothesis(own_parts("nested", true), table)->parts() ==
            Parts{{Kind::stage_prior, "probe_prior"},
                  {Kind::stage_prior, "uniform"},
                  {Kind::measurement_model, "ebm_normal"},
                  {Kind::generative_process, "h3"}});
  }
}

TEST_CASE("after its constructor a hypothesis makes no parts of other plugins",
          "[registry][parts]") {
  const auto simulated = [](const std::string& later) {
    const auto process =
        with_assuming_probes().hypothesis(own_parts("later", later), plain_biomarkers(3));
    auto draw = stream(1);
    return process->simulate({.participants = 10, .healthy_ratio = 0.2}, draw);
  };
  REQUIRE(simulated("probe_prior").truth.ordinal_stages.back() == 3);
  REQUIRE_THROWS_WITH(
      simulated("uniform"),
      "plugin own_parts, while making stage_prior 'uniform': its constructor has "
      "made no such part; make parts in the constructor, so that results know their "
      "versions");
  // A composed one makes measurement models of other biomarkers all its life.
  const auto h3 = with_assuming_probes().hypothesis(part("h3"), plain_biomarkers(3));
  REQUIRE(h3->law()->make_measurement_model(plain_biomarkers(2))->biomarkers().size() == 2);
}

TEST_CASE("methods that infer under a hypothesis are told from the others by their constructor",
          "[registry]") {
  const auto process = with_assuming_probes().hypothesis(part("h3"), plain_biomarkers(3));
  REQUIRE(with_assuming_probes().assumes_process("assuming_probe"));
  REQUIRE_FALSE(with_assuming_probes().assumes_process("probe"));
  REQUIRE_FALSE(with_assuming_probes().assumes_process("h3"));
  REQUIRE(with_assuming_probes().method(part("probe"))->plugin_id() == "probe");
  REQUIRE(with_assuming_probes().method_under(part("assuming_probe"), *process)->plugin_id() ==
          "assuming_probe");
  REQUIRE_THROWS_WITH(
      with_assuming_probes().method(part("assuming_probe")),
      "method 'assuming_probe' infers under a hypothesis: it cannot be made without one");
  REQUIRE_THROWS_WITH(with_assuming_probes().method_under(part("probe"), *process),
                      "method 'probe' infers under no hypothesis: it cannot be made with one");
  REQUIRE_THROWS_WITH(with_assuming_probes().method_under(part("porbe"), *process),
                      Catch::Matchers::StartsWith("unknown method 'porbe'"));
}

TEST_CASE("parameters are found by what they mean", "[registry]") {
  const auto key = [](InterfaceKind kind, const std::string& id, ParameterRole role) {
    const auto* found = with_assuming_probes().parameter_with(kind, id, role);
    return found == nullptr ? "" : found->key;
  };
  REQUIRE(key(InterfaceKind::trainable_method, "learner", ParameterRole::device) == "device");
  REQUIRE(key(InterfaceKind::inference_method, "bayes", ParameterRole::distributions) ==
          "parameters");
  REQUIRE(key(InterfaceKind::inference_method, "bayes", ParameterRole::device).empty());
  REQUIRE(key(InterfaceKind::inference_method, "nobody", ParameterRole::device).empty());

  auto bayes = part("bayes");
  const auto distributions = [&] {
    return with_assuming_probes().distributions_of(InterfaceKind::inference_method, bayes);
  };
  REQUIRE(distributions() == std::nullopt);
  bayes.settings.set("parameters", ParameterValue{bayes.place, std::string("estimate")});
  REQUIRE(distributions() == Distributions::estimated);
}

TEST_CASE("a law names its plugin when it fails", "[registry]") {
  const auto process = with_assuming_probes().hypothesis(part("h8"), plain_biomarkers(3));
  const auto& law = *process->law();
  REQUIRE(law.stage_prior().continuous_law()->plugin_id() == "beta");
  REQUIRE(law.measurement_model().law()->plugin_id() == "sigmoid");
  REQUIRE(law.event_times().law()->plugin_id() == "h8");
}

}  // namespace tempo::test
