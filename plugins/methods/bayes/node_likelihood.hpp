#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stage_nodes.hpp"
#include "tempo/matrix.hpp"
#include "tempo/random_stream.hpp"
#include "time_factors.hpp"

namespace tempo::bayes {

/// The likelihood of event times and traits with the participants' stages summed out,
///
///   log L(xi, t) = sum_j log sum_q w_q prod_b F_jbt(k_q - xi_b),
///
/// relative to the scales of TimeFactors, as a state that Markov chains change event by event.
/// Event times are in grid steps; between whole ones F is interpolated, so that a participant's
/// likelihood is linear in one event time from step to step.
///
/// O(J Q) per event touched, vectorised over participants, the same bits on every CPU. Of every
/// block of neighbouring participants only nodes count that lie between two which hold at least
/// `negligible` of a participant's best one's product: it pays to have participants in the order of
/// their stages. What is left out is less than Q `negligible` of a participant's likelihood, so
/// that log L is off by less than J Q `negligible`, 1e-12 of 1000 participants and nodes; after
/// changes until the state is renewed, which every sweep does, by the largest ratio of products by
/// which they favour a node left out over the best one kept. Not thread-safe.
class NodeLikelihood {
 public:
  static constexpr double kNegligible = 1e-18;
  /// @param negligible  0: all nodes count
  NodeLikelihood(const TimeFactors& factors, const StageNodes& nodes, std::size_t participants,
                 double negligible = kNegligible);

  std::size_t size() const { return times_.size(); }  ///< B
  std::size_t participants() const { return J_; }     ///< the diseased
  const std::vector<double>& times() const { return times_; }
  const std::vector<std::size_t>& traits() const { return traits_; }
  const std::vector<double>& masses() const { return masses_; }
  /// Which share of all participants' nodes counts.
  double nodes_kept() const;

  /// @param times   [B] in grid steps, 0 .. nodes.times() - 1
  /// @param traits  [B] index into the model's possible traits
  void set(std::span<const double> times, std::span<const std::size_t> traits);
  /// What is added to log likelihoods, but for value() and log_likelihoods(), where b has trait t:
  /// traits are then not equally likely.
  void set_log_weight(std::size_t b, std::size_t t, double log_weight) {
    log_weights_(b, t) = log_weight;
  }
  const Matrix& log_weights() const { return log_weights_; }  ///< [B, T], 0 if not set
  /// @param masses  [Q] w
  void set_masses(std::span<const double> masses);
  /// Adds to each participant's sum over nodes what other progressions make of it. It counts in
  /// what is said of one event at a time, of places of one trait in a segment, and of
  /// propose_times; not in propose.
  /// @param logs  [J] in the units of log_likelihoods(); empty: nothing
  void set_others(std::span<const double> logs);
  /// Computes the state anew: rounding errors of steps do not add up beyond.
  void renew();
  /// log L including the traits' scales.
  double value() const;
  /// log of each participant's sum over nodes: out [J], without scales.
  void log_likelihoods(std::span<double> out) const;
  /// Posterior mean of each participant's node: [J].
  std::vector<double> mean_nodes() const;
  /// Draws each participant's node: out [J].
  void draw_nodes(RandomStream& stream, std::span<std::size_t> out) const;
  /// Adds P(q | x_j) share[n, q] summed over q to sums [J, N]: how a node's mass divides among the
  /// N ordinal stages.
  void add_stage_posteriors(const Matrix& shares, Matrix& sums) const;

  // One event at a time: lift() takes event b out, then log likelihoods of any place of it can be
  // asked for, until drop() puts it back. Values are relative: only differences count.
  void lift(std::size_t b);
  /// The same of event b when no other has been measured. The state is void until set().
  void alone(std::size_t b);
  /// @param t  trait; with its scale
  double lifted_value(std::size_t t, double time);
  /// Of each participant, in the units of log_likelihoods(), without others: out [J].
  void lifted_logs(std::size_t t, double time, std::span<double> out);
  void drop(std::size_t t, double time);

