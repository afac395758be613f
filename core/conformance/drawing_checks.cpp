// What hypotheses, stage priors and measurement models have in common: they draw.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/check.hpp"
#include "conformance/examples.hpp"
#include "conformance/kinds.hpp"
#include "conformance/measured.hpp"
#include "conformance/subject.hpp"
#include "model/fault_text.hpp"

namespace tempo::conformance {
namespace {

constexpr std::size_t kDrawn = 60;  // participants

RandomStream stream_of(std::uint64_t number) {
  return RandomStream(1, "conformance", "draws", number);
}

Finding same_stream_same_numbers(const Subject& subject) {
  const Drawer drawer(subject, biomarkers(6));
  const auto first = drawer.draw(kDrawn, stream_of(1));
  drawer.draw(kDrawn, stream_of(2));
  if (drawer.draw(kDrawn, stream_of(1)) != first)
    return failed(
        "the same stream gave other numbers the second time; draw from the stream only, and keep "
        "nothing between calls");
  return passed();
}

Finding other_stream_other_numbers(const Subject& subject) {
  const Drawer drawer(subject, biomarkers(6));
  if (drawer.draw(kDrawn, stream_of(1)) == drawer.draw(kDrawn, stream_of(2)))
    return failed("two streams gave the same numbers; draw from the stream that is given");
  return passed();
}

Finding draws_from_threads(const Subject& subject) {
  constexpr std::size_t kThreads = 8, kDraws = 40;
  const Drawer drawer(subject, biomarkers(6));
  std::vector<std::vector<double>> alone;
  for (std::size_t i = 0; i < kDraws; ++i) alone.push_back(drawer.draw(kDrawn, stream_of(i)));
  return in_threads(kThreads, [&](std::size_t) -> std::string {
    for (std::size_t i = 0; i < kDraws; ++i)
      if (drawer.draw(kDrawn, stream_of(i)) != alone[i])
        return "one object gave other numbers where eight threads drew from it at once";
    return {};
  });
}

Finding objects_do_not_disturb_each_other(const Subject& subject) {
  const auto table = biomarkers(6);
  const Drawer first(subject, table);
  const auto alone = first.draw(kDrawn, stream_of(1));
  const Drawer second(subject, table);
  const auto of_second = second.draw(kDrawn, stream_of(1));
  if (first.draw(kDrawn, stream_of(1)) != alone || of_second != alone)
    return failed(
        "two objects with the same settings give other numbers; share nothing between "
        "objects, such as static variables");
  return passed();
}

Finding draws_are_whole(const Subject& subject) {
  const Drawer drawer(subject, biomarkers(6));
  for (std::uint64_t i = 0; i < 200; ++i)
    for (const double number : drawer.draw(kDrawn, stream_of(i)))
      if (!std::isfinite(number)) return failed(fmt::format("draw {} has a {}", i, number));
  return passed();
}

Finding draws_of_all_sizes(const Subject& subject) {
  constexpr std::size_t kMany = 100'000;
  for (const auto& [count, participants] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {1, 50}, {2, 1}, {100, 20}, {4, kMany}})
    try {
      Drawer(subject, biomarkers(count)).draw(participants, stream_of(1));
    } catch (const std::exception& error) {
      return failed(fmt::format("{} biomarkers and {} participants: {}", count, participants,
                                fault_text(error)));
    }
  return passed();
}

/// The least of three, which other programs disturb least.
double seconds_to_draw(const Drawer& drawer, std::size_t participants) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double start = processor_seconds();
    drawer.draw(participants, stream_of(1));
    least = std::min(least, processor_seconds() - start);
  }
  return least;
}

Finding draws_take_time_by_size(const Subject& subject) {
  constexpr std::size_t kFew = 2'000, kTimes = 8;
  constexpr double kSlack = 3.0, kTooShort = 0.0005;
  const Drawer drawer(subject, biomarkers(6));
  const double few = std::max(seconds_to_draw(drawer, kFew), kTooShort);
  const double many = seconds_to_draw(drawer, kTimes * kFew);
  if (many > kSlack * kTimes * few)
    return failed(fmt::format(
        "{} participants take {:.0f} times as long as {}, expected about {} times: a loop over "
        "participants inside another?",
        kTimes * kFew, many / few, kFew, kTimes));
  return passed();
}

Finding draws_leave_nothing(const Subject& subject) {
  constexpr int kWarm = 50, kDraws = 1'000;
  constexpr std::size_t kMost = 16 * kDraws;
  const Drawer drawer(subject, biomarkers(6));
  for (int i = 0; i < kWarm; ++i) drawer.draw(20, stream_of(1));
  const auto left = bytes_left_behind([&] {
    for (int i = 0; i < kDraws; ++i) drawer.draw(20, stream_of(1));
  });
  if (left <= kMost) return passed();
  return failed(
      fmt::format("{} draws left {} bytes behind, {} each; what is made with new has "
                  "to go, or be kept once",
                  kDraws, left, left / kDraws));
}

}  // namespace

std::vector<Check> drawing_checks() {
  return {
      {"H04", "The same stream gives the same numbers.",
       "One object draws twice from equal streams, and from another in between. Results of a seed "
       "hold on any machine only if all randomness comes from the stream.",
       kDrawing, false, same_stream_same_numbers},
      {"H05", "Another stream gives other numbers.", "One object draws from two streams.", kDrawing,
       false, other_stream_other_numbers},
      {"H06", "Eight threads get the numbers that one gets.",
       "One object draws from 40 streams, alone and in eight threads at once. tempo simulates in "
       "parallel.",
       kDrawing, false, draws_from_threads},
      {"H07", "Two objects do not disturb each other.",
       "Two objects with the same settings draw in turn, and each draws what it draws alone.",
       kDrawing, false, objects_do_not_disturb_each_other},
      {"H08", "Every number that it draws is finite.",
       "200 draws of 60 participants and 6 biomarkers: no NaN, no infinity, all shapes right.",
       kDrawing, false, draws_are_whole},
      {"H11", "All sizes work, from one participant and one biomarker on.",
       "Among them 100 biomarkers, and 100,000 participants.", kDrawing, false, draws_of_all_sizes},
      {"H20", "Time grows with the number of participants, and not faster.",
       "16,000 participants take at most 24 times as long as 2,000, of the processor's time.",
       kDrawing, false, draws_take_time_by_size},
      {"H25", "Memory does not grow.", "1,000 draws leave at most 16 bytes each behind.", kDrawing,
       false, draws_leave_nothing},
  };
}

}  // namespace tempo::conformance
