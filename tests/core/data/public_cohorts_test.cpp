#include "data/public_cohorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "data/biomarker_file.hpp"
#include "data/public_cohort_reader.hpp"
#include "data/public_cohort_writer.hpp"
#include "data/text_file.hpp"
#include "faulty_input.hpp"
#include "support.hpp"
#include "tempo/error.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;

const std::string kCsv =
    "participant,biomarker,measurement,diseased\n"
    "0,a,1.5,True\n0,b,2,True\n1,a,3,False\n1,b,4,False\n2,a,5,True\n2,b,6,True\n";
const std::string kTruth =
    R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2]}})";
const std::string kSmallTruth = "true_order_and_stages.json";

/// Truths of the cohort above; the report gives the names of files without folders.
const std::vector<FaultyInput> kFaultyFolders{
    {"an empty truth", "",
     "true_order_and_stages.json:1:1: not valid JSON: syntax error while parsing value - "
     "unexpected end of input; expected '[', '{', or a literal"},
    {"a comma too many",
     R"({"x_m0": {"true_order": {"a": 2,
  "b": 1,}}})",
     "true_order_and_stages.json:2:10: not valid JSON: syntax error while parsing object key - "
     "unexpected '}'; expected string literal"},
    {"a truncated file", R"({"x_m0": {"true_order": )",
     "true_order_and_stages.json:1:25: not valid JSON: syntax error while parsing value - "
     "unexpected end of input; expected '[', '{', or a literal"},
    {"NaN, which JSON lacks", R"({"x_m0": {"true_order": {"a": NaN}}})",
     R"(true_order_and_stages.json:1:31: not valid JSON: syntax error while parsing value - invalid literal; last read: '"a": N')"},
    {"a list for an object", "[1]",
     "true_order_and_stages.json: expected an object (file -> truth), found a list"},
    {"a biomarker twice",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1, "a": 1}, "true_stages": [1, 0, 2]}})",
     "true_order_and_stages.json: x_m0/true_order/a: this key is given twice"},
    {"the truth of another data set", R"({"x_m1": {}})",
     "true_order_and_stages.json: no truth for 'x_m0'; did you mean 'x_m1'?"},
    {"a truth that is a number", R"({"x_m0": 3})",
     "true_order_and_stages.json: x_m0: expected an object, found 3"},
    {"a truth without content", R"({"x_m0": {}})",
     "true_order_and_stages.json: x_m0/true_order: missing or empty; expected the rank of each "
     "biomarker\n"
     "true_order_and_stages.json: x_m0/true_stages: missing or empty; expected the stage of each "
     "participant"},
    {"an unknown key",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "true_stage": [1]}})",
     "true_order_and_stages.json: x_m0: unknown key 'true_stage'; did you mean 'true_stages'?"},
    {"an order that is a list", R"({"x_m0": {"true_order": [1, 2], "true_stages": [1, 0, 2]}})",
     "true_order_and_stages.json: x_m0/true_order: expected an object (biomarker -> value), found "
     "a list"},
    {"an empty order", R"({"x_m0": {"true_order": {}, "true_stages": [1, 0, 2]}})",
     "true_order_and_stages.json: x_m0/true_order: missing or empty; expected the rank of each "
     "biomarker"},
    {"a biomarker without a rank",
     R"({"x_m0": {"true_order": {"a": 1}, "true_stages": [1, 0, 2]}})",
     "true_order_and_stages.json: x_m0/true_order: biomarker 'b' of the CSV is missing"},
    {"a rank without a biomarker",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1, "c": 3}, "true_stages": [1, 0, 2]}})",
     "true_order_and_stages.json: x_m0/true_order: the CSV has no biomarker 'c'; did you mean "
     "'a'?"},
    {"a rank above B", R"({"x_m0": {"true_order": {"a": 3, "b": 1}, "true_stages": [1, 0, 2]}})",
     "true_order_and_stages.json: x_m0/true_order/a: expected a rank 1..2, found 3"},
    {"a rank below 1", R"({"x_m0": {"true_order": {"a": 0, "b": 1}, "true_stages": [1, 0, 2]}})",
     "true_order_and_stages.json: x_m0/true_order/a: expected a rank 1..2, found 0"},
    {"a rank twice", R"({"x_m0": {"true_order": {"a": 1, "b": 1}, "true_stages": [1, 0, 2]}})",
     "true_order_and_stages.json: x_m0/true_order/b: rank 1 is that of 'a' already"},
    {"half a rank", R"({"x_m0": {"true_order": {"a": 1.5, "b": 1}, "true_stages": [1, 0, 2]}})",
     "true_order_and_stages.json: x_m0/true_order/a: expected a rank 1..2, found 1.5"},
    {"a rank that is text",
     R"({"x_m0": {"true_order": {"a": "2", "b": 1}, "true_stages": [1, 0, 2]}})",
     R"(true_order_and_stages.json: x_m0/true_order/a: expected a rank 1..2, found "2")"},
    {"no stages", R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": []}})",
     "true_order_and_stages.json: x_m0/true_stages: missing or empty; expected the stage of each "
     "participant"},
    {"too few stages", R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0]}})",
     "true_order_and_stages.json: x_m0/true_stages: expected a list of 3, one value for each "
     "participant of the CSV, found a list of 2"},
    {"stages that are no list",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": {"0": 1}}})",
     "true_order_and_stages.json: x_m0/true_stages: expected a list, found an object"},
    {"a stage above B", R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [3, 0, 2]}})",
     "true_order_and_stages.json: x_m0/true_stages/0: expected a whole number 0..2, found 3"},
    {"stages that are none",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [-1, 0.5, null]}})",
     "true_order_and_stages.json: x_m0/true_stages/0: expected a whole number 0..2, found -1\n"
     "true_order_and_stages.json: x_m0/true_stages/1: expected a whole number 0..2, found 0.5\n"
     "true_order_and_stages.json: x_m0/true_stages/2: expected a whole number 0..2, found null"},
    {"a healthy participant with a stage",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 1, 2]}})",
     "true_order_and_stages.json: x_m0: stages: healthy participant '1' is not at stage 0"},
    {"a continuous stage above B",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "true_stages_continuous": [1.5, 0, 7.25]}})",
     "true_order_and_stages.json: x_m0/true_stages_continuous/2: expected a stage 0..2, found "
     "7.25"},
    {"too few continuous stages",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "true_stages_continuous": [1.5]}})",
     "true_order_and_stages.json: x_m0/true_stages_continuous: expected a list of 3, one value for "
     "each participant of the CSV, found a list of 1"},
    {"continuous stages that disagree with ordinal ones",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "true_stages_continuous": [0.5, 0, 2]}})",
     "true_order_and_stages.json: x_m0: ordinal stages: participant '0' has 0 events behind it, "
     "but stage 1"},
    {"event times out of range",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "true_order_continuous": {"a": 2.5, "b": -1}}})",
     "true_order_and_stages.json: x_m0/true_order_continuous/a: expected a time 0..2, found 2.5\n"
     "true_order_and_stages.json: x_m0/true_order_continuous/b: expected a time 0..2, found -1"},
    {"event times that disagree with ranks",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [2, 0, 2], "true_order_continuous": {"a": 0.5, "b": 1.5}, "true_stages_continuous": [1.75, 0, 2.0]}})",
     "true_order_and_stages.json: x_m0: event ranks: 'b' ranks before 'a' although its event time "
     "is later"},
    {"an unknown participant",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "participants": ["0", "1", "p"]}})",
     R"(true_order_and_stages.json: x_m0/participants/2: expected the id of a participant of the CSV, each once, found "p")"},
    {"a participant twice",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "participants": ["0", "1", "1"]}})",
     R"(true_order_and_stages.json: x_m0/participants/2: expected the id of a participant of the CSV, each once, found "1")"},
    {"too few participants",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "participants": ["0"]}})",
     "true_order_and_stages.json: x_m0/participants: expected a list of the 3 participants of the "
     "CSV, found a list of 1"},
    {"no participants",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "participants": []}})",
     "true_order_and_stages.json: x_m0/participants: expected a list of the 3 participants of the "
     "CSV, found a list of 0"},
    {"a number that is no participant",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "participants": [0, 1, 7]}})",
     "true_order_and_stages.json: x_m0/participants/2: expected the id of a participant of the "
     "CSV, each once, found \"7\""},
    {"impossible parameters",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "biomarker_parameters": {"a": {"phi_mean": 0, "phi_std": 0, "theta_mean": "x"}, "b": 3}}})",
     R"(true_order_and_stages.json: x_m0/biomarker_parameters/a/phi_std: expected a number > 0, found 0
