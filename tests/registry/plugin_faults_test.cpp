// Plugins that load and then fail when used: what fails is blamed by name, and nothing wrong
// passes.

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstring>
#include <limits>
#include <locale>
#include <thread>

#include "bad_plugins.hpp"
#include "tempo/plugin_call.hpp"

namespace tempo::test {
namespace {

PartSpec with_fault(const std::string& plugin, const std::string& fault) {
  auto spec = part(plugin);
  spec.settings.set("fault", ParameterValue{spec.place, fault});
  return spec;
}

using Faults = std::vector<std::pair<std::string, std::string>>;

/// What a process leaves behind that fits a cohort with a fault of bad_method.
struct Left {
  int status = 0;
  std::string errors;
};

Left fit_in_child(const std::string& fault) {
  const Cohort cohort{{"p", "q"}, {"b0", "b1", "b2"}, Matrix(2, 3), {}, {}};
  const auto method = bad_plugins().method(with_fault("bad_method", fault));
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const auto child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    alarm(60);
    PluginCall::tell_of_crashes();
    // On a thread of its own, as fits are.
    std::thread([&] {
      auto numbers = stream(1);
      method->fit(cohort, numbers);
    }).join();
    _exit(99);
  }
  close(ends[1]);
  Left out;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    out.errors.append(buffer, static_cast<std::size_t>(count));
  close(ends[0]);
  waitpid(child, &out.status, 0);
  return out;
}

}  // namespace

TEST_CASE("settings and constructors that throw", "[registry][faults]") {
  SECTION(
      "settings, while an experiment is read: at the place of the plugin, with the rest read on") {
    Problems problems;
    auto spec = with_fault("bad_prior", "settings");
    spec.place = {"study.toml", 7, 1};
    bad_plugins().resolve(InterfaceKind::stage_prior, spec, "[prior]", problems);
    REQUIRE(problems.report() ==
            "study.toml:7:1: plugin bad_prior, while reading its settings: no table of units");
  }
  SECTION("while the object is made") {
    for (const auto& [fault, problem] : Faults{
             {"settings", "no table of units"},
             {"create", "no memory left"},
             {"create_int", "threw something that is no exception"},
             {"create_large", "there is not enough memory"},
             {"settings_large", "there is not enough memory"},
         }) {
      INFO(fault);
      REQUIRE_THROWS_WITH(bad_plugins().stage_prior(with_fault("bad_prior", fault)),
                          "plugin bad_prior, while being created: " + problem);
    }
  }
}

TEST_CASE("stage priors that fail", "[registry][faults]") {
  for (const auto& [fault, problem] : Faults{
           {"draw", "did not converge"},
           {"draw_int", "threw something that is no exception"},
           {"nan", "expected whole numbers 1..B=4, got nan"},
           {"unwritten", "expected whole numbers 1..B=4, got nan"},
           {"fraction", "expected whole numbers 1..B=4, got 1.500000"},
           {"zero", "expected whole numbers 1..B=4, got 0.000000"},
       }) {
    INFO(fault);
    const auto prior = bad_plugins().stage_prior(with_fault("bad_prior", fault));
    auto numbers = stream(1);
    std::vector<double> stages(3);
    REQUIRE_THROWS_WITH(prior->draw(4, numbers, stages),
                        "plugin bad_prior, while drawing stages: " + problem);
  }
}

TEST_CASE("measurement models that fail", "[registry][faults]") {
  const auto biomarkers = plain_biomarkers(2);
  const std::vector<double> stages{0.0, 2.0};
  const std::vector<std::uint8_t> diseased{0, 1};
  const std::vector<double> event_times{1.0, 2.0};
  const Timeline timeline{stages, diseased, event_times, {}};

  SECTION("in their traits") {
    for (const auto& [fault, problem] : Faults{
             {"traits", "no families"},
             {"too_many_traits", "expected none or 2, got 3"},
         }) {
      INFO(fault);
      const auto model =
          bad_plugins().measurement_model(with_fault("bad_model", fault), biomarkers);
      auto numbers = stream(1);
      REQUIRE_THROWS_WITH(model->draw_traits(numbers),
                          "plugin bad_model, while drawing traits: " + problem);
    }
  }
  SECTION("in their atoms") {
    for (const auto& [fault, problem] : Faults{
             {"atoms", "no clips"},
             {"atom_nowhere", "biomarker 'b1' has an atom at nan"},
         }) {
      INFO(fault);
      const auto model =
          bad_plugins().measurement_model(with_fault("bad_model", fault), biomarkers);
      REQUIRE_THROWS_WITH(model->law()->atoms(1, 0, EventState::post),
                          "plugin bad_model, while listing atoms: " + problem);
      REQUIRE_THROWS_WITH(model->law()->atoms(2, 0, EventState::post), "atoms: biomarker 2 of 2");
    }
  }
  SECTION("in their densities") {
    for (const auto& [fault, problem] : Faults{
             {"density", "no table"},
             {"none", "biomarker 'b1' has log density nan at 0.500000"},
         }) {
      INFO(fault);
      const auto model =
          bad_plugins().measurement_model(with_fault("bad_model", fault), biomarkers);
      std::vector<double> densities(2);
      REQUIRE_THROWS_WITH(model->law()->log_density(1, 0, 0.5, stages, densities),
                          "plugin bad_model, while computing log densities: " + problem);
      REQUIRE_THROWS_WITH(model->law()->log_density(2, 0, 0.5, stages, densities),
                          "log density: biomarker 2 of 2, 2 times, 2 densities");
    }
  }
  SECTION("in their measurements") {
    for (const auto& [fault, problem] : Faults{
             {"measure", "did not converge"},
             {"measure_int", "threw something that is no exception"},
             {"infinite", "row 0 of biomarker 'b0' is not finite"},
             {"unwritten", "row 1 of biomarker 'b1' is not finite"},
         }) {
      INFO(fault);
      const auto model =
          bad_plugins().measurement_model(with_fault("bad_model", fault), biomarkers);
      auto numbers = stream(1);
      Matrix x(2, 2);
      REQUIRE_THROWS_WITH(model->measure(timeline, {}, numbers, x.view()),
                          "plugin bad_model, while measuring: " + problem);
    }
  }
}

