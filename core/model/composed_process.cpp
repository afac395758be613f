#include "tempo/composed_process.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "tempo/error.hpp"

namespace tempo {

FixedValue::FixedValue(std::initializer_list<FixedValue> list)
    : FixedValue(std::vector<FixedValue>(list)) {}

FixedValue::FixedValue(const PartSpec& part) {
  ParameterValue id;
  id.value = part.plugin;
  auto& table = value_.value.emplace<ParameterTable>(part.settings);
  table.set("plugin", std::move(id));
}

ParameterTable fixed_table(std::initializer_list<FixedSetting> settings) {
  ParameterTable table;
  for (const auto& [key, value] : settings) table.set(key, value.value());
  return table;
}

PartSpec fixed_part(std::string plugin, std::initializer_list<FixedSetting> settings) {
  return {std::move(plugin), fixed_table(settings), {}};
}

ComposedProcess::ComposedProcess(const Composition& composition, const ProcessContext& context)
    : GenerativeProcess(context.biomarkers),
      event_times_(composition.event_times),
      law_{composition.event_times, context.parts.stage_prior(composition.stage_prior),
           context.parts.measurement_model(composition.measurement_model, context.biomarkers),
           [&parts = context.parts,
            spec = composition.measurement_model](const BiomarkerTable& biomarkers) {
             return parts.measurement_model(spec, biomarkers);
           }} {}

ComposedProcess::~ComposedProcess() = default;

void ComposedProcess::set_plugin_id(std::string id) {
  event_times_.set_plugin_id(id);
  GenerativeProcess::set_plugin_id(std::move(id));
}

std::vector<double> ComposedProcess::do_draw_event_times(RandomStream&) const {
  throw PluginError("its event times are its own, but do_draw_event_times is not overridden");
}

std::vector<double> ComposedProcess::draw_event_times(RandomStream& stream) const {
  if (event_times_.kind() == EventTimes::Kind::own) return do_draw_event_times(stream);
  const auto B = biomarkers().size();
  std::vector<double> times;
  times.reserve(B);
  if (event_times_.kind() == EventTimes::Kind::permutation) {
    for (const auto rank : stream.permutation(B)) times.push_back(static_cast<double>(rank + 1));
  } else {
    for (std::size_t b = 0; b < B; ++b)
      times.push_back(static_cast<double>(B) *
                      stream.beta(event_times_.alpha(), event_times_.beta()));
  }
  return times;
}

SimulatedCohort ComposedProcess::do_simulate(const CohortSize& size, RandomStream& stream) const {
  const auto J = size.participants;
  const auto B = biomarkers().size();
  SimulatedCohort out;
  auto& [cohort, truth] = out;

  truth.event_times = draw_event_times(stream);
  if (truth.event_times.size() != B)
    throw ShapeError("event times: expected [B=" + std::to_string(B) + "], got [" +
                     std::to_string(truth.event_times.size()) + "]");
  truth.event_ranks = ranks_of(sequence_by_score(truth.event_times));
  truth.continuous_events =
      !std::equal(truth.event_times.begin(), truth.event_times.end(), truth.event_ranks.begin());

  // The first floor(J r) of a random order of the participants are the healthy.
  const auto healthy = healthy_count(size);
  std::vector<double> drawn(J - healthy);
  law_.stage_prior().draw(B, stream, drawn);
  const auto order = stream.permutation(J);
  truth.stages.assign(J, 0.0);
  cohort.diseased.assign(J, 0);
  for (std::size_t i = healthy; i < J; ++i) {
    truth.stages[order[i]] = drawn[i - healthy];
    cohort.diseased[order[i]] = 1;
  }
  truth.continuous_stages = law_.stage_prior().scale() == StageScale::continuous;

  truth.ordinal_stages.assign(J, 0);
  for (std::size_t j = 0; j < J; ++j)
    if (cohort.diseased[j] != 0)
      truth.ordinal_stages[j] = event_count(truth.event_times, truth.stages[j]);

  cohort.participants.reserve(J);
  for (std::size_t j = 0; j < J; ++j) cohort.participants.push_back(std::to_string(j));
  cohort.biomarkers = biomarkers().names();
  truth.traits = law_.measurement_model().draw_traits(stream);
  cohort.measurements = law_.measure(truth, cohort.diseased, stream);
  return out;
}

}  // namespace tempo
