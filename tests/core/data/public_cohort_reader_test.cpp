#include "data/public_cohort_reader.hpp"

#include <fmt/format.h>

#include <thread>

#include "data/content_key.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

const std::string kTruthFile = "true_order_and_stages.json";

std::string csv_of(std::size_t value) {
  return fmt::format(
      "participant,biomarker,measurement,diseased\n0,a,{},True\n0,b,2,True\n1,a,3,False\n"
      "1,b,4,False\n",
      value);
}

/// Two data sets of one hypothesis, and their truths.
struct Sets {
  Sets() {
    for (std::size_t m = 0; m < 2; ++m)
      datasets.push_back(
          {"exp1", m, folder.write(fmt::format("exp1/x_m{}.csv", m), csv_of(10 + m))});
    truth = folder.write("exp1/" + kTruthFile,
                         R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0]},
                             "x_m1": {"true_order": {"a": 1, "b": 2}, "true_stages": [2, 0]}})");
  }

  TemporaryFolder folder;
  std::vector<PublicDataset> datasets;
  std::filesystem::path truth;
};

}  // namespace

TEST_CASE("a reader of public cohorts", "[data][public_cohort_reader]") {
  const Sets sets;
  const auto& [first, second] = std::tie(sets.datasets[0], sets.datasets[1]);
  PublicCohortReader reader;
  Problems problems;

  SECTION("gives what read_public_cohort gives, and keys of the files' bytes") {
    for (const auto& dataset : sets.datasets) {
      const auto expected = read_public_cohort(dataset, problems);
      const auto found = reader.read(dataset, problems);
      REQUIRE(problems.report() == "");
      REQUIRE(found->cohort == expected.cohort);
      REQUIRE(found->truth == expected.truth);
      const auto keys = reader.keys(dataset);
      REQUIRE(keys.csv == file_key(dataset.csv));
      REQUIRE(keys.truth == file_key(sets.truth));
    }
    REQUIRE(reader.read(first, problems)->truth.event_ranks == Ranks({2, 1}));
    REQUIRE(reader.read(second, problems)->truth.event_ranks == Ranks({1, 2}));
  }
  SECTION("reads each file once: what the keys were made of is what the cohorts are made of") {
    const auto keys = reader.keys(first);
    std::filesystem::remove(first.csv);
    std::filesystem::remove(sets.truth);
    REQUIRE(reader.read(first, problems)->cohort.measurements(0, 0) == 10);
    REQUIRE(reader.read(first, problems) == reader.read(first, problems));
    REQUIRE(problems.report() == "");
    REQUIRE(reader.keys(first).csv == keys.csv);
    // The other data set shares the truths, which have been read.
    REQUIRE(reader.read(second, problems)->truth.ordinal_stages == std::vector<int>{2, 0});
    REQUIRE(problems.report() == "");
    REQUIRE(reader.keys(second).truth == keys.truth);
  }
  SECTION("reads a text again that it was not to keep, and says so if it has changed") {
    PublicCohortReader forgetful(0);
    for (const auto& dataset : sets.datasets) forgetful.keys(dataset);
    sets.folder.write("exp1/x_m1.csv", csv_of(7));
    REQUIRE(forgetful.read(first, problems)->cohort.measurements(0, 0) == 10);
    REQUIRE(problems.report() == "");
    REQUIRE(forgetful.read(second, problems)->cohort == Cohort());
    REQUIRE(problems.report() ==
            second.csv.string() + ": was changed while tempo was at work; run the command again");
  }
  SECTION("may be asked by several threads, which get the same objects") {
    std::vector<std::shared_ptr<const PublicCohort>> found(32);
    std::vector<std::string> keys(found.size());
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < found.size(); ++t)
      threads.emplace_back([&, t] {
        Problems ignored;
        if (t % 3 == 0) keys[t] = reader.keys(sets.datasets[t % 2]).csv;
        found[t] = reader.read(sets.datasets[t % 2], ignored);
      });
    for (auto& thread : threads) thread.join();
    for (std::size_t t = 0; t < found.size(); ++t) {
      REQUIRE(found[t] == found[t % 2]);
      REQUIRE(found[t]->cohort.participants.size() == 2);
      REQUIRE((keys[t].empty() || keys[t] == file_key(sets.datasets[t % 2].csv)));
    }
  }
}

TEST_CASE("a reader of public cohorts with faults", "[data][public_cohort_reader]") {
  const Sets sets;
  const auto& first = sets.datasets[0];
  PublicCohortReader reader;
  const auto report = [&](const PublicDataset& dataset) {
    Problems problems;
    REQUIRE(reader.read(dataset, problems)->cohort == Cohort());
    return problems.report();
  };
  const auto expected = [](const PublicDataset& dataset) {
    Problems problems;
    read_public_cohort(dataset, problems);
    return problems.report();
  };

  SECTION("says the same each time, and of each data set what is wrong with the truths") {
    sets.folder.write("exp1/" + kTruthFile, R"({"x_m0": {}, "x_m0": {}})");
    sets.folder.write("exp1/x_m1.csv", csv_of(1) + "1,b,x,True\n");
    for (const auto& dataset : sets.datasets) {
      REQUIRE(report(dataset) == expected(dataset));
      REQUIRE(report(dataset) == expected(dataset));
      REQUIRE(report(dataset).find("x_m0: this key is given twice") != std::string::npos);
      REQUIRE(reader.keys(dataset).csv == file_key(dataset.csv));
    }
  }
  SECTION("a file that cannot be read has no key, but does not spoil the others") {
    std::filesystem::remove(first.csv);
    REQUIRE_THROWS_WITH(reader.keys(first), first.csv.string() + ": no such file");
    REQUIRE(report(first) == first.csv.string() + ": no such file");
    REQUIRE(reader.keys(sets.datasets[1]).csv == file_key(sets.datasets[1].csv));
    std::filesystem::remove(sets.truth);
    REQUIRE(reader.keys(sets.datasets[1]).truth.size() == 36);
  }
  SECTION("no truth at all") {
    std::filesystem::remove(sets.truth);
    REQUIRE_THROWS_WITH(reader.keys(first), sets.truth.string() + ": no such file");
    REQUIRE(report(first) == expected(first));
  }
}

}  // namespace tempo::test
