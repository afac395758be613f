#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "order_centre.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/matrix.hpp"
#include "tempo/random_stream.hpp"
#include "tempo/toolkit/share_law.hpp"
#include "tempo/toolkit/subtype_answer.hpp"

namespace tempo::bayes {

/// What is known beforehand of the orders of subtypes.
enum class SubtypeOrders {
  mallows,  ///< they are near a common centre, more or less: OrderCentre
  uniform   ///< each is any order
};

/// What is known beforehand of their shares.
enum class SubtypeSizes {
  even,  ///< Dirichlet with concentration 2, 5 or 20, each equally likely: none is likely tiny
  any    ///< Dirichlet(1): all are equally likely
};

/// How a chain over several progressions is run, and what is known beforehand.
struct SubtypeSettings {
  std::size_t subtypes = 1;
  SubtypeOrders orders = SubtypeOrders::mallows;
  SubtypeSizes sizes = SubtypeSizes::even;
  std::int64_t starts = 16;  ///< annealed, of which the most probable goes on
  std::int64_t start_sweeps = 100;
  std::int64_t sweeps = 2000;  ///< of that one, at most, of which the later half is used

  /// `sizes` as a distribution.
  toolkit::ShareLaw share_law() const {
    return sizes == SubtypeSizes::even ? toolkit::ShareLaw({2, 5, 20}) : toolkit::ShareLaw();
  }
};

/// What a chain over several progressions is at.
struct SubtypeDraw {
  toolkit::SubtypeState state;
  std::vector<std::size_t> traits;         ///< [B] index among those that are possible
  std::optional<OrderCentre> centre = {};  ///< none: all orders are equally likely
  std::vector<Biomarker> biomarkers = {};  ///< [B] under these traits; empty: not sampled
  double log_likelihood = 0.0;
};

/// What a draw says of everyone.
struct SubtypesOfEveryone {
  /// [K] matrices [J, B + 1], in each row proportional to P(subtype, stage | draw)
  std::vector<Matrix> weights;
  std::vector<double> log_likelihoods;  ///< [J] log p(x_j | draw), in nats per unit
};

/// A Markov chain over several progressions, subtypes and stages of participants summed out.
class SubtypeWalk {
 public:
  virtual ~SubtypeWalk() = default;

  /// A step of everything.
  /// @param temperature  orders, event times that tell of orders, and traits are drawn from the
  ///   likelihood to the power of its inverse
  virtual void sweep(double temperature) = 0;
  virtual const toolkit::SubtypeState& state() const = 0;
  /// log p(measurements) at the orders, traits and distributions of the last sweep. Shares and
  /// probabilities of stages may be those from before their last draw.
  virtual double log_likelihood() const = 0;
  /// log of what orders, shares and distributions that are sampled are beforehand, in nats: of
  /// distributions beside those around their estimates, so that units and families do not count.
  /// Probabilities of stages and event times are left out: all chains draw them by the same law.
  virtual double log_prior() const = 0;
  virtual SubtypeDraw draw() const = 0;
};

/// What a cohort tells of several progressions of a hypothesis.
class SubtypeModel {
 public:
  virtual ~SubtypeModel() = default;

  virtual std::size_t participants() const = 0;  ///< J
  virtual std::size_t diseased() const = 0;
  /// A chain at random orders, and at traits that each biomarker alone makes likely. The model
  /// outlives it.
  virtual std::unique_ptr<SubtypeWalk> start(const SubtypeSettings& settings,
                                             RandomStream stream) const = 0;
  virtual SubtypesOfEveryone everyone_under(const SubtypeDraw& draw) const = 0;
};

/// Is shown a draw that counts; subtypes are numbered as in the draw.
using VisitSubtypes = std::function<void(const SubtypeDraw&, const SubtypesOfEveryone&)>;

/// Samples the posterior of several progressions: orders, traits and distributions, which all
/// progressions share, shares, and what there is of event times and stages. Draws are relabelled to
/// the likeliest. The chain goes on until split R-hat of every rank is at most kAgreedRHat and its
/// draws are worth 100 independent ones, or `sweeps` are over; a warning says which of these was
/// not reached.
///
/// @param columns   [B] of the cohort, by biomarker of the model
/// @param visit     is shown a hundred draws at most, evenly spread, if given
Inference sample_subtypes(const SubtypeModel& model, std::span<const std::size_t> columns,
                          const SubtypeSettings& settings, const RandomStream& stream,
                          const VisitSubtypes& visit = {});

}  // namespace tempo::bayes
