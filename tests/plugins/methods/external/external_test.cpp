// What a program is given, and what is made of its answer.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "method_support.hpp"
#include "programs.hpp"
#include "tempo/error.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

ParameterValue texts(const std::vector<std::string>& words) {
  ParameterValue::Array items;
  for (const auto& word : words) items.push_back({{}, word});
  return {{}, std::move(items)};
}

ParameterValue value(std::variant<bool, double, std::string> held) {
  ParameterValue out;
  std::visit([&](const auto& content) { out.value = content; }, held);
  return out;
}

/// A program in the shell in a folder of its own.
class Lab {
 public:
  explicit Lab(const std::string& script) {
    part_.settings.set("command",
                       texts({"sh", folder_.write("lab.sh", kAnswer + script + "\n").string()}));
  }
  Lab& set(const std::string& key, ParameterValue to) {
    part_.settings.set(key, std::move(to));
    return *this;
  }
  std::unique_ptr<InferenceMethod> method() const { return shipped().method(part_); }
  Inference fit(const Cohort& cohort, std::uint64_t seed = 1) const {
    auto draws = stream(seed);
    return method()->fit(cohort, draws);
  }
  /// The message of the fit's failure. @throws what is no FitFailure
  std::pair<FailureKind, std::string> failure(const Cohort& cohort) const {
    try {
      fit(cohort);
    } catch (const FitFailure& failure) {
      return {failure.kind(), failure.what()};
    }
    throw std::logic_error("the fit did not fail");
  }
  std::string text(const std::string& name) const { return read_text(folder_.path() / name); }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

 private:
  TemporaryFolder folder_;
  PartSpec part_ = part("external");
};

/// Three participants and two biomarkers, with names that are hard to write.
Cohort small_cohort() {
  Cohort out;
  out.participants = {"p1", "a, \"b\"", "\xC3\xA9"};
  out.biomarkers = {"MMSE", "A beta"};
  out.measurements = matrix({{0.1, 2.0}, {1e-7, -3.5}, {4.0, 1.0 / 3.0}});
  out.diseased = {0, 1, 1};
  return out;
}

template <class Work>
double seconds_of(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Of this process and of all that it has waited for.
double cpu_seconds() {
  double out = 0.0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(whose, &usage);
    for (const auto& time : {usage.ru_utime, usage.ru_stime})
      out += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return out;
}

/// What prints a JSON text: quotes and all.
std::string print(const json& text) {
  return "cat > answer.json <<'END'\n" + text.dump() + "\nEND";
}

json sound_answer() {
  return {{"order", {"A beta", "MMSE"}},
          {"stages", {{"p1", 0}, {"a, \"b\"", 1}, {"\xC3\xA9", 1.5}}}};
}

}  // namespace

TEST_CASE("a program gets a cohort and a task", "[external]") {
  // The folder where the script lies takes copies.
  Lab used("cp cohort.csv task.json \"${0%/*}\"; " + print(sound_answer()));
  ParameterTable settings;
  settings.set("iterations", value(5.0));
  used.set("settings", {{}, settings}).set("time_limit", value(20.0));

  SECTION("without labels unless it is to have them") {
    used.fit(small_cohort(), 7);
    REQUIRE(used.text("cohort.csv") ==
            "participant,MMSE,\"A beta\"\np1,0.1,2\n\"a, \"\"b\"\"\",1e-07,-3.5\n"
            "\xC3\xA9,4,0.3333333333333333\n");
    const auto task = json::parse(used.text("task.json"));
    REQUIRE(task["labels"] == false);
    REQUIRE(used.method()->label_use() == LabelUse::none);
  }
  SECTION("with labels, and everything in the task") {
    used.set("labels", value(std::string("fit")));
    used.fit(small_cohort(), 7);
    REQUIRE_THAT(used.text("cohort.csv"),
                 StartsWith("participant,diseased,MMSE,\"A beta\"\np1,0,0.1,2\n"));
    const auto task = json::parse(used.text("task.json"));
    REQUIRE(task["protocol"] == 1);
    REQUIRE(task["cohort"] == "cohort.csv");
    REQUIRE(task["answer"] == "answer.json");
    REQUIRE(task["biomarkers"] == json{"MMSE", "A beta"});
    REQUIRE(task["participants"] == 3);
    REQUIRE(task["labels"] == true);
    REQUIRE(task["threads"] == 1);
    REQUIRE(task["time_limit"] == 20.0);
    REQUIRE(task["settings"] == json{{"iterations", 5.0}});
    REQUIRE(used.method()->label_use() == LabelUse::fit);

    const auto seed = task["seed"].get<std::uint64_t>();
    REQUIRE(seed < std::uint64_t{1} << 53);
    used.fit(small_cohort(), 7);
    REQUIRE(json::parse(used.text("task.json"))["seed"] == seed);
    used.fit(small_cohort(), 8);
    REQUIRE(json::parse(used.text("task.json"))["seed"] != seed);
  }
  SECTION("with missing values, if it takes them") {
    auto cohort = small_cohort();
    cohort.measurements(0, 1) = kMissing;
    REQUIRE_THROWS_WITH(used.fit(cohort), Contains("takes no missing values"));
    used.set("missing", value(std::string("marginal")));
    used.fit(cohort);
    REQUIRE_THAT(used.text("cohort.csv"), Contains("p1,0.1,\n"));
  }
}

