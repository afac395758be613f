#pragma once

namespace tempo {

class BiomarkerTable;
class GenerativeProcess;
class PartFactory;

// What a plugin may use when it makes an object, by kind. Its class has one of the constructors
// `(const Settings&, const Context&)`, `(const Settings&)` and `()`. What a context refers to
// outlives the object, but for the biomarkers: copy them.

/// Of a measurement model.
struct MeasurementModelContext {
  const BiomarkerTable& biomarkers;
};

/// Of a hypothesis.
struct ProcessContext {
  const BiomarkerTable& biomarkers;
  /// Makes stage priors, measurement models and other hypotheses. A plugin that the constructor has
  /// made no part of is refused later, because results have to know the versions of all parts.
  const PartFactory& parts;
};

/// Of a method that infers under a hypothesis. A method that has a constructor `(const Settings&,
/// const AssumptionContext&)` is one.
struct AssumptionContext {
  const GenerativeProcess& process;  ///< of the cohorts at hand, or whatever the user assumes
};

/// Of the other kinds: stage priors and methods that are trained.
struct NoContext {};

}  // namespace tempo
