// tempo import and tempo synthesize-adnimerge: a clinic's table becomes a cohort, or nothing does.

#include "program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

const std::string kDescription =
    "file = \"t.csv\"\nparticipant = \"id\"\n"
    "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n";

}  // namespace

TEST_CASE("tempo import", "[cli][import]") {
  const Program program;
  program.write("in/t.toml", kDescription);
  program.write("in/t.csv", "id,dx,a\n007,CN,1.5\n7,AD,2\n");

  SECTION("writes a long CSV and says who is in it; paths are relative to the description") {
    const auto outcome = program.tempo("import in/t.toml --out cohort.csv");
    REQUIRE(outcome.code == 0);
    REQUIRE(outcome.output ==
            "participants\n  2  in the table\n  1  healthy (CN: 1)\n  1  diseased (AD: 1)\n"
            "biomarkers: a\nother columns: id (participant), dx (diagnosis)\n"
            "cohort.csv: 2 participants, 1 biomarker\n");
    REQUIRE(program.text("cohort.csv") ==
            "participant,biomarker,measurement,diseased,diagnosis\n"
            "007,a,1.5,False,CN\n7,a,2,True,AD\n");
  }
  SECTION("a table in place of its description gets a draft of one, which reads it") {
    const auto outcome = program.tempo("import in/t.csv");
    REQUIRE(outcome.code == 2);
    const auto begin = outcome.errors.find("file        = ");
    REQUIRE_THAT(outcome.errors.substr(0, begin),
                 Contains("in/t.csv: is a table; ") && Contains("'in/t.toml' could be"));
    const auto draft = outcome.errors.substr(begin, outcome.errors.find("\n1 problem") - begin);
    program.write("in/draft.toml", draft);
    const auto read = program.tempo("import in/draft.toml --out of_draft.csv");
    REQUIRE(read.code == 0);
    REQUIRE(program.tempo("import in/t.toml --out cohort.csv").code == 0);
    REQUIRE(program.text("of_draft.csv") == program.text("cohort.csv"));
    program.write("in/other.csv", "who;a\n1;2,5\n");
    REQUIRE_THAT(program.tempo("import in/other.csv").errors,
                 Contains("participant = \"...\"\ndiagnosis   = { column = \"...\", healthy = "
                          "[\"...\"], diseased = [\"...\"] }\n"));
  }
  SECTION("faults end it with code 2 and no file") {
    program.write("in/t.csv", "id,dx,a\n1,CN,x\n2,AD,y\n");
    const auto outcome = program.tempo("import in/t.toml --out cohort.csv");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors, EndsWith("2 problems; nothing was run.\n"));
    REQUIRE_FALSE(program.has("cohort.csv"));
  }
  SECTION("what is read is not overwritten") {
    const auto outcome = program.tempo("import in/t.toml --out in/t.csv");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors, Contains("--out: 'in/t.csv' is read, and would be overwritten"));
    REQUIRE_THAT(program.text("in/t.csv"), Contains("007"));
  }
}

TEST_CASE("tempo synthesize-adnimerge", "[cli][import]") {
  const Program program;
  SECTION("what it makes is what the preset reads") {
    const auto made =
        program.tempo("synthesize-adnimerge --hypothesis h3 --participants 100 --out a.csv");
    INFO(made.errors);
    REQUIRE(made.code == 0);
    REQUIRE_THAT(made.output, Contains("100 complete at baseline, 21 of them controls"));
    REQUIRE(program.has("a.csv.truth.json"));
    program.write("a.toml", "file = \"a.csv\"\npreset = \"adnimerge\"\n");
    const auto read = program.tempo("import a.toml --out cohort.csv");
    REQUIRE(read.code == 0);
    REQUIRE_THAT(read.output, Contains("  100  with all values\n   21  healthy (CN: 21)\n"));
  }
  SECTION("faults come all at once") {
    const auto outcome =
        program.tempo("synthesize-adnimerge --participants 0 --healthy-ratio 1 --seed -1");
    REQUIRE(outcome.code == 2);
    REQUIRE(outcome.errors ==
            "tempo synthesize-adnimerge: --out FILE is missing (see tempo synthesize-adnimerge "
            "--help)\n"
            "--participants: must be between 1 and 1000000, not 0\n"
            "--healthy-ratio: must be in [0, 1), not 1\n"
            "--seed: must be >= 0, not -1\n"
            "4 problems; nothing was run.\n");
  }
}

}  // namespace tempo::test
