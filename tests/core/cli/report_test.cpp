// tempo report: what can be said of it without a browser. The page itself: tests/core/report/page.

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

/// The program in a folder of its own, where no page was built.
const std::string kBare = "mkdir -p bare/bin && cp '" TEMPO_TEST_PROGRAM
                          "' bare/bin/tempo && TEMPO_PLUGIN_PATH='" TEMPO_PROBES
                          ":" TEMPO_TEST_PLUGINS "' bare/bin/tempo ";

}  // namespace

TEST_CASE("faults of tempo report's command line are all named", "[cli][report]") {
  const Program program;
  const auto outcome = program.tempo("report nowhere --format gif --figures here --out there");
  REQUIRE(outcome.code == 2);
  REQUIRE(outcome.errors ==
          "tempo report: unknown format 'gif'; expected 'svg', 'png' or 'pdf'\n"
          "tempo report: give --out or --figures, not both\n"
          "nowhere: no such folder\n"
          "3 problems; nothing was run.\n");
}

TEST_CASE("a page takes the place of no file that a run keeps, or that is read, or of another kind",
          "[cli][report]") {
  const Program program;
  program.experiment(kExperiment);
  REQUIRE(program.tempo("run e.toml").code == 0);
  program.write("theirs.csv", "hypothesis,cohort,method,tau_distance\nh3,0,their,0.5\n");
  const auto store = program.text("runs/e/results.sqlite");
  const auto& [out, fault] = GENERATE(table<std::string, std::string>({
      {"runs/e/results.sqlite", "belongs to a run, and would be overwritten"},
      {"runs/e/results.csv", "belongs to a run, and would be overwritten"},
      {"runs/e/run.log", "belongs to a run, and would be overwritten"},
      {"./theirs.csv --with theirs.csv", "is read, and would be overwritten"},
      {"five.toml", "exists and is no page; remove it, or choose another name"},
  }));
  INFO(out);
  const auto outcome = program.tempo("report runs/e --out " + out);
  REQUIRE(outcome.code == 2);
  REQUIRE_THAT(outcome.errors, Contains(fault));
  REQUIRE(program.text("runs/e/results.sqlite") == store);
}

TEST_CASE("where the page was not built all else works, and it is said what is missing",
          "[cli][report]") {
  const Program program;
  program.experiment(kExperiment);
  const auto run = program.shell(kBare + "run e.toml");
  REQUIRE(run.code == 0);
  REQUIRE_THAT(run.output, Contains("\nreport: none, tempo report says why\n"));
  REQUIRE(program.has("runs/e/results.csv"));
  REQUIRE_FALSE(program.has("runs/e/report.html"));
  const auto report = program.shell(kBare + "report runs/e");
  REQUIRE(report.code == 1);
  REQUIRE_THAT(report.errors, Contains("the page of reports was not built"));
  REQUIRE_THAT(report.errors, Contains("apt install nodejs npm"));
}

TEST_CASE("a page gets the numbers of the run in a form that ends no element", "[cli][report]") {
  const Program program;
  program.experiment(edited(kExperiment, "id = \"late\"", "id = \"<b>late & <!-- \\\"x\\\"\""));
  program.write("bare/share/tempo/report.html", "<script>{{report}}</script>");
  REQUIRE(program.shell(kBare + "run e.toml").code == 0);
  const auto page = program.text("runs/e/report.html");
  REQUIRE_THAT(page, EndsWith("}</script>"));
  const std::string start = "<script>";
  const auto text = page.substr(start.size(), page.size() - 2 * start.size() - 1);
  REQUIRE(text.find('<') == std::string::npos);
  const auto data = nlohmann::json::parse(text);
  REQUIRE(data.at("hypotheses") == nlohmann::json({"h3", "<b>late & <!-- \"x\""}));
  REQUIRE(data.at("fits").at("tau_distance").size() == 6);
  REQUIRE(data.at("about").at("hypotheses").at(1).at("stages") == "beta");
  REQUIRE(data.at("about").at("plugins").at(0).at("content").get<std::string>().size() == 36);
  REQUIRE(data.at("lock").get<std::string>() == program.text("runs/e/experiment.lock.toml"));

  SECTION("the same run gives the same page") {
    REQUIRE(program.shell(kBare + "report runs/e --out again.html").code == 0);
    REQUIRE(program.text("again.html") == page);
  }
}

}  // namespace tempo::test
