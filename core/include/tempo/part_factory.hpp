#pragma once

#include <memory>

#include "tempo/biomarker_table.hpp"
#include "tempo/export.hpp"
#include "tempo/parameters.hpp"

namespace tempo {

class GenerativeProcess;
class MeasurementModel;
class StagePrior;

/// How a hypothesis gets its parts, which are plugins of their own. The registry implements it.
class TEMPO_API PartFactory {
 public:
  virtual ~PartFactory();

  /// Checks that the plugin exists and takes these settings; faults go to `problems`.
  /// @return the part with every default filled in.
  virtual PartSpec resolve(InterfaceKind kind, const PartSpec& part, const std::string& where,
                           Problems& problems) const = 0;
  /// @throws PluginError, InputError
  virtual std::unique_ptr<StagePrior> stage_prior(const PartSpec& part) const = 0;
  /// @throws PluginError, InputError
  virtual std::unique_ptr<MeasurementModel> measurement_model(
      const PartSpec& part, const BiomarkerTable& biomarkers) const = 0;
  /// @throws PluginError, InputError
  virtual std::unique_ptr<GenerativeProcess> hypothesis(const PartSpec& part,
                                                        const BiomarkerTable& biomarkers) const = 0;
};

}  // namespace tempo