true_order_and_stages.json: x_m0/biomarker_parameters/a/theta_mean: expected a number, found "x"
true_order_and_stages.json: x_m0/biomarker_parameters/a/theta_std: expected a number > 0, found nothing
true_order_and_stages.json: x_m0/biomarker_parameters/b: expected an object, found 3)"},
    {"a biomarker without parameters",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "biomarker_parameters": {"a": {"phi_mean": 0, "phi_std": 1, "theta_mean": 1, "theta_std": 1}}}})",
     "true_order_and_stages.json: x_m0/biomarker_parameters: biomarker 'b' of the CSV is missing"},
    {"a trait that is text",
     R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2], "biomarker_traits": {"a": "x", "b": 1}}})",
     R"(true_order_and_stages.json: x_m0/biomarker_traits/a: expected a whole number, found "x")"},
    {"many faults",
     R"({"x_m0": {"true_order": {"a": 7, "c": 1}, "true_stages": [9, 0], "order": 1}})",
     "true_order_and_stages.json: x_m0: unknown key 'order'\n"
     "true_order_and_stages.json: x_m0/true_order: the CSV has no biomarker 'c'; did you mean "
     "'a'?\n"
     "true_order_and_stages.json: x_m0/true_order/a: expected a rank 1..2, found 7\n"
     "true_order_and_stages.json: x_m0/true_order: biomarker 'b' of the CSV is missing\n"
     "true_order_and_stages.json: x_m0/true_stages: expected a list of 3, one value for each "
     "participant of the CSV, found a list of 2"},
};

