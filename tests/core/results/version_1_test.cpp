// Results of an earlier version (version_1/README.md) are shown, continued and brought up to date.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <tuple>

#include "../cli/program.hpp"
#include "results/database.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
namespace fs = std::filesystem;

/// A copy of the folder that may be written to.
class EarlierRuns : public Program {
 public:
  EarlierRuns() {
    fs::copy(source("tests/core/results/version_1"), path(), fs::copy_options::recursive);
  }
  /// From now on the plugins whose version has risen since say the one of then: results are kept
  /// under it.
  void with_plugins_of_then() {
    for (const auto& [id, now, then] :
         {std::tuple("debm", "1.1.0", "1.0.1"), {"bayes", "1.8.0", "1.3.0"}}) {
      const auto name = fmt::format("{}.so", id);
      auto library = read_text(fs::path(TEMPO_TEST_PLUGINS) / name);
      const auto version = fmt::format("{}{}", now, '\0');
      const auto at = library.find(version);
      REQUIRE(at != std::string::npos);
      library.replace(at, version.size(), fmt::format("{}{}", then, '\0'));
      write("then/" + name, library);
    }
  }
  std::string expected(const std::string& name) const { return text("expected/" + name); }
  std::string table(const std::string& run, const std::string& name,
                    const std::string& options = {}) const {
    const auto found = tempo("results " + run + " --table " + name + options + " --format csv");
    REQUIRE(found.code == 0);
    return found.output;
  }
  std::string layout(const std::string& run) const {
    Database store(path() / run / "results.sqlite", Database::Mode::read);
    auto query = store.prepare("SELECT value FROM meta WHERE name = 'layout'");
    REQUIRE(query.step());
    return query.text(0);
  }
};

/// A CSV without the column `counts`, and without rows of groups over fits: the earlier version had
/// neither.
std::string as_it_was(const std::string& csv) {
  std::istringstream lines(csv);
  std::string out, line;
  std::size_t counts = 0;
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream text(line + ",");  // an empty field may be the last
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    if (out.empty()) {
      const auto at = std::find(fields.begin(), fields.end(), "counts");
      REQUIRE(at != fields.end());
      counts = static_cast<std::size_t>(at - fields.begin());
    }
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(counts));
    const bool is_over_fits = fields[1].empty();  // no method
    if (!is_over_fits) out += fmt::format("{}\n", fmt::join(fields, ","));
  }
  return out;
}

}  // namespace

TEST_CASE("tables of an earlier version's runs are what that version printed", "[version_1]") {
  const EarlierRuns runs;
  for (const auto* table :
       {"orders", "stages", "participants", "agreement", "evidence", "checks", "traces"}) {
    INFO(table);
    REQUIRE(runs.table("real", table) == runs.expected("real-" + std::string(table) + ".csv"));
  }
  // The training of `tempo` warned: it does not count over fits unless it is named.
  const std::string all = " --fits debm --fits bayes --fits tempo";
  for (const auto* table : {"ranks", "positional-variance"}) {
    INFO(table);
    REQUIRE(runs.table("real", table, all) == runs.expected("real-" + std::string(table) + ".csv"));
    REQUIRE(runs.table("real", table) != runs.table("real", table, all));
  }
  REQUIRE(runs.table("real", "timeline", " --fits 'bayes on h9' --fits 'tempo on h9'") ==
          runs.expected("real-timeline.csv"));
  for (const auto* table : {"consensus", "groups"}) {
    INFO(table);
    REQUIRE(as_it_was(runs.table("real", table, all)) ==
            runs.expected("real-" + std::string(table) + ".csv"));
  }
  for (const auto* table : {"evidence", "checks", "traces"}) {
    INFO(table);
    REQUIRE(runs.table("scored", table) == runs.expected("scored-" + std::string(table) + ".csv"));
  }
  REQUIRE(runs.table("trained", "cross") == runs.expected("trained-cross.csv"));
  for (const auto* metric : {"tau_distance", "stage_mae", "sequence_mae"}) {
    INFO(metric);
    const auto found =
        runs.tempo("results scored --metric " + std::string(metric) + " --format csv");
    REQUIRE(found.output == runs.expected("scored-" + std::string(metric) + ".csv"));
  }
  REQUIRE(runs.tempo("results scored").output == runs.expected("scored-summary.txt"));
  SECTION("and reading has changed none of them") {
    for (const auto* run : {"scored", "trained", "real"}) REQUIRE(runs.layout(run) == "1");
  }
}

