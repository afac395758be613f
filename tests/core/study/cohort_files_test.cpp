#include "study/cohort_files.hpp"

#include "data/content_key.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

const std::string kCsv =
    "participant,biomarker,measurement,diseased\n"
    "0,a,1.5,True\n0,b,2,True\n1,a,3,False\n1,b,4,False\n2,a,5,True\n2,b,6,True\n";
const std::string kTruth =
    R"({"x_m0": {"true_order": {"a": 2, "b": 1}, "true_stages": [1, 0, 2]}})";

struct Files : TemporaryFolder {
  Files() {
    write("exp3/x_m0.csv", kCsv);
    write("exp3/true_order_and_stages.json", kTruth);
  }
  PublicDataset dataset() const { return {"exp3", 0, path() / "exp3/x_m0.csv"}; }
};

}  // namespace

TEST_CASE("the key of a cohort is that of its two files", "[study][files]") {
  const Files folder;
  CohortFiles files;
  const auto key = files.key(folder.dataset());
  REQUIRE(key == file_key(folder.dataset().csv) +
                     file_key(folder.path() / "exp3/true_order_and_stages.json"));
  folder.write("exp3/x_m0.csv", kCsv + "\n");
  REQUIRE(files.key(folder.dataset()) == key);  // it is that of what was read
  std::filesystem::remove(folder.dataset().csv);
  REQUIRE_THROWS_AS(CohortFiles().key(folder.dataset()), InputError);
}

TEST_CASE("what was read ahead is taken as often as announced, and gone then", "[study][files]") {
  const Files folder;
  CohortFiles files;
  Problems problems;
  for (int point = 0; point < 2; ++point)
    REQUIRE(files.read_ahead(folder.dataset(), problems) == std::vector<std::string>{"a", "b"});
  REQUIRE(problems.empty());
  std::filesystem::remove(folder.dataset().csv);
  const auto first = files.take(folder.dataset());
  REQUIRE(first->cohort.participants.size() == 3);
  REQUIRE(first->truth.event_ranks[0] == 2);
  REQUIRE(files.take(folder.dataset()) == first);
  REQUIRE_THROWS_AS(files.take(folder.dataset()), InputError);
}

TEST_CASE("faults are told when a cohort is read ahead, or thrown when it is taken",
          "[study][files]") {
  const Files folder;
  folder.write("exp3/x_m0.csv", kCsv + "3,a,x,True\n");
  CohortFiles files;
  Problems problems;
  REQUIRE(files.read_ahead(folder.dataset(), problems).empty());
  REQUIRE_FALSE(problems.empty());
  REQUIRE_THROWS_AS(CohortFiles().take(folder.dataset()), InputError);
}

}  // namespace tempo::test
