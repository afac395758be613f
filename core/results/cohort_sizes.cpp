#include "results/cohort_sizes.hpp"

#include <fmt/format.h>

#include "data/names.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

/// One of the sizes of a cohort, which lists of it have.
class OneSize {
 public:
  OneSize(std::optional<std::size_t>& known, const char* noun) : known_(known), noun_(noun) {}

  void expect(std::size_t found, const char* list) {
    if (!known_) known_ = found;
    if (found != *known_)
      throw Error(fmt::format("it is damaged: its {} are of {}, its cohort has {}", list,
                              counted(found, noun_), *known_));
  }
  /// Of a list that is empty where there is none.
  template <class List>
  void expect_any(const List& list, const char* name) {
    if (!list.empty()) expect(list.size(), name);
  }

 private:
  std::optional<std::size_t>& known_;
  const char* noun_;
};

}  // namespace

void CohortSizes::expect(const FitDetails& details) {
  OneSize biomarkers(biomarkers_, "biomarker"), participants(participants_, "participant");
  biomarkers.expect_any(details.biomarkers, "names of biomarkers");
  participants.expect_any(details.participants, "names of participants");
  biomarkers.expect_any(details.true_ranks, "true ranks");
  biomarkers.expect_any(details.event_scores, "event scores");
  if (details.event_times) biomarkers.expect(details.event_times->size(), "event times");
  if (details.event_time_spreads)
    biomarkers.expect(details.event_time_spreads->size(), "spreads of event times");
  participants.expect_any(details.stages, "stages");
  if (const auto& ranks = details.rank_posterior) {
    biomarkers.expect(ranks->rows(), "rows of the rank posterior");
    biomarkers.expect(ranks->cols(), "columns of the rank posterior");
  }
  if (const auto& stages = details.stage_posterior) {
    participants.expect(stages->rows(), "rows of the stage posterior");
    if (stages->cols() == 0) throw Error("it is damaged: its stage posterior has no columns");
    biomarkers.expect(stages->cols() - 1, "columns of the stage posterior");
  }
  if (details.evidence) participants.expect_any(details.evidence->log_scores, "log scores");
  if (const auto& subtypes = details.subtypes) {
    if (subtypes->event_scores.rows() > 0)
      biomarkers.expect(subtypes->event_scores.cols(), "orders of progressions");
    participants.expect(subtypes->posterior.rows(), "shares of progressions");
    for (const auto& ranks : subtypes->rank_posteriors) {
      biomarkers.expect(ranks.rows(), "rows of the rank posterior of a progression");
      biomarkers.expect(ranks.cols(), "columns of the rank posterior of a progression");
    }
    if (!subtypes->rank_posteriors.empty() &&
        subtypes->rank_posteriors.size() != subtypes->shares.size())
      throw Error(fmt::format("it is damaged: it has {} of progressions, and {} of them",
                              counted(subtypes->rank_posteriors.size(), "rank posterior"),
                              counted(subtypes->shares.size(), "share")));
    if (subtypes->event_scores.rows() != subtypes->shares.size())
      throw Error(fmt::format("it is damaged: it has {} of progressions, and {} of them",
                              counted(subtypes->event_scores.rows(), "order"),
                              counted(subtypes->shares.size(), "share")));
  }
}

}  // namespace tempo