TEST_CASE("hypotheses that fail", "[registry][faults]") {
  const CohortSize size{.participants = 4, .healthy_ratio = 0.5};
  for (const auto& [fault, problem] : Faults{
           {"simulate", "did not converge"},
           {"simulate_int", "threw something that is no exception"},
           {"infinite", "measurements: participant '0', biomarker 'b0' is infinite"},
           {"few_rows", "measurements: expected [J=4, B=2], got [3, 2]"},
           {"few_participants", "expected 4 participants, got 3"},
           {"few_healthy", "expected 2 healthy, got 0"},
           {"no_labels", "expected 4 labels, got 0"},
           {"other_biomarkers", "the biomarkers are not those of the table, in its order"},
           {"wrong_ranks", "event ranks: 'b1' ranks before 'b0' although its event time is later"},
       }) {
    INFO(fault);
    const auto process =
        bad_plugins().hypothesis(with_fault("bad_hypothesis", fault), plain_biomarkers(2));
    auto numbers = stream(1);
    REQUIRE_THROWS_WITH(process->simulate(size, numbers),
                        "plugin bad_hypothesis, while simulating a cohort: " + problem);
  }
}

TEST_CASE("methods that fail", "[registry][faults]") {
  const Cohort cohort{.participants = {"p", "q"},
                      .biomarkers = {"b0", "b1", "b2"},
                      .measurements = Matrix(2, 3),
                      .diseased = {},
                      .diagnoses = {}};
  for (const auto& [fault, problem] : Faults{
           {"fit", "did not converge"},
           {"fit_int", "threw something that is no exception"},
           {"few_scores", "event scores: expected [B=3], got [2]"},
           {"nan_score", "event scores: 'b1' has no finite score"},
           {"few_stages", "stages: expected [J=2], got [1]"},
           {"late_stage", "stages: participant 'q' is at 4.000000, expected a value in [0, B=3]"},
           {"late_event", "event times: expected values in [0, 1], found 2.000000"},
           {"lone_spread",
            "spreads of event times: expected [B=3] beside as many event times, got [3]"},
           {"wide_spread",
            "spreads of event times: expected 0 <= low <= high <= 1 and an sd, found [0.500000, "
            "1.500000] and 0.250000"},
           {"half_posterior", "stage posterior: row 0 sums to 0.400000, not to 1"},
       }) {
    INFO(fault);
    const auto method = bad_plugins().method(with_fault("bad_method", fault));
    auto numbers = stream(1);
    REQUIRE_THROWS_WITH(method->fit(cohort, numbers),
                        "plugin bad_method, while fitting: " + problem);
    const std::vector<Cohort> two{cohort, cohort};
    std::vector<RandomStream> streams{stream(1), stream(2)};
    REQUIRE_THROWS_WITH(method->fit_all(two, streams),
                        "plugin bad_method, while fitting: " + problem);
  }
}

