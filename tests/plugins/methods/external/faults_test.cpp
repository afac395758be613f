// Whatever a program does wrong, its fit ends with a status that says so, and the run goes on.

#include <map>
#include <string>
#include <vector>

#include "program.hpp"
#include "programs.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

struct Fault {
  std::string id;
  std::string script;    ///< of the shell, after kAnswer
  std::string settings;  ///< in TOML
  std::string status;
  std::string error;  ///< a part of it
};

/// The sound answer with something done to it.
std::string edit(const std::string& sed) { return "answer | sed '" + sed + "' > answer.json"; }

const std::vector<Fault>& faults() {
  static const std::vector<Fault> all{
      {"silent", ":", "", "bad_answer", "the program wrote no answer.json"},
      {"elsewhere", "mkdir out; answer > out/answer.json", "", "bad_answer",
       "the program wrote no answer.json"},
      {"on_output", "answer", "", "bad_answer", "the program wrote no answer.json"},
      {"garbage", "echo garbage > answer.json", "", "bad_answer",
       "it is not valid JSON (byte 1 of 8)"},
      {"empty_file", ": > answer.json", "", "bad_answer", "it is empty"},
      {"half", "answer | head -c 40 > answer.json", "", "bad_answer", "it is not valid JSON"},
      {"empty_object", "echo '{}' > answer.json", "", "bad_answer",
       "neither 'order' (biomarkers, the earliest first) nor 'ranks' (biomarker -> 1..B) is there; "
       "'stages' is not there"},
      {"a_list", "echo '[1, 2]' > answer.json", "", "bad_answer",
       "found a list, expected an object"},
      {"nan", edit("s/\"0\": 0/\"0\": NaN/"), "", "bad_answer",
       "is in 'NaN', which is no number in JSON"},
      {"overflow", edit("s/\"0\": 0/\"0\": 1e999/"), "", "bad_answer", "number overflow"},
      {"deep", "yes '[' | tr -d '\\n' | head -c 500000 > answer.json", "", "bad_answer",
       "lists and objects lie more than 16 deep in each other"},
      {"wrong_ids", edit("s/\"stages\": {\"0\"/\"stages\": {\"patient 0\"/"), "", "bad_answer",
       "'stages' lacks participant '0'; 'stages' has 'patient 0', which is no participant"},
      {"order_of_numbers", edit("s/\"order\": .[^]]*./\"order\": [1, 2, 3, 4, 5]/"), "",
       "bad_answer",
       "'order' holds 1, expected a list of biomarkers, the earliest first; 'ranks' takes numbers "
       "by biomarker"},
      {"ranks_of_names", edit("s/order/ranks/"), "", "bad_answer",
       "'ranks' is a list, expected an object (biomarker -> value)"},
      {"ranks_from_0",
       edit("s/\"order\": .[^]]*./\"ranks\": {\"b0\": 0, \"b1\": 1, \"b2\": 2, \"b3\": 3, \"b4\": "
            "4}/"),
       "", "bad_answer", "'ranks' has 0 for 'b0', expected whole numbers 1..5"},
      {"ranks_twice",
       edit("s/\"order\": .[^]]*./\"ranks\": {\"b0\": 1, \"b1\": 1, \"b2\": 2, \"b3\": 3, \"b4\": "
            "4}/"),
       "", "bad_answer", "'ranks' has 1 twice"},
      {"order_and_ranks", edit("s/^{/{\"ranks\": {}, /"), "", "bad_answer",
       "'order' and 'ranks' are both there; expected one of them"},
      {"name_twice_in_order", edit("s/\"b1\"/\"b0\"/"), "", "bad_answer", "'order' has 'b0' twice"},
      {"id_twice", edit("s/\"1\": 0/\"0\": 0/"), "", "bad_answer", "'0' is there twice"},
      {"biomarker_missing", edit("s/\"b1\", //; s/, \"b1\"//"), "", "bad_answer",
       "'order' lacks biomarker 'b1'"},
      {"stage_too_high", edit("s/\"0\": 0/\"0\": 5.5/"), "", "bad_answer",
       "'stages' has 5.5 for '0', expected a number 0..5"},
      {"stage_is_text", edit("s/\"0\": 0/\"0\": \"late\"/"), "", "bad_answer",
       "'stages' has the text 'late' for '0', expected a number 0..5"},
      {"unknown_key", edit("s/^{/{\"stage\": 1, /"), "", "bad_answer",
       "unknown key 'stage'; expected"},
      {"wrong_protocol", edit("s/^{/{\"protocol\": 2, /"), "", "bad_answer",
       "'protocol' is 2, expected 1"},
      {"another_cohort", edit("s/^{/{\"seed\": 1, /"), "", "bad_answer",
       "the answer to another question"},
      {"another_version", edit("s/^{/{\"version\": \"2.0\", /"), "version = \"1.0\"", "bad_answer",
       "'version' is the text '2.0', the experiment says '1.0'"},
      {"posterior_of_percents", edit("s/^{/{\"rank_posterior\": {\"b0\": [100, 0, 0, 0, 0]}, /"),
       "", "bad_answer", "'rank_posterior' of 'b0': expected 5 probabilities that add up to 1"},
      {"huge", "head -c 3000000 /dev/zero | tr '\\0' ' ' > answer.json", "", "bad_answer",
       "answer.json has 3000000 bytes, expected at most"},
      {"link", "answer > mine; ln -s mine answer.json", "", "bad_answer",
       "answer.json is a link, expected a file"},
      {"pipe", "mkfifo answer.json", "", "bad_answer", "answer.json is no file"},
      {"folder", "mkdir answer.json", "", "bad_answer", "answer.json is no file"},
      {"not_applicable", "echo 'needs two groups' >&2; exit 3", "", "not_applicable",
       "not applicable: needs two groups"},
      {"says_not_applicable", "echo '{\"not_applicable\": \"too few\"}' > answer.json", "",
       "not_applicable", "not applicable: too few"},
      {"says_error", "echo '{\"error\": \"did not converge\"}' > answer.json", "", "failed",
       "the program failed: did not converge"},
      {"exits", "echo one >&2; echo \"in $PWD/x\" >&2; exit 7", "", "failed",
       "the program ended with status 7: one | in ./x"},
      {"binary_errors", "printf 'caf\\351 \\001\\n' >&2; exit 1", "", "failed",
       "the program ended with status 1: caf"},
      {"crashes", "kill -SEGV $$", "", "failed",
       "the program crashed (signal 11, Segmentation fault)"},
      {"killed", "kill -KILL $$", "", "failed", "the program crashed (signal 9, Killed)"},
      {"sleeps", "sleep 6113", "time_limit = 0.4", "timed_out", "the program took more than 0.4 s"},
      {"ignores_sigterm", "trap '' TERM; while :; do sleep 1; done", "time_limit = 0.2",
       "timed_out", "the program took more than 0.2 s"},
      {"endless_output", "answer > answer.json; exec cat /dev/zero", "time_limit = 1.0",
       "timed_out", "the program took more than 1 s"},
      {"allocates",
       "x=0123456789abcdef; i=0; while [ $i -lt 23 ]; do x=$x$x; i=$((i + 1)); done; sleep 6113",
       "memory_limit = 48", "out_of_memory", "the program held more than 48 MiB of memory"},
      {"many_processes", "for i in $(seq 300); do sleep 6113 & done; wait", "process_limit = 100",
       "failed", "the program started more than 100 processes"},
  };
  return all;
}

