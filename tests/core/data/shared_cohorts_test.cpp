// The public cohorts and their biomarker parameters, read as they are.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "data/biomarker_file.hpp"
#include "data/public_cohorts.hpp"
#include "data/table/oddities.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

struct PublicSet {
  std::string folder;
  std::size_t per_hypothesis;
  std::size_t B;
  bool randomised;  ///< biomarker parameters are drawn per cohort and given with the truth
};

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("the public cohorts are read whole", "[data][shared]") {
  const auto set = GENERATE(PublicSet{"public-cohorts-12", 20, 12, false},
                            PublicSet{"public-cohorts-100", 2, 100, false},
                            PublicSet{"randomised-cohorts-12", 10, 12, true},
                            PublicSet{"randomised-cohorts-100", 2, 100, true});
  INFO(set.folder);
  Problems problems;
  const auto datasets = list_public_cohorts(shared_data() / set.folder, problems);
  REQUIRE(datasets.size() == 9 * set.per_hypothesis);
  std::map<std::size_t, Truth> of_h1;
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const auto h = 1 + i / set.per_hypothesis;
    REQUIRE(datasets[i].hypothesis == fmt::format("exp{}", h));
    REQUIRE(datasets[i].number == i % set.per_hypothesis);
    // The names are those that tempo gives.
    REQUIRE(datasets[i].csv.stem().string() ==
            public_stem(fmt::format("h{}", h), 726, 0.21, datasets[i].number));

    const auto [cohort, truth, biomarkers, missing] = read_public_cohort(datasets[i], problems);
    REQUIRE(problems.report() == "");
    check(cohort);
    check(truth, cohort);
    REQUIRE(cohort.participant_count() == 726);
    REQUIRE(cohort.biomarker_count() == set.B);
    REQUIRE(std::is_sorted(cohort.biomarkers.begin(), cohort.biomarkers.end()));
    REQUIRE(cohort.participants[725] == "725");
    REQUIRE(std::count(cohort.diseased.begin(), cohort.diseased.end(), 0) == 152);
    REQUIRE(missing.total() == 0);
    // Nothing is odd about values that were drawn.
    REQUIRE(possible_codes(cohort, kCodesAreLeftEmpty).empty());
    REQUIRE(pasted_rows(cohort).empty());
    REQUIRE(same_biomarkers(cohort).empty());
    REQUIRE(truth.continuous_stages == (h >= 5));
    REQUIRE(truth.continuous_events == (h >= 8));
    REQUIRE(biomarkers.has_value() == set.randomised);
    if (biomarkers) REQUIRE(biomarkers->names() == cohort.biomarkers);
    // Data sets of one number share their order among hypotheses 1-7: never pool across them.
    if (h == 1) of_h1[datasets[i].number] = truth;
    if (h <= 7) REQUIRE(truth.event_ranks == of_h1.at(datasets[i].number).event_ranks);
  }
}

TEST_CASE("the public cohorts with subtypes are read whole", "[data][shared][subtypes]") {
  Problems problems;
  const auto datasets = list_public_cohorts(shared_data() / "subtypes-12", problems);
  REQUIRE(datasets.size() == 63);
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const auto h = 1 + i / 7;
    INFO(datasets[i].csv.string());
    REQUIRE(datasets[i].hypothesis == fmt::format("exp{}", h));
    REQUIRE(datasets[i].number == i % 7);
    const auto [cohort, truth, biomarkers, missing] = read_public_cohort(datasets[i], problems);
    REQUIRE(problems.report() == "");
    check(cohort);
    check(truth, cohort);
    REQUIRE(cohort.biomarker_count() == 12);
    REQUIRE(cohort.participant_count() >= 724);
    REQUIRE(cohort.participant_count() <= 726);
    REQUIRE(missing.total() == 0);
    REQUIRE(truth.subtypes->progressions.size() == 3);
    REQUIRE(truth.continuous_stages == (h >= 5));
    REQUIRE(truth.continuous_events == (h >= 8));
    auto subtypes = truth.subtypes->subtype;
    std::erase(subtypes, -1);
    REQUIRE_FALSE(std::is_sorted(subtypes.begin(), subtypes.end()));
    REQUIRE(possible_codes(cohort, kCodesAreLeftEmpty).empty());
  }
}

TEST_CASE("the first public cohort, by hand", "[data][shared]") {
  Problems problems;
  const auto datasets = list_public_cohorts(shared_data() / "public-cohorts-12", problems);
  const auto [cohort, truth, biomarkers, missing] = read_public_cohort(datasets.at(0), problems);
  REQUIRE(problems.report() == "");
  // The first rows of the file: participant 0, EntorhinalNorm first and ABETA second in the order.
  const auto column = [&, &names = cohort.biomarkers](const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  REQUIRE(cohort.measurements(0, column("EntorhinalNorm")) == 0.0021995806800608145);
  REQUIRE(cohort.measurements(0, column("ABETA")) == 548.7577890859213);
  REQUIRE(truth.event_ranks[column("EntorhinalNorm")] == 1);
  REQUIRE(truth.event_ranks[column("ABETA")] == 2);
  REQUIRE(std::vector<int>(truth.ordinal_stages.begin(), truth.ordinal_stages.begin() + 3) ==
          std::vector<int>{10, 9, 0});
}

TEST_CASE("the shipped biomarker tables carry the published digits", "[data][shared]") {
  for (const auto& name : shipped_biomarkers()) {
    INFO(name);
    Problems problems;
    const auto table = find_biomarkers(name, ".", {}, problems);
    const auto published = nlohmann::ordered_json::parse(
        read_text(shared_data() / fmt::format("biomarkers-{}.json", name)));
    REQUIRE(table.size() == published.size());
    std::size_t b = 0;
    for (const auto& [biomarker, figures] : published.items()) {
      REQUIRE(table[b] == Biomarker{biomarker,
                                    {figures["phi_mean"], figures["phi_std"]},
                                    {figures["theta_mean"], figures["theta_std"]}});
      ++b;
    }
  }
}

TEST_CASE("reading a cohort is quick", "[data][shared]") {
  // Ten times what it takes on two shared cores, so that only a change of order fails.
#ifdef __SANITIZE_ADDRESS__
  constexpr double kSlower = 10.0;
#else
  constexpr double kSlower = 1.0;
#endif
  for (const auto& [folder, limit] :
       {std::pair("public-cohorts-12", 0.05), std::pair("public-cohorts-100", 0.5)}) {
    Problems problems;
    const auto datasets = list_public_cohorts(shared_data() / folder, problems);
    REQUIRE(seconds_of([&] { read_cohort_csv(datasets.at(0).csv, problems); }) < kSlower * limit);
  }
}

}  // namespace tempo::test
