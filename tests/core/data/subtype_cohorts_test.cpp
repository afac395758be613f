#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "data/public_cohort_reader.hpp"
#include "data/public_cohort_writer.hpp"
#include "data/public_cohorts.hpp"
#include "data/wide_cohort_csv.hpp"
#include "faulty_input.hpp"
#include "support.hpp"
#include "tempo/error.hpp"

namespace tempo::test {
namespace {

const std::string kTruths = "true_order_and_stages.json";
const std::string kWideCsv =
    "participant,b,a,diseased\n0,2,1.5,True\n1,4,3,False\n2,6,5,True\n3,8,,1\n";
/// Of the cohort above: `a` is sorted before `b`, events come in either order.
const std::string kTwoSubtypes =
    R"({"x_m0": {"N_SUB": 2, "TEMPERATURE": 0.5, "TRUE_ORDERINGS": [[1, 0], [0, 1]],
        "CONCENTRATION": 0.0, "TRUE_SUBTYPE_ASSIGNMENTS": [0, null, 1, 1],
        "TRUE_ORDERINGS_CONTINUOUS": [], "TRUE_STAGE_ASSIGNMENTS": [1, 0, 2, 0],
        "TRUE_STAGE_ASSIGNMENTS_CONTINUOUS": [1.5, 0, 2.0, 0.25], "DISEASED_ARR": [1, 0, 1, 1]}})";

/// The truth above with one value replaced, or one key removed.
std::string truth_with(const std::string& key, const std::string& value) {
  auto truth = nlohmann::ordered_json::parse(kTwoSubtypes);
  if (value.empty())
    truth["x_m0"].erase(key);
  else
    truth["x_m0"][key] = nlohmann::ordered_json::parse(value);
  return truth.dump();
}

/// What a reader says of a folder with these files, without the folder's name.
std::string report_on_subtypes(const std::string& csv, const std::string& truth) {
  const TemporaryFolder folder;
  folder.write("data/x_m0.csv", csv);
  folder.write(kTruths, truth);
  Problems problems;
  for (const auto& dataset : list_public_cohorts(folder.path(), problems))
    read_public_cohort(dataset, problems);
  auto text = problems.report();
  const auto prefix = folder.path().string() + "/";
  for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
    text.erase(at, prefix.size());
  return text;
}

/// Truths by participant, and values by participant and biomarker.
struct ByName {
  std::map<std::string, std::map<std::string, double>> values;
  std::map<std::string, std::tuple<int, double, int, int>> truths;

  explicit ByName(const SimulatedCohort& simulated) {
    const auto& [cohort, truth] = simulated;
    for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
      const auto& id = cohort.participants[j];
      for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
        if (!std::isnan(cohort.measurements(j, b)))
          values[id][cohort.biomarkers[b]] = cohort.measurements(j, b);
      truths[id] = {cohort.diseased[j], truth.stages[j], truth.ordinal_stages[j],
                    truth.subtypes->subtype[j]};
    }
  }
  bool operator==(const ByName&) const = default;
};

/// Two subtypes of 30 participants each, a third of them healthy, in blocks.
SimulatedCohort in_blocks(double first_value = 0.0) {
  SimulatedCohort out;
  auto& [cohort, truth] = out;
  cohort.biomarkers = {"a", "b", "c"};
  cohort.measurements = Matrix(60, 3);
  truth.subtypes = TrueSubtypes{{{{1, 2, 3}, Ranks({1, 2, 3})}, {{3, 2, 1}, Ranks({3, 2, 1})}}, {}};
  for (std::size_t j = 0; j < 60; ++j) {
    cohort.participants.push_back(fmt::format("{}", j));
    const bool is_diseased = j % 3 != 0;
    cohort.diseased.push_back(is_diseased ? 1 : 0);
    truth.subtypes->subtype.push_back(is_diseased ? static_cast<int>(j / 30) : -1);
    truth.stages.push_back(is_diseased ? static_cast<double>(j % 4) : 0.0);
    truth.ordinal_stages.push_back(static_cast<int>(truth.stages.back()));
    for (std::size_t b = 0; b < 3; ++b)
      cohort.measurements(j, b) = static_cast<double>(j) + 0.25 * static_cast<double>(b);
  }
  cohort.measurements(0, 0) = first_value;
  cohort.measurements(7, 1) = kMissing;
  // As many follow either: the mean ranks are equal, and ties keep the order of the biomarkers.
  truth.event_ranks = Ranks({1, 2, 3});
  truth.event_times = {1, 2, 3};
  truth.traits = {4, 0, 2};
  return out;
}

