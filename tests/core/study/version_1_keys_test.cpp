// Keys of results of version 1: results that were made then are found again, and not made again.

#include <fmt/format.h>

#include "probes.hpp"
#include "small_experiment.hpp"
#include "study/plan.hpp"

namespace tempo::test {
namespace {

struct Slot {
  const char* key;
  const char* slot;
};
using Slots = std::vector<Slot>;

// What version 1 had in its table `plan`.
const Slots kSimulated{
    {"286e2c28-f178-5590-8066-84b62c57f1b8", R"([[],"h3",0,"probe"])"},
    {"14f33c7c-b1f7-56e8-8b73-9d7b35470348", R"([[],"h3",0,"assuming_probe"])"},
    {"14f33c7c-b1f7-56e8-8b73-9d7b35470348", R"([[],"h3",0,"under_h3"])"},
    {"1da16394-91df-5977-b1c1-28550a8b9194", R"([[],"h3",0,"learner","h3"])"},
    {"f236296a-08df-5bd6-bccf-04b9d34aac07", R"([[],"h3",0,"learner","late"])"},
    {"455f41e6-f469-5140-8582-16a3f54f6280", R"([[],"late",0,"probe"])"},
    {"53192690-e156-5f4a-88f5-ea8d2b445361", R"([[],"late",0,"assuming_probe"])"},
    {"12e96bb8-9b13-5b00-9a21-b1146b4b7631", R"([[],"late",0,"under_h3"])"},
    {"ce2bad81-909f-59da-a5e8-a52db0fd471e", R"([[],"late",0,"learner","h3"])"},
    {"cd5ab8b5-a136-5828-aa1c-5c2b8a493cf9", R"([[],"late",0,"learner","late"])"}};
const Slots kFolder{{"d339a56f-c31a-5e2a-8512-c3d9d678ad6c", R"([[],"h3",0,"probe"])"},
                    {"59046d26-2f35-5b63-ba27-f1a4efba9548", R"([[],"h3",0,"assuming_probe"])"},
                    {"59046d26-2f35-5b63-ba27-f1a4efba9548", R"([[],"h3",0,"under_h3"])"},
                    {"1d4d6bf1-1472-52e1-8488-c0128f24aa66", R"([[],"h3",0,"learner","h3"])"},
                    {"c8c39f8c-86c0-5eed-8e50-cdc62c7e09d8", R"([[],"h3",0,"learner","late"])"},
                    {"cef0db3c-1a75-53fc-8293-b55d50a4dfaf", R"([[],"late",0,"probe"])"},
                    {"7a799f4f-1f15-5b79-a94d-10453739f0b2", R"([[],"late",0,"assuming_probe"])"},
                    {"5d9d1e8f-3166-5ce7-97fd-ce4145797964", R"([[],"late",0,"under_h3"])"},
                    {"fd01bd04-c233-5850-8534-af2a2b761463", R"([[],"late",0,"learner","h3"])"},
                    {"e5f0bce1-ed88-5656-84cc-663a069112c0", R"([[],"late",0,"learner","late"])"}};
const Slots kOfTable{
    {"f43f5e7f-7ca7-578a-ab4f-01efd54bf551", R"([[],"real",0,"probe"])"},
    {"8af7bccc-9d8f-55ff-876d-f865a03af989", R"([[],"real",0,"assuming_probe","h3"])"},
    {"784288af-ee6f-59cd-a55f-263b1085b3b2", R"([[],"real",0,"assuming_probe","late"])"},
    {"8af7bccc-9d8f-55ff-876d-f865a03af989", R"([[],"real",0,"under_h3"])"},
    {"c9a6d562-878a-5016-9ea8-3c0b42bfe4de", R"([[],"real",0,"learner","h3"])"},
    {"5c01613c-220e-5fc0-a1a1-5782bf569764", R"([[],"real",0,"learner","late"])"},
    {"283deefb-96ad-53be-8ce5-ebd30d2550c8", R"([[],"real",1,"probe"])"},
    {"dc38ec6a-f58d-54f8-9c51-8fb684227805", R"([[],"real",1,"assuming_probe","h3"])"},
    {"8fe4e293-fc8d-53fc-bf9c-ff472abb9204", R"([[],"real",1,"assuming_probe","late"])"},
    {"dc38ec6a-f58d-54f8-9c51-8fb684227805", R"([[],"real",1,"under_h3"])"},
    {"99260c6e-83ad-5e34-b48f-c26ef25d3a32", R"([[],"real",1,"learner","h3"])"},
    {"7bd40375-8187-56d8-bbf0-b96b413f4584", R"([[],"real",1,"learner","late"])"}};

const std::string kMethods = R"([[method]]
plugin = "assuming_probe"
[[method]]
id = "under_h3"
plugin = "assuming_probe"
assume = "h3"
[[method]]
plugin = "learner"
)";

constexpr const char* kSimulatedCohorts = R"(biomarkers = "five.toml"
participants = 60
test = 3
)";

/// Six participants, every second diseased.
std::string long_csv() {
  std::string text = "participant,biomarker,measurement,diseased\n";
  for (int j = 0; j < 6; ++j)
    for (int b = 0; b < 5; ++b)
      text += fmt::format("{},b{},{},{}\n", j, b, (j * j + b) % 7, j % 2 == 0 ? "False" : "True");
  return text;
}

constexpr const char* kTruth =
    R"({"x_m0": {"true_order": {"b0": 1, "b1": 2, "b2": 3, "b3": 4, "b4": 5}, )"
    R"("true_stages": [0, 1, 0, 2, 0, 5]}})"
    "\n";

void expect(const std::string& text, const Slots& expected) {
  const auto& registry = with_assuming_probes();
  const Workplace folder;
  folder.write("clinic.csv", long_csv());
  for (const std::string group : {"exp3", "late"}) {
    folder.write("cohorts/" + group + "/x_m0.csv", long_csv());
    folder.write("cohorts/" + group + "/true_order_and_stages.json", kTruth);
  }
  Problems problems;
  const auto study = read_study(folder.write("e.toml", text), {}, registry, problems);
  INFO(problems.report());
  REQUIRE(problems.empty());
  const auto plan = make_plan(study, registry);
  REQUIRE(plan.fits.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO(plan.recipes.at(plan.fits[i].recipe));
    REQUIRE(plan.fits[i].slot == expected[i].slot);
    REQUIRE(plan.fits[i].key == expected[i].key);
  }
}

}  // namespace

TEST_CASE("keys of simulated cohorts are those of version 1", "[study][content_key][version_1]") {
  expect(edited("test = 3", "test = 1") + kMethods, kSimulated);
}

TEST_CASE("keys of cohorts in a folder are those of version 1", "[study][content_key][version_1]") {
  expect(edited(kSimulatedCohorts,
                "source = \"folder\"\npath = \"cohorts\"\nbiomarkers = \"five.toml\"\n") +
             kMethods,
         kFolder);
}

TEST_CASE("keys of a real cohort are those of version 1", "[study][content_key][version_1]") {
  expect(edited(kSimulatedCohorts,
                "source = \"table\"\npath = \"clinic.csv\"\nbiomarkers = \"five.toml\"\n") +
             kMethods + "[analysis]\nbootstrap = 1\n",
         kOfTable);
}

}  // namespace tempo::test
