// Which library answers for an id, and when it is loaded.

#include "registry.hpp"

#include <cstdlib>
#include <thread>

#include "bad_plugins.hpp"

namespace tempo::test {
namespace fs = std::filesystem;

TEST_CASE("the first folder with an id wins, and the shadowed library is shown", "[registry]") {
  const TemporaryFolder folder;
  const auto first = copy_plugin("fine", folder.path() / "a", "fine.so");
  const auto second = copy_plugin("fine", folder.path() / "b", "fine.so");
  copy_plugin("bad_prior", folder.path() / "b", "bad_prior.so");
  const Registry registry(
      {{folder.path() / "a", "first", true}, {folder.path() / "b", "second", true}});

  REQUIRE(registry.find(InterfaceKind::stage_prior, "fine")->path == first);
  REQUIRE(registry.usable_ids(InterfaceKind::stage_prior) ==
          std::vector<std::string>{"bad_prior", "fine"});
  const auto& shadowed = registry.records().at(2);
  REQUIRE(shadowed.path == second);
  REQUIRE(shadowed.folder == 1);
  REQUIRE(shadowed.status == PluginRecord::Status::shadowed);
  REQUIRE(shadowed.problem ==
          "gives way to '" + first.string() + "', which comes earlier in the search");
}

TEST_CASE("a library that fails is not silently replaced by a later one", "[registry]") {
  const TemporaryFolder folder;
  const auto text = folder.write("a/fine.so", "no library");
  copy_plugin("fine", folder.path() / "b", "fine.so");
  const Registry registry(
      {{folder.path() / "a", "first", true}, {folder.path() / "b", "second", true}});

  REQUIRE(registry.find(InterfaceKind::stage_prior, "fine") == nullptr);
  REQUIRE(registry.why_missing(InterfaceKind::stage_prior, "fine") ==
          "stage_prior 'fine' cannot be used: '" + text.string() +
              "' is not a shared library: found no ELF header, expected a library made by "
              "tempo_add_plugin");
}

TEST_CASE("one id twice in one folder is refused, naming both files", "[registry]") {
  const TemporaryFolder folder;
  const auto original = copy_plugin("fine", folder.path(), "fine.so");
  const auto copy = copy_plugin("fine", folder.path(), "fine_copy.so");
  const Registry registry({{folder.path(), "test", true}});

  REQUIRE(registry.why_missing(InterfaceKind::stage_prior, "fine_copy") ==
          "stage_prior 'fine_copy' cannot be used: '" + copy.string() +
              "' holds the plugin 'fine', which '" + original.string() +
              "' in the same folder is too; remove one");
  REQUIRE(registry.find(InterfaceKind::stage_prior, "fine")->path == original);
}

TEST_CASE("what is missing is explained", "[registry]") {
  const TemporaryFolder folder;
  copy_plugin("fine", folder.path(), "fine.so");
  const Registry registry({{folder.path(), "test", true}, {"/nowhere", "test", false}});
  const auto searched = "(searched " + folder.path().string() + ", /nowhere";

  SECTION("an unknown id: what there is, the nearest, the folders searched") {
    REQUIRE(registry.why_missing(InterfaceKind::stage_prior, "fien") ==
            "unknown stage_prior 'fien'; expected 'fine'; did you mean 'fine'? " + searched + ")");
    REQUIRE(registry.why_missing(InterfaceKind::inference_method, "debm") ==
            "unknown method 'debm'; expected none, as none was found " + searched + ")");
  }
  SECTION("an unknown id beside libraries that were refused") {
    folder.write("broken.so", "no library");
    const Registry with_refused({{folder.path(), "test", true}, {"/nowhere", "test", false}});
    REQUIRE(with_refused.why_missing(InterfaceKind::stage_prior, "other") ==
            "unknown stage_prior 'other'; expected 'fine' " + searched +
                "; 1 refused, see tempo plugins list --all)");
  }
  SECTION("an id of another kind") {
    REQUIRE(registry.why_missing(InterfaceKind::inference_method, "fine") ==
            "'fine' is a stage_prior, expected a method: none, as none was found");
  }
  SECTION("while an experiment is read, at its place") {
    Problems problems;
    auto spec = part("fien");
    spec.place = {"study.toml", 4, 10};
    registry.resolve(InterfaceKind::stage_prior, spec, "[prior]", problems);
    REQUIRE(problems.report() ==
            "study.toml:4:10: unknown stage_prior 'fien'; expected 'fine'; did you mean 'fine'? " +
                searched + ")");
  }
}

TEST_CASE("settings are checked against what the plugin declares", "[registry]") {
  auto spec = part("bad_prior");
  const Place place{"study.toml", 4, 10};
  spec.settings.set("fualt", ParameterValue{place, std::string("draw")});

  SECTION("while an experiment is read; what was left out is filled in") {
    Problems problems;
    const auto resolved = bad_plugins().resolve(InterfaceKind::stage_prior, spec,
                                                "[[hypothesis]] stage_prior", problems);
    REQUIRE(problems.report() ==
            "study.toml:4:10: unknown key 'fualt' in [[hypothesis]] stage_prior; expected 'fault'; "
            "did you mean 'fault'?");
    REQUIRE(canonical_json(resolved.settings) == R"({"fault":"none"})");
  }
  SECTION("while the object is made") {
    REQUIRE_THROWS_WITH(bad_plugins().stage_prior(spec),
                        "study.toml:4:10: unknown key 'fualt' in settings of 'bad_prior'; expected "
                        "'fault'; did you mean 'fault'?");
  }
  SECTION("what a plugin declares is known without any settings") {
    const auto& parameters =
        bad_plugins().find(InterfaceKind::stage_prior, "bad_prior")->parameters;
    REQUIRE(parameters.size() == 1);
    REQUIRE(parameters[0].key == "fault");
    REQUIRE(parameters[0].fallback == "\"none\"");
  }
}

TEST_CASE("a library is loaded when its id is asked for, not before", "[registry]") {
  unsetenv("TEMPO_TEST_MARK");
  const TemporaryFolder folder;
  copy_plugin("fine", folder.path() / "a", "fine.so");
  copy_plugin("leaves_a_mark", folder.path() / "b", "fine.so");
  const auto loaded = [] { return std::getenv("TEMPO_TEST_MARK") != nullptr; };

  SECTION("a shadowed library never is") {
    const Registry registry(
        {{folder.path() / "a", "first", true}, {folder.path() / "b", "second", true}});
    registry.records();
    REQUIRE(!loaded());
  }
  SECTION("the others are when all are listed") {
    copy_plugin("leaves_a_mark", folder.path() / "a", "leaves_a_mark.so");
    const Registry registry({{folder.path() / "a", "first", true}});
    registry.find(InterfaceKind::stage_prior, "fine");
    registry.find(InterfaceKind::inference_method, "debm");
    REQUIRE(!loaded());
    registry.records();
    REQUIRE(loaded());
  }
}

TEST_CASE("threads may ask at the same time", "[registry]") {
  const Registry registry({{TEMPO_BAD_PLUGINS, "test", true}});
  std::vector<std::size_t> usable(4);
  {
    std::vector<std::jthread> threads;
    for (auto& count : usable)
      threads.emplace_back([&] {
        for (const auto& record : registry.records()) count += record.descriptor != nullptr;
      });
  }
  REQUIRE(usable == std::vector<std::size_t>(4, 6));
}

TEST_CASE("the shipped plugins all load", "[registry]") {
  REQUIRE(!shipped().records().empty());
  for (const auto& record : shipped().records()) {
    INFO(record.path << " " << record.problem);
    REQUIRE(record.status == PluginRecord::Status::usable);
  }
}

}  // namespace tempo::test
