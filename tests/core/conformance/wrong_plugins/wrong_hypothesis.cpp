// A hypothesis that is wrong in the way its setting asks for: h3, and something done to its
// cohorts.

#include <algorithm>
#include <memory>
#include <numeric>

#include "tempo/generative_process.hpp"
#include "tempo/process_law.hpp"
#include "wrong.hpp"

namespace tempo::test {
namespace {

BiomarkerTable table_of(const Faulty& faulty, const BiomarkerTable& given) {
  if (!faulty.has("other_table")) return given;
  return BiomarkerTable(std::vector<Biomarker>(given.begin(), given.end() - 1));
}

class WrongHypothesis final : public GenerativeProcess {
 public:
  WrongHypothesis(const Faulty& faulty, const ProcessContext& context)
      : GenerativeProcess(table_of(faulty, context.biomarkers)),
        faulty_(faulty),
        right_(context.parts.hypothesis({"h3", {}, {}}, biomarkers())) {}

  const ProcessLaw* law() const override { return right_->law(); }

 private:
  SimulatedCohort do_simulate(const CohortSize& size, RandomStream& stream) const override {
    auto drawn = right_->simulate(size, stream);
    auto& [cohort, truth] = drawn;
    auto& x = cohort.measurements;
    if (faulty_.has("healthy_first")) sort_rows(drawn);
    if (faulty_.has("hidden_times"))  // no ranks any more, and no word of it
      for (double& time : truth.event_times) time -= 0.5;
    if (faulty_.has("order_of_columns")) order_columns(truth, cohort);
    for (std::size_t j = 0; j < x.rows(); ++j)
      for (std::size_t b = 0; b < x.cols(); ++b) {
        const auto& [name, phi, theta] = biomarkers()[b];
        const bool is_late = truth.event_ranks[b] > x.cols() / 2;
        if (faulty_.has("healthy_tell") && cohort.diseased[j] == 0 && is_late) x(j, b) += phi.sd;
        if (faulty_.has("not_its_law") && cohort.diseased[j] != 0) x(j, b) += phi.sd;
        if (faulty_.has("knows_a_name") && name.find(' ') != std::string::npos) x(j, b) += phi.sd;
      }
    return drawn;
  }

  static void count_events(Truth& truth, const Cohort& cohort) {
    for (std::size_t j = 0; j < truth.stages.size(); ++j)
      if (cohort.diseased[j] != 0)
        truth.ordinal_stages[j] = event_count(truth.event_times, truth.stages[j]);
  }

  static void order_columns(Truth& truth, const Cohort& cohort) {
    std::vector<std::size_t> ranks(truth.event_times.size());
    std::iota(ranks.begin(), ranks.end(), 1);
    truth.event_ranks = Ranks(ranks);
    truth.event_times.assign(ranks.begin(), ranks.end());
    count_events(truth, cohort);
  }

  static void sort_rows(SimulatedCohort& drawn) {
    auto& [cohort, truth] = drawn;
    const auto before = drawn;
    std::vector<std::size_t> rows(cohort.participant_count());
    std::iota(rows.begin(), rows.end(), 0);
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return before.cohort.diseased[a] < before.cohort.diseased[b];
    });
    for (std::size_t j = 0; j < rows.size(); ++j) {
      cohort.diseased[j] = before.cohort.diseased[rows[j]];
      truth.stages[j] = before.truth.stages[rows[j]];
      truth.ordinal_stages[j] = before.truth.ordinal_stages[rows[j]];
      const auto row = before.cohort.measurements.row(rows[j]);
      std::copy(row.begin(), row.end(), cohort.measurements.row(j).begin());
    }
  }

  Faulty faulty_;
  std::unique_ptr<GenerativeProcess> right_;
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::test::WrongHypothesis, tempo::test::Faulty,
             (tempo::test::wrong_info("wrong_hypothesis")));
