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
            "note: participants '007', '7' have ids that differ by case, blanks, signs or leading "
            "zeros only: one participant?\n"
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
                          "[\"...\"], diseased = [\"...\"] }\n# columns: who, a\n"));
  }
  SECTION("the draft of a long table, of visits, and by names of other languages") {
    const auto draft_of = [&](const std::string& text) {
      program.write("in/x.csv", text);
      const auto errors = program.tempo("import in/x.csv").errors;
      const auto begin = errors.find("file        = ");
      return errors.substr(begin, errors.find("\n1 problem") - begin);
    };
    REQUIRE(draft_of("ID,DX,biomarker,value\na,CN,MMSE,29\na,CN,TAU,258\nb,AD,MMSE,21\n") ==
            "file        = \"x.csv\"\nlayout      = \"long\"\nbiomarker   = \"biomarker\"\n"
            "value       = \"value\"\nparticipant = \"ID\"\n"
            "diagnosis   = { column = \"DX\", healthy = [\"CN\"], diseased = [\"AD\"] }\n");
    REQUIRE_THAT(draft_of("PTID,VISCODE,DX,MMSE\na,bl,CN,29\na,m12,CN,29\nb,bl,AD,21\n"),
                 EndsWith("visit       = { column = \"VISCODE\", keep = \"baseline\", baseline = "
                          "[\"bl\"] }\n"));
    REQUIRE_THAT(draft_of("NACCID,NACCVNUM,NACCUDSD,MMSE\na,1,1,29\na,2,1,29\nb,1,4,21\n"),
                 EndsWith("visit       = { column = \"NACCVNUM\", keep = \"first\" }\n"));
    REQUIRE_THAT(
        draft_of("Patienten_ID;Diagnose;MMST\n1;CN;29\n2;AD;25\n"),
        Contains("participant = \"Patienten_ID\"\ndiagnosis   = { column = \"Diagnose\", "));
    program.write("in/x.csv", "");
    REQUIRE(program.tempo("import in/x.csv").errors ==
            "in/x.csv: is empty; expected a header and rows\n1 problem; nothing was run.\n");
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
    REQUIRE_THAT(read.output,
                 Contains("  100  with all values (left out: 'AD': 11, 'CN': 15, 'EMCI': 17, "
                          "'LMCI': 24)\n   21  healthy (CN: 21)\n"));
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

TEST_CASE("tempo import describes participants by columns of the table", "[cli][import]") {
  const Program program;
  program.write("t.toml",
                "file = \"t.csv\"\nparticipant = \"id\"\nbiomarkers = [\"a\"]\n"
                "diagnosis = { column = \"dx\", healthy = [\"NC\"], diseased = [\"AD\"], drop = "
                "[\"?\"] }\nmissing_markers = [\"-9\"]\n");
  program.write("t.csv",
                "id,dx,a,age,sex,arm\n1,NC,1,60,F,1\n2,NC,2,70,M,2\n3,NC,3,80,F,\n"
                "4,AD,4,72,M,1\n5,AD,5,-9,M,1\n6,?,6,99,F,3\n");
  const std::string call = "import t.toml --baseline age --baseline sex --baseline arm";
  SECTION("for people: by diagnosis as the description lists them, then all") {
    const auto outcome = program.tempo(call);
    INFO(outcome.errors);
    REQUIRE(outcome.code == 0);
    REQUIRE_THAT(
        outcome.output,
        Contains(
            "\nother columns: id (participant), dx (diagnosis), age (described), sex (described), "
            "arm (described)\n") &&
            EndsWith("\nwho the participants are\n"
                     "participants             NC (n = 3)   AD (n = 2)   all (n = 5)\n"
                     "age, mean (sd)           70 (10)      72           70.5 (8.23)\n"
                     "age, median [quartiles]  70 [65, 75]  72 [72, 72]  71 [67.5, 74]\n"
                     "age, missing             0            1            1\n"
                     "sex = F, n (%)           2 (66.7 %)   0 (0.0 %)    2 (40.0 %)\n"
                     "sex = M, n (%)           1 (33.3 %)   2 (100.0 %)  3 (60.0 %)\n"
                     "arm = 1, n (%)           1 (50.0 %)   2 (100.0 %)  3 (75.0 %)\n"
                     "arm = 2, n (%)           1 (50.0 %)   0 (0.0 %)    1 (25.0 %)\n"
                     "arm, missing             1            0            1\n"));
  }
  SECTION("for programs it stands alone") {
    const auto outcome = program.tempo(call + " --format csv");
    REQUIRE_THAT(outcome.output,
                 Catch::Matchers::StartsWith(
                     "column,level,diagnosis,participants,missing,mean,sd,median,lower_quartile,"
                     "upper_quartile,count,share\nage,,NC,3,0,70,10,70,65,75,,\n"
                     "age,,AD,2,1,72,,72,72,72,,\n") &&
                     Contains("\nsex,M,AD,2,0,,,,,,2,1\n"));
    REQUIRE_THAT(outcome.errors, Catch::Matchers::StartsWith("participants\n  6  in the table\n"));
    REQUIRE_THAT(program.tempo(call + " --format markdown").output,
                 Contains("| sex = M, n (%) | 1 (33.3 %) | 2 (100.0 %) | 3 (60.0 %) |\n"));
  }
  SECTION("the cohort is the same with and without") {
    REQUIRE(program.tempo(call + " --baseline a --out with.csv").code == 0);
    REQUIRE(program.tempo("import t.toml --out without.csv").code == 0);
    REQUIRE(program.text("with.csv") == program.text("without.csv"));
  }
  SECTION("a column that is not there is a fault") {
    const auto outcome = program.tempo("import t.toml --baseline Age");
    REQUIRE(outcome.code == 2);
    REQUIRE_THAT(outcome.errors,
                 Contains("--baseline: ") && Contains("has no column 'Age'; did you mean 'age'?"));
    REQUIRE_THAT(program.tempo("import t.toml --format csv").errors,
                 Contains("--format is for --baseline COLUMN\n"));
  }
}

}  // namespace tempo::test