PublicCohort written_and_read(const SimulatedCohort& simulated, const TemporaryFolder& folder) {
  PublicCohortWriter writer(folder.path(), "mix", 0.25);
  writer.add(4, simulated.cohort, simulated.truth);
  writer.finish();
  Problems problems;
  const auto datasets = list_public_cohorts(folder.path(), problems);
  REQUIRE(datasets.size() == 1);
  REQUIRE(datasets[0].hypothesis == "mix");
  REQUIRE(datasets[0].number == 4);
  REQUIRE(datasets[0].csv == folder.path() / "mix/data/j60_r0.25_mix_m4.csv");
  auto out = read_public_cohort(datasets[0], problems);
  REQUIRE(problems.report() == "");
  check(out.truth, out.cohort);
  return out;
}

}  // namespace

TEST_CASE("cohorts with subtypes are written and read back", "[data][subtypes]") {
  const TemporaryFolder folder;
  const auto simulated = in_blocks();
  const auto back = written_and_read(simulated, folder);

  SECTION("everything belongs to the same people") {
    REQUIRE(ByName({back.cohort, back.truth}) == ByName(simulated));
    REQUIRE(back.cohort.biomarkers == simulated.cohort.biomarkers);
    REQUIRE(back.truth.subtypes->progressions == simulated.truth.subtypes->progressions);
    REQUIRE(back.truth.event_ranks == simulated.truth.event_ranks);
    REQUIRE(back.truth.event_times == simulated.truth.event_times);
    REQUIRE(back.truth.traits == simulated.truth.traits);
    REQUIRE_FALSE(back.truth.continuous_events);
    REQUIRE_FALSE(back.truth.continuous_stages);
    REQUIRE(back.missing.total() == 1);
  }
  SECTION("people do not stand by subtype, as the file has them") {
    const auto is_sorted_by_subtype = [](std::vector<int> subtypes) {
      std::erase(subtypes, -1);
      return std::is_sorted(subtypes.begin(), subtypes.end());
    };
    REQUIRE(is_sorted_by_subtype(simulated.truth.subtypes->subtype));
    REQUIRE_FALSE(is_sorted_by_subtype(back.truth.subtypes->subtype));
    REQUIRE(back.cohort.participants != simulated.cohort.participants);
  }
  SECTION("their order is decided by the content of the file alone") {
    const TemporaryFolder again, other;
    REQUIRE(written_and_read(simulated, again).cohort == back.cohort);
    REQUIRE(written_and_read(in_blocks(0.5), other).cohort.participants !=
            back.cohort.participants);
  }
  SECTION("the file of truths has the published keys") {
    const auto truth = nlohmann::json::parse(read_text(folder.path() / "mix" / kTruths));
    const auto& entry = truth.at("j60_r0.25_mix_m4");
    REQUIRE(entry.at("N_SUB") == 2);
    REQUIRE(entry.at("TRUE_ORDERINGS") == nlohmann::json({{0, 1, 2}, {2, 1, 0}}));
    REQUIRE(entry.at("TRUE_ORDERINGS_CONTINUOUS").empty());
    REQUIRE(entry.at("TRUE_SUBTYPE_ASSIGNMENTS")[0].is_null());
    REQUIRE(entry.at("TRUE_SUBTYPE_ASSIGNMENTS")[59] == 1);
    REQUIRE(entry.at("DISEASED_ARR")[59] == 1);
    REQUIRE(entry.at("CONCENTRATION") == 0.0);  // two orders that are each other's reverse
    REQUIRE_FALSE(entry.contains("participants"));
  }
}