TEST_CASE("a program sees the variables that are listed, and one thread", "[external]") {
  ::setenv("TEMPO_TEST_SECRET", "hidden", 1);
  ::setenv("TEMPO_TEST_SHOWN", "shown", 1);
  Lab lab("env > \"${0%/*}/env\"; " + print(sound_answer()));
  lab.set("environment", texts({"PATH", "TEMPO_TEST_SHOWN"}));
  lab.fit(small_cohort());
  const auto seen = "\n" + lab.text("env");
  REQUIRE_THAT(seen, Contains("\nTEMPO_TEST_SHOWN=shown\n") && Contains("\nOMP_NUM_THREADS=1\n") &&
                         Contains("\nPYTHONHASHSEED=0\n") && Contains("\nTMPDIR=/"));
  REQUIRE(seen.find("hidden") == std::string::npos);
}

TEST_CASE("an answer becomes an inference", "[external]") {
  auto answer = sound_answer();
  SECTION("the order is by name, not by place in the file") {
    const auto found = Lab(print(answer)).fit(small_cohort());
    REQUIRE(found.event_scores == std::vector{1.0, 0.0});
    REQUIRE(found.stages == std::vector{0.0, 1.0, 1.5});
    REQUIRE_FALSE(found.rank_posterior.has_value());
  }
  SECTION("ranks are numbers by name") {
    answer.erase("order");
    answer["ranks"] = {{"MMSE", 2}, {"A beta", 1}};
    REQUIRE(Lab(print(answer)).fit(small_cohort()).event_scores == std::vector{2.0, 1.0});
  }
  SECTION("times, posteriors and warnings") {
    answer["event_times"] = {{"MMSE", 0.75}, {"A beta", 0.25}};
    answer["rank_posterior"] = {{"MMSE", {0.25, 0.75}}, {"A beta", {0.7499, 0.2502}}};
    answer["stage_posterior"] = {
        {"p1", {1, 0, 0}}, {"a, \"b\"", {0, 0.5, 0.5}}, {"\xC3\xA9", {0, 0, 1}}};
    answer["warnings"] = {"few controls"};
    answer["protocol"] = 1;
    answer["version"] = "0.3";
    const auto found = Lab(print(answer)).fit(small_cohort());
    REQUIRE(*found.event_times == std::vector{0.75, 0.25});
    REQUIRE((*found.rank_posterior)(0, 1) == 0.75);
    REQUIRE((*found.rank_posterior)(1, 0) == Approx(0.7499 / 1.0001).epsilon(1e-12));
    REQUIRE((*found.stage_posterior)(1, 2) == 0.5);
    REQUIRE(found.warnings == std::vector<std::string>{"few controls"});
  }
  SECTION("warnings without end are cut") {
    answer["warnings"] = std::vector<std::string>(1000, std::string(1000, 'w'));
    const auto found = Lab(print(answer)).fit(small_cohort());
    REQUIRE(found.warnings.size() == 21);
    REQUIRE(found.warnings.front().size() < 400);
    REQUIRE(found.warnings.back() == "and 980 more warnings");
  }
}

