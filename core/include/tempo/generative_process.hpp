#pragma once

#include <cstddef>
#include <cstdint>

#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/export.hpp"
#include "tempo/plugin_object.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {

/// How large a cohort is and what share of it is healthy.
struct CohortSize {
  std::size_t participants = 726;  ///< J >= 1
  double healthy_ratio = 0.21;     ///< r in [0, 1): floor(J r) participants are healthy
};

/// floor(J r), the number of healthy participants; r is the decimal number that was written: 29 of
/// 100 for 0.29, although its nearest double is a little less.
TEMPO_API std::size_t healthy_count(const CohortSize& size);

/// A hypothesis: how cohorts of one visit per participant come about.
///
/// A process that consists of event times, a stage prior and a measurement model derives from
/// ComposedProcess instead. Objects are immutable: const calls are thread-safe.
class TEMPO_API GenerativeProcess : public PluginObject {
 public:
  static constexpr InterfaceKind kKind = InterfaceKind::generative_process;
  static constexpr std::uint32_t kInterfaceVersion = 1;

  ~GenerativeProcess() override;

  const BiomarkerTable& biomarkers() const { return biomarkers_; }
  /// Draws one cohort with its truth; columns as in `biomarkers()`, floor(J r) healthy.
  /// @param stream the only source of randomness: the same stream gives the same cohort.
  /// @throws NumericError if the size is out of range or the result breaks the rules of Cohort and
  ///   Truth, has other biomarkers, or not the participants and healthy asked for; PluginError if
  ///   the plugin throws.
  SimulatedCohort simulate(const CohortSize& size, RandomStream& stream) const;

 protected:
  explicit GenerativeProcess(BiomarkerTable biomarkers) : biomarkers_(std::move(biomarkers)) {}

 private:  // What a plugin writes.
  virtual SimulatedCohort do_simulate(const CohortSize& size, RandomStream& stream) const = 0;

  BiomarkerTable biomarkers_;
};

}  // namespace tempo