std::string without(std::string text, const std::string& unwanted) {
  for (auto at = text.find(unwanted); at != std::string::npos; at = text.find(unwanted))
    text.erase(at, unwanted.size());
  return text;
}

/// What the readers say of a folder `exp1` with these files.
std::string report_on(const std::string& csv, const std::string& truth) {
  const TemporaryFolder folder;
  folder.write("exp1/x_m0.csv", csv);
  folder.write("exp1/" + kSmallTruth, truth);
  Problems problems;
  for (const auto& dataset : list_public_cohorts(folder.path(), problems))
    read_public_cohort(dataset, problems);
  return without(problems.report(), (folder.path() / "exp1").string() + "/");
}

/// The columns sorted by name, as readers give them.
SimulatedCohort sorted_by_name(const SimulatedCohort& simulated) {
  const auto& [cohort, truth] = simulated;
  std::vector<std::size_t> order(cohort.biomarker_count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return cohort.biomarkers[a] < cohort.biomarkers[b]; });
  SimulatedCohort out{with_columns(cohort, order), truth};
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < order.size(); ++i) {
    ranks.push_back(truth.event_ranks[order[i]]);
    out.truth.event_times[i] = truth.event_times[order[i]];
    if (!truth.traits.empty()) out.truth.traits[i] = truth.traits[order[i]];
  }
  out.truth.event_ranks = Ranks(ranks);
  return out;
}

BiomarkerTable adni() {
  Problems problems;
  auto table = find_biomarkers("adni-12", ".", {}, problems);
  problems.throw_if_any();
  return table;
}

}  // namespace