TEST_CASE("the folder of a failed fit is kept if it should be", "[external]") {
  Lab lab("exit 3");
  REQUIRE(lab.failure(small_cohort()) ==
          std::pair(FailureKind::not_applicable,
                    std::string("plugin external, while fitting: not applicable")));
  lab.set("keep_failed", value(true));
  const auto [kind, text] = lab.failure(small_cohort());
  REQUIRE_THAT(text, Contains("not applicable (kept: /"));
  const auto begin = text.find("/", text.find("kept: "));
  const std::filesystem::path folder(text.substr(begin, text.size() - begin - 1));
  REQUIRE(std::filesystem::exists(folder / "task.json"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("what a program depends on is known before anything runs", "[external][settings]") {
  const auto faults = [](const ParameterTable& settings) {
    Problems problems;
    shipped().resolve(InterfaceKind::inference_method, {"external", settings, {}}, "external",
                      problems);
    return problems.report();
  };
  ParameterTable settings;
  SECTION("a program that is not there") {
    settings.set("command", texts({"no-such-program"}));
    REQUIRE_THAT(faults(settings), Contains("there is no program 'no-such-program' in PATH"));
  }
  SECTION("none at all") {
    settings.set("command", texts({}));
    REQUIRE_THAT(faults(settings), Contains("'command' names no program"));
  }
  SECTION("a file that is no program") {
    TemporaryFolder folder;
    settings.set("command", texts({folder.write("text", "").string()}));
    REQUIRE_THAT(faults(settings), Contains("is not executable (chmod +x)"));
  }
  SECTION("settings that are no table") {
    settings.set("command", texts({"true"}));
    settings.set("settings", value(std::string("fast")));
    REQUIRE_THAT(faults(settings), Contains("'settings' must be a table, not a string"));
  }
  SECTION("a command of the version that fails") {
    settings.set("command", texts({"true"}));
    settings.set("version_command", texts({"sh", "-c", "echo no numpy >&2; exit 1"}));
    REQUIRE_THAT(faults(settings),
                 Contains("'version_command' fails: it ended with status 1: no numpy"));
  }
  SECTION("another version than the experiment says") {
    settings.set("command", texts({"true"}));
    settings.set("version_command", texts({"echo", "2.1"}));
    settings.set("version", value(std::string("2.0")));
    REQUIRE_THAT(faults(settings), Contains("'version_command' prints '2.1', 'version' is '2.0'"));
  }
  SECTION("the version is written down") {
    settings.set("command", texts({"true"}));
    settings.set("version_command", texts({"echo", "2.1"}));
    Problems problems;
    const auto found = shipped().resolve(InterfaceKind::inference_method,
                                         {"external", settings, {}}, "external", problems);
    REQUIRE(problems.empty());
    REQUIRE(std::get<std::string>(found.settings.find("version")->value) == "2.1");
  }
}

TEST_CASE("a program that lives longer than a fit answers line by line", "[external]") {
  // `seed` and the file of the cohort are taken from the line with what every shell has.
  const std::string ask = R"sh(
echo start >> "${0%/*}/starts"
while read -r line; do
  seed=$(echo "$line" | sed 's/.*"seed":\([0-9]*\).*/\1/')
  cohort=$(echo "$line" | sed 's/.*"cohort":"\([^"]*\)".*/\1/')
  reply
done)sh";
  const auto cohort = simulated().cohort;
  auto without_labels = cohort;
  without_labels.diseased.clear();
  const auto lab = [&](const std::string& reply) {
    auto out = std::make_unique<Lab>("reply() {\n" + reply + "\n}" + ask);
    out->set("persistent", value(true)).set("time_limit", value(5.0));
    return out;
  };
  const std::string good = "answer \"$cohort\" | sed \"s/^{/{\\\"seed\\\": $seed, /\"";
  auto draws = stream(1);

  SECTION("one process answers all") {
    const auto sound = lab(good);
    const auto method = sound->method();
    for (int i = 0; i < 3; ++i)
      REQUIRE(method->fit(without_labels, draws).stages.size() == cohort.participant_count());
    REQUIRE(sound->text("starts") == "start\n");
  }
  SECTION("an answer has to repeat the seed, and then a new process is started") {
    const auto forgetful = lab("answer \"$cohort\"");
    const auto method = forgetful->method();
    for (int i = 0; i < 2; ++i)
      REQUIRE_THROWS_WITH(method->fit(without_labels, draws),
                          Contains("'seed' is not there; expected that of the task"));
    REQUIRE(forgetful->text("starts") == "start\nstart\n");
  }
  SECTION("one that says more than it should is found out") {
    const auto lagging = lab("both=$(" + good + "); echo \"$both\"; echo \"$both\"");
    const auto method = lagging->method();
    method->fit(without_labels, draws);
    REQUIRE_THROWS_WITH(method->fit(without_labels, draws),
                        Contains("the answer to another question"));
    method->fit(without_labels, draws);
    REQUIRE(lagging->text("starts") == "start\nstart\n");
  }
  SECTION("not applicable is an answer") {
    const auto picky =
        lab("echo \"{\\\"seed\\\": $seed, \\\"not_applicable\\\": \\\"too few\\\"}\"");
    const auto method = picky->method();
    for (int i = 0; i < 2; ++i)
      REQUIRE_THROWS_WITH(method->fit(without_labels, draws), Contains("not applicable: too few"));
    REQUIRE(picky->text("starts") == "start\n");
  }
  SECTION("one that ends is started anew") {
    const auto ending = lab(good + "; exit 0");
    const auto method = ending->method();
    for (int i = 0; i < 3; ++i)
      REQUIRE(method->fit(without_labels, draws).stages.size() == cohort.participant_count());
    REQUIRE(ending->text("starts") == "start\nstart\nstart\n");
  }
  SECTION("a line without end, silence and a crash are named") {
    REQUIRE_THAT(lab("cat /dev/zero")->failure(without_labels).second,
                 Contains("bad answer: a line of more than"));
    const auto slow = lab("sleep 6112");
    slow->set("time_limit", value(0.3));
    REQUIRE(slow->failure(without_labels) ==
            std::pair(FailureKind::timed_out,
                      std::string("plugin external, while fitting: the program took more than 0.3 "
                                  "s")));
    REQUIRE_THROWS_WITH(lab("echo bad >&2; kill -SEGV $$")->fit(without_labels),
                        Contains("the program crashed (signal 11, Segmentation fault): bad"));
  }
}

TEST_CASE("a fit costs little more than its program", "[external][speed]") {
  const auto cohort = [] {
    auto out = simulated().cohort;
    out.diseased.clear();
    return out;
  }();
  // An answer that was made before: the program does nothing but copy it.
  Lab making("answer > \"${0%/*}/answer.json\"; cp \"${0%/*}/answer.json\" .");
  making.fit(cohort);
  Lab copying("cp '" + making.path("answer.json") + "' .");
  const auto method = copying.method();
  // Other work of the machine makes both wait: the least of some, beside that of the bare program.
  TemporaryFolder bare;
  double least = 1e9, least_bare = 1e9;
  const double cpu = cpu_seconds();
  constexpr int kFits = 15;
  for (int i = 0; i < kFits; ++i) {
    auto draws = stream(1);
    least = std::min(least, seconds_of([&] { method->fit(cohort, draws); }));
    least_bare = std::min(
        least_bare, seconds_of([&] { run("cp '" + copying.path("lab.sh") + "' .", bare.path()); }));
  }
  const double cpu_per_fit = (cpu_seconds() - cpu) / kFits;
  CAPTURE(least, least_bare, cpu_per_fit);
  REQUIRE(cpu_per_fit < 0.05);
  REQUIRE(least < 0.05 + 4.0 * least_bare);
}

}  // namespace tempo::test
