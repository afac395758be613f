#include "report/needed_size_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "data/names.hpp"
#include "tempo/generative_process.hpp"

namespace tempo {
namespace {

/// `412 participants (86 healthy, 326 diseased)`, as cohorts have them.
std::string participants_in_words(double least, double healthy_ratio) {
  const CohortSize size{static_cast<std::size_t>(std::ceil(least)), healthy_ratio};
  const auto healthy = healthy_count(size);
  return fmt::format("{} participants ({} healthy, {} diseased)", size.participants, healthy,
                     size.participants - healthy);
}

/// @param rows  of the table
std::shared_ptr<const nlohmann::ordered_json> as_document(const StudySize& study,
                                                          const Table& rows) {
  const auto& [participants, low, high, reached] = study.needed;
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  return std::make_shared<const nlohmann::ordered_json>(
      nlohmann::ordered_json{{"answer", in_words(study)},
                             {"participants", number(participants)},
                             {"low", number(low)},
                             {"high", number(high)},
                             {"probability_reached", reached},
                             {"rows", rows_as_json(rows)}});
}

}  // namespace

std::string in_words(const StudySize& study) {
  const auto& [from, to, certainty, within] = study.demand;
  const auto demand =
      fmt::format("{} of '{}' under '{}' is at most {} in {:.0f} % of cohorts", study.metric,
                  study.method, study.hypothesis, study.at_most, 100.0 * certainty);
  const auto& needed = study.needed;
  switch (verdict_on(needed, study.demand)) {
    case SizeVerdict::never:
      return demand + " of no size: more participants do not help";
    case SizeVerdict::beyond:
      return fmt::format("{} of more than {} participants, if of any size", demand, to);
    case SizeVerdict::below:
      return fmt::format("{} of {} participants already", demand, from);
    case SizeVerdict::found:
    case SizeVerdict::open:
      break;
  }
  // Not all of the posterior may know an answer.
  if (!std::isfinite(needed.participants))
    return needed.low < static_cast<double>(from)
               ? demand + ": from which size on is not known yet"
               : fmt::format("{}: from which size on is not known yet, from {:.0f} at the earliest",
                             demand, needed.low);
  if (needed.participants < static_cast<double>(from))
    return fmt::format("{} of {} participants already, it seems (the 95 % interval ends at {:.0f})",
                       demand, from, std::ceil(needed.high));
  const auto high =
      std::isfinite(needed.high) ? fmt::format("to {:.0f}", needed.high) : std::string("or more");
  return fmt::format("{} from {} on (95 % interval {:.0f} {})", demand,
                     participants_in_words(needed.participants, study.healthy_ratio), needed.low,
                     high);
}

std::string in_lines(const StudySize& study) {
  auto out = fmt::format("{}\nShare of cohorts within the bound, and the curve through it:",
                         in_words(study));
  for (std::size_t i = 0; i < study.trials.size(); ++i) {
    const auto& [participants, cohorts, met] = study.trials[i];
    const auto& share = study.curve[i];
    out += fmt::format("\n{} participants: {} of {} cohorts, curve {:.0f} % ({:.0f} to {:.0f} %)",
                       participants, met, cohorts, 100.0 * share.mean, 100.0 * share.low,
                       100.0 * share.high);
  }
  return out;
}

Table needed_size_table(const StudySize& study) {
  Table out;
  Rows rows{{"participants", "cohorts", "within the bound", "curve", "95 % interval"}};
  out.columns = {"hypothesis", "method", "metric",     "at_most",   "participants",
                 "cohorts",    "met",    "curve_mean", "curve_low", "curve_high"};
  for (std::size_t i = 0; i < study.trials.size(); ++i) {
    const auto& [participants, cohorts, met] = study.trials[i];
    const auto& share = study.curve[i];
    rows.push_back(
        {std::to_string(participants), std::to_string(cohorts),
         fmt::format("{:.0f} %", 100.0 * static_cast<double>(met) / static_cast<double>(cohorts)),
         fmt::format("{:.0f} %", 100.0 * share.mean),
         fmt::format("{:.0f} to {:.0f} %", 100.0 * share.low, 100.0 * share.high)});
    out.rows.push_back({study.hypothesis, study.method, study.metric, study.at_most, participants,
                        cohorts, met, share.mean, share.low, share.high});
  }
  std::string note = in_words(study);
  if (study.failed > 0)
    note += fmt::format("\n{} failed, and count as beyond the bound: {}",
                        counted(study.failed, "fit"), study.first_error);
  out.blocks = {{.heading = fmt::format("share of cohorts with {} of at most {}, by participants",
                                        study.metric, study.at_most),
                 .rows = std::move(rows),
                 .note = std::move(note),
                 .name_columns = 0}};
  out.document = as_document(study, out);
  return out;
}

}  // namespace tempo