TEST_CASE("public cohort folders", "[data][public_cohorts]") {
  const TemporaryFolder folder;
  Problems problems;

  SECTION("hypotheses come in natural order, data sets by number") {
    for (const auto& name :
         {"exp10/a_m0.csv", "exp2/a_m10.csv", "exp2/a_m9.csv", "late/a_m0.csv", "exp2/notes.txt",
          "docs/readme.txt", ".git/a_m0.csv", "exp2/.hidden.csv"})
      folder.write(name, kCsv);
    std::vector<std::string> found;
    for (const auto& [hypothesis, number, csv, truth] :
         list_public_cohorts(folder.path(), problems))
      found.push_back(fmt::format("{} {} {}", hypothesis, number, csv.filename().string()));
    REQUIRE(found == std::vector<std::string>{"exp2 9 a_m9.csv", "exp2 10 a_m10.csv",
                                              "exp10 0 a_m0.csv", "late 0 a_m0.csv"});
    REQUIRE(problems.report() == "");
  }
  SECTION("what is no such folder is a problem") {
    list_public_cohorts(folder.path() / "none", problems);
    list_public_cohorts(folder.write("file", ""), problems);
    list_public_cohorts(folder.path(), problems);
    folder.write("exp1/a_m0.csv", kCsv);
    list_public_cohorts(folder.path() / "exp1", problems);
    folder.write("exp1/b_m0.csv", kCsv);
    folder.write("exp1/extra.csv", kCsv);
    folder.write("exp1/c_m1x.csv", kCsv);
    REQUIRE(list_public_cohorts(folder.path(), problems).size() == 1);
    REQUIRE(
        without(problems.report(), folder.path().string()) ==
        "/none: no such folder\n"
        "/file: is a file; expected a folder\n"
        ": has no hypotheses; expected folders such as exp1 with files *_m0.csv, *_m1.csv, ...\n"
        "/exp1: looks like the folder of one hypothesis; give the folder above it\n"
        "/exp1/b_m0.csv: there is a data set 0 already: a_m0.csv\n"
        "/exp1/c_m1x.csv: expected a name that ends in _mN.csv, N the data set's number\n"
        "/exp1/extra.csv: expected a name that ends in _mN.csv, N the data set's number");
  }
  SECTION("a data set is its cohort and its truth") {
    folder.write("exp1/x_m0.csv", kCsv);
    folder.write("exp1/" + kSmallTruth, kTruth);
    const auto dataset = list_public_cohorts(folder.path(), problems).at(0);
    const auto [cohort, truth, biomarkers, missing] = read_public_cohort(dataset, problems);
    REQUIRE(problems.report() == "");
    REQUIRE(cohort ==
            Cohort{{"0", "1", "2"}, {"a", "b"}, matrix({{1.5, 2}, {3, 4}, {5, 6}}), {1, 0, 1}, {}});
    REQUIRE(truth == Truth{{2, 1}, Ranks({2, 1}), false, {1, 0, 2}, false, {1, 0, 2}, {}});
    REQUIRE(!biomarkers);
    REQUIRE(missing.total() == 0);
  }
  SECTION("stages follow the listed participants, not the order of the rows") {
    folder.write("exp1/x_m0.csv",
                 "participant,biomarker,measurement,diseased\n"
                 "p10,a,1,True\nq,a,2,False\np9,a,3,True\n");
    folder.write("exp1/" + kSmallTruth,
                 R"({"x_m0": {"true_order": {"a": 1}, "true_stages": [0, 1, 0],
                     "true_stages_continuous": [0, 1.0, 0.5], "true_order_continuous": {"a": 0.75},
                     "participants": ["q", "p9", "p10"]}})");
    const auto dataset = list_public_cohorts(folder.path(), problems).at(0);
    const auto truth = read_public_cohort(dataset, problems).truth;
    REQUIRE(problems.report() == "");
    REQUIRE(truth == Truth{{0.75}, Ranks({1}), true, {0.5, 0, 1}, true, {0, 0, 1}, {}});
  }
  SECTION("ids that are numbers in the truth are the numerals of the CSV") {
    folder.write("exp1/x_m0.csv",
                 "participant,biomarker,measurement,diseased\n4,a,1,True\n17,a,2,False\n");
    folder.write("exp1/" + kSmallTruth,
                 R"({"x_m0": {"true_order": {"a": 1}, "true_stages": [0, 1],
                     "participants": [17, 4]}})");
    const auto dataset = list_public_cohorts(folder.path(), problems).at(0);
    const auto truth = read_public_cohort(dataset, problems).truth;
    REQUIRE(problems.report() == "");
    REQUIRE(truth.ordinal_stages == std::vector<int>{1, 0});
  }
}

