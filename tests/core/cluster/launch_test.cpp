// Task lists for GNU parallel and a Snakefile.

#include "cluster/launch.hpp"

#include <algorithm>

#include "cluster/cluster_folder.hpp"
#include "cluster/forecast.hpp"
#include "some_launch.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

std::string file(const std::vector<ClusterFile>& files, const std::string& name) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const ClusterFile& file) { return file.name == name; });
  return found == files.end() ? std::string() : found->text;
}

}  // namespace

TEST_CASE("what says how a run was cut is whole, or refused in words", "[cluster]") {
  const TemporaryFolder run;
  const ClusterFolder folder(run.path());
  const Submission cut{.launcher = "local", .models = 1, .tasks = 4, .jobs = {"7"}};
  std::filesystem::create_directories(folder.path());
  folder.write(cut);
  REQUIRE(folder.submission().value().tasks == 4);
  for (const auto* text : {"", "[]", "{", "{}", "7", R"({"launcher": "local"})",
                           R"({"launcher": "local", "models": 1, "tasks": -4, "jobs": []})",
                           R"({"launcher": "local", "models": 1, "tasks": 4, "jobs": [7]})"}) {
    INFO(text);
    run.write("cluster/submission.json", text);
    REQUIRE_THROWS_WITH(folder.submission(),
                        Contains("submission.json' is damaged: expected how the run was cut"));
  }
}

TEST_CASE("a task list has a command a line, which a shell reads back", "[cluster]") {
  const auto files = task_lists(some_launch());
  const auto fits = file(files, "fits.txt");
  REQUIRE(std::count(fits.begin(), fits.end(), '\n') == 2 + 8);
  const auto train = file(files, "train.txt");
  REQUIRE(std::count(train.begin(), train.end(), '\n') == 2);
  REQUIRE_THAT(train,
               Contains("'/opt/tempo 1/bin/tempo' run '/data/a run'\\''s {x} 100%/cluster/"
                        "experiment.lock.toml' --shard train:2/2 --out '/data/a run'\\''s {x} "
                        "100%/cluster/parts/model-2' --jobs 4"));
  SECTION("without models there is no list of trainings") {
    auto launch = some_launch();
    launch.models.clear();
    REQUIRE(file(task_lists(launch), "train.txt").empty());
    REQUIRE_THAT(file(task_lists(launch), "with-parallel.sh"), !Contains("train.txt"));
  }
}

TEST_CASE("a Snakefile has a rule for each sort of task", "[cluster]") {
  const auto text = file(task_lists(some_launch()), "Snakefile");
  REQUIRE_THAT(text, Contains("MODELS = [1, 2]\nFITS = [1, 2, 3, 4, 5, 6, 7, 8]\n"));
  for (const auto* rule : {"rule all:", "rule train:", "rule apply:", "rule fits:", "rule merge:"})
    REQUIRE_THAT(text, Contains(rule));
  // Braces of a path are not Snakemake's, those of the task are.
  REQUIRE_THAT(text, Contains("s {{x}} 100%/cluster/parts/fits-{wildcards.task}"));
  REQUIRE_THAT(text, Contains("fits:{wildcards.task}/8"));
  REQUIRE(text.find('\1') == std::string::npos);
}

TEST_CASE("work is done by whoever is free", "[cluster][cost]") {
  REQUIRE(wall_seconds({}, 2) == 0.0);
  REQUIRE(wall_seconds({1, 2, 3}, 1) == 6.0);
  REQUIRE(wall_seconds({3, 1, 1, 1}, 2) == 3.0);
  REQUIRE(wall_seconds({1, 1, 1, 3}, 2) == 4.0);
}

}  // namespace tempo::test