  // Several events at once, at whole grid times.

  struct Change {
    std::size_t b = 0, trait = 0;
    double time = 0.0;
  };
  /// By how much log L, with the traits' scales, would change.
  double propose(std::span<const Change> changes);
  /// Makes the last proposal the state.
  void accept_proposal();
  /// The same of all event times, at any times.
  double propose_times(std::span<const double> times);
  void accept_times(std::span<const double> times);

  // Events on whole stages, each at its place among those of a segment.

  /// Prepares drawing the places of `events`, which hold these `count` neighbouring stages from
  /// `first` on (1 = first stage), anew.
  void open_segment(std::span<const std::size_t> events, std::size_t first);
  /// log likelihoods of event b at every place of the segment and of every trait, the others in
  /// their order: [places, T], relative, with scales of the traits.
  std::span<const double> segment_places(std::size_t b);
  /// The same of one trait: [places].
  std::span<const double> segment_places(std::size_t b, std::size_t trait);
  /// Puts event b there.
  void place_in_segment(std::size_t b, std::size_t place, std::size_t t);
  void close_segment();

 private:
  /// Nodes of a block of participants.
  struct Range {
    std::size_t first = 0, count = 0;
  };
  /// What a proposal does to a block of participants: nothing, the same at all of its nodes, or
  /// more.
  enum class Effect : std::uint8_t { none, as_one, every_node };
  /// segment_places of T traits from `first` on.
  std::span<const double> places_of_traits(std::size_t b, std::size_t first, std::size_t T);
  void look_everywhere();
  /// Leaves out nodes that count for no participant of a block, until the state is renewed.
  void narrow();
  /// @param added  [blocks, kBlock] to the sums over nodes; empty: nothing
  void logs_of(const std::vector<double>& products, std::span<const double> added,
               std::span<double> out) const;
  void start(std::vector<double>& products) const;
  void multiply_event(std::size_t b, double time, std::vector<double>& products) const;
  /// Products of all events at these times, from the masses on, over all nodes.
  void multiply_events(std::span<const double> times, std::vector<double>& products);
  void grid_values(std::size_t t, std::size_t g);
  /// Scale and weight of a trait.
  double offset(std::size_t b, std::size_t t) const {
    return factors_.log_scale(b, t) + log_weights_(b, t);
  }

  const TimeFactors& factors_;
  const StageNodes& nodes_;
  std::size_t J_, Q_, blocks_;
  double negligible_;
  std::vector<double> masses_;
  std::vector<double> times_;
  std::vector<std::size_t> traits_;
  Matrix log_weights_;
  std::vector<double> products_;  // [blocks, Q, kBlock]
  std::vector<double> proposed_;  // the same; zero outside of the ranges, too
  std::vector<Range> ranges_;     // [blocks]
  std::vector<Effect> effects_;   // [blocks] of the last proposal
  std::vector<double> others_;    // [blocks, kBlock] in the units of products; 0: none

  std::size_t lifted_ = 0;
  std::vector<float> rest_;          // [blocks, Q, kBlock] without the lifted event, largest 1
  std::vector<double> largest_;      // [blocks, kBlock] what it was
  std::vector<double> others_then_;  // [blocks, kBlock] others in these units
  std::vector<double> on_grid_;      // [T, times, blocks kBlock] sums over nodes
  std::vector<std::uint8_t> known_;  // [T, times] of these

  std::vector<Change> changes_;

  std::vector<std::size_t> segment_;  // events by place
  std::size_t segment_first_ = 0;
  std::vector<double> segment_values_;
  std::vector<double> mantissas_, scratch_;
  std::vector<std::uint64_t> exponents_;
  mutable std::vector<std::uint32_t> rows_;
};

}  // namespace tempo::bayes