TEST_CASE("truths with faults", "[data][public_cohorts]") {
  for (const auto& [what, text, report] : kFaultyFolders) DYNAMIC_SECTION(what) {
      REQUIRE(report_on(kCsv, text) == report);
    }
  const auto faulty_csv = "participant,biomarker,measurement,diseased\n0,a,x,True\n";
  const std::string csv_report =
      "x_m0.csv:2:5: measurement 'x' is not a finite number; where it is missing, leave it empty "
      "or write "
      "NA";

  SECTION("text ids without a list of them") {
    REQUIRE(report_on("participant,biomarker,measurement,diseased\np1,a,1,True\np1,b,1,True\n",
                      kTruth) ==
            kSmallTruth +
                ": x_m0: the CSV has no participant '0'; participants are 0..0 unless a list "
                "'participants' names them\n" +
                kSmallTruth +
                ": x_m0/true_stages: expected a list of 1, one value for each participant of "
                "the CSV, found a list of 3");
  }
  SECTION("a faulty CSV has no truth to compare") {
    REQUIRE(report_on(faulty_csv, kTruth) == csv_report);
  }
  SECTION("a truth that cannot be parsed beside a faulty CSV") {
    REQUIRE(report_on(faulty_csv, "{") ==
            csv_report + "\n" + kSmallTruth +
                ":1:2: not valid JSON: syntax error while parsing object key - unexpected end of "
                "input; expected string literal");
  }
  SECTION("no truth") {
    const TemporaryFolder folder;
    Problems problems;
    read_public_cohort({"exp1", 0, folder.write("exp1/x_m0.csv", kCsv)}, problems);
    REQUIRE(problems.report() ==
            (folder.path() / "exp1" / kSmallTruth).string() + ": no such file");
  }
  SECTION("a list that is wrong throughout shows ten faults and counts the rest") {
    std::string csv = "participant,biomarker,measurement,diseased\n";
    std::string stages;
    for (int j = 0; j < 40; ++j) {
      csv += fmt::format("{},a,1,True\n", j);
      stages += j == 0 ? "7" : ", 7";
    }
    const auto report =
        report_on(csv, R"({"x_m0": {"true_order": {"a": 1}, "true_stages": [)" + stages + "]}}");
    REQUIRE(std::count(report.begin(), report.end(), '\n') == 10);
    REQUIRE(report.ends_with("x_m0/true_stages/9: expected a whole number 0..1, found 7\n" +
                             kSmallTruth + ": x_m0/true_stages: and 30 more wrong values"));
  }
}

TEST_CASE("a folder that was copied in part", "[data][public_cohorts]") {
  const TemporaryFolder folder;
  Problems problems;
  const auto first = folder.write("exp1/x_m0.csv", kCsv);
  SECTION("an ending in capitals is one of a CSV") {
    folder.write("exp1/x_m1.CSV", kCsv);
    const auto found = list_public_cohorts(folder.path(), problems);
    REQUIRE(problems.report() == "");
    REQUIRE(found.size() == 2);
  }
  SECTION("a file that was not finished is a fault, another is none") {
    const auto part = folder.write("exp1/x_m1.csv.part", "");
    folder.write("exp1/notes.txt", "");
    folder.write("exp1/x.csv.txt", "");
    list_public_cohorts(folder.path(), problems);
    REQUIRE(problems.report() == part.string() +
                                     ": looks like a copy of 'x_m1.csv' that was not finished, or "
                                     "is packed; finish, unpack or remove it");
  }
  SECTION("truths without a file are named") {
    folder.write("exp1/x_m1.CSV", kCsv);
    folder.write("exp1/" + kSmallTruth, R"({"x_m0": {}, "x_m1": {}, "x_m2": {}, "x_m3": {}})");
    PublicCohortReader reader;
    REQUIRE(reader.absent_beside({"exp1", 0, first}) == std::vector<std::string>{"x_m2", "x_m3"});
    folder.write("exp2/x_m0.csv", kCsv);
    REQUIRE(reader.absent_beside({"exp2", 0, folder.path() / "exp2/x_m0.csv"}).empty());
  }
}

