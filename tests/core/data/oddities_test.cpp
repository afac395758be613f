#include "data/table/oddities.hpp"

#include <fmt/format.h>

#include <cmath>

#include "support.hpp"

namespace tempo::test {
namespace {

using Lines = std::vector<std::string>;

/// Columns `a`, `b`, ... of participants p0, p1, ...; the first half is CN, the others AD.
Cohort cohort_of(const std::vector<std::vector<double>>& columns) {
  Cohort out;
  const auto J = columns.front().size();
  out.measurements = Matrix(J, columns.size());
  for (std::size_t b = 0; b < columns.size(); ++b) {
    out.biomarkers.push_back(std::string(1, static_cast<char>('a' + b)));
    for (std::size_t j = 0; j < J; ++j) out.measurements(j, b) = columns[b][j];
  }
  for (std::size_t j = 0; j < J; ++j) {
    out.participants.push_back(fmt::format("p{}", j));
    out.diseased.push_back(j < J / 2 ? 0 : 1);
    out.diagnoses.emplace_back(j < J / 2 ? "CN" : "AD");
  }
  return out;
}

}  // namespace

TEST_CASE("values that stand for missing ones are named", "[data][oddities]") {
  const auto codes = [](const std::vector<double>& column) {
    return possible_codes(cohort_of({column}), kMarkersTakeCodes);
  };
  SECTION("far from all others, by diagnosis") {
    REQUIRE(codes({20, 21, 23, 24, -999, 25, -999, -999}) ==
            Lines{"a is -999 in 3 of 4 AD, all others are 20 to 25: a code for a missing value? "
                  "'missing_markers' takes it"});
  }
  SECTION("in most of the cells") {
    REQUIRE(codes({0.1, 88, 88, 88, 88, 0.2, 0.3, 88}).size() == 1);
  }
  SECTION("several, at both ends") {
    const auto found = codes({-998, -999, 1, 2, 3, 4, -998, -999, 9999, 9999});
    REQUIRE(found.size() == 3);
    REQUIRE_THAT(found[0], Catch::Matchers::StartsWith("a is -999 in 1 of 5 AD, 1 of 5 CN, all "
                                                       "others are 1 to 4"));
    REQUIRE_THAT(found[2], Catch::Matchers::StartsWith("a is 9999 in 2 of 5 AD"));
  }
  SECTION("once, if it is made of nines") {
    REQUIRE(codes({1, 2, 3, 4, 5, 999}).size() == 1);
    REQUIRE(codes({5250, 5500, 5300, 5400, -4}).size() == 1);  // clinics often take -4 for one
    REQUIRE(codes({1, 2, 3, 4, 5, 500}).empty());              // one person far out is no code
  }
  SECTION("several that registers number reasons by, each perhaps once") {
    std::vector<double> scores;
    for (int j = 0; j < 40; ++j) scores.push_back(14 + j % 17);
    REQUIRE(codes(scores).empty());
    for (const double code : {88.0, 95.0, 96.0, 97.0, 98.0}) scores.push_back(code);
    const auto found = codes(scores);
    REQUIRE(found.size() == 5);
    REQUIRE(found[1] ==
            "a is 95 in 1 of 23 AD, all others are 14 to 30: a code for a missing "
            "value? 'missing_markers' takes it");
    for (auto& x : scores) x = x > 30 ? 30 - x / 10 : x;  // as far as others, and no codes
    REQUIRE(codes(scores).empty());
    std::vector<double> above_zero;
    for (int j = 0; j < 40; ++j) above_zero.push_back(5.1 + 0.2 * j);
    for (const double code : {-1.0, -2.0, -3.0, -4.0}) above_zero.push_back(code);
    REQUIRE(codes(above_zero).size() == 4);
  }
  SECTION("as the cell has them") {
    REQUIRE_THAT(codes({1305.5, 1400.5, 1500.25, 1390, 9999.999, 9999.999})[0],
                 Catch::Matchers::StartsWith("a is 9999.999 in 2 of 3 AD"));
  }
  SECTION("a zero that occurs again where nothing else is near it") {
    std::vector<double> volumes;
    for (int j = 0; j < 30; ++j) volumes.push_back(4200 + (j * 977) % 4470);
    volumes[3] = volumes[20] = 0;
    REQUIRE(codes(volumes) ==
            Lines{"a is 0 in 1 of 15 AD, 1 of 15 CN, all others are 4200 to 8523: "
                  "a code for a missing value? 'missing_markers' takes it"});
    std::vector<double> counts, skewed, sums;
    for (int j = 0; j < 60; ++j) {
      counts.push_back(j % 3 == 0 ? 0 : 1 + j % 9);
      skewed.push_back(j % 6 == 0 ? 0 : 0.3 * std::exp(0.08 * j));
      sums.push_back(j % 20 == 0 ? 0 : 5 + j % 40);
    }
    REQUIRE(codes(counts).empty());
    REQUIRE(codes(skewed).empty());
    REQUIRE(codes({0, 0, 5, 12, 15, 17, 18, 19, 22, 24, 25, 27}).empty());
  }
  SECTION("the only value below zero that occurs again, in steps of a half, too") {
    std::vector<double> boxes;
    for (int j = 0; j < 40; ++j) boxes.push_back(0.5 * (j * 7 % 18));
    REQUIRE(codes(boxes).empty());
    for (const std::size_t j : {3u, 21u}) boxes[j] = -4.4;
    REQUIRE(codes(boxes).size() == 1);
    for (const std::size_t j : {3u, 21u}) boxes[j] = -4.4012345;  // clipped at a computed bound
    REQUIRE(codes(boxes).empty());
    for (const std::size_t j : {3u, 21u}) boxes[j] = -0.5;
    REQUIRE(codes(boxes).empty());
  }
  SECTION("not a rare count of microbleeds") {
    std::vector<double> bleeds(60, 0.0);
    for (int j = 0; j < 12; ++j) bleeds[5 * j] = 1 + j % 2;
    bleeds[7] = bleeds[33] = 5;
    REQUIRE(codes(bleeds).empty());
    bleeds[7] = bleeds[33] = 99;
    REQUIRE(codes(bleeds).size() == 1);
  }
  SECTION("by labels that are numbers") {
    auto cohort = cohort_of({{20, 21, 23, 24, -999, 25, -999, -999}});
    for (auto& diagnosis : cohort.diagnoses) diagnosis = diagnosis == "AD" ? "3" : "1";
    REQUIRE(possible_codes(cohort, kCodesAreLeftEmpty) ==
            Lines{"a is -999 in 3 of 4 with diagnosis 3, all others are 20 to 25: a code for a "
                  "missing value? leave such cells empty"});
  }
  SECTION("below zero where nothing else is, unless they go on as the others do") {
    REQUIRE(codes({-1, -2, 0, 1, 2, 3, -1, -2, 4, 5}).empty());
    REQUIRE(codes({30, 28, 25, 22, -4, 11, -4, 29}).size() == 1);
    REQUIRE(codes({0.5, -1, 0.25, -0.5, 1.5, -1, 2, 1}).empty());
  }
  SECTION("not what scores have anyway") {
    REQUIRE(codes({0, 0, 0, 1, 1, 2, 3, 3}).empty());
    REQUIRE(codes({0, 0, 0, 0, 0, 0, 10, 10}).empty());  // two values alone say nothing
    REQUIRE(codes({kMissing, kMissing, kMissing, kMissing}).empty());
  }
  SECTION("whatever the unit") {
    for (const double unit : {1e-6, 1e6})
      REQUIRE(
          codes({20 * unit, 21 * unit, 23 * unit, -900 * unit, -900 * unit, 24 * unit}).size() ==
          1);
  }
}

TEST_CASE("values that no measurement gives are named with their participants",
          "[data][oddities]") {
  const auto odd = [](const std::vector<double>& column) {
    return odd_values(cohort_of({column}));
  };
  std::vector<double> usual;
  for (int j = 0; j < 24; ++j) usual.push_back(20 + j % 12);
  const auto with = [&](std::size_t j, double x) {
    auto out = usual;
    out[j] = x;
    return out;
  };
  SECTION("far out") {
    REQUIRE(odd(usual).empty());
    REQUIRE(odd(with(3, 2300)) ==
            Lines{"a is far out in 'p3' (2300), all others are 20 to 31: slips?"});
  }
  SECTION("alone, however near to a usual number: a digit lost, a code, a point lost") {
    std::vector<double> volumes;
    for (int j = 0; j < 30; ++j) volumes.push_back(5250 + (j * 977) % 2470);
    for (const double slip : {-5.0, 0.0, 699.0, 72100.0}) {
      auto slipped = volumes;
      slipped[7] = slip;
      INFO(slip);
      REQUIRE(odd(slipped).size() == 1);
      REQUIRE_THAT(odd(slipped)[0], Catch::Matchers::StartsWith(fmt::format(
                                        "a is far out in 'p7' ({}), all others", slip)));
    }
  }
  SECTION("not what follows close upon the others, as of scores with many zeros") {
    std::vector<double> scores(120, 0.0);
    for (int j = 0; j < 40; ++j) scores[3 * j] = j % 13;
    for (int j = 0; j < 4; ++j) scores[10 + j] = 14 + j;
    REQUIRE(odd(scores).empty());
  }
  SECTION("filled in: one value again and again where others are not") {
    auto filled = usual;
    for (std::size_t j = 0; j < usual.size(); ++j) filled[j] = 20 + 0.37 * static_cast<double>(j);
    REQUIRE(odd(filled).empty());
    for (const std::size_t j : {3u, 9u, 14u, 20u}) filled[j] = 23.1;
    REQUIRE(odd(filled) == Lines{"a is 23.1 in 4 participants, and no other value is in more than "
                                 "1: filled in?"});
  }
  SECTION("filled in: several values, and whole numbers where hardly any is shared") {
    auto filled = usual;
    for (std::size_t j = 0; j < usual.size(); ++j) filled[j] = 20 + 0.37 * static_cast<double>(j);
    for (const std::size_t j : {3u, 9u, 14u}) filled[j] = 23.1;
    REQUIRE(odd(filled).empty());  // three may be chance
    for (const std::size_t j : {4u, 10u, 15u}) filled[j] = 25.1;
    REQUIRE(odd(filled) == Lines{"a is 23.1 in 3 participants, 25.1 in 3, and no other value is in "
                                 "more than 1: filled in?"});
    std::vector<double> volumes, scores;
    for (int j = 0; j < 60; ++j) {
      volumes.push_back(4000 + (j * 977) % 4470);
      scores.push_back(j % 5 == 0 ? 24 : 30 - (j * j) % 17);
    }
    REQUIRE(odd(volumes).empty());
    REQUIRE(odd(scores).empty());
    for (int j = 0; j < 60; j += 12) volumes[j] = 6612;
    REQUIRE(odd(volumes) == Lines{"a is 6612 in 5 participants, and no other value is in more than "
                                  "1: filled in?"});
  }
  SECTION("not what is shared because values have few digits, or at an end of what is measured") {
    RandomStream draw(17, "few digits");
    std::vector<double> diffusivities, concentrations;
    for (int j = 0; j < 200; ++j) {
      diffusivities.push_back(1e-6 * std::round(750 + 60 * draw.normal()));
      concentrations.push_back(std::max(80.0, std::round(10 * (130 + 40 * draw.normal())) / 10));
    }
    REQUIRE(odd(diffusivities).empty());
    REQUIRE(odd(concentrations).empty());
  }
  SECTION("filled down: a score that many have one after the other") {
    std::vector<double> scores;
    for (int j = 0; j < 60; ++j) scores.push_back(30 - (j * j) % 13);
    auto filled = scores;
    for (int j = 20; j < 32; ++j) filled[j] = 24;
    REQUIRE(odd(scores).empty());
    REQUIRE(odd(filled) == Lines{"a is 24 in 12 participants one after the other, 'p20' to 'p31': "
                                 "filled down?"});
    std::sort(filled.begin(), filled.end());  // rows that are sorted by it
    REQUIRE(odd(filled).empty());
    std::vector<double> bleeds(60, 0.0);
    for (const std::size_t j : {5u, 25u, 26u, 50u}) bleeds[j] = 1;
    REQUIRE(odd(bleeds).empty());
  }
  SECTION("z-scores among raw values") {
    std::vector<double> raw, mixed;
    for (int j = 0; j < 40; ++j) raw.push_back(14 + (7 * j) % 17);
    mixed = raw;
    for (int j = 0; j < 40; j += 3) mixed[j] = (raw[j] - 22) / 4;
    REQUIRE(odd(raw).empty());
    REQUIRE(odd(mixed) == Lines{"a is -2 to 2 in 14 participants, as z-scores are, and 14 to 30 in "
                                "26: two scales?"});
    for (auto& x : mixed) x = (x - 10) / 8;  // changes on both sides of 0 are one scale
    REQUIRE(odd(mixed).empty());
  }
  SECTION("not the greatest of counts that most participants have little of") {
    std::vector<double> symptoms;
    for (int j = 0; j < 60; ++j) symptoms.push_back(j % 3 == 0 ? (j * 7) % 13 : j % 2);
    symptoms[4] = 29;
    REQUIRE(odd(symptoms).empty());
    symptoms[4] = 120;  // a digit too many
    REQUIRE(odd(symptoms).size() == 1);
  }
  SECTION("not where a biomarker is skewed") {
    std::vector<double> skewed;
    RandomStream draw(3, "skewed");
    for (int j = 0; j < 200; ++j) skewed.push_back(std::exp(draw.normal()));
    REQUIRE(odd(skewed) == Lines{});
  }
  SECTION("below zero where nothing is near zero") {
    REQUIRE(
        odd(with(4, -24.5)) ==
        Lines{"a is below 0 in 'p4' (-24.5), and nothing else is less than 20: signs too many?"});
    std::vector<double> around;
    for (int j = 0; j < 40; ++j) around.push_back(0.25 * (j - 6));
    REQUIRE(odd(around).empty());
  }
  SECTION("in two units, unless these are the two groups") {
    auto mixed = usual, groups = usual;
    for (std::size_t j = 0; j < usual.size(); ++j) {
      if (j % 3 == 0) mixed[j] *= 1000.0;
      if (j >= usual.size() / 2) groups[j] *= 1000.0;
    }
    auto of_groups = usual;
    for (std::size_t j = usual.size() / 2; j < usual.size(); ++j) of_groups[j] *= 20.0;
    REQUIRE(odd(of_groups).empty());
    REQUIRE(odd(groups).size() == 1);  // a thousand times is no disease
    REQUIRE(odd(mixed) == Lines{"a is 21 to 31 in 16 participants and 20000 to 29000 in 8, with "
                                "nothing between: two units?"});
  }
  SECTION("the same of all") {
    REQUIRE(odd(std::vector<double>(24, 3.5)) ==
            Lines{"a is 3.5 in all 24 participants: it tells nothing"});
  }
  SECTION("whatever its unit") {
    auto small = with(3, 2300), large = small;
    for (std::size_t j = 0; j < small.size(); ++j) {
      small[j] *= 0x1p-20;
      large[j] *= 0x1p20;
    }
    REQUIRE(odd(small).size() == 1);
    REQUIRE(odd(large).size() == 1);
  }
}

TEST_CASE("names that are one but for their spelling are named", "[data][oddities]") {
  auto cohort = cohort_of({{1, 2, 3, 4}, {5, 6, 7, 9}});
  REQUIRE(same_names(cohort).empty());
  cohort.biomarkers = {"MMSE", "mmse"};
  REQUIRE(same_names(cohort) == Lines{"biomarkers 'MMSE', 'mmse' have names that differ by case, "
                                      "blanks or signs only: one biomarker?"});
  for (const auto& [first, second] : {std::pair("1", "1.0"), {"031", "31"}, {"a_1", "a-1"}}) {
    cohort.participants = {first, second, "x", "y"};
    REQUIRE(same_participants(cohort).size() == 1);
  }
  cohort.participants = {"1-12", "11-2", "x", "y"};
  REQUIRE(same_participants(cohort).empty());
}

TEST_CASE("ids that nobody can read are named", "[data][oddities]") {
  auto cohort = cohort_of({{1, 2, 3, 4}});
  REQUIRE(odd_ids(cohort).empty());
  cohort.participants = {"p\u200b", "p\n", "NA", "nan"};
  REQUIRE(odd_ids(cohort) == Lines{"ids with characters that nobody sees: 'p<U+200B>', 'p\\x0a'",
                                   "ids that may stand for nobody: 'NA', 'nan'"});
}

TEST_CASE("a biomarker given twice is named", "[data][oddities]") {
  const std::vector<double> x{1, 2.5, 3, kMissing, 7}, other{1, 2.5, 3, 4, 6.9};
  std::vector<double> in_other_unit, opposite;
  for (const double value : x) {
    in_other_unit.push_back(1000.0 * value + 32.0);
    opposite.push_back(-value);
  }
  REQUIRE(same_biomarkers(cohort_of({x, other, x})) ==
          Lines{"a and c are equal throughout: one biomarker, given twice?"});
  REQUIRE(same_biomarkers(cohort_of({x, in_other_unit})) ==
          Lines{"a and b are the same but for a unit (1000 of b for each of a): one biomarker, "
                "given twice?"});
  REQUIRE(same_biomarkers(cohort_of({x, opposite})).size() == 1);
  auto nearly = x;
  nearly[1] += 0.1;
  REQUIRE(same_biomarkers(cohort_of({x, nearly})).empty());
  std::vector<double> with_code, other_with_code;  // a code in common is no unit in common
  for (int j = 0; j < 20; ++j) {
    with_code.push_back(j == 3 ? -9999.0 : 0.1 * (j * 7 % 20));
    other_with_code.push_back(j == 3 ? -9999.0 : 0.1 * (j * 3 % 20));
  }
  REQUIRE(same_biomarkers(cohort_of({with_code, other_with_code})).empty());
  REQUIRE(same_biomarkers(cohort_of({{0, 1, 0, 1}, {0, 1, 0, 1}})).empty());  // says too little
}

TEST_CASE("biomarkers that are one but for a few cells, digits or a transformation",
          "[data][oddities]") {
  RandomStream draw(23, "twins");
  std::vector<double> x, rounded, logarithm, correlated;
  for (int j = 0; j < 60; ++j) {
    x.push_back(std::round(10 * (280 + 70 * draw.normal())) / 10);
    rounded.push_back(std::round(x[j]));
    logarithm.push_back(std::log(x[j]));
    correlated.push_back(x[j] + 5 * draw.normal());
  }
  const auto how = [&](std::vector<double> first, const std::vector<double>& second) {
    return same_biomarkers(cohort_of({std::move(first), second}));
  };
  auto lacking = x, changed = x;
  lacking[3] = lacking[17] = lacking[40] = kMissing;
  changed[5] += 20;
  REQUIRE(how(lacking, x) ==
          Lines{"a and b are equal wherever both are measured: one biomarker, given twice?"});
  REQUIRE(how(changed, x) ==
          Lines{"a and b are equal but for 1 participant: one biomarker, given twice?"});
  REQUIRE(how(x, rounded) ==
          Lines{"a and b are equal but for rounding: one biomarker, given twice?"});
  REQUIRE(how(x, logarithm) == Lines{"a and b put all participants in one order, as a value and "
                                     "its logarithm do: one biomarker, given twice?"});
  REQUIRE(how(x, correlated).empty());
  for (int j = 0; j < 60; j += 4) lacking[j] = kMissing;  // too few have both
  REQUIRE(how(lacking, x).empty());
}

TEST_CASE("rows that were pasted a second time are named", "[data][oddities]") {
  RandomStream draw(29, "pasted");
  std::vector<double> abeta, tau, score;
  for (int j = 0; j < 60; ++j) {
    abeta.push_back(std::round(10 * (900 + 300 * draw.normal())));
    tau.push_back(std::round(10 * (280 + 70 * draw.normal())));
    score.push_back(14 + (7 * j) % 17);
  }
  REQUIRE(pasted_rows(cohort_of({abeta, tau, score})).empty());
  auto tau_alone = tau;
  for (int j = 20; j < 24; ++j) {
    abeta[j + 10] = abeta[j];
    tau[j + 10] = tau[j];
  }
  REQUIRE(pasted_rows(cohort_of({abeta, tau, score})) ==
          Lines{"'p30', 'p31', 'p32', 'p33' have the a, b of 'p20', 'p21', 'p22', 'p23', in the "
                "same order: a block pasted twice?"});
  REQUIRE(pasted_rows(cohort_of({abeta, tau_alone, score})).empty());  // one biomarker only
}

TEST_CASE("participants with several ids are named", "[data][oddities]") {
  const auto doubts = [](const std::vector<std::string>& ids) {
    std::vector<double> values;
    for (std::size_t j = 0; j < ids.size(); ++j)
      values.push_back(std::sqrt(2.0 + static_cast<double>(j)));
    auto cohort = cohort_of({values});
    cohort.participants = ids;
    return same_participants(cohort);
  };
  const auto ids = [](const std::vector<std::string>& of_each) {
    std::vector<std::string> out;
    for (int j = 0; j < 12; ++j)
      for (const auto& one : of_each) out.push_back(fmt::format(fmt::runtime(one), 101 + j, j));
    return out;
  };
  REQUIRE(doubts(ids({"S{}_bl", "S{}_m12"})) ==
          Lines{"24 ids differ from another by a visit only, such as 'S101_bl', 'S101_m12': one "
                "participant at several visits?"});
  REQUIRE(doubts(ids({"OAS{0}_MR_d0{1}", "OAS{0}_m12_MR_d1{1}"})).size() == 1);
  REQUIRE(doubts(ids({"sub-{}_ses-01", "sub-{}_ses-02"})).size() == 1);
  REQUIRE(doubts(ids({"S{}--1", "S{}--2"})) ==
          Lines{"24 ids differ from another by their last part only, such as 'S101--1', 'S101--2': "
                "one participant entered twice?"});
  REQUIRE(doubts(ids({"S{}_bl"})).empty());
  REQUIRE(doubts(ids({"{0}_S_{1}7", "{0}_S_{1}8"})).empty());  // sites and their participants
}

TEST_CASE("a participant given twice is named", "[data][oddities]") {
  std::vector<double> a, b;
  for (int j = 0; j < 30; ++j) {
    a.push_back(0.37 * j);
    b.push_back(100 - j * j);
  }
  auto cohort = cohort_of({a, b});
  REQUIRE(same_participants(cohort).empty());
  SECTION("by id") {
    cohort.participants[4] = "P3";
    REQUIRE(
        same_participants(cohort) ==
        Lines{
            "participants 'p3', 'P3' have ids that differ by case, blanks, signs or leading zeros only: one "
            "participant?"});
  }
  SECTION("by an id with a blank that prints as none, and by values") {
    cohort.participants[4] = "p3\u00a0";
    for (std::size_t k = 0; k < 2; ++k) cohort.measurements(4, k) = cohort.measurements(3, k);
    REQUIRE(
        same_participants(cohort) ==
        Lines{
            "participants 'p3', 'p3<U+00A0>' have ids that differ by case, blanks, signs or leading zeros only, "
            "and equal values throughout: one participant?"});
  }
  SECTION("by values") {
    for (const std::size_t j : {8, 9})
      for (std::size_t k = 0; k < 2; ++k) cohort.measurements(j, k) = cohort.measurements(7, k);
    REQUIRE(same_participants(cohort) ==
            Lines{"participants 'p7', 'p8', 'p9' have equal values throughout: one "
                  "participant?"});
  }
  SECTION("not where chance makes values equal, or there are none") {
    for (std::size_t j = 0; j < 30; ++j)
      for (std::size_t k = 0; k < 2; ++k)
        cohort.measurements(j, k) = static_cast<double>(j * (k + 1) % 3);
    REQUIRE(same_participants(cohort).empty());
    for (auto& x : cohort.measurements.values()) x = kMissing;
    REQUIRE(same_participants(cohort).empty());
    cohort = cohort_of({a, b});  // one has values that tell people apart, of others there is one
    for (std::size_t j = 0; j < 20; ++j) {
      cohort.measurements(j, 0) = kMissing;
      cohort.measurements(j, 1) = 30;
    }
    REQUIRE(same_participants(cohort).empty());
  }
}

}  // namespace tempo::test
