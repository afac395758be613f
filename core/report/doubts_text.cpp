#include "report/doubts_text.hpp"

#include <fmt/format.h>

namespace tempo {

const char* const kNotSeparating =
    "do not tell healthy from diseased, so that their places say little";

std::vector<std::string> doubts_in_sentences(const CohortFit& fit) {
  std::vector<std::string> out;
  for (const auto& doubt : fit.doubts)
    out.push_back(fmt::format("{} is in doubt: {}", fit.name(), doubt));
  return out;
}

std::string in_words(LeftOut::Why why) {
  switch (why) {
    case LeftOut::Why::ranks:
      return "under their hypotheses events have ranks, and no times";
    case LeftOut::Why::constant:
      return "they have all events at one time";
    case LeftOut::Why::no_times:
      break;
  }
  return "they give no times of events";
}

}  // namespace tempo
