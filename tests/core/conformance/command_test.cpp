// tempo plugins check: processes of their own, outcomes and exit codes.

#include <chrono>
#include <nlohmann/json.hpp>

#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

/// A folder with a list of what is expected that asks the plugin for a fault.
class Called {
 public:
  explicit Called(const std::string& fault, const std::string& more = {}) {
    folder_.write("expected.toml", "schema = 1\n[settings]\nfault = \"" + fault + "\"\n" + more);
  }
  Outcome check(const std::string& plugin, const std::string& options) const {
    return run(TEMPO_TEST_PROGRAM " plugins check " + plugin + " --expected expected.toml " +
                   options +
                   " --plugin-path " TEMPO_WRONG_PLUGINS " --plugin-path " TEMPO_TEST_PLUGINS,
               folder_.path());
  }
  const fs::path& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a plugin that ends its process has an outcome all the same", "[conformance]") {
  const auto [fault, outcome, words] = GENERATE(table<std::string, std::string, std::string>({
      {"hangs", "timed out", "took more than 1 s"},
      {"floods", "timed out", "took more than 1 s"},
      {"exits", "crashed",
       "ended with status 1 in the middle of the check; it said: plugin wrong_method, while "
       "fitting: ended the program (exit)"},
      {"aborts", "crashed", "plugin wrong_method, while fitting: crashed (SIGABRT)"},
      {"crashes", "crashed", "plugin wrong_method, while fitting: crashed (SIGSEGV)"},
      {"swallows", "crashed", "held more than 256 MiB of memory"},
  }));
  CAPTURE(fault);
  const bool is_endless = outcome == "timed out";
  const auto found =
      Called(fault).check("wrong_method", std::string("--only M22 --memory 256 --json --timeout ") +
                                              (is_endless ? "1" : "60"));
  REQUIRE(found.code == 1);
  const auto check = json::parse(found.output).at("checks").at(0);
  REQUIRE(check.at("outcome") == outcome);
  REQUIRE_THAT(check.at("text").get<std::string>(), Contains(words));
}

TEST_CASE("what a check started is gone when it ends", "[conformance]") {
  const auto start = std::chrono::steady_clock::now();
  const auto found = Called("leaves_children").check("wrong_method", "--only M22 --timeout 20");
  REQUIRE(found.code == 0);
  REQUIRE(std::chrono::steady_clock::now() - start < std::chrono::seconds(15));  // they sleep 60 s
}

TEST_CASE("a failure says what to do", "[conformance]") {
  const Called called("a_direction");
  const auto found = called.check("wrong_method", "--only M05 --only M22");
  REQUIRE(found.code == 1);
  REQUIRE_THAT(found.output,
               Contains("M05  failed          The sign of a biomarker changes nothing.") &&
                   Contains("a third of the biomarkers negated: ") &&
                   Contains("cohort: failed-checks/wrong_method-M05.csv") &&
                   Contains("alone:  tempo plugins check wrong_method --only M05 --plugin-path") &&
                   Contains("page:   docs/reference/conformance.md, M05") &&
                   Contains("M22  passed") && Contains("2 checks: 1 passed, 1 failed"));
  const auto cohort = read_text(called.folder() / "failed-checks" / "wrong_method-M05.csv");
  REQUIRE_THAT(cohort, Contains("participant,biomarker,measurement,diseased"));
}

TEST_CASE("a failure that is expected counts, and so does one that does not come",
          "[conformance]") {
  const std::string list = "[[expected]]\ncheck = \"M05\"\nreason = \"needs directions\"\n";
  const auto as_expected = Called("a_direction", list).check("wrong_method", "--only M05");
  REQUIRE(as_expected.code == 0);
  REQUIRE_THAT(as_expected.output, Contains("expected: needs directions") &&
                                       Contains("1 check: 1 failed; 1 of them as expected"));
  const auto not_so = Called("none", list).check("wrong_method", "--only M05");
  REQUIRE(not_so.code == 1);
  REQUIRE_THAT(not_so.output, Contains("it did not fail: take it off the list"));
}