TEST_CASE("event times, text ids and unsorted columns survive", "[data][subtypes]") {
  const TemporaryFolder folder;
  auto simulated = in_blocks();
  auto& [cohort, truth] = simulated;
  cohort.biomarkers = {"c", "b", "a"};
  for (auto& id : cohort.participants) id = "p" + id;
  truth.continuous_events = truth.continuous_stages = true;
  truth.subtypes->progressions[0].event_times = {0.25, 1.5, 2.75};
  truth.subtypes->progressions[1].event_times = {2.5, 1.5, 0.5};
  truth.event_times = {1.375, 1.5, 1.625};
  for (std::size_t j = 0; j < 60; ++j)
    if (cohort.diseased[j] != 0) {
      truth.stages[j] = static_cast<double>(j % 7) * 0.4375;
      const auto subtype = static_cast<std::size_t>(truth.subtypes->subtype[j]);
      truth.ordinal_stages[j] =
          event_count(truth.subtypes->progressions[subtype].event_times, truth.stages[j]);
    }
  const auto back = written_and_read(simulated, folder);
  REQUIRE(ByName({back.cohort, back.truth}) == ByName(simulated));
  REQUIRE(back.cohort.biomarkers == std::vector<std::string>{"a", "b", "c"});
  REQUIRE(back.truth.event_ranks == Ranks({3, 2, 1}));
  REQUIRE(back.truth.event_times == std::vector{1.625, 1.5, 1.375});
  REQUIRE(back.truth.subtypes->progressions[0].event_times == std::vector{2.75, 1.5, 0.25});
  REQUIRE(back.truth.continuous_events);
  REQUIRE(back.truth.continuous_stages);
}

TEST_CASE("folders of cohorts with subtypes", "[data][subtypes]") {
  const TemporaryFolder folder;
  Problems problems;
  const auto listed = [&](const std::filesystem::path& path) {
    std::vector<std::string> out;
    for (const auto& dataset : list_public_cohorts(path, problems))
      out.push_back(fmt::format("{} {} {}", dataset.hypothesis, dataset.number,
                                dataset.has_subtypes() ? "subtypes" : "one order"));
    return out;
  };
  folder.write("published/" + kTruths, "{}");
  for (const auto* name :
       {"j726_r0.21_Esn_kjContinuousBeta_sigmoid_m0.csv",
        "j726_r0.21_Esn_kjOrdinalDM_xnjNormal_m10.csv",
        "j726_r0.21_Esn_kjOrdinalDM_xnjNormal_m9.csv", "j60_r0.25_rare_mix_m0.csv", "own_m1.csv"})
    folder.write(fmt::format("published/data/{}", name), kWideCsv);
  const std::vector<std::string> published{"exp1 9 subtypes", "exp1 10 subtypes", "exp5 0 subtypes",
                                           "own 1 subtypes", "rare_mix 0 subtypes"};

  SECTION("the names of files tell hypotheses") {
    REQUIRE(listed(folder.path() / "published") == published);
    REQUIRE(problems.report() == "");
  }
  SECTION("one stands among hypotheses without subtypes") {
    folder.write("exp2/x_m0.csv", "");
    auto expected = published;
    expected.insert(expected.begin() + 2, "exp2 0 one order");
    REQUIRE(listed(folder.path()) == expected);
    REQUIRE(problems.report() == "");
  }
  SECTION("a hypothesis called data is one, too") {
    folder.write("other/data/x_m0.csv", "");
    REQUIRE(listed(folder.path() / "other") == std::vector<std::string>{"data 0 one order"});
  }
  SECTION("a number twice is a fault within a hypothesis") {
    folder.write("published/data/j1_r0.5_own_m1.csv", kWideCsv);
    listed(folder.path() / "published");
    REQUIRE(problems.report() == (folder.path() / "published/data/own_m1.csv").string() +
                                     ": there is a data set 1 already: j1_r0.5_own_m1.csv");
  }
  SECTION("one writer takes cohorts of one kind") {
    PublicCohortWriter writer(folder.path(), "mix", 0.25);
    const auto simulated = in_blocks();
    writer.add(0, simulated.cohort, simulated.truth);
    const Cohort cohort{{"0"}, {"a"}, matrix({{1}}), {1}, {}};
    REQUIRE_THROWS_WITH(writer.add(1, cohort, {{1}, Ranks({1}), false, {1}, false, {1}, {}}),
                        "the cohorts of '" + writer.folder().string() +
                            "' have to be either all with subtypes or all without");
  }
}

