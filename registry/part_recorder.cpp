#include "part_recorder.hpp"

#include <fmt/format.h>

#include <utility>

#include "tempo/error.hpp"
#include "tempo/measurement_model.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo {

PartRecorder::PartRecorder(const PartFactory& parts, std::string hypothesis)
    : parts_(parts), hypothesis_(std::move(hypothesis)) {}

std::vector<PartId> PartRecorder::close() {
  is_closed_ = true;
  return {made_.begin(), made_.end()};
}

void PartRecorder::note(const PartId& part) const {
  if (!is_closed_)
    made_.insert(part);
  else if (!made_.contains(part))
    throw PluginError(fmt::format(
        "plugin {}, while making {} '{}': its constructor has made no such part; make parts in the "
        "constructor, so that results know their versions",
        hypothesis_, to_string(part.kind), part.plugin));
}

PartSpec PartRecorder::resolve(InterfaceKind kind, const PartSpec& part, const std::string& where,
                               Problems& problems) const {
  return parts_.resolve(kind, part, where, problems);
}

std::unique_ptr<StagePrior> PartRecorder::stage_prior(const PartSpec& part) const {
  note({InterfaceKind::stage_prior, part.plugin});
  return parts_.stage_prior(part);
}

std::unique_ptr<MeasurementModel> PartRecorder::measurement_model(
    const PartSpec& part, const BiomarkerTable& biomarkers) const {
  note({InterfaceKind::measurement_model, part.plugin});
  return parts_.measurement_model(part, biomarkers);
}

std::unique_ptr<GenerativeProcess> PartRecorder::hypothesis(
    const PartSpec& part, const BiomarkerTable& biomarkers) const {
  note({InterfaceKind::generative_process, part.plugin});
  auto made = parts_.hypothesis(part, biomarkers);
  for (const auto& nested : made->parts()) note(nested);
  return made;
}

}  // namespace tempo
