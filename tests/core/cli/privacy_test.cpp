// What leaves the house: files of a run say nothing of the machine, and a report nothing of anybody
// in the cohort.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "clinic.hpp"

namespace tempo::test {
namespace {

namespace fs = std::filesystem;

/// The files below a folder in which a word stands, seen from the folder.
std::vector<std::string> files_with(const std::string& word, const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && read_text(entry.path()).find(word) != std::string::npos)
      out.push_back(entry.path().lexically_relative(folder).string());
  std::sort(out.begin(), out.end());
  return out;
}

constexpr std::array kSaysWho{"USER", "LOGNAME", "USERNAME", "HOME", "HOSTNAME", "MAIL"};

/// What a machine is told by: where the test works, where the program stands, its name.
std::vector<std::string> marks_of_this_machine(const Program& program) {
  std::array<char, 256> host{};
  REQUIRE(::gethostname(host.data(), host.size() - 1) == 0);
  std::vector<std::string> out{
      program.path().string(), fs::path(TEMPO_TEST_PROGRAM).parent_path().string(),
      fs::path(TEMPO_PROBES).string(), fs::path(TEMPO_TEST_PLUGINS).string()};
  const std::string name = host.data();
  // A short name would be a part of other words.
  if (name.size() > 4 && name != "localhost") out.push_back(name);
  for (const auto* variable : kSaysWho) out.emplace_back(std::string("who-") + variable);
  return out;
}

/// Whatever tells a program who runs it has another word that is looked for.
void be_somebody() {
  for (const auto* variable : kSaysWho)
    ::setenv(variable, (std::string("/who-") + variable).c_str(), 1);
}

void expect_no_mark(const Program& program, const std::string& folder) {
  for (const auto& mark : marks_of_this_machine(program)) {
    INFO(folder << " holds " << mark);
    REQUIRE(files_with(mark, program.path() / folder) == std::vector<std::string>{});
  }
}

void expect_good(const Outcome& outcome) {
  INFO(outcome.output << outcome.errors);
  REQUIRE(outcome.code == 0);
}

/// As `report` fills it in: the page of a build without Node.js is not there.
const std::string kWithPage =
    "mkdir -p ../bare/bin ../bare/share/tempo && echo '{{report}}' > ../bare/share/tempo/report.html && "
    "cp '" TEMPO_TEST_PROGRAM "' ../bare/bin/tempo && TEMPO_PLUGIN_PATH='" TEMPO_PROBES
    ":" TEMPO_TEST_PLUGINS "' ../bare/bin/tempo ";

/// A clinic with odd participants, of whom notes tell.
std::string odd_clinic() {
  auto text = clinic();
  for (const auto* row :
       {"dunmore,AD,4,4,4,4,4\n", "Dunmore,AD,4,4,4,4,4\n", "ashgrove,AD,4,4,4,4,999\n"})
    text += row;
  return text;
}

}  // namespace

TEST_CASE("files of a run, its shards and what is merged of them say nothing of the machine",
          "[cli][privacy]") {
  be_somebody();
  const Program program;
  program.write("inner/five.toml", kTable);
  program.write("inner/e.toml", std::string(kExperiment) + "[[method]]\nplugin = \"learner\"\n");
  const std::string absolute = "'" + (program.path() / "inner/e.toml").string() + "'";
  for (const std::string shard : {"1/2", "2/2"})
    expect_good(program.tempo("run " + absolute + " --shard " + shard + " --out '" +
                              (program.path() / "run").string() + shard.substr(0, 1) + "'"));
  expect_good(program.tempo("merge run1 run2 --out whole"));
  expect_good(
      program.tempo("run inner/e.toml --set cohorts.biomarkers=inner/five.toml --out again"));
  for (const auto* folder : {"run1", "run2", "whole", "again"}) expect_no_mark(program, folder);

  SECTION("and their lock files are run all the same, from wherever they lie") {
    for (const std::string run : {"run1", "whole", "again"})
      expect_good(program.shell("cd / && tempo plan '" + (program.path() / run).string() +
                                "/experiment.lock.toml' --out '" + (program.path() / run).string() +
                                "'"));
  }
}

TEST_CASE("tasks say nothing of the machine in what is merged of them", "[cli][privacy]") {
  be_somebody();
  const Program program;
  program.experiment(kExperiment);
  expect_good(program.tempo("submit e.toml --launcher local --tasks 2 --out run"));
  for (const auto& part : fs::directory_iterator(program.path() / "run/cluster/parts"))
    expect_no_mark(program, part.path().lexically_relative(program.path()).string());
  fs::remove_all(program.path() / "run/cluster");  // which is for this machine
  expect_no_mark(program, "run");
}

TEST_CASE("a report names nobody in the cohort unless it is asked to", "[cli][privacy]") {
  be_somebody();
  const Clinic program;
  program.write("clinic.csv", odd_clinic());
  const auto inside = [&](const std::string& arguments) {
    return program.shell("mkdir -p work && cd work && " + kWithPage + arguments);
  };
  expect_good(inside("run ../e.toml --out ../run"));
  expect_no_mark(program, "run");
  REQUIRE(files_with("dunmore", program.path() / "run") ==
          std::vector<std::string>{"intake.txt", "results.sqlite"});
  REQUIRE(program.text("run/report.html").find("ashgrove") == std::string::npos);
  for (const auto& row : split(odd_clinic(), '\n'))
    if (const auto id = row.substr(0, row.find(',')); id.size() > 2) {
      INFO(id);
      REQUIRE(program.text("run/report.html").find("\"" + id + "\"") == std::string::npos);
      REQUIRE(program.text("run/report.html").find("'" + id + "'") == std::string::npos);
    }
  REQUIRE(program.text("run/report.html").find("intake.txt of the run folder") !=
          std::string::npos);
  expect_good(inside("report ../run --participants --out ../named.html"));
  REQUIRE(program.text("named.html").find("dunmore") != std::string::npos);
}

TEST_CASE("a cohort that was imported, and a model, say nothing of the machine", "[cli][privacy]") {
  const Clinic program;
  fs::create_directory(program.path() / "out");
  expect_good(program.tempo("import clinic.toml --out out/cohort.csv"));
  expect_good(
      program.tempo("train --hypothesis h3 --method learner --biomarkers five.toml --out '" +
                    (program.path() / "out/model.safetensors").string() + "'"));
  expect_no_mark(program, "out");
}

}  // namespace tempo::test
