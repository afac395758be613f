// Several progressions of a hypothesis in one cohort: README.md.

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "subtype_law.hpp"
#include "tempo/error.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/plugin.hpp"
#include "tempo/process_law.hpp"

namespace tempo {
namespace {

using mixture::SubtypeLaw;

struct MixtureSettings {
  explicit MixtureSettings(Parameters& keys)
      : hypothesis(keys.part("hypothesis", InterfaceKind::generative_process, std::nullopt,
                             "what each progression follows")),
        subtypes(mixture::read_subtypes(keys)) {}

  PartSpec hypothesis;
  SubtypeLaw subtypes;
};

/// Who is what, before anything is measured.
struct Members {
  std::vector<std::size_t> healthy;                ///< rows
  std::vector<std::vector<std::size_t>> diseased;  ///< [K] rows
};

class Mixture final : public GenerativeProcess {
 public:
  Mixture(const MixtureSettings& settings, const ProcessContext& context)
      : GenerativeProcess(context.biomarkers),
        subtypes_(settings.subtypes),
        base_(context.parts.hypothesis(settings.hypothesis, context.biomarkers)) {
    if (base_->law() == nullptr && subtypes_.orders == SubtypeLaw::Orders::mallows)
      throw Error("hypothesis '" + base_->plugin_id() +
                  "' is not composed of parts, so that the order of its events cannot be set: use "
                  "subtypes = { orders = \"independent\" }");
  }

 private:
  SimulatedCohort do_simulate(const CohortSize& size, RandomStream& stream) const override {
    const auto K =
        static_cast<std::size_t>(subtypes_.least_number) +
        stream.index(static_cast<std::size_t>(subtypes_.most_number - subtypes_.least_number + 1));
    const auto members = draw_members(size, K, stream);
    return base_->law() == nullptr ? put_together(size, members, stream)
                                   : composed(*base_->law(), size, members, stream);
  }

  Members draw_members(const CohortSize& size, std::size_t subtypes, RandomStream& stream) const {
    const auto healthy = healthy_count(size);
    const auto sizes =
        mixture::draw_sizes(subtypes_, subtypes, size.participants - healthy, stream);
    const auto rows = stream.permutation(size.participants);
    auto next = rows.begin() + static_cast<std::ptrdiff_t>(healthy);
    Members out{{rows.begin(), next}, {}};
    for (const auto n : sizes) {
      out.diseased.emplace_back(next, next + static_cast<std::ptrdiff_t>(n));
      next += static_cast<std::ptrdiff_t>(n);
    }
    return out;
  }

  /// A cohort in which nobody is diseased yet.
  SimulatedCohort blank(const CohortSize& size) const {
    SimulatedCohort out;
    auto& [cohort, truth] = out;
    const auto J = size.participants, B = biomarkers().size();
    for (std::size_t j = 0; j < J; ++j) cohort.participants.push_back(std::to_string(j));
    cohort.biomarkers = biomarkers().names();
    cohort.measurements = Matrix(J, B);
    cohort.diseased.assign(J, 0);
    truth.stages.assign(J, 0.0);
    truth.ordinal_stages.assign(J, 0);
    truth.subtypes.emplace().subtype.assign(J, -1);
    return out;
  }

  // ---------------------------------------------------------------- of a hypothesis in parts