/// One cohort, and a method for each fault between two sound ones.
std::string experiment_of_faults(const Program& program) {
  auto text = edited(edited(kExperiment, "test = 3", "test = 1"), R"([[hypothesis]]
id = "late"
plugin = "composed"
event_times = "permutation"
stage_prior = { plugin = "beta", alpha = 8.0, beta = 2.0 }
measurement_model = "ebm_normal"
[[method]]
plugin = "probe"
)",
                     "");
  const auto add = [&](const std::string& id, const std::string& script,
                       const std::string& settings) {
    program.write("programs/" + id + ".sh", kAnswer + script + "\n");
    text += "[[method]]\nplugin = \"external\"\nid = \"" + id +
            "\"\ncommand = [\"sh\", \"programs/" + id + ".sh\"]\n" + settings + "\n";
  };
  add("sound", "answer > answer.json", "");
  for (const auto& [id, script, settings, status, error] : faults()) add(id, script, settings);
  add("sound_as_well", "answer > answer.json; setsid sleep 6113 & :", "");
  return text;
}

/// Rows of results.csv by method: what follows the method's name.
std::map<std::string, std::string> rows_by_method(const std::string& results) {
  std::map<std::string, std::string> out;
  for (const auto& line : split(results, '\n')) {
    const auto fields = split(line, ',');
    out[fields.at(2)] = line;
  }
  return out;
}

}  // namespace

TEST_CASE("planted faults of programs end as statuses, and leave no process",
          "[external][failures]") {
  const Program program;
  program.experiment(experiment_of_faults(program));
  const auto one = program.tempo("run e.toml --jobs 1 --out one");
  const auto rows = rows_by_method(program.results("one/results.csv"));
  CAPTURE(one.errors);
  REQUIRE(one.code == 1);
  REQUIRE(rows.size() == faults().size() + 3);  // with the header and two sound programs
  REQUIRE(faults().size() >= 20);
  for (const auto& [id, script, settings, status, error] : faults()) {
    CAPTURE(id, rows.at(id));
    // Commas of a message part its fields, which `results` puts together again.
    REQUIRE_THAT(rows.at(id), Contains("," + id + ",," + status + ",,,,"));
    REQUIRE_THAT(rows.at(id), Contains(error));
  }
  for (const auto* id : {"sound", "sound_as_well"})
    REQUIRE_THAT(rows.at(id), Contains(std::string(",") + id + ",,ok,0."));

  // None of what they started is left.
  REQUIRE(program.shell("pgrep -f 'sleep 611[3]'").code != 0);

  SECTION("two at a time end as one at a time do") {
    REQUIRE(program.tempo("run e.toml --jobs 2 --out two").code == 1);
    REQUIRE(program.results("two/results.csv") == program.results("one/results.csv"));
  }
  SECTION("tables, the log and the report have the names of failures") {
    const auto table = program.tempo("results one --table failures");
    REQUIRE_THAT(table.output, Contains("first        status") && Contains("out of memory"));
    const auto csv = program.tempo("results one --table failures --format csv");
    REQUIRE_THAT(csv.output, Contains("method,fits,replicates,first,status,error\n") &&
                                 Contains("sleeps,1,0,h3 cohort 0,timed_out,"));
    REQUIRE_THAT(program.text("one/run.log"), Contains("not_applicable: h3 cohort 0 "));
    const auto json = program.tempo("results one --table failures --format json");
    REQUIRE_THAT(json.output, Contains("\"status\": \"out_of_memory\"") ||
                                  Contains("\"status\":\"out_of_memory\""));
  }
}

}  // namespace tempo::test