TEST_CASE("draws that change under one version are found", "[conformance]") {
  const auto digest_of = [](const std::string& text) {
    const auto at = text.find("digest = \"");
    return text.substr(at + 10, 16);
  };
  const auto unknown = Called("none").check("wrong_prior", "--only H19");
  REQUIRE(unknown.code == 0);
  const auto on_file =
      "[[draws]]\nversion = \"1.0.0\"\ndigest = \"" + digest_of(unknown.output) + "\"\n";
  REQUIRE(Called("none", on_file).check("wrong_prior", "--only H19").code == 0);
  const auto changed = Called("not_its_law", on_file).check("wrong_prior", "--only H19");
  REQUIRE(changed.code == 1);
  REQUIRE_THAT(changed.output, Contains("raise the version where draws change"));
}

TEST_CASE("a file, an id, or neither", "[conformance]") {
  const Called called("none");
  const auto file = (fs::path(TEMPO_WRONG_PLUGINS) / "wrong_method.so").string();
  REQUIRE(called.check(file, "--only M22").code == 0);
  REQUIRE(called.check("wrong_method", "--only M22 --in-process").code == 0);
  const auto unknown = called.check("wrong_methods", "");
  REQUIRE(unknown.code == 2);
  REQUIRE_THAT(unknown.errors, Contains("no plugin 'wrong_methods'; did you mean 'wrong_method'?"));
  const auto absent = called.check("./absent.so", "");
  REQUIRE(absent.code == 2);
  REQUIRE_THAT(absent.errors, Contains("there is no library './absent.so'"));
  const auto no_check = called.check("wrong_method", "--only M99");
  REQUIRE(no_check.code == 2);
  REQUIRE_THAT(no_check.errors, Contains("unknown check 'M99'"));
  const auto other_kind = called.check("wrong_method", "--only H13");
  REQUIRE(other_kind.code == 2);
  REQUIRE_THAT(other_kind.errors, Contains("check 'H13' is not about a method"));
}

TEST_CASE("a library that cannot be loaded is a failure with words", "[conformance]") {
  const TemporaryFolder folder;
  const auto file = folder.write("text.so", "this is no library");
  const auto found = run(TEMPO_TEST_PROGRAM " plugins check " + file.string(), folder.path());
  REQUIRE(found.code == 1);
  REQUIRE_THAT(found.output, Contains("is not a shared library"));
}

TEST_CASE("tempo compare ranks no hypothesis whose law is wrong", "[conformance]") {
  const TemporaryFolder folder;
  const auto hypothesis = [](const std::string& id, const std::string& fault) {
    return "[[hypothesis]]\nid = \"" + id +
           "\"\nplugin = \"composed\"\nevent_times = \"permutation\"\n"
           "stage_prior = { plugin = \"beta\", alpha = 5.0, beta = 2.0 }\n"
           "measurement_model = { plugin = \"wrong_model\", fault = \"" +
           fault + "\" }\n";
  };
  folder.write("e.toml",
               "schema = 1\nseed = 1\n[cohorts]\nsource = \"simulate\"\nbiomarkers = "
               "\"adni-12\"\nparticipants = 60\nhealthy_ratio = 0.25\ntest = 1\n" +
                   hypothesis("right", "none") + hypothesis("wrong", "no_normaliser") +
                   "[[method]]\nplugin = \"chance\"\n");
  const std::string plugins =
      " --plugin-path " TEMPO_WRONG_PLUGINS " --plugin-path " TEMPO_TEST_PLUGINS;
  REQUIRE(run(TEMPO_TEST_PROGRAM " simulate e.toml --out cohorts" + plugins, folder.path()).code ==
          0);
  const auto found =
      run(TEMPO_TEST_PROGRAM
              " compare cohorts/right/*_m0.csv --experiment e.toml --biomarkers adni-12 "
              "--set iterations=200" +
              plugins,
          folder.path());
  REQUIRE(found.code == 1);
  REQUIRE_THAT(found.errors,
               Contains("under wrong: the law of 'wrong_model' is wrong (H13): trait 0, healthy: "
                        "the density adds up to ") &&
                   Contains(": not in the ranking"));
  REQUIRE_THAT(found.output, Contains("right") && !Contains("\nwrong "));
}

