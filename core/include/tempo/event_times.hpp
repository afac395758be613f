#pragma once

#include <memory>
#include <span>
#include <string>

#include "tempo/export.hpp"
#include "tempo/parameters.hpp"
#include "tempo/plugin_object.hpp"

namespace tempo {

/// Where event times may lie.
enum class TimeSupport {
  stages,  ///< anywhere on the scale 0..B: times have a density
  ranks,   ///< a permutation of 1..B: each has a probability
};

/// The law of a cohort's event times xi, all of them together. A hypothesis that states it lets
/// methods infer from it; the law has to agree with what the hypothesis draws.
class TEMPO_API EventTimeLaw : public PluginObject {
 public:
  explicit EventTimeLaw(TimeSupport support = TimeSupport::stages) : support_(support) {}
  ~EventTimeLaw() override;

  TimeSupport support() const { return support_; }
  /// Of times their log density, in nats per stage and event; of ranks the logarithm of their
  /// probability. -inf where impossible. A constant may be left out: methods use ratios.
  /// @param times xi [B] on the scale 0..B
  /// @throws NumericError if the plugin returns NaN or +inf; PluginError if it throws.
  double log_density(std::span<const double> times) const;

 private:  // What a plugin writes.
  virtual double do_log_density(std::span<const double> times) const = 0;

  TimeSupport support_;
};

/// How event times xi come about: made by permutation_times, beta_times or own_times.
class TEMPO_API EventTimes {
 public:
  enum class Kind {
    permutation,  ///< xi is a uniformly random permutation of 1..B
    beta,         ///< xi_b = B * Beta(alpha, beta), independently
    own,          ///< as the hypothesis's do_draw_event_times draws them
  };

  Kind kind() const { return kind_; }
  double alpha() const { return alpha_; }  ///< beta only; > 0
  double beta() const { return beta_; }    ///< beta only; > 0
  /// Share of B; when measured, each diseased (j, b) uses clip(xi_b + N(0, (noise_sd B)^2), 0, B).
  double noise_sd() const { return noise_sd_; }
  /// The law of xi without that noise; null if it is not known.
  const EventTimeLaw* law() const { return law_.get(); }

  /// Whether the law is known and gives each permutation of 1..B a probability.
  bool are_ranks() const { return law_ != nullptr && law_->support() == TimeSupport::ranks; }

  /// Passes the id of the hypothesis on to the law.
  void set_plugin_id(const std::string& id);

 private:
  EventTimes(Kind kind, double alpha, double beta, double noise_sd,
             std::shared_ptr<EventTimeLaw> law);
  friend TEMPO_API EventTimes permutation_times(double noise_sd);
  friend TEMPO_API EventTimes beta_times(double alpha, double beta, double noise_sd);
  friend TEMPO_API EventTimes own_times(std::shared_ptr<EventTimeLaw> law, double noise_sd);

  Kind kind_;
  double alpha_, beta_, noise_sd_;
  std::shared_ptr<EventTimeLaw> law_;
};

/// @param noise_sd >= 0, share of B
TEMPO_API EventTimes permutation_times(double noise_sd = 0.0);
/// @param alpha, beta > 0
/// @param noise_sd >= 0, share of B
/// @throws NumericError if a shape is not positive and finite.
TEMPO_API EventTimes beta_times(double alpha, double beta, double noise_sd = 0.0);
/// Times that the hypothesis draws itself.
/// @param law of what it draws; null if it is not known
/// @param noise_sd >= 0, share of B
TEMPO_API EventTimes own_times(std::shared_ptr<EventTimeLaw> law = nullptr, double noise_sd = 0.0);

/// Reads `event_times = "permutation"`, `"beta"` or `{ kind = "beta", alpha, beta, noise_sd }`.
TEMPO_API EventTimes read_event_times(Parameters& keys, const std::string& key);

}  // namespace tempo
