// Scripts for sbatch, and what they wait for.

#include "cluster/slurm.hpp"

#include "some_launch.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using After = SlurmJob::After;

std::vector<std::string> names(const std::vector<SlurmJob>& jobs) {
  std::vector<std::string> out;
  for (const auto& job : jobs) out.push_back(job.script.name);
  return out;
}

}  // namespace

TEST_CASE("numbers of tasks are written as ranges", "[cluster][slurm]") {
  REQUIRE(in_ranges({}).empty());
  REQUIRE(in_ranges({4}) == "4");
  REQUIRE(in_ranges({1, 2, 3, 7, 9, 10}) == "1-3,7,9-10");
}

TEST_CASE("trainings come first, each model's fits wait for it, the merge for all",
          "[cluster][slurm]") {
  const auto launch = some_launch();
  const auto jobs = slurm_jobs(launch, kDefaultMaxArraySize);
  REQUIRE(names(jobs) ==
          std::vector<std::string>{"train.sbatch", "apply.sbatch", "fits.sbatch", "merge.sbatch"});
  REQUIRE(jobs[0].after == After::nothing);
  REQUIRE(jobs[1].after == After::same_task);
  REQUIRE(jobs[2].after == After::nothing);
  REQUIRE(jobs[3].after == After::all);
  const auto call = [&](std::size_t job, const std::vector<std::string>& before) {
    return as_line(sbatch_call(launch.folder, jobs[job], before));
  };
  REQUIRE_THAT(call(1, {"11"}), Contains(" --dependency=aftercorr:11 --kill-on-invalid-dep=yes "));
  REQUIRE_THAT(call(3, {"11", "12", "13"}), Contains(" --dependency=afterany:11:12:13 "));
  REQUIRE_THAT(call(0, {}),
               EndsWith("--parsable '/data/a run'\\''s {x} 100%/cluster/train.sbatch'"));
}

TEST_CASE("a script asks for what its tasks need, and nothing else", "[cluster][slurm]") {
  const auto jobs = slurm_jobs(some_launch(), kDefaultMaxArraySize);
  const auto& train = jobs[0].script.text;
  const auto& fits = jobs[2].script.text;
  REQUIRE_THAT(train, Contains("#SBATCH --gpus=1\n"));
  REQUIRE_THAT(fits, !Contains("--gpus"));
  REQUIRE_THAT(fits, !Contains("--account"));
  for (const auto* line :
       {"#!/bin/bash\n", "#SBATCH --array=1-8%3\n", "#SBATCH --partition=short\n",
        "#SBATCH --cpus-per-task=4\n", "#SBATCH --requeue\n", "#SBATCH --qos=low\n",
        "\nmodule load gcc\n", "\ntask=$SLURM_ARRAY_TASK_ID\n",
        "#SBATCH --output=\"/data/a run's {x} 100%%/cluster/logs/fits-%A_%a.log\"\n",
        "\nrun='/data/a run'\\''s {x} 100%'\n",
        "\nexec '/opt/tempo 1/bin/tempo' run \"$run/cluster/experiment.lock.toml\" --shard "
        "\"fits:$task/8\" --out \"$run/cluster/parts/fits-$task\"\n"})
    REQUIRE_THAT(fits, Contains(line));
}

TEST_CASE("arrays are cut where Slurm takes no larger numbers", "[cluster][slurm]") {
  auto launch = some_launch();
  launch.models.clear();
  const auto jobs = slurm_jobs(launch, /*most=*/4);  // indices 0 to 3
  REQUIRE(names(jobs) == std::vector<std::string>{"fits.sbatch", "fits-2.sbatch", "fits-3.sbatch",
                                                  "merge.sbatch"});
  REQUIRE_THAT(jobs[0].script.text, Contains("--array=1-3%3\n"));
  REQUIRE_THAT(jobs[1].script.text, Contains("--array=1-3%3\n"));
  REQUIRE_THAT(jobs[1].script.text, Contains("\ntask=$((SLURM_ARRAY_TASK_ID + 3))\n"));
  REQUIRE_THAT(jobs[2].script.text, Contains("--array=1-2%3\n"));
  SECTION("and only for tasks that are to be submitted") {
    launch.fits = {2, 8};
    const auto some = slurm_jobs(launch, /*most=*/4);
    REQUIRE(names(some) ==
            std::vector<std::string>{"fits.sbatch", "fits-3.sbatch", "merge.sbatch"});
    REQUIRE_THAT(some[0].script.text, Contains("--array=2%3\n"));
    REQUIRE_THAT(some[1].script.text, Contains("--array=2%3\n"));
    REQUIRE_THAT(some[1].script.text, Contains("\ntask=$((SLURM_ARRAY_TASK_ID + 6))\n"));
  }
}

}  // namespace tempo::test