  SimulatedCohort composed(const ProcessLaw& law, const CohortSize& size, const Members& members,
                           RandomStream& stream) const {
    auto out = blank(size);
    auto& [cohort, truth] = out;
    auto& subtypes = *truth.subtypes;
    const auto B = biomarkers().size();
    subtypes.progressions = draw_progressions(members.diseased.size(), stream);
    truth.continuous_events = std::any_of(
        subtypes.progressions.begin(), subtypes.progressions.end(), [](const auto& progression) {
          return !std::equal(progression.event_times.begin(), progression.event_times.end(),
                             progression.event_ranks.begin());
        });
    truth.continuous_stages = law.stage_prior().scale() == StageScale::continuous;
    truth.traits = law.measurement_model().draw_traits(stream);
    for (std::size_t s = 0; s < members.diseased.size(); ++s) {
      std::vector<double> stages(members.diseased[s].size());
      if (!stages.empty()) law.stage_prior().draw(B, stream, stages);
      for (std::size_t i = 0; i < stages.size(); ++i) {
        const auto row = members.diseased[s][i];
        cohort.diseased[row] = 1;
        subtypes.subtype[row] = static_cast<int>(s);
        truth.stages[row] = stages[i];
        truth.ordinal_stages[row] = event_count(subtypes.progressions[s].event_times, stages[i]);
      }
    }
    const auto times = cell_event_times(law, subtypes, stream);
    law.measurement_model().measure(
        {truth.stages, cohort.diseased, subtypes.progressions.front().event_times,
         std::as_const(times).view()},
        truth.traits, stream, cohort.measurements.view());
    return out;
  }

  /// Event times as a cohort of one participant has them.
  std::vector<double> draw_times(RandomStream& stream) const {
    constexpr CohortSize kSmallest{.participants = 1, .healthy_ratio = 0.0};
    return base_->simulate(kSmallest, stream).truth.event_times;
  }

  /// All drawn anew until no two have the same order, if there are as many orders.
  std::vector<Progression> draw_progressions(std::size_t subtypes, RandomStream& stream) const {
    constexpr int kMostTries = 1000;
    const bool about_centre = subtypes_.orders == SubtypeLaw::Orders::mallows;
    const double dispersion =
        subtypes_.least_dispersion +
        (subtypes_.most_dispersion - subtypes_.least_dispersion) * stream.uniform();
    const auto centre = order_of(draw_times(stream));
    std::vector<std::vector<double>> times(subtypes);
    for (auto& of_subtype : times) of_subtype = draw_times(stream);
    std::vector<std::vector<std::size_t>> orders;
    const auto differ = [&] {
      return std::set(orders.begin(), orders.end()).size() == orders.size();
    };
    for (int attempt = 0; attempt < kMostTries && (orders.empty() || !differ()); ++attempt) {
      orders.clear();
      for (auto& of_subtype : times) {
        if (!about_centre && attempt > 0) of_subtype = draw_times(stream);
        orders.push_back(about_centre ? mixture::draw_mallows(centre, dispersion, stream)
                                      : order_of(of_subtype));
      }
    }
    if (!differ() && has_as_many_orders(subtypes))
      throw Error("in " + std::to_string(kMostTries) + " draws " + std::to_string(subtypes) +
                  " subtypes never had orders that all differ: lower 'number'" +
                  (about_centre ? " or 'dispersion'" : ""));
    std::vector<Progression> out;
    for (std::size_t s = 0; s < subtypes; ++s) out.push_back(progression(orders[s], times[s]));
    return out;
  }

  bool has_as_many_orders(std::size_t subtypes) const {
    std::size_t orders = 1;
    for (std::size_t b = 2; b <= biomarkers().size() && orders < subtypes; ++b) orders *= b;
    return orders >= subtypes;
  }

  static std::vector<std::size_t> order_of(const std::vector<double>& times) {
    const auto sequence = sequence_by_score(times);
    return {sequence.begin(), sequence.end()};
  }

  /// The times given to events in this order.
  static Progression progression(const std::vector<std::size_t>& order, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    Progression out{std::vector<double>(times.size()), ranks_of(Sequence(order))};
    for (std::size_t i = 0; i < order.size(); ++i) out.event_times[order[i]] = times[i];
    return out;
  }