TEST_CASE("a method that changes the surroundings of others fails, and they are put back",
          "[registry][faults]") {
  const Cohort cohort{{"p", "q"}, {"b0", "b1", "b2"}, Matrix(2, 3), {}, {}};
  const auto handler = [] {
    struct sigaction now {};
    sigaction(SIGTERM, nullptr, &now);
    return now.sa_handler;
  };
  const auto blocks_sigterm = [] {
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    return sigismember(&now, SIGTERM) == 1;
  };
  const std::string locale = std::setlocale(LC_ALL, nullptr);
  const auto of_thread = uselocale(locale_t{});
  const auto before = handler();
  volatile const double tiny = std::numeric_limits<double>::min();
  const std::string numbers = "how numbers are rounded, or tiny ones treated";
  for (const auto& [fault, what] : Faults{
           {"rounds_down", numbers},
           {"flushes", numbers},
           {"locale", "the locale of its thread"},
           {"global_locale", "the locale of the program"},
           {"handler", "the handler of SIGTERM"},
           {"blocks", "which signals are blocked"},
       }) {
    INFO(fault);
    const auto method = bad_plugins().method(with_fault("bad_method", fault));
    auto numbers_of = stream(1);
    REQUIRE_THROWS_WITH(method->fit(cohort, numbers_of),
                        "plugin bad_method, while fitting: changed " + what +
                            ", and others would have found other results; tempo has put it back");
    REQUIRE(std::fegetround() == FE_TONEAREST);
    REQUIRE(tiny / 2.0 > 0.0);
    REQUIRE(std::setlocale(LC_ALL, nullptr) == locale);
    REQUIRE(uselocale(locale_t{}) == of_thread);
    REQUIRE(handler() == before);
    REQUIRE(!blocks_sigterm());
  }
}

TEST_CASE("what another thread's plugin changes of all fails no fit, and is put back",
          "[registry][faults]") {
  const std::string locale = std::setlocale(LC_ALL, nullptr);
  PluginCall innocent("innocent", "fitting");
  std::string changed;
  std::thread([&] {
    PluginCall guilty("guilty", "fitting");
    std::setlocale(LC_ALL, "C.UTF-8");
    std::fesetround(FE_DOWNWARD);  // of its thread alone
    changed = guilty.put_back();
  }).join();
  REQUIRE(changed == "how numbers are rounded, or tiny ones treated");
  REQUIRE(std::setlocale(LC_ALL, nullptr) == locale);
  std::thread([&] {
    const PluginCall guilty("guilty", "fitting");
    std::setlocale(LC_ALL, "C.UTF-8");
    changed = innocent.put_back();
  }).join();
  REQUIRE(changed.empty());
  REQUIRE(std::setlocale(LC_ALL, nullptr) == locale);
}

TEST_CASE("a plugin that ends the program is named, and the program fails", "[registry][faults]") {
  for (const auto* fault : {"exit", "quick_exit", "exit_beside"}) {
    INFO(fault);
    const auto [status, errors] = fit_in_child(fault);
    REQUIRE(errors ==
            "plugin bad_method, while fitting: ended the program (exit), which is not for a plugin "
            "to do\n");
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 1);
  }
}

TEST_CASE("want of memory that nothing can catch is said, and is no crash", "[registry][faults]") {
  const auto [status, errors] = fit_in_child("no_memory_beside");
  REQUIRE(errors == "plugin bad_method, while fitting: there is not enough memory\n");
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 1);
}

TEST_CASE("a plugin that crashes is named, wherever and on whatever stack", "[registry][faults]") {
  for (const auto& [fault, signal] : std::vector<std::pair<std::string, int>>{
           {"abort", SIGABRT},
           {"terminate_beside", SIGABRT},
           {"overflow", SIGSEGV},
           {"crash", SIGSEGV},
       }) {
    INFO(fault);
    const auto [status, errors] = fit_in_child(fault);
    INFO(errors);
    REQUIRE_THAT(errors, Catch::Contains("plugin bad_method, while fitting: crashed (SIG" +
                                         std::string(sigabbrev_np(signal)) + ")"));
    REQUIRE(WIFSIGNALED(status));
    REQUIRE(WTERMSIG(status) == signal);
  }
}

TEST_CASE("several cohorts at once: as many streams and as many results", "[registry][faults]") {
  const Cohort cohort{{"p", "q"}, {"b0", "b1"}, Matrix(2, 2), {}, {}};
  const std::vector<Cohort> two{cohort, with_columns(cohort, {1, 0})};
  std::vector<RandomStream> streams{stream(1)};
  const auto method = bad_plugins().method(with_fault("bad_method", "few_results"));
  REQUIRE_THROWS_WITH(method->fit_all(two, streams),
                      "plugin bad_method, while fitting: 2 cohorts and 1 streams");
  streams.push_back(stream(2));
  REQUIRE_THROWS_WITH(method->fit_all(two, streams),
                      "plugin bad_method, while fitting: 1 results for 2 cohorts");
  const auto good = bad_plugins().method(with_fault("bad_method", "none"));
  REQUIRE(good->fit_all(two, streams).size() == 2);
  REQUIRE(good->fit_all({}, {}).empty());
}

TEST_CASE("the same plugins with nothing wrong work", "[registry][faults]") {
  auto numbers = stream(1);
  const auto process =
      bad_plugins().hypothesis(with_fault("bad_hypothesis", "none"), plain_biomarkers(3));
  const auto [cohort, truth] =
      process->simulate({.participants = 4, .healthy_ratio = 0.5}, numbers);
  REQUIRE(truth.ordinal_stages == std::vector<int>{0, 0, 3, 3});
  const auto method = bad_plugins().method(with_fault("bad_method", "none"));
  REQUIRE(method->fit(cohort, numbers).event_scores == std::vector<double>{0.0, 1.0, 2.0});
}

}  // namespace tempo::test
