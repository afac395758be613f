#include "conformance/subject.hpp"

#include <memory>
#include <utility>

#include "conformance/examples.hpp"
#include "conformance/training.hpp"
#include "tempo/error.hpp"

namespace tempo::conformance {
namespace {

/// The first plugin of the kind that needs no settings.
std::string any_plugin(const Registry& registry, InterfaceKind kind) {
  for (const auto& id : registry.usable_ids(kind)) {
    bool needs_some = false;
    for (const auto& spec : registry.find(kind, id)->parameters)
      needs_some = needs_some || spec.fallback.empty();
    if (!needs_some) return id;
  }
  return {};
}

/// Participants that stand everywhere: healthy, at whole stages and between them.
struct Visitors {
  Visitors(std::size_t participants, std::size_t biomarkers) {
    const auto last = static_cast<double>(biomarkers);
    for (std::size_t j = 0; j < participants; ++j) {
      const double share = static_cast<double>(j % 7) / 6.0;
      stages.push_back(last * share);
      diseased.push_back(share > 0.0 ? 1 : 0);
    }
    for (std::size_t b = 0; b < biomarkers; ++b) times.push_back(static_cast<double>(b + 1));
  }
  Timeline timeline() const { return {stages, diseased, times, {}}; }

  std::vector<double> stages;
  std::vector<std::uint8_t> diseased;
  std::vector<double> times;
};

std::vector<double> numbers_of(const SimulatedCohort& drawn) {
  auto out = drawn.cohort.measurements.values();
  const auto& truth = drawn.truth;
  out.insert(out.end(), truth.event_times.begin(), truth.event_times.end());
  out.insert(out.end(), truth.stages.begin(), truth.stages.end());
  out.insert(out.end(), truth.traits.begin(), truth.traits.end());
  return out;
}

/// Asks an object of the plugin with its settings, without training it.
template <class Question>
auto asked(const Subject& subject, const Question& question) {
  if (subject.is_trained()) return question(*subject.trainable_method());
  return question(Fitter(subject, plain_example().biomarkers).method());
}

}  // namespace

Subject::Subject(const Registry& registry, const PluginRecord& record, ParameterTable settings,
                 std::filesystem::path scratch)
    : registry_(registry),
      record_(record),
      settings_(std::move(settings)),
      scratch_(std::move(scratch)) {}

LabelUse Subject::labels() const {
  return asked(*this, [](const Method& method) { return method.label_use(); });
}

MissingData Subject::missing() const {
  return asked(*this, [](const Method& method) { return method.missing_data(); });
}

PartSpec Subject::part() const {
  PartSpec out{record_.id, settings_, {}};
  for (const auto& spec : record_.parameters)
    if (spec.part && spec.fallback.empty() && out.settings.find(spec.key) == nullptr)
      out.settings.set(spec.key, {{}, any_plugin(registry_, *spec.part)});
  return out;
}

PartSpec Subject::part_with(const std::string& key, ParameterValue value) const {
  auto out = part();
  out.settings.set(key, std::move(value));
  return out;
}

std::unique_ptr<GenerativeProcess> Subject::hypothesis(const BiomarkerTable& table) const {
  return registry_.hypothesis(part(), table);
}

std::unique_ptr<StagePrior> Subject::stage_prior() const { return registry_.stage_prior(part()); }

std::unique_ptr<MeasurementModel> Subject::measurement_model(const BiomarkerTable& table) const {
  return registry_.measurement_model(part(), table);
}

std::unique_ptr<TrainableMethod> Subject::trainable_method() const {
  return registry_.trainable_method(part());
}

void Subject::make(const PartSpec& part, const BiomarkerTable& table) const {
  switch (kind()) {
    case InterfaceKind::stage_prior:
      registry_.stage_prior(part);
      return;
    case InterfaceKind::measurement_model:
      registry_.measurement_model(part, table);
      return;
    case InterfaceKind::generative_process:
      registry_.hypothesis(part, table);
      return;
    case InterfaceKind::trainable_method:
      registry_.trainable_method(part);
      return;
    case InterfaceKind::metric:
      registry_.metric(part);
      return;
    case InterfaceKind::inference_method:
      if (assumes_process())
        registry_.method_under(part, *known_process(table));
      else
        registry_.method(part);
      return;
  }
}

Drawer::Drawer(const Subject& subject, const BiomarkerTable& table)
    : Drawer(subject, subject.part(), table) {}

Drawer::Drawer(const Subject& subject, const PartSpec& part, const BiomarkerTable& table) {
  const auto B = table.size();
  if (subject.kind() == InterfaceKind::stage_prior) {
    std::shared_ptr prior = subject.registry().stage_prior(part);
    draw_ = [prior, B](std::size_t participants, RandomStream& stream) {
      std::vector<double> stages(participants);
      prior->draw(B, stream, stages);
      return stages;
    };
  } else if (subject.kind() == InterfaceKind::measurement_model) {
    std::shared_ptr model = subject.registry().measurement_model(part, table);
    draw_ = [model, B](std::size_t participants, RandomStream& stream) {
      const Visitors people(participants, B);
      const auto traits = model->draw_traits(stream);
      Matrix x(participants, B);
      model->measure(people.timeline(), traits, stream, x.view());
      return x.values();
    };
  } else {
    std::shared_ptr process = subject.registry().hypothesis(part, table);
    draw_ = [process](std::size_t participants, RandomStream& stream) {
      return numbers_of(process->simulate({.participants = participants}, stream));
    };
  }
}

Fitter::Fitter(const Subject& subject, const BiomarkerTable& table) {
  if (subject.is_trained()) {
    method_ = trained(subject);
  } else if (subject.assumes_process()) {
    process_ = known_process(table);
    method_ = subject.registry().method_under(subject.part(), *process_);
  } else {
    method_ = subject.registry().method(subject.part());
  }
}

Cohort Fitter::shown(Cohort cohort) const {
  if (method_->label_use() == LabelUse::none) {
    cohort.diseased.clear();
    cohort.diagnoses.clear();
  }
  return cohort;
}

Inference Fitter::fit(const Cohort& cohort, std::uint64_t seed) const {
  auto stream = fit_stream(seed);
  return method_->fit(shown(cohort), stream);
}

RandomStream fit_stream(std::uint64_t seed) { return RandomStream(seed, "conformance", "fit"); }

}  // namespace tempo::conformance
