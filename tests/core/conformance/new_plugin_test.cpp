// tempo plugins new: what it writes and what it refuses. tests/downstream builds what it writes.

#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
namespace fs = std::filesystem;

Outcome call(const std::string& arguments, const fs::path& folder) {
  return run("HOME=. GIT_CONFIG_NOSYSTEM=1 " TEMPO_TEST_PROGRAM " plugins new " + arguments,
             folder);
}

}  // namespace

TEST_CASE("a new plugin is a project with all names filled in", "[new_plugin]") {
  const auto kind = GENERATE(as<std::string>(), "hypothesis", "measurement-model", "stage-prior",
                             "method", "trainable-method");
  CAPTURE(kind);
  const TemporaryFolder folder;
  const auto made = call(kind + " slow_burn2", folder.path());
  REQUIRE(made.code == 0);
  REQUIRE_THAT(made.output, Contains("slow_burn2 holds the " + kind + " 'slow_burn2'"));
  const auto project = folder.path() / "slow_burn2";
  for (const auto* name :
       {"CMakeLists.txt", "slow_burn2.cpp", "slow_burn2.toml", "slow_burn2_test.cpp", "README.md",
        "LICENSE", "expected.toml", ".gitignore", ".github/workflows/ci.yml"}) {
    CAPTURE(name);
    const auto text = read_text(project / name);
    REQUIRE_FALSE(text.empty());
    REQUIRE(text.find("@name@") == std::string::npos);
    REQUIRE(text.find("@Name@") == std::string::npos);
    REQUIRE(text.find("@kind@") == std::string::npos);
  }
  const auto source = read_text(project / "slow_burn2.cpp");
  REQUIRE_THAT(source, Contains(".id = \"slow_burn2\"") && Contains("class SlowBurn2 final") &&
                           Contains("Your science goes here"));
  REQUIRE_THAT(read_text(project / "LICENSE"), Contains("Copyright (c) the authors"));
}

TEST_CASE("the licence names who git says the author is", "[new_plugin]") {
  const TemporaryFolder folder;
  folder.write(".gitconfig", "[user]\n  name = Ada Lovelace\n");
  REQUIRE(call("method mine --folder elsewhere", folder.path()).code == 0);
  REQUIRE_THAT(read_text(folder.path() / "elsewhere" / "LICENSE"),
               Contains("Copyright (c) Ada Lovelace"));
}

TEST_CASE("what cannot be begun is refused", "[new_plugin]") {
  const TemporaryFolder folder;
  folder.write("taken/file", "");
  const auto [arguments, words] = GENERATE(table<std::string, std::string>({
      {"hypotheses waves", "unknown kind 'hypotheses'; expected 'hypothesis', "},
      {"hypotheses waves", "did you mean 'hypothesis'?"},
      {"stage_prior late", "did you mean 'stage-prior'?"},
      {"method My-Method", "'My-Method' names no plugin"},
      {"method 2nd", "'2nd' names no plugin"},
      {"method test", "'test' is a target of CMake"},
      {"method debm", "there is a plugin 'debm' ("},
      {"method taken", "'taken' exists; remove it, or choose another with --folder"},
      {"method", "new needs a kind and a name"},
  }));
  CAPTURE(arguments);
  const auto refused = call(arguments, folder.path());
  REQUIRE(refused.code == 2);
  REQUIRE_THAT(refused.errors, Contains(words));
}

}  // namespace tempo::test