TEST_CASE("simulated cohorts in public folders", "[data][public_cohorts]") {
  const TemporaryFolder folder;
  Problems problems;

  SECTION("what each hypothesis simulates is written and read back equal") {
    const auto biomarkers = adni();
    for (int h = 1; h <= 9; ++h) {
      const auto id = fmt::format("h{}", h);
      const auto process = shipped().hypothesis(part(id), biomarkers);
      PublicCohortWriter writer(folder.path(), id, 0.21);
      std::vector<SimulatedCohort> simulated;
      for (std::size_t number = 0; number < 3; ++number) {
        auto random = stream(100 * h + number);
        const CohortSize size{.participants = 40 + number, .healthy_ratio = 0.21};
        simulated.push_back(process->simulate(size, random));
        writer.add(number, simulated.back().cohort, simulated.back().truth,
                   number == 1 ? &biomarkers : nullptr);
      }
      writer.finish();
      const auto datasets = list_public_cohorts(folder.path(), problems);
      REQUIRE(datasets.size() == 3 * static_cast<std::size_t>(h));
      for (std::size_t number = 0; number < 3; ++number) {
        const auto& dataset = datasets[datasets.size() - 3 + number];
        REQUIRE(dataset.hypothesis == fmt::format("exp{}", h));
        const auto back = read_public_cohort(dataset, problems);
        REQUIRE(problems.report() == "");
        const auto expected = sorted_by_name(simulated[number]);
        REQUIRE(back.cohort == expected.cohort);
        REQUIRE(back.truth == expected.truth);
        REQUIRE(back.biomarkers.has_value() == (number == 1));
        if (back.biomarkers)
          for (const auto& biomarker : *back.biomarkers)
            REQUIRE(std::count(biomarkers.begin(), biomarkers.end(), biomarker) == 1);
      }
    }
  }
  SECTION("text ids, traits and missing values survive") {
    const Cohort cohort{{"p2", "p10", "p1"},
                        {"a", "b"},
                        matrix({{1, std::nan("")}, {3, 4}, {5, 6}}),
                        {1, 0, 1},
                        {}};
    const Truth truth{{1, 2}, Ranks({1, 2}), false, {2, 0, 1}, false, {2, 0, 1}, {4, 0}};
    PublicCohortWriter writer(folder.path(), "own", 0.5);
    writer.add(7, cohort, truth);
    writer.finish();
    const auto datasets = list_public_cohorts(folder.path(), problems);
    const auto back = read_public_cohort(datasets.at(0), problems);
    REQUIRE(problems.report() == "");
    REQUIRE(datasets[0].csv == folder.path() / "own" / "j3_r0.5_own_m7.csv");
    REQUIRE(back.cohort == cohort);
    REQUIRE(back.truth == truth);
    REQUIRE(back.missing.total() == 1);
  }
  SECTION("whole stages among continuous event times survive") {
    const Cohort cohort{{"0", "1"}, {"a", "b"}, matrix({{1, 2}, {3, 4}}), {1, 0}, {}};
    const Truth truth{{0.25, 0.5}, Ranks({1, 2}), true, {1, 0}, false, {2, 0}, {}};
    PublicCohortWriter writer(folder.path(), "own", 0.5);
    writer.add(0, cohort, truth);
    writer.finish();
    const auto back =
        read_public_cohort(list_public_cohorts(folder.path(), problems).at(0), problems);
    REQUIRE(problems.report() == "");
    REQUIRE(back.truth == truth);
  }
  SECTION("rows do not give the order away") {
    const auto process = shipped().hypothesis(part("h1"), plain_biomarkers(6));
    auto random = stream(5);
    const auto [cohort, truth] =
        process->simulate({.participants = 5, .healthy_ratio = 0.2}, random);
    PublicCohortWriter writer(folder.path(), "h1", 0.2);
    writer.add(0, cohort, truth);
    writer.finish();
    REQUIRE(read_text(folder.path() / "exp1" / "j5_r0.2_Esn_kjOrdinalDM_xnjNormal_m0.csv") ==
            to_csv(cohort));
    const auto text = read_text(folder.path() / "exp1" / kSmallTruth);
    for (std::size_t b = 1; b < 6; ++b)
      REQUIRE(text.find(fmt::format("\"b{}\"", b - 1)) < text.find(fmt::format("\"b{}\"", b)));
  }
  SECTION("names as in the public sets") {
    REQUIRE(public_folder_name("h7") == "exp7");
    REQUIRE(public_folder_name("h6-late") == "h6-late");
    REQUIRE(public_stem("h8", 726, 0.21, 12) ==
            "j726_r0.21_ExiNearNormalWithNoise_kjContinuousBeta_sigmoid_m12");
    REQUIRE(public_stem("h6-late", 100, 0.5, 0) == "j100_r0.5_h6-late_m0");
  }
  SECTION("nothing is mixed with what is there") {
    folder.write("exp1/notes.txt", "mine");
    REQUIRE_THROWS_WITH(
        PublicCohortWriter(folder.path(), "h1", 0.2),
        "'" + (folder.path() / "exp1").string() +
            "' is not empty (it holds 'notes.txt'); cohorts are not mixed with other "
            "files: give a new folder, or remove this one");
    folder.write("file", "");
    REQUIRE_THROWS_WITH(
        PublicCohortWriter(folder.path() / "file", "h1", 0.2),
        "cannot make the folder '" + (folder.path() / "file/exp1").string() + "': Not a directory");
    for (const auto& id : {"", "..", "a/b", ".hidden"})
      REQUIRE_THROWS_WITH(PublicCohortWriter(folder.path(), id, 0.2),
                          fmt::format("hypothesis '{}' cannot name a folder", id));
  }
  SECTION("what does not belong together is refused, and no data set is written twice") {
    const Cohort cohort{{"0"}, {"a"}, matrix({{1}}), {1}, {}};
    const Truth truth{{1}, Ranks({1}), false, {1}, false, {1}, {}};
    PublicCohortWriter writer(folder.path(), "own", 0.0);
    auto wrong = truth;
    wrong.ordinal_stages = {0};
    REQUIRE_THROWS_AS(writer.add(0, cohort, wrong), NumericError);
    auto unlabelled = cohort;
    unlabelled.diseased.clear();
    REQUIRE_THROWS_AS(writer.add(0, unlabelled, truth), ShapeError);
    writer.add(0, cohort, truth);
    REQUIRE_THROWS_WITH(writer.add(0, cohort, truth),
                        "data set 0 of '" + writer.folder().string() + "' is written already");
    REQUIRE(!std::filesystem::exists(writer.folder() /
                                     kSmallTruth));  // so that it can be seen to be unfinished
  }
}

