#include "run/cohort_source.hpp"

#include <barrier>
#include <thread>

#include "small_experiment.hpp"

namespace tempo::test {

TEST_CASE("threads that want one cohort get one that was made once", "[engine]") {
  const Registry registry({{TEMPO_PROBES, "test", true}, {TEMPO_TEST_PLUGINS, "build", true}});
  const Workplace folder;
  Problems problems;
  // Large enough that all ask before it is made.
  const auto study =
      read_study(folder.write("e.toml", edited("participants = 60", "participants = 50000")), {},
                 registry, problems);
  const auto plan = make_plan(study, registry);
  constexpr std::size_t kThreads = 4;
  CohortSource source(study, plan, kThreads);
  std::vector<std::shared_ptr<const SimulatedCohort>> got(kThreads);
  std::barrier start(kThreads);
  std::vector<std::thread> threads;
  for (auto& mine : got)
    threads.emplace_back([&] {
      start.arrive_and_wait();
      mine = source.get(plan.tasks.front());
    });
  for (auto& thread : threads) thread.join();
  for (const auto& cohort : got) REQUIRE(cohort == got.front());
}

}  // namespace tempo::test
