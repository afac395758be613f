#include "report/mixture_plot.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

/// 100 healthy about 0 and 200 diseased, half of them about 0 and half about 6, in a unit of
/// choice.
struct Sample {
  explicit Sample(double unit) {
    auto noise = stream(4);
    cohort.biomarkers = {"TAU"};
    cohort.measurements = Matrix(300, 1);
    for (std::size_t j = 0; j < 300; ++j) {
      cohort.participants.push_back(std::to_string(j));
      cohort.diseased.push_back(j < 100 ? 0 : 1);
      cohort.measurements(j, 0) = unit * (noise.normal() + (j < 200 ? 0.0 : 6.0));
    }
    const double size = std::abs(unit);
    estimated = {{.name = "TAU",
                  .mixture = {{0.0, size}, {6.0 * unit, size}, 0.5, 100.0},
                  .healthy = 100,
                  .diseased = 200,
                  .distance = 6.0,
                  .warning = {}}};
  }
  Cohort cohort;
  std::vector<EstimatedBiomarker> estimated;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(line);
  return out;
}

/// The bars and marks of a line, without the value in front.
std::string drawing(const std::string& line) {
  return line.substr(std::min<std::size_t>(13, line.size()));
}

const PlotStyle kAscii{.width = 60, .ascii = true};

}  // namespace

TEST_CASE("a plot has both groups and what the fit expects of them", "[report][mixture_plot]") {
  const Sample sample(1.0);
  const auto lines = lines_of(plot(sample.estimated, sample.cohort, kAscii));
  REQUIRE(lines.size() == 2 + 14);
  REQUIRE(lines[0] == "TAU: before 0 sd 1 (o), after 6 sd 1 (x), 50 % of the diseased after");
  REQUIRE_THAT(lines[1], StartsWith("      value  healthy (100)") && Contains("  diseased (200)"));
  for (const auto& line : lines) REQUIRE(line.size() <= 80);
  // Where the healthy are most, theirs is the longest bar of all, and ends where the fit has it
  // within 3 sds of a share of 100; far to the right nobody healthy is, and half of the diseased
  // are.
  std::size_t longest = 0;
  for (std::size_t i = 2; i < lines.size(); ++i) {
    const auto both = drawing(lines[i]);
    const auto healthy = static_cast<std::size_t>(
        std::count(both.begin(), both.begin() + std::min<std::size_t>(22, both.size()), '#'));
    longest = std::max(longest, healthy);
    const double value = std::stod(lines[i]);
    if (value > 4.0) REQUIRE(healthy == 0);
    if (value > 5.5 && value < 6.5) REQUIRE(std::count(both.begin(), both.end(), '#') > 3);
    REQUIRE(std::count(both.begin(), both.end(), 'o') >= 1);
  }
  REQUIRE(longest >= 15);
  REQUIRE_THAT(plot(sample.estimated, sample.cohort, {.width = 60, .ascii = false}),
               Contains("█") && !Contains("#"));
}

TEST_CASE("a plot does not depend on the unit, and turns with the sign", "[report][mixture_plot]") {
  const Sample sample(1.0);
  const auto expected = lines_of(plot(sample.estimated, sample.cohort, kAscii));
  for (const double unit : {1e6, 1e-6}) {
    const Sample other(unit);
    const auto lines = lines_of(plot(other.estimated, other.cohort, kAscii));
    for (std::size_t i = 2; i < lines.size(); ++i)
      REQUIRE(drawing(lines[i]) == drawing(expected[i]));
  }
  const Sample negated(-1.0);
  const auto lines = lines_of(plot(negated.estimated, negated.cohort, kAscii));
  for (std::size_t i = 2; i < lines.size(); ++i) {
    const auto turned = drawing(expected[lines.size() + 1 - i]);
    REQUIRE(drawing(lines[i]) == turned);
  }
}

TEST_CASE("what warns of a biomarker stands below its plot, and commands no terminal",
          "[report][mixture_plot]") {
  Sample sample(1.0);
  sample.estimated[0].name = "\x1b[31mTAU";
  sample.estimated[0].warning = "biomarker '\x1b[31mTAU' does not separate";
  const auto text = plot(sample.estimated, sample.cohort, kAscii);
  REQUIRE_THAT(text, StartsWith("\\x1b[31mTAU: before") &&
                         Contains("\nwarning: biomarker '\\x1b[31mTAU' does not"));
}

TEST_CASE("densities are those of the fit, and histograms hold everybody",
          "[report][mixture_plot]") {
  const double unit = GENERATE(1.0, 1e-6);
  const Sample sample(unit);
  const auto points = densities(sample.estimated, sample.cohort);
  REQUIRE(points.size() == 50);
  const double step = points[1].value - points[0].value;
  double healthy = 0.0, diseased = 0.0;
  for (const auto& point : points) {
    healthy += step * point.healthy_observed;
    diseased += step * point.diseased_observed;
    const double z = point.value / unit;
    REQUIRE(point.pre_event * unit ==
            Approx(std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi)));
    REQUIRE(point.diseased == Approx(0.5 * (point.pre_event + point.post_event)));
  }
  REQUIRE(healthy == Approx(1.0));
  REQUIRE(diseased == Approx(1.0));
  REQUIRE_THAT(render(density_table(points), TableFormat::csv),
               StartsWith("biomarker,value,pre_event,post_event,diseased,"
                          "healthy_observed,diseased_observed\nTAU,"));
}

}  // namespace tempo::test