  /// [J, B] of each participant's own progression, with the noise of event times; of the healthy
  /// those of the first.
  Matrix cell_event_times(const ProcessLaw& law, const TrueSubtypes& subtypes,
                          RandomStream& stream) const {
    const auto J = subtypes.subtype.size(), B = biomarkers().size();
    const auto last = static_cast<double>(B);
    const double sd = law.event_times().noise_sd() * last;
    Matrix out(J, B);
    for (std::size_t j = 0; j < J; ++j) {
      const int subtype = subtypes.subtype[j];
      const auto& times =
          subtypes.progressions[static_cast<std::size_t>(std::max(subtype, 0))].event_times;
      const auto row = out.row(j);
      std::copy(times.begin(), times.end(), row.begin());
      if (subtype < 0 || sd == 0.0) continue;
      for (double& time : row) time = std::clamp(time + sd * stream.normal(), 0.0, last);
    }
    return out;
  }

  // ------------------------------------------------------------------- of any other hypothesis

  /// Each subtype is a small cohort of its own, with its part of the healthy.
  SimulatedCohort put_together(const CohortSize& size, const Members& members,
                               RandomStream& stream) const {
    auto out = blank(size);
    std::size_t placed = 0, diseased_before = 0;
    const std::size_t diseased = size.participants - members.healthy.size();
    for (std::size_t s = 0; s < members.diseased.size(); ++s) {
      const auto& rows = members.diseased[s];
      diseased_before += rows.size();
      const auto until = members.healthy.size() * diseased_before / diseased;
      add_small_cohort(s, rows,
                       {members.healthy.begin() + static_cast<std::ptrdiff_t>(placed),
                        members.healthy.begin() + static_cast<std::ptrdiff_t>(until)},
                       stream, out);
      placed = until;
    }
    return out;
  }

  void add_small_cohort(std::size_t s, const std::vector<std::size_t>& diseased,
                        const std::vector<std::size_t>& healthy, RandomStream& stream,
                        SimulatedCohort& out) const {
    auto& [cohort, truth] = out;
    const auto n = diseased.size() + healthy.size();
    if (diseased.empty()) {  // nobody follows it, but it has an order
      const auto times = draw_times(stream);
      truth.subtypes->progressions.push_back({times, ranks_of(sequence_by_score(times))});
      return;
    }
    const auto part =
        base_->simulate({n, static_cast<double>(healthy.size()) / static_cast<double>(n)}, stream);
    if (part.truth.subtypes)
      throw NumericError("hypothesis '" + base_->plugin_id() + "' has subtypes itself");
    truth.continuous_events |= part.truth.continuous_events;
    truth.continuous_stages |= part.truth.continuous_stages;
    truth.subtypes->progressions.push_back({part.truth.event_times, part.truth.event_ranks});
    auto next_diseased = diseased.begin();
    auto next_healthy = healthy.begin();
    for (std::size_t i = 0; i < n; ++i) {
      const bool is_diseased = part.cohort.diseased[i] != 0;
      const auto row = is_diseased ? *next_diseased++ : *next_healthy++;
      std::ranges::copy(part.cohort.measurements.row(i), cohort.measurements.row(row).begin());
      cohort.diseased[row] = part.cohort.diseased[i];
      truth.stages[row] = part.truth.stages[i];
      truth.ordinal_stages[row] = part.truth.ordinal_stages[i];
      if (is_diseased) truth.subtypes->subtype[row] = static_cast<int>(s);
    }
  }

  SubtypeLaw subtypes_;
  std::unique_ptr<GenerativeProcess> base_;
};

}  // namespace
}  // namespace tempo

TEMPO_PLUGIN(tempo::GenerativeProcess, tempo::Mixture, tempo::MixtureSettings,
             {.id = "mixture",
              .version = "1.0.1",
              .licence = "MIT",
              .summary = "subtypes: several progressions of another hypothesis in one cohort",
              .source = "Hao & Austerweil 2025, PMLR 297 (ML4H), the simulated cohorts; Doignon, "
                        "Pekec & Regenwetter 2004, Psychometrika 69(1), 33-54"});