TEST_CASE("a truth without its CSV, of one cohort or of several", "[data][public_cohorts]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "truth.json";
  const auto read = [&](const std::string& text, std::string& faults) {
    write_text_file(file, text);
    Problems problems;
    auto found = read_truth(file, "x_m0", problems);
    faults = problems.report();
    REQUIRE(found.has_value() == problems.empty());
    return found;
  };
  std::string faults;
  SECTION("under a name, participants by number") {
    const auto found = read(kTruth, faults);
    REQUIRE(faults == "");
    REQUIRE(found->biomarkers == std::vector<std::string>{"a", "b"});
    REQUIRE(found->participants == std::vector<std::string>{"0", "1", "2"});
    REQUIRE(found->truth.event_ranks == Ranks({2, 1}));
    REQUIRE(found->truth.ordinal_stages == std::vector<int>{1, 0, 2});
  }
  SECTION("at the top, with continuous stages: one of 0.3 is diseased before the first event") {
    const auto found = read(
        R"({"true_order": {"b": 1, "a": 2}, "true_stages": [0, 0, 1], "participants": ["p", 7, "q"],
                                "true_stages_continuous": [0.3, 0, 1.5]})",
        faults);
    REQUIRE(faults == "");
    REQUIRE(found->participants == std::vector<std::string>{"p", "7", "q"});
    REQUIRE(found->truth.stages == std::vector<double>{0.3, 0, 1.5});
  }
  SECTION("faults are named as elsewhere") {
    REQUIRE_FALSE(
        read(R"({"true_order": {"a": 1, "b": 2}, "true_order_continuous": {"a": 1, "c": 2},
                           "true_stages": [1, 2], "participants": ["p"]})",
             faults));
    REQUIRE_THAT(
        faults,
        Contains("truth.json: /true_order_continuous: the truth has no biomarker 'c'") &&
            Contains("/true_order_continuous: biomarker 'b' of the truth is missing") &&
            Contains(
                "/true_stages: expected a list of 1, one value for each participant of the truth, "
                "found a list of 2"));
    REQUIRE_FALSE(read(
        R"({"true_order": {"a": 1}, "true_stages": [1, 1], "participants": ["p", "p"]})", faults));
    REQUIRE_THAT(faults,
                 Contains("expected the id of a participant of the truth, each once, found \"p\""));
    REQUIRE_FALSE(read(R"({"y_m0": {}})", faults));
    REQUIRE_THAT(faults, Contains("no truth for 'x_m0'; did you mean 'y_m0'?"));
    REQUIRE_FALSE(read("[]", faults));
  }
}

}  // namespace tempo::test
