#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tempo/event_times.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/part_factory.hpp"
#include "tempo/process_law.hpp"

namespace tempo {

struct FixedSetting;

/// A value that a plugin fixes for one of its parts, of any type that settings have: a flag, an
/// integer, a number, a text, a list of these, a table (fixed_table) or a part (fixed_part).
/// Conversions are implicit, so that settings read as they do in an experiment file.
class TEMPO_API FixedValue {
 public:
  template <std::integral Integer>
  FixedValue(Integer number) {
    if constexpr (std::same_as<Integer, bool>)
      value_.value = number;
    else
      value_.value = static_cast<std::int64_t>(number);
  }
  FixedValue(double number) : value_{{}, number} {}
  FixedValue(const char* text) : value_{{}, std::string(text)} {}
  FixedValue(std::string text) : value_{{}, std::move(text)} {}
  FixedValue(std::initializer_list<FixedValue> list);
  template <class Item>
  FixedValue(const std::vector<Item>& list) : value_{{}, ParameterValue::Array()} {
    for (const auto& item : list)
      std::get<ParameterValue::Array>(value_.value).push_back(FixedValue(item).value());
  }
  FixedValue(ParameterTable table) : value_{{}, std::move(table)} {}
  FixedValue(const PartSpec& part);

  const ParameterValue& value() const { return value_; }

 private:
  ParameterValue value_;
};

struct FixedSetting {
  std::string_view key;
  FixedValue value;
};

/// A part with the settings it is to use: `fixed_part("beta", {{"alpha", 5.0}, {"beta", 2.0}})`.
TEMPO_API PartSpec fixed_part(std::string plugin,
                              std::initializer_list<FixedSetting> settings = {});

/// A setting that is a table: `{"noise", fixed_table({{"kind", "normal"}, {"sd", 0.5}})}`.
TEMPO_API ParameterTable fixed_table(std::initializer_list<FixedSetting> settings);

/// The parts of a composed hypothesis by the ids of their plugins.
struct Composition {
  EventTimes event_times = permutation_times();
  PartSpec stage_prior;
  PartSpec measurement_model;
};

/// Event times + stage prior + measurement model -> (cohort, truth).
///
/// Source: Hao & Austerweil (CHIL 2026), the cohort skeleton shared by the nine hypotheses: floor(J
/// r) participants are healthy with k = 0, the others' stages come from the prior, participants are
/// shuffled, and the ordinal truth y_j is the number of biomarkers with xi_b <= k_j (un-noised xi).
/// Cost: O(J B). A hypothesis with event times of its own gives `own_times()` and overrides
/// do_draw_event_times.
class TEMPO_API ComposedProcess : public GenerativeProcess {
 public:
  /// @throws PluginError or InputError if a part cannot be made.
  ComposedProcess(const Composition& composition, const ProcessContext& context);
  ~ComposedProcess() override;

  /// Never null.
  const ProcessLaw* law() const override { return &law_; }
  void set_plugin_id(std::string id) override;

 private:
  std::vector<double> draw_event_times(RandomStream& stream) const;
  /// Draws xi [B] on the scale 0..B, in the order of `biomarkers()`. Called only if the composition
  /// gives own_times, so that methods which infer from the law of event times are not misled.
  virtual std::vector<double> do_draw_event_times(RandomStream& stream) const;
  SimulatedCohort do_simulate(const CohortSize& size, RandomStream& stream) const override;

  EventTimes event_times_;  // shares its law with that of law_
  ProcessLaw law_;
};

}  // namespace tempo