TEST_CASE("a truth of subtypes is read", "[data][subtypes]") {
  REQUIRE(report_on_subtypes(kWideCsv, kTwoSubtypes) == "");
  SECTION("labels of the healthy do not count, and may be booleans") {
    REQUIRE(report_on_subtypes(kWideCsv, truth_with("TRUE_SUBTYPE_ASSIGNMENTS", "[0, 7, 1, 1]")) ==
            "");
    REQUIRE(report_on_subtypes(kWideCsv, truth_with("DISEASED_ARR", "[true, false, true, true]")) ==
            "");
    REQUIRE(report_on_subtypes(kWideCsv, truth_with("DISEASED_ARR", "")) == "");
  }
}

TEST_CASE("faulty truths of subtypes are told", "[data][subtypes]") {
  struct Fault {
    std::string key, value, message;
  };
  const std::vector<Fault> faults{
      {"N_SUB", "", "/N_SUB: expected the number of subtypes, 1 or more, found nothing"},
      {"N_SUB", "0", "/N_SUB: expected the number of subtypes, 1 or more, found 0"},
      {"N_SUB", "3",
       "/TRUE_ORDERINGS: expected a list of 3, one for each subtype, found a list of 2"},
      {"TRUE_ORDERINGS", "",
       "/TRUE_ORDERINGS: missing or empty; expected the ranks of the biomarkers in each subtype"},
      {"TRUE_ORDERINGS", "[[1, 0], 3]",
       "/TRUE_ORDERINGS/1: expected a list of 2, a value for each biomarker, sorted by name, found "
       "3"},
      {"TRUE_ORDERINGS", "[[1, 0], [0, 2]]", "/TRUE_ORDERINGS/1/1: expected a rank 0..1, found 2"},
      {"TRUE_ORDERINGS", "[[1, 0], [0, 0]]",
       "/TRUE_ORDERINGS/1/1: rank 0 is that of an earlier biomarker"},
      {"TRUE_ORDERINGS_CONTINUOUS", "[[1, 0.5], [0, 2.5]]",
       "/TRUE_ORDERINGS_CONTINUOUS/1/1: expected a time 0..2, found 2.5"},
      {"TRUE_ORDERINGS_CONTINUOUS", "[[0.5, 1], [0.25, 2]]",
       ": event ranks: 'b' ranks before 'a' although its event time is later"},
      {"TRUE_SUBTYPE_ASSIGNMENTS", "[0, null, 2, null]",
       "/TRUE_SUBTYPE_ASSIGNMENTS/2: expected the subtype 0..1 of a diseased participant, found 2"},
      {"TRUE_SUBTYPE_ASSIGNMENTS", "",
       "/TRUE_SUBTYPE_ASSIGNMENTS: missing or empty; expected the subtype of each participant"},
      {"TRUE_STAGE_ASSIGNMENTS", "",
       "/TRUE_STAGE_ASSIGNMENTS: missing or empty; expected the stage of each participant"},
      {"TRUE_STAGE_ASSIGNMENTS", "[2, 0, 2, 0]",
       ": ordinal stages: participant '0' has 1 events behind it, but stage 2"},
      {"DISEASED_ARR", "[1, 1, 1, 1]",
       "/DISEASED_ARR/1: expected what the CSV says: 1 for the diseased, 0 for the healthy, found "
       "1"},
      {"TEMPERATURE", "\"warm\"", "/TEMPERATURE: expected a number, found \"warm\""},
      {"N_SUBS", "2", ": unknown key 'N_SUBS'; did you mean 'N_SUB'?"}};
  for (const auto& [key, value, message] : faults) {
    INFO(key << " " << value);
    const auto report = report_on_subtypes(kWideCsv, truth_with(key, value));
    const auto first = kTruths + ": x_m0" + message;
    REQUIRE(report.substr(0, first.size()) == first);
  }
}

