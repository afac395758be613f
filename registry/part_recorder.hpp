#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tempo/generative_process.hpp"
#include "tempo/part_factory.hpp"

namespace tempo {

/// The factory that one hypothesis gets: notes the plugins it makes parts of, those of nested
/// hypotheses included.
///
/// As long as the constructor of the hypothesis runs, parts are made on one thread and noted. Then
/// the recorder is closed: from now on it is thread-safe, and refuses plugins that it has not
/// noted.
class PartRecorder final : public PartFactory {
 public:
  /// @param parts  outlives the recorder
  /// @param hypothesis  the id of the plugin, for complaints
  PartRecorder(const PartFactory& parts, std::string hypothesis);

  /// @return the plugins noted, ascending and each once
  std::vector<PartId> close();

  PartSpec resolve(InterfaceKind kind, const PartSpec& part, const std::string& where,
                   Problems& problems) const override;
  /// @throws PluginError (also if it is closed and has not made a part of that plugin), InputError
  std::unique_ptr<StagePrior> stage_prior(const PartSpec& part) const override;
  std::unique_ptr<MeasurementModel> measurement_model(
      const PartSpec& part, const BiomarkerTable& biomarkers) const override;
  std::unique_ptr<GenerativeProcess> hypothesis(const PartSpec& part,
                                                const BiomarkerTable& biomarkers) const override;

 private:
  /// Notes a plugin, or refuses it.
  void note(const PartId& part) const;

  const PartFactory& parts_;
  std::string hypothesis_;
  bool is_closed_ = false;
  mutable std::set<PartId> made_;  // does not change once closed
};

}  // namespace tempo
