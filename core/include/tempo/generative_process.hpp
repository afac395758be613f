#pragma once

#include <compare>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/contexts.hpp"
#include "tempo/export.hpp"
#include "tempo/part_factory.hpp"
#include "tempo/plugin_object.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {

class ProcessLaw;

/// How large a cohort is and what share of it is healthy.
struct CohortSize {
  std::size_t participants = 726;  ///< J >= 1
  double healthy_ratio = 0.21;     ///< r in [0, 1): floor(J r) participants are healthy
};

/// floor(J r), the number of healthy participants; r is the decimal number that was written: 29 of
/// 100 for 0.29, although its nearest double is a little less.
TEMPO_API std::size_t healthy_count(const CohortSize& size);

/// A plugin that a hypothesis made a part of.
struct PartId {
  InterfaceKind kind = InterfaceKind::stage_prior;
  std::string plugin;
  auto operator<=>(const PartId&) const = default;
};

/// A hypothesis: how cohorts of one visit per participant come about.
///
/// A process that consists of event times, a stage prior and a measurement model derives from
/// ComposedProcess instead. Objects are immutable: const calls are thread-safe.
class TEMPO_API GenerativeProcess : public PluginObject {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::generative_process;
  using Context = ProcessContext;

  ~GenerativeProcess() override;

  const BiomarkerTable& biomarkers() const { return biomarkers_; }
  /// Draws one cohort with its truth; columns as in `biomarkers()`, floor(J r) healthy.
  /// @param stream the only source of randomness: the same stream gives the same cohort.
  /// @throws NumericError if the size is out of range or the result breaks the rules of Cohort and
  ///   Truth, has other biomarkers, or not the participants and healthy asked for; PluginError if
  ///   the plugin throws.
  SimulatedCohort simulate(const CohortSize& size, RandomStream& stream) const;

  /// The law of the cohorts in its parts; null if it is not known or has no such parts.
  virtual const ProcessLaw* law() const { return nullptr; }

  /// The plugins that it is made of, those of its parts included, ascending and each once. Results
  /// depend on their versions.
  const std::vector<PartId>& parts() const { return parts_; }
  /// Called once by the registry.
  /// @param factory  that made them; kept as long as this object, whose members may use it
  void set_parts(std::vector<PartId> parts, std::shared_ptr<const PartFactory> factory);

 protected:
  explicit GenerativeProcess(BiomarkerTable biomarkers) : biomarkers_(std::move(biomarkers)) {}

 private:  // What a plugin writes.
  virtual SimulatedCohort do_simulate(const CohortSize& size, RandomStream& stream) const = 0;

  BiomarkerTable biomarkers_;
  std::vector<PartId> parts_;
  std::shared_ptr<const PartFactory> factory_;
};

}  // namespace tempo
