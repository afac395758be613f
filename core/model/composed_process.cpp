#include "tempo/composed_process.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "tempo/error.hpp"

namespace tempo {

EventTimes read_event_times(Parameters& keys, const std::string& key) {
  const ParameterValue fallback{keys.place_of(key), std::string("permutation")};
  const auto* value = keys.raw(key, "'permutation', 'beta' or a table",
                               "how event times come about", "\"permutation\"");
  if (value == nullptr) value = &fallback;
  ParameterTable table;
  if (const auto* kind = std::get_if<std::string>(&value->value)) {
    table.place = value->place;
    table.set("kind", ParameterValue{value->place, *kind});
  } else if (const auto* given = std::get_if<ParameterTable>(&value->value)) {
    table = *given;
    // What `--set event_times.alpha=3` makes of a text: it takes all texts for names of plugins.
    if (table.find("kind") == nullptr)
      for (auto& entry : table.entries)
        if (entry.key == "plugin") entry.key = "kind";
  } else {
    keys.complain(key, "expected 'permutation', 'beta' or a table with kind, not " +
                           std::string(kind_of(*value)));
    return {};
  }
  EventTimes out;
  Parameters nested(table, keys.where() + " " + key, keys.problems());
  const auto kind =
      nested.choice("kind", std::nullopt, {"permutation", "beta"}, "law of the event times");
  if (kind == "beta") {
    out.kind = EventTimes::Kind::beta;
    out.alpha = nested.number("alpha", 2.0, positive, "first shape of xi / B");
    out.beta = nested.number("beta", 2.0, positive, "second shape of xi / B");
  }
  out.noise_sd = nested.number("noise_sd", kind == "beta" ? 0.05 : 0.0, unit_interval,
                               "noise of a cell's own event time", "B");
  nested.report_unread();
  keys.resolve(key, nested.resolved());
  return out;
}

PartSpec fixed_part(std::string plugin,
                    std::initializer_list<std::pair<std::string_view, double>> numbers) {
  PartSpec part{std::move(plugin), {}, {}};
  for (const auto& [key, number] : numbers) part.settings.set(key, {{}, number});
  return part;
}

ComposedProcess::ComposedProcess(const Composition& composition, const BuildContext& context)
    : GenerativeProcess(*context.biomarkers),
      parts_(context.parts),
      composition_(composition),
      stage_prior_(context.parts->stage_prior(composition.stage_prior)),
      measurement_model_(
          context.parts->measurement_model(composition.measurement_model, *context.biomarkers)) {}

ComposedProcess::ComposedProcess(const ComposedProcess& other,
                                 std::shared_ptr<const MeasurementModel> model)
    : GenerativeProcess(model->biomarkers()),
      parts_(other.parts_),
      composition_(other.composition_),
      stage_prior_(other.stage_prior_),
      measurement_model_(std::move(model)) {
  set_plugin_id(other.plugin_id());
}

std::unique_ptr<MeasurementModel> ComposedProcess::measurement_model(
    const BiomarkerTable& biomarkers) const {
  return parts_->measurement_model(composition_.measurement_model, biomarkers);
}

std::unique_ptr<ComposedProcess> ComposedProcess::with_measurement_model(
    std::shared_ptr<const MeasurementModel> model) const {
  return std::unique_ptr<ComposedProcess>(new ComposedProcess(*this, std::move(model)));
}

ComposedProcess::~ComposedProcess() = default;

std::vector<double> ComposedProcess::do_draw_event_times(RandomStream&) const {
  throw PluginError("its event times are its own, but do_draw_event_times is not overridden");
}

std::vector<double> ComposedProcess::draw_event_times(RandomStream& stream) const {
  if (composition_.event_times.kind == EventTimes::Kind::own) return do_draw_event_times(stream);
  const auto B = biomarkers().size();
  std::vector<double> times;
  times.reserve(B);
  if (composition_.event_times.kind == EventTimes::Kind::permutation) {
    for (const auto rank : stream.permutation(B)) times.push_back(static_cast<double>(rank + 1));
  } else {
    for (std::size_t b = 0; b < B; ++b)
      times.push_back(static_cast<double>(B) *
                      stream.beta(composition_.event_times.alpha, composition_.event_times.beta));
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
  stage_prior_->draw(B, stream, drawn);
  const auto order = stream.permutation(J);
  truth.stages.assign(J, 0.0);
  cohort.diseased.assign(J, 0);
  for (std::size_t i = healthy; i < J; ++i) {
    truth.stages[order[i]] = drawn[i - healthy];
    cohort.diseased[order[i]] = 1;
  }
  truth.continuous_stages = !stage_prior_->ordinal();

  truth.ordinal_stages.assign(J, 0);
  for (std::size_t j = 0; j < J; ++j)
    if (cohort.diseased[j] != 0)
      truth.ordinal_stages[j] = event_count(truth.event_times, truth.stages[j]);

  cohort.participants.reserve(J);
  for (std::size_t j = 0; j < J; ++j) cohort.participants.push_back(std::to_string(j));
  cohort.biomarkers = biomarkers().names();
  truth.traits = measurement_model_->draw_traits(stream);
  cohort.measurements = measure(truth, cohort.diseased, stream);
  return out;
}

Matrix ComposedProcess::measure(const Truth& truth, std::span<const std::uint8_t> diseased,
                                RandomStream& stream) const {
  const auto J = truth.stages.size();
  const auto B = biomarkers().size();
  if (diseased.size() != J || truth.event_times.size() != B)
    throw ShapeError("truth: expected [J=" + std::to_string(J) + "] labels and [B=" +
                     std::to_string(B) + "] event times, got " + std::to_string(diseased.size()) +
                     " and " + std::to_string(truth.event_times.size()));
  Matrix cell_event_times;
  if (composition_.event_times.noise_sd > 0.0) {
    cell_event_times = Matrix(J, B);
    const auto last = static_cast<double>(B);
    const double sd = composition_.event_times.noise_sd * last;
    for (std::size_t j = 0; j < J; ++j) {
      const auto row = cell_event_times.row(j);
      if (diseased[j] != 0) {
        stream.normals(row);
        std::transform(truth.event_times.begin(), truth.event_times.end(), row.begin(), row.begin(),
                       [=](double xi, double z) { return std::clamp(xi + sd * z, 0.0, last); });
      } else {
        std::copy(truth.event_times.begin(), truth.event_times.end(), row.begin());
      }
    }
  }

  Matrix x(J, B);
  measurement_model_->measure(
      {truth.stages, diseased, truth.event_times, std::as_const(cell_event_times).view()},
      truth.traits, stream, x.view());
  return x;
}

}  // namespace tempo