TEST_CASE("wide CSVs of cohorts", "[data][subtypes]") {
  const auto report = [](const std::string& csv) {
    Problems problems;
    const auto file = read_wide_cohort_csv_text(csv, "x.csv", problems);
    REQUIRE(file.cohort.participants.empty() == !problems.empty());
    return problems.report();
  };
  SECTION("columns are sorted by name, participants by number") {
    Problems problems;
    const auto file = read_wide_cohort_csv_text(
        "\"b\",diseased,participant,a\n1,True,10,\n2,0,9,NA\n", "x.csv", problems);
    REQUIRE(problems.report() == "");
    REQUIRE(file.cohort ==
            Cohort{{"9", "10"}, {"a", "b"}, matrix({{kMissing, 2}, {kMissing, 1}}), {0, 1}, {}});
    REQUIRE(file.missing.total() == 2);
    REQUIRE(file.rows == 2);
  }
  SECTION("faults have places") {
    const std::vector<FaultyInput> faults{
        {"nothing", "",
         "x.csv:1:1: is empty; expected a header: participant, biomarkers, diseased"},
        {"a header", "participant,a,diseased\n", "x.csv:1:1: has a header but no rows below it"},
        {"no label", "participant,a\n0,1\n", "x.csv:1:1: missing column 'diseased'"},
        {"no biomarker", "participant,diseased\n0,True\n", "x.csv:1:1: there is no biomarker"},
        {"a name twice", "participant,a,a,diseased\n0,1,2,True\n",
         "x.csv:1:15: column 'a' is given twice; first as column 2"},
        {"no name", "participant,,diseased\n0,1,True\n", "x.csv:1:13: column 2 has no name"},
        {"a long table", "participant,biomarker,measurement,diseased\n0,a,1,True\n",
         "x.csv:1:1: this is a long table; expected a wide one, a row per participant with a column "
         "for each biomarker"},
        {"a participant twice", "participant,a,diseased\n0,1,True\n0,2,True\n",
         "x.csv:3:1: participant '0' is given already in line 2"},
        {"nobody", "participant,a,diseased\n,1,True\n", "x.csv:2:1: the participant is empty"},
        {"a field too few", "participant,a,diseased\n0,1\n",
         "x.csv:2:1: found 2 fields, expected 3 as in the header"},
        {"a word", "participant,a,diseased\n0,high,yes\n",
         "x.csv:2:3: measurement 'high' is not a finite number; where it is missing, leave it empty "
         "or write NA\nx.csv:2:8: diseased is 'yes'; expected True or False (or 1 or 0)"}};
    for (const auto& [what, text, expected] : faults) {
      INFO(what);
      REQUIRE(report(text) == expected);
    }
  }
  SECTION("a biomarker that is called like another column cannot be written") {
    const TemporaryFolder folder;
    const Cohort cohort{{"0"}, {"diseased"}, matrix({{1}}), {1}, {}};
    REQUIRE_THROWS_AS(write_wide_cohort_csv(cohort, folder.path() / "x.csv"), ShapeError);
  }
}

}  // namespace tempo::test