TEST_CASE("a run in which a method infers under a wrong law is refused before anything is written",
          "[conformance]") {
  const TemporaryFolder folder;
  const auto experiment = [&](const std::string& fault, const std::string& method) {
    folder.write("e.toml",
                 "schema = 1\nseed = 1\n[cohorts]\nsource = \"simulate\"\nbiomarkers = "
                 "\"adni-12\"\nparticipants = 60\nhealthy_ratio = 0.25\ntest = 1\n"
                 "[[hypothesis]]\nid = \"late\"\nplugin = \"composed\"\nevent_times = "
                 "\"permutation\"\nstage_prior = { plugin = \"beta\", alpha = 5.0, beta = 2.0 }\n"
                 "measurement_model = { plugin = \"wrong_model\", fault = \"" +
                     fault + "\" }\n[[method]]\nplugin = \"" + method + "\"\n");
  };
  const auto tempo = [&](const std::string& command) {
    return run(TEMPO_TEST_PROGRAM " " + command +
                   " --plugin-path " TEMPO_WRONG_PLUGINS " --plugin-path " TEMPO_TEST_PLUGINS,
               folder.path());
  };
  const std::string quick = " --set method.bayes.iterations=40 --set method.bayes.burn_in=10";
  SECTION("by all commands that make fits, or say that they could be made") {
    experiment("no_normaliser", "bayes");
    for (const std::string command :
         {"validate e.toml", "run e.toml", "submit e.toml --launcher local",
          "power e.toml --at-most 0.3"}) {
      const auto found = tempo(command);
      INFO(command << "\n" << found.output << found.errors);
      REQUIRE(found.code == 2);
      REQUIRE_THAT(found.errors,
                   Contains("e.toml:11:10: ") &&
                       Contains("hypothesis 'late': the law of 'wrong_model' is wrong (H13)") &&
                       Contains("what methods infer under it would be wrong"));
    }
    REQUIRE_FALSE(fs::exists(folder.path() / "runs"));
  }
  SECTION("a right law is inferred under") {
    experiment("none", "bayes");
    REQUIRE(tempo("run e.toml" + quick).code == 0);
  }
  SECTION("a method that does not infer under it needs no law") {
    experiment("no_normaliser", "chance");
    REQUIRE(tempo("run e.toml").code == 0);
  }
}

TEST_CASE("tempo calibrate finds a law that is not that of the draws", "[conformance]") {
  const TemporaryFolder folder;
  const auto calibrate = [&](const std::string& fault) {
    folder.write("e.toml", "[[hypothesis]]\nplugin = \"wrong_times\"\nfault = \"" + fault + "\"\n");
    return run(TEMPO_TEST_PROGRAM
               " calibrate wrong_times --experiment e.toml --cohorts 40 --participants 8 "
               "--set iterations=120 --set burn_in=20"
               " --plugin-path " TEMPO_WRONG_PLUGINS " --plugin-path " TEMPO_TEST_PLUGINS,
               folder.path());
  };
  const auto right = calibrate("none");
  INFO(right.output + right.errors);
  REQUIRE(right.code == 0);
  REQUIRE_THAT(right.output, Contains("The law of 'wrong_times' and what it draws agree"));
  const auto late = calibrate("late");
  INFO(late.output);
  REQUIRE(late.code == 1);
  REQUIRE_THAT(late.output, Contains("Under 'wrong_times' the posteriors of "));
}

}  // namespace tempo::test