TEST_CASE("an earlier version's runs can be reported", "[version_1]") {
  const EarlierRuns runs;
  if (report_line("").starts_with("report: none"))
    SUCCEED("the page was not built");
  else
    for (const auto* run : {"scored", "trained", "real"}) {
      INFO(run);
      REQUIRE(runs.tempo("report " + std::string(run)).output ==
              "report: " + std::string(run) + "/report.html\n");
    }
}

TEST_CASE("an earlier version's run is continued: nothing is fitted again", "[version_1]") {
  EarlierRuns runs;
  runs.with_plugins_of_then();
  SECTION("scored") {
    const auto before = runs.text("scored/results.csv");
    const auto found = runs.tempo("run scored.toml --out scored --plugin-path then");
    REQUIRE(found.code == 0);
    REQUIRE_THAT(found.output, Contains("0 fitted, 0 failed, 16 taken from an earlier run"));
    REQUIRE(runs.text("scored/results.csv") == before);  // the seconds of the first time, too
    REQUIRE(runs.layout("scored") == "2");
    REQUIRE(runs.table("scored", "checks") == runs.expected("scored-checks.csv"));
  }
  SECTION("real, without the method that needs LibTorch") {
    auto text = runs.text("real.toml");
    const auto begin = text.find("[[method]]\nplugin             = \"tempo\"");
    text.erase(begin, text.find("[analysis]") - begin);
    runs.write("real.toml", text);
    const auto found = runs.tempo("run real.toml --out real --plugin-path then");
    REQUIRE(found.code == 0);
    REQUIRE_THAT(found.output, Contains("0 fitted, 0 failed, 5 taken from an earlier run"));
    REQUIRE(runs.table("real", "traces") == runs.expected("real-traces.csv"));
  }
  SECTION("more cohorts are added to it, with the numbers of that version") {
    const auto found =
        runs.tempo("run scored.toml --out scored --set cohorts.test=3 --plugin-path then");
    REQUIRE(found.code == 0);
    REQUIRE_THAT(found.output, Contains("6 fitted, 0 failed, 16 taken from an earlier run"));
    // The draws of bayes from 1.4.0 on are others: of it the earlier cohorts alone are the same.
    const auto same = [](const std::string& csv) {
      std::istringstream lines(csv);
      std::string out, line;
      while (std::getline(lines, line))
        if (line.find(",2,bayes,") == std::string::npos) out += line + "\n";
      return out;
    };
    const auto expected_rows = runs.results("expected/scored-three-cohorts.csv");
    REQUIRE(same(expected_rows) != expected_rows);
    REQUIRE(same(runs.results("scored/results.csv")) == same(expected_rows));
  }
}

TEST_CASE("shards of an earlier version join with those of this one", "[version_1]") {
  EarlierRuns runs;
  runs.with_plugins_of_then();
  REQUIRE(runs.tempo("run scored.toml --out again --shard 1/2 --plugin-path then").code == 0);
  const auto found = runs.tempo("merge scored again --out both");
  REQUIRE(found.code == 0);
  REQUIRE_THAT(found.output, Contains("16 of 16 planned fits have a result"));
  REQUIRE(runs.results("both/results.csv") == runs.results("scored/results.csv"));
}

TEST_CASE("a run of an earlier version joins with another experiment of this one", "[version_1]") {
  EarlierRuns runs;
  auto text = runs.text("scored.toml");
  const std::string bayes = "plugin     = \"bayes\"\niterations = 100\n";
  text.replace(text.find(bayes), bayes.size(), "plugin = \"chance\"\n");
  runs.write("other.toml", text);
  runs.with_plugins_of_then();
  REQUIRE(runs.tempo("run other.toml --out other --plugin-path then").code == 0);
  const auto found = runs.tempo("merge scored other --out both");
  INFO(found.errors);
  REQUIRE(found.code == 0);
  REQUIRE_THAT(found.output,
               Contains("32 planned fits, 24 of them different\n24 of 24 planned fits"));
  REQUIRE(runs.layout("both") == "2");

  // The version of now is another debm, which its id must not stand for, too.
  REQUIRE(runs.tempo("run other.toml --out now").code == 0);
  const auto refused = runs.tempo("merge scored now --out none");
  REQUIRE(refused.code == 2);
  REQUIRE_THAT(refused.errors, Contains("now: 'debm' stands for another method than in 'scored': "
                                        "version is \"1.1.0\", there \"1.0.1\""));
}

TEST_CASE("a plugin of another version fits anew, beside what the earlier one found",
          "[version_1]") {
  const EarlierRuns runs;
  const auto found = runs.tempo("run scored.toml --out scored");
  REQUIRE(found.code == 0);
  REQUIRE_THAT(found.output, Contains("12 fitted, 0 failed, 0 taken from an earlier run, 4 the "
                                      "same as others"));
}

}  // namespace tempo::test
