#include "data/synthetic_adnimerge.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "data/biomarker_file.hpp"
#include "data/cohort_table.hpp"
#include "data/toml_table.hpp"
#include "support.hpp"
#include "tempo/error.hpp"

namespace tempo::test {
namespace {

/// A cohort of the shipped biomarkers, simulated by the shipped plugin.
SimulatedCohort simulate(const std::string& hypothesis, std::size_t participants) {
  Problems problems;
  const auto biomarkers = find_biomarkers("adni-12", {}, {}, problems);
  auto random = stream(3);
  return shipped().hypothesis(part(hypothesis), biomarkers)->simulate({participants, 0.21}, random);
}

CohortTable imported(const std::string& csv) {
  Problems problems;
  const auto settings =
      read_toml_text("file = \"ADNIMERGE.csv\"\npreset = \"adnimerge\"\n", "t.toml", problems);
  const auto description = table_description_from(settings, "", problems);
  auto out = read_cohort_table_text(description, csv, "ADNIMERGE.csv", problems);
  REQUIRE(problems.report() == "");
  return out;
}

}  // namespace

TEST_CASE("a table of the shape of ADNIMERGE", "[data][synthetic_adnimerge]") {
  const auto simulated = simulate("h6", 2 * 726);
  auto random = stream(5);
  const auto made = synthesize_adnimerge(simulated, 726, 0.21, random);
  const auto table = imported(made.csv);

  SECTION("as many complete cases are left as the paper has: 726, 152 of them controls") {
    REQUIRE(made.complete == 726);
    REQUIRE(made.controls == 152);
    REQUIRE(table.cohort.participant_count() == 726);
    REQUIRE(std::count(table.cohort.diseased.begin(), table.cohort.diseased.end(), 0) == 152);
  }
  SECTION("it has the quirks that an analysis must be ready for") {
    REQUIRE(table.rows > table.flow.front().participants);  // several visits
    REQUIRE(table.flow.front().participants == 2 * 726);
    REQUIRE(table.flow.size() == 4);  // each step leaves participants out
    for (std::size_t i = 2; i < table.flow.size(); ++i)
      REQUIRE(table.flow[i].participants < table.flow[i - 1].participants);
    REQUIRE(made.csv.find(",>1700,") != std::string::npos);
    REQUIRE(table.missing.total() > 0);
  }
  SECTION("the mean stage rises from CN to EMCI, LMCI and AD") {
    const auto truth = nlohmann::json::parse(made.truth);
    std::map<std::string, std::size_t> place;
    for (std::size_t j = 0; j < truth["participants"].size(); ++j)
      place[truth["participants"][j]] = j;
    std::map<std::string, double> sum, count;
    for (std::size_t j = 0; j < table.cohort.participant_count(); ++j) {
      const auto at = place.at(table.cohort.participants[j]);
      sum[table.cohort.diagnoses[j]] += truth["true_stages"][at].get<double>();
      ++count[table.cohort.diagnoses[j]];
    }
    REQUIRE(count.size() == 4);
    REQUIRE(sum["CN"] == 0.0);
    REQUIRE(sum["EMCI"] / count["EMCI"] < sum["LMCI"] / count["LMCI"]);
    REQUIRE(sum["LMCI"] / count["LMCI"] < sum["AD"] / count["AD"]);
    for (std::size_t b = 0; b < 12; ++b)
      REQUIRE(truth["true_order"][simulated.cohort.biomarkers[b]] ==
              simulated.truth.event_ranks[b]);
  }
  SECTION("volumes survive the division by the head's size: an mm^3 of some thousands") {
    const auto at = find_columns(simulated.cohort, {"HippocampusNorm"}).columns[0];
    const auto in_table = find_columns(table.cohort, {"HippocampusNorm"}).columns[0];
    // The last four digits of a synthetic PTID are the participant's number.
    for (std::size_t j = 0; j < table.cohort.participant_count(); ++j) {
      const auto number = std::stoul(table.cohort.participants[j].substr(6)) - 1;
      REQUIRE(table.cohort.measurements(j, in_table) ==
              Approx(simulated.cohort.measurements(number, at)).epsilon(1e-3));
    }
  }
  SECTION("the same stream gives the same bytes") {
    auto again = stream(5);
    REQUIRE(synthesize_adnimerge(simulated, 726, 0.21, again).csv == made.csv);
  }
  SECTION("other biomarkers are refused") {
    auto other = simulated;
    other.cohort.biomarkers[0] = "other";
    REQUIRE_THROWS_AS(synthesize_adnimerge(other, 726, 0.21, random), ShapeError);
  }
}

}  // namespace tempo::test
