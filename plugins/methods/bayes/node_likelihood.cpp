#include "node_likelihood.hpp"

#include <algorithm>
#include <cmath>

#include "tempo/toolkit/for_each_cpu.hpp"
#include "tempo/toolkit/lane_products.hpp"
#include "tempo/toolkit/portable_math.hpp"

namespace tempo::bayes {
namespace {

using toolkit::kLanes;
using toolkit::Lanes;
using toolkit::lanes;

constexpr std::size_t kBlock = TimeFactors::kBlock;
constexpr std::size_t kGroups = kBlock / kLanes;  // registers of doubles per row of a block
constexpr std::size_t kWide = 8, kWideGroups = kBlock / kWide;  // of floats
constexpr double kLeastSum = 1e-300;                            // of a lifted event
constexpr double kStart = 0x1p900;  // of products that may fall by e^-1300
constexpr double kLogStart = 900.0 * (toolkit::detail::kLn2High + toolkit::detail::kLn2Low);

using Wide [[gnu::vector_size(32), gnu::aligned(4), gnu::may_alias]] = float;
using Narrow [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = float;

[[gnu::always_inline]] inline const Wide& wide(const float* values) {
  return *reinterpret_cast<const Wide*>(values);
}
[[gnu::always_inline]] inline Wide& wide(float* values) { return *reinterpret_cast<Wide*>(values); }
/// Four floats of a table as doubles.
[[gnu::always_inline]] inline void widen(const float* values, Lanes& out) {
  out = __builtin_convertvector(*reinterpret_cast<const Narrow*>(values), Lanes);
}

/// Where the factors of an event stand for every node: between two rows of its table.
struct Between {
  const float* table;         // of one block
  const std::uint32_t* here;  // [Q]
  const std::uint32_t* next;  // [Q]
  double part;                // of the latter
};

[[gnu::always_inline]] inline void factor(const Between& at, std::size_t q, std::size_t g,
                                          Lanes& out) {
  Lanes next;
  widen(at.table + at.here[q] + g * kLanes, out);
  widen(at.table + at.next[q] + g * kLanes, next);
  out = out * (1.0 - at.part) + next * at.part;
}

TEMPO_FOR_EACH_CPU void multiply_block(const Between& at, std::size_t Q, double* products) {
  if (at.part == 0.0) {
    for (std::size_t q = 0; q < Q; ++q)
      for (std::size_t g = 0; g < kGroups; ++g) {
        Lanes f;
        widen(at.table + at.here[q] + g * kLanes, f);
        lanes(products + q * kBlock + g * kLanes) *= f;
      }
    return;
  }
  for (std::size_t q = 0; q < Q; ++q)
    for (std::size_t g = 0; g < kGroups; ++g) {
      Lanes f;
      factor(at, q, g, f);
      lanes(products + q * kBlock + g * kLanes) *= f;
    }
}

/// Products without one event, as floats of which the largest is 1.
TEMPO_FOR_EACH_CPU void lift_block(const Between& at, const double* products, std::size_t Q,
                                   double* scratch, float* rest, double* largest) {
  constexpr double kLeast = 1e-24;  // so small that it does not count, but no product is denormal
  for (std::size_t g = 0; g < kGroups; ++g) {
    Lanes top{};
    for (std::size_t q = 0; q < Q; ++q) {
      Lanes f;
      factor(at, q, g, f);
      const Lanes value = lanes(products + q * kBlock + g * kLanes) / f;
      lanes(scratch + q * kLanes) = value;
      toolkit::raise_to(top, value);
    }
    lanes(largest + g * kLanes) = top;
    const Lanes scale = 1.0 / top;
    for (std::size_t q = 0; q < Q; ++q) {
      Lanes value = lanes(scratch + q * kLanes) * scale;
      value = value < kLeast ? Lanes{} : value;
      *reinterpret_cast<Narrow*>(rest + q * kBlock + g * kLanes) =
          __builtin_convertvector(value, Narrow);
    }
  }
}

TEMPO_FOR_EACH_CPU void drop_block(const Between& at, const float* rest, const double* largest,
                                   std::size_t Q, double* products) {
  for (std::size_t g = 0; g < kGroups; ++g) {
    const Lanes top = lanes(largest + g * kLanes);
    for (std::size_t q = 0; q < Q; ++q) {
      Lanes f, value;
      factor(at, q, g, f);
      widen(rest + q * kBlock + g * kLanes, value);
      lanes(products + q * kBlock + g * kLanes) = value * top * f;
    }
  }
}

/// Sums over nodes of the rest times one event's factors.
TEMPO_FOR_EACH_CPU void sum_block(const float* rest, const float* table, const std::uint32_t* rows,
                                  std::size_t Q, double* out) {
  Wide sums[kWideGroups]{};
  for (std::size_t q = 0; q < Q; ++q)
    for (std::size_t g = 0; g < kWideGroups; ++g)
      sums[g] += wide(rest + q * kBlock + g * kWide) * wide(table + rows[q] + g * kWide);
  for (std::size_t g = 0; g < kGroups; ++g)
    widen(reinterpret_cast<const float*>(sums) + g * kLanes, lanes(out + g * kLanes));
}

/// Product over participants of sums between two grid times, with what is added to each.
TEMPO_FOR_EACH_CPU void multiply_sums(const double* here, const double* next, double part,
                                      const double* added, std::size_t count, double* mantissas,
                                      std::uint64_t* exponents) {
  Lanes mantissa = Lanes{} + 1.0;
  toolkit::UnsignedLanes powers{};
  for (std::size_t i = 0; i < count; i += kLanes) {
    Lanes sum = lanes(here + i) * (1.0 - part) + lanes(next + i) * part + lanes(added + i);
    toolkit::raise_to(sum, Lanes{} + kLeastSum);
    toolkit::multiply(mantissa, powers, sum);
  }
  lanes(mantissas) = mantissa;
  *reinterpret_cast<toolkit::UnsignedLanes*>(exponents) = powers;
}

/// Products with some events elsewhere, and sums over nodes before and after multiplied into
/// products over participants.
struct Move {
  std::size_t events, Q, nodes;    // Q from row to row, of which these are looked at
  const float* const* from;        // [events] tables
  const float* const* to;          // [events]
  const std::uint32_t* from_rows;  // [events, Q]
  const std::uint32_t* to_rows;    // [events, Q]
};

TEMPO_FOR_EACH_CPU void move_block(const Move& at, const double* products, double* proposed,
                                   double* mantissas, std::uint64_t* exponents) {
  Lanes before[kGroups]{}, after[kGroups]{};
  for (std::size_t q = 0; q < at.nodes; ++q) {
    Lanes taken[kGroups], given[kGroups];
    for (std::size_t g = 0; g < kGroups; ++g) taken[g] = given[g] = Lanes{} + 1.0;
    for (std::size_t e = 0; e < at.events; ++e)
      for (std::size_t g = 0; g < kGroups; ++g) {
        Lanes f;
        widen(at.from[e] + at.from_rows[e * at.Q + q] + g * kLanes, f);
        taken[g] *= f;
        widen(at.to[e] + at.to_rows[e * at.Q + q] + g * kLanes, f);
        given[g] *= f;
      }
    for (std::size_t g = 0; g < kGroups; ++g) {
      const Lanes now = lanes(products + q * kBlock + g * kLanes);
      const Lanes then = now / taken[g] * given[g];
      before[g] += now;
      after[g] += then;
      lanes(proposed + q * kBlock + g * kLanes) = then;
    }
  }
  for (std::size_t g = 0; g < kGroups; ++g) {
    toolkit::multiply(lanes(mantissas), *reinterpret_cast<toolkit::UnsignedLanes*>(exponents),
                      before[g]);
    toolkit::multiply(lanes(mantissas + kLanes),
                      *reinterpret_cast<toolkit::UnsignedLanes*>(exponents + kLanes), after[g]);
  }
}

/// Of one block, the sums over nodes for event b at every place of a segment, multiplied into
/// products over participants. Before place p the others stand at first, first + 1, ..., from it on
/// one further: `early` and `late` have their rows, [others, Q].
struct Segment {
  std::size_t others, traits, Q, nodes;
  const float* const* tables;     // [others] of this block
  const std::uint32_t* early;     // [others, Q]
  const std::uint32_t* late;      // [others, Q]
  const float* const* own;        // [traits] tables of the event
  const std::uint32_t* own_rows;  // [traits, others + 1, Q]
  const double* added;            // [kBlock] to each sum
};

TEMPO_FOR_EACH_CPU void segment_block(const Segment& at, const double* outside, double* behind,
                                      double* sums, double* mantissas, std::uint64_t* exponents) {
  const std::size_t n = at.others, T = at.traits, Q = at.Q;
  for (std::size_t i = 0; i < (n + 1) * T; ++i) std::copy_n(at.added, kBlock, sums + i * kBlock);
  for (std::size_t q = 0; q < at.nodes; ++q) {
    Lanes a[kGroups];
    for (std::size_t g = 0; g < kGroups; ++g) a[g] = Lanes{} + 1.0;
    for (std::size_t p = n;; --p) {
      for (std::size_t g = 0; g < kGroups; ++g) lanes(behind + p * kBlock + g * kLanes) = a[g];
      if (p == 0) break;
      const float* row = at.tables[p - 1] + at.late[(p - 1) * Q + q];
      for (std::size_t g = 0; g < kGroups; ++g) {
        Lanes f;
        widen(row + g * kLanes, f);
        a[g] *= f;
      }
    }
    for (std::size_t g = 0; g < kGroups; ++g) a[g] = lanes(outside + q * kBlock + g * kLanes);
    for (std::size_t p = 0;; ++p) {
      Lanes both[kGroups];
      for (std::size_t g = 0; g < kGroups; ++g)
        both[g] = a[g] * lanes(behind + p * kBlock + g * kLanes);
      for (std::size_t t = 0; t < T; ++t) {
        const float* row = at.own[t] + at.own_rows[(t * (n + 1) + p) * Q + q];
        double* sum = sums + (p * T + t) * kBlock;
        for (std::size_t g = 0; g < kGroups; ++g) {
          Lanes f;
          widen(row + g * kLanes, f);
          lanes(sum + g * kLanes) += both[g] * f;
        }
      }
      if (p == n) break;
      const float* row = at.tables[p] + at.early[p * Q + q];
      for (std::size_t g = 0; g < kGroups; ++g) {
        Lanes f;
        widen(row + g * kLanes, f);
        a[g] *= f;
      }
    }
  }
  for (std::size_t i = 0; i < (n + 1) * T; ++i) {
    auto& powers = *reinterpret_cast<toolkit::UnsignedLanes*>(exponents + i * kLanes);
    for (std::size_t g = 0; g < kGroups; ++g)
      toolkit::multiply(lanes(mantissas + i * kLanes), powers,
                        lanes(sums + i * kBlock + g * kLanes));
  }
}

/// Multiplies one row of a table into products over participants.
TEMPO_FOR_EACH_CPU void multiply_row(const float* row, double* mantissas,
                                     std::uint64_t* exponents) {
  for (std::size_t g = 0; g < kGroups; ++g) {
    Lanes f;
    widen(row + g * kLanes, f);
    toolkit::multiply(lanes(mantissas), *reinterpret_cast<toolkit::UnsignedLanes*>(exponents), f);
  }
}

TEMPO_FOR_EACH_CPU void divide_block(const float* table, const std::uint32_t* rows, std::size_t Q,
                                     double* products) {
  for (std::size_t q = 0; q < Q; ++q)
    for (std::size_t g = 0; g < kGroups; ++g) {
      Lanes f;
      widen(table + rows[q] + g * kLanes, f);
      lanes(products + q * kBlock + g * kLanes) /= f;
    }
}

/// P(stage | x) of one block, [N, kBlock], from products and the nodes' shares in the stages.
TEMPO_FOR_EACH_CPU void stage_block(const double* products, const double* shares, std::size_t N,
                                    std::size_t Q, double* out) {
  Lanes totals[kGroups]{};
  std::fill_n(out, N * kBlock, 0.0);
  for (std::size_t q = 0; q < Q; ++q)
    for (std::size_t g = 0; g < kGroups; ++g)
      totals[g] += lanes(products + q * kBlock + g * kLanes);
  for (std::size_t n = 0; n < N; ++n)
    for (std::size_t q = 0; q < Q; ++q) {
      const double share = shares[n * Q + q];
      if (share == 0.0) continue;
      for (std::size_t g = 0; g < kGroups; ++g)
        lanes(out + n * kBlock + g * kLanes) +=
            lanes(products + q * kBlock + g * kLanes) * share / totals[g];
    }
}

}  // namespace

NodeLikelihood::NodeLikelihood(const TimeFactors& factors, const StageNodes& nodes,
                               std::size_t participants, double negligible)
    : factors_(factors),
      nodes_(nodes),
      J_(participants),
      Q_(nodes.size()),
      blocks_(factors.blocks()),
      negligible_(negligible),
      masses_(nodes.masses),
      times_(nodes.biomarkers),
      traits_(nodes.biomarkers),
      log_weights_(nodes.biomarkers, factors.traits()),
      products_(blocks_ * Q_ * kBlock),
      proposed_(products_.size()),
      ranges_(blocks_),
      effects_(blocks_),
      others_(blocks_ * kBlock),
      rest_(products_.size()),
      largest_(blocks_ * kBlock),
      others_then_(blocks_ * kBlock),
      on_grid_(factors.traits() * nodes.times() * blocks_ * kBlock),
      known_(factors.traits() * nodes.times()),
      rows_(2 * Q_) {
  renew();
}

void NodeLikelihood::set(std::span<const double> times, std::span<const std::size_t> traits) {
  times_.assign(times.begin(), times.end());
  traits_.assign(traits.begin(), traits.end());
  renew();
}

void NodeLikelihood::set_masses(std::span<const double> masses) {
  masses_.assign(masses.begin(), masses.end());
  renew();
}

void NodeLikelihood::set_others(std::span<const double> logs) {
  std::fill(others_.begin(), others_.end(), 0.0);
  if (logs.empty()) return;
  constexpr double kMost = 700.0;  // of a logarithm whose number is finite
  for (std::size_t j = 0; j < J_; ++j)
    others_[j] = toolkit::portable_exp(std::min(logs[j] + kLogStart, kMost));
}

void NodeLikelihood::start(std::vector<double>& products) const {
  for (std::size_t block = 0; block < blocks_; ++block)
    for (std::size_t q = 0; q < Q_; ++q)
      std::fill_n(products.data() + (block * Q_ + q) * kBlock, kBlock, kStart * masses_[q]);
}

void NodeLikelihood::renew() {
  look_everywhere();
  multiply_events(times_, products_);
  narrow();
}

void NodeLikelihood::look_everywhere() {
  for (auto& range : ranges_) range = {0, Q_};
}

void NodeLikelihood::narrow() {
  for (std::size_t block = 0; block < blocks_; ++block) {
    double* products = products_.data() + block * Q_ * kBlock;
    const std::size_t lanes_used = std::min(kBlock, J_ - block * kBlock);
    std::size_t first = Q_, end = 0;
    for (std::size_t lane = 0; lane < lanes_used; ++lane) {
      double top = 0.0;
      for (std::size_t q = 0; q < Q_; ++q) top = std::max(top, products[q * kBlock + lane]);
      const auto counts = [&](std::size_t q) {
        return products[q * kBlock + lane] >= negligible_ * top;
      };
      std::size_t q = 0;
      while (q < first && !counts(q)) ++q;
      first = std::min(first, q);
      q = Q_;
      while (q > end && !counts(q - 1)) --q;
      end = std::max(end, q);
    }
    ranges_[block] = {first, end - first};
    for (auto* values : {products, proposed_.data() + block * Q_ * kBlock}) {
      std::fill(values, values + first * kBlock, 0.0);
      std::fill(values + end * kBlock, values + Q_ * kBlock, 0.0);
    }
  }
}

double NodeLikelihood::nodes_kept() const {
  double kept = 0.0;
  for (const auto& range : ranges_) kept += static_cast<double>(range.count);
  return kept / static_cast<double>(blocks_ * Q_);
}

namespace {

struct Rows {
  Rows(const TimeFactors& factors, const StageNodes& nodes, std::size_t b, std::size_t t,
       double time, std::span<std::uint32_t> rows)
      : Q(nodes.size()) {
    const auto g = std::min(static_cast<std::size_t>(time), nodes.times() - 2);
    part = time - static_cast<double>(g);
    factors.places(b, t, g, rows.first(Q));
    factors.places(b, t, g + 1, rows.subspan(Q, Q));
    here = rows.data();
  }
  Between of(const float* table, std::size_t first) const {
    return {table, here + first, here + Q + first, part};
  }

  std::size_t Q;
  const std::uint32_t* here = nullptr;
  double part = 0.0;
};

}  // namespace

void NodeLikelihood::multiply_event(std::size_t b, double time,
                                    std::vector<double>& products) const {
  const Rows rows(factors_, nodes_, b, traits_[b], time, rows_);
  for (std::size_t block = 0; block < blocks_; ++block) {
    const auto& [first, nodes] = ranges_[block];
    multiply_block(rows.of(factors_.table(b, traits_[b], block), first), nodes,
                   products.data() + (block * Q_ + first) * kBlock);
  }
}

void NodeLikelihood::multiply_events(std::span<const double> times, std::vector<double>& products) {
  const std::size_t B = size(), Q = Q_;
  std::vector<std::uint32_t> all(2 * B * Q);
  std::vector<Rows> rows;
  for (std::size_t b = 0; b < B; ++b)
    rows.emplace_back(factors_, nodes_, b, traits_[b], times[b],
                      std::span(all).subspan(2 * b * Q, 2 * Q));
  for (std::size_t block = 0; block < blocks_; ++block) {  // one stays in cache
    double* of_block = products.data() + block * Q * kBlock;
    for (std::size_t q = 0; q < Q; ++q)
      std::fill_n(of_block + q * kBlock, kBlock, kStart * masses_[q]);
    for (std::size_t b = 0; b < B; ++b)
      multiply_block(rows[b].of(factors_.table(b, traits_[b], block), 0), Q, of_block);
  }
}

double NodeLikelihood::value() const {
  std::vector<double> logs(J_);
  log_likelihoods(logs);
  double sum = 0.0;
  for (const double value : logs) sum += value;
  for (std::size_t b = 0; b < size(); ++b) sum += factors_.log_scale(b, traits_[b]);
  return sum;
}

void NodeLikelihood::log_likelihoods(std::span<double> out) const { logs_of(products_, {}, out); }

void NodeLikelihood::logs_of(const std::vector<double>& products, std::span<const double> added,
                             std::span<double> out) const {
  for (std::size_t j = 0; j < J_; ++j) {
    const double* product = products.data() + j / kBlock * Q_ * kBlock + j % kBlock;
    double sum = added.empty() ? 0.0 : added[j];
    for (std::size_t q = 0; q < Q_; ++q) sum += product[q * kBlock];
    out[j] = toolkit::portable_log(sum) - kLogStart;
  }
}

void NodeLikelihood::draw_nodes(RandomStream& stream, std::span<std::size_t> out) const {
  for (std::size_t j = 0; j < J_; ++j) {
    const double* product = products_.data() + j / kBlock * Q_ * kBlock + j % kBlock;
    double sum = 0.0;
    for (std::size_t q = 0; q < Q_; ++q) sum += product[q * kBlock];
    double left = stream.uniform() * sum;
    std::size_t q = 0;
    while (q + 1 < Q_ && (left -= product[q * kBlock]) >= 0.0) ++q;
    out[j] = q;
  }
}

std::vector<double> NodeLikelihood::mean_nodes() const {
  std::vector<double> out(J_);
  for (std::size_t j = 0; j < J_; ++j) {
    const double* product = products_.data() + j / kBlock * Q_ * kBlock + j % kBlock;
    double sum = 0.0;
    for (std::size_t q = 0; q < Q_; ++q) {
      sum += product[q * kBlock];
      out[j] += static_cast<double>(q) * product[q * kBlock];
    }
    out[j] /= sum;
  }
  return out;
}

void NodeLikelihood::add_stage_posteriors(const Matrix& shares, Matrix& sums) const {
  const std::size_t N = shares.rows();
  std::vector<double> block_sums(N * kBlock);
  for (std::size_t block = 0; block < blocks_; ++block) {
    stage_block(products_.data() + block * Q_ * kBlock, shares.values().data(), N, Q_,
                block_sums.data());
    for (std::size_t lane = 0; lane < kBlock && block * kBlock + lane < J_; ++lane)
      for (std::size_t n = 0; n < N; ++n)
        sums(block * kBlock + lane, n) += block_sums[n * kBlock + lane];
  }
}

void NodeLikelihood::lift(std::size_t b) {
  lifted_ = b;
  std::fill(known_.begin(), known_.end(), std::uint8_t{0});
  scratch_.resize(std::max(scratch_.size(), Q_ * kLanes));
  const Rows rows(factors_, nodes_, b, traits_[b], times_[b], rows_);
  for (std::size_t block = 0; block < blocks_; ++block) {
    const auto& [first, nodes] = ranges_[block];
    const std::size_t at = (block * Q_ + first) * kBlock;
    lift_block(rows.of(factors_.table(b, traits_[b], block), first), products_.data() + at, nodes,
               scratch_.data(), rest_.data() + at, largest_.data() + block * kBlock);
  }
  constexpr double kMost = 1e300;  // whoever is so much likelier elsewhere tells nothing here
  for (std::size_t i = 0; i < others_.size(); ++i)
    others_then_[i] = std::min(others_[i] / largest_[i], kMost);
}

void NodeLikelihood::alone(std::size_t b) {
  lifted_ = b;
  look_everywhere();
  std::fill(known_.begin(), known_.end(), std::uint8_t{0});
  std::fill(others_then_.begin(), others_then_.end(), 0.0);
  const double largest = *std::max_element(masses_.begin(), masses_.end());
  for (std::size_t block = 0; block < blocks_; ++block)
    for (std::size_t q = 0; q < Q_; ++q)
      std::fill_n(rest_.data() + (block * Q_ + q) * kBlock, kBlock,
                  static_cast<float>(masses_[q] / largest));
}

void NodeLikelihood::grid_values(std::size_t t, std::size_t g) {
  const std::size_t at = t * nodes_.times() + g;
  if (known_[at] != 0) return;
  known_[at] = 1;
  factors_.places(lifted_, t, g, std::span(rows_).first(Q_));
  for (std::size_t block = 0; block < blocks_; ++block) {
    const auto& [first, nodes] = ranges_[block];
    sum_block(rest_.data() + (block * Q_ + first) * kBlock, factors_.table(lifted_, t, block),
              rows_.data() + first, nodes, on_grid_.data() + (at * blocks_ + block) * kBlock);
  }
}

double NodeLikelihood::lifted_value(std::size_t t, double time) {
  const auto g = std::min(static_cast<std::size_t>(time), nodes_.times() - 2);
  const double part = time - static_cast<double>(g);
  grid_values(t, g);
  if (part > 0.0) grid_values(t, g + 1);
  const std::size_t padded = blocks_ * kBlock;
  const double* here = on_grid_.data() + (t * nodes_.times() + g) * padded;
  double mantissas[kLanes];
  std::uint64_t exponents[kLanes];
  multiply_sums(here, part > 0.0 ? here + padded : here, part, others_then_.data(), padded,
                mantissas, exponents);
  return toolkit::log_product(mantissas, exponents, padded / kLanes) + offset(lifted_, t);
}

void NodeLikelihood::lifted_logs(std::size_t t, double time, std::span<double> out) {
  const auto g = std::min(static_cast<std::size_t>(time), nodes_.times() - 2);
  const double part = time - static_cast<double>(g);
  grid_values(t, g);
  grid_values(t, g + 1);
  const double* here = on_grid_.data() + (t * nodes_.times() + g) * blocks_ * kBlock;
  const double* next = here + blocks_ * kBlock;
  for (std::size_t j = 0; j < J_; ++j)
    out[j] = toolkit::portable_log(std::max(here[j] * (1.0 - part) + next[j] * part, kLeastSum)) +
             toolkit::portable_log(largest_[j]) - kLogStart;
}

void NodeLikelihood::drop(std::size_t t, double time) {
  traits_[lifted_] = t;
  times_[lifted_] = time;
  const Rows rows(factors_, nodes_, lifted_, t, time, rows_);
  for (std::size_t block = 0; block < blocks_; ++block) {
    const auto& [first, nodes] = ranges_[block];
    const std::size_t at = (block * Q_ + first) * kBlock;
    drop_block(rows.of(factors_.table(lifted_, t, block), first), rest_.data() + at,
               largest_.data() + block * kBlock, nodes, products_.data() + at);
  }
}

double NodeLikelihood::propose(std::span<const Change> changes) {
  changes_.assign(changes.begin(), changes.end());
  const std::size_t n = changes.size();
  rows_.resize(std::max(rows_.size(), 2 * n * Q_));
  std::vector<const float*> from(n), to(n);
  double gain = 0.0;
  for (std::size_t e = 0; e < n; ++e) {
    const auto& [b, trait, time] = changes[e];
    factors_.places(b, traits_[b], static_cast<std::size_t>(times_[b]), {&rows_[e * Q_], Q_});
    factors_.places(b, trait, static_cast<std::size_t>(time), {&rows_[(n + e) * Q_], Q_});
    gain += offset(b, trait) - offset(b, traits_[b]);
  }
  std::vector<double> mantissas(2 * kLanes, 1.0), far_mantissas(2 * kLanes, 1.0);
  std::vector<std::uint64_t> exponents(2 * kLanes), far_exponents(2 * kLanes);
  std::size_t near = 0, far = 0;
  for (std::size_t block = 0; block < blocks_; ++block) {
    const auto& [first, nodes] = ranges_[block];
    bool is_far = true, is_same = true;
    for (std::size_t e = 0; e < n; ++e) {
      from[e] = factors_.table(changes[e].b, traits_[changes[e].b], block);
      to[e] = factors_.table(changes[e].b, changes[e].trait, block);
      const std::uint32_t *before = &rows_[e * Q_ + first], *after = before + n * Q_;
      is_far = is_far && before[0] == before[nodes - 1] && after[0] == after[nodes - 1];
      is_same = is_same && from[e] == to[e] && before[0] == after[0];
    }
    effects_[block] = !is_far ? Effect::every_node : is_same ? Effect::none : Effect::as_one;
    if (is_far && is_same) continue;
    if (is_far) {
      ++far;
      for (std::size_t e = 0; e < n; ++e) {
        multiply_row(from[e] + rows_[e * Q_ + first], far_mantissas.data(), far_exponents.data());
        multiply_row(to[e] + rows_[(n + e) * Q_ + first], &far_mantissas[kLanes],
                     &far_exponents[kLanes]);
      }
      continue;
    }
    ++near;
    const std::size_t at = (block * Q_ + first) * kBlock;
    move_block(
        {n, Q_, nodes, from.data(), to.data(), rows_.data() + first, rows_.data() + n * Q_ + first},
        products_.data() + at, proposed_.data() + at, mantissas.data(), exponents.data());
  }
  const auto log_ratio = [](const std::vector<double>& products,
                            const std::vector<std::uint64_t>& powers, std::size_t factors) {
    return toolkit::log_product(&products[kLanes], &powers[kLanes], factors) -
           toolkit::log_product(products.data(), powers.data(), factors);
  };
  return gain + log_ratio(mantissas, exponents, near * kGroups) +
         log_ratio(far_mantissas, far_exponents, far * n * kGroups);
}

void NodeLikelihood::accept_proposal() {
  for (std::size_t block = 0; block < blocks_; ++block) {
    const auto& [first, nodes] = ranges_[block];
    const std::size_t at = (block * Q_ + first) * kBlock;
    if (effects_[block] == Effect::every_node)
      std::copy_n(proposed_.data() + at, nodes * kBlock, products_.data() + at);
    if (effects_[block] != Effect::as_one) continue;
    for (const auto& [b, trait, time] : changes_) {
      factors_.places(b, traits_[b], static_cast<std::size_t>(times_[b]),
                      std::span(rows_).first(Q_));
      divide_block(factors_.table(b, traits_[b], block), rows_.data() + first, nodes,
                   products_.data() + at);
      factors_.places(b, trait, static_cast<std::size_t>(time), std::span(rows_).first(Q_));
      const Between there{factors_.table(b, trait, block), rows_.data() + first,
                          rows_.data() + first, 0.0};
      multiply_block(there, nodes, products_.data() + at);
    }
  }
  for (const auto& [b, trait, time] : changes_) {
    times_[b] = time;
    traits_[b] = trait;
  }
}

double NodeLikelihood::propose_times(std::span<const double> times) {
  std::vector<double> before(J_), after(J_);
  logs_of(products_, others_, before);
  multiply_events(times, proposed_);
  logs_of(proposed_, others_, after);
  double gain = 0.0;
  for (std::size_t j = 0; j < J_; ++j) gain += after[j] - before[j];
  return gain;
}

void NodeLikelihood::accept_times(std::span<const double> times) {
  times_.assign(times.begin(), times.end());
  std::swap(products_, proposed_);
  narrow();
}

void NodeLikelihood::open_segment(std::span<const std::size_t> events, std::size_t first) {
  segment_.assign(events.begin(), events.end());
  segment_first_ = first;
  if (events.size() == size()) {
    look_everywhere();
    start(products_);
    return;
  }
  for (const std::size_t b : segment_) {
    factors_.places(b, traits_[b], static_cast<std::size_t>(times_[b]), std::span(rows_).first(Q_));
    for (std::size_t block = 0; block < blocks_; ++block) {
      const auto& [from, nodes] = ranges_[block];
      divide_block(factors_.table(b, traits_[b], block), rows_.data() + from, nodes,
                   products_.data() + (block * Q_ + from) * kBlock);
    }
  }
}

std::span<const double> NodeLikelihood::segment_places(std::size_t b) {
  return places_of_traits(b, 0, factors_.traits());
}

std::span<const double> NodeLikelihood::segment_places(std::size_t b, std::size_t trait) {
  return places_of_traits(b, trait, 1);
}

std::span<const double> NodeLikelihood::places_of_traits(std::size_t b, std::size_t first,
                                                         std::size_t T) {
  const std::size_t n = segment_.size() - 1, m = nodes_.per_stage;
  std::vector<std::size_t> others;
  for (const std::size_t event : segment_)
    if (event != b) others.push_back(event);
  rows_.resize(std::max(rows_.size(), (2 * n + T * (n + 1)) * Q_));
  std::uint32_t* early = rows_.data();
  std::uint32_t* late = early + n * Q_;
  std::uint32_t* own = late + n * Q_;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t t = traits_[others[i]], place = segment_first_ + i;
    factors_.places(others[i], t, place * m, {early + i * Q_, Q_});
    factors_.places(others[i], t, (place + 1) * m, {late + i * Q_, Q_});
  }
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t p = 0; p <= n; ++p)
      factors_.places(b, first + t, (segment_first_ + p) * m, {own + (t * (n + 1) + p) * Q_, Q_});

  scratch_.resize(std::max(scratch_.size(), (n + 1) * (T + 1) * kBlock));
  mantissas_.assign((n + 1) * T * kLanes, 1.0);
  exponents_.assign((n + 1) * T * kLanes, 0);
  std::vector<const float*> tables(n), own_tables(T);
  std::vector<double> far_mantissas(T * kLanes, 1.0);
  std::vector<std::uint64_t> far_exponents(T * kLanes, 0);
  std::size_t near = 0;
  for (std::size_t block = 0; block < blocks_; ++block) {
    for (std::size_t t = 0; t < T; ++t) own_tables[t] = factors_.table(b, first + t, block);
    const auto& [from, nodes] = ranges_[block];
    // Rows rise with the node and fall with the place: all are one if the outermost are.
    bool is_far = true;
    for (std::size_t i = 0; i < n && is_far; ++i)
      is_far = early[i * Q_ + from + nodes - 1] == late[i * Q_ + from];
    for (std::size_t t = 0; t < T && is_far; ++t)
      is_far = own[t * (n + 1) * Q_ + from + nodes - 1] == own[(t * (n + 1) + n) * Q_ + from];
    if (is_far) {
      for (std::size_t t = 0; t < T && T > 1; ++t)
        multiply_row(own_tables[t] + own[t * (n + 1) * Q_ + from], &far_mantissas[t * kLanes],
                     &far_exponents[t * kLanes]);
      continue;
    }
    ++near;
    for (std::size_t i = 0; i < n; ++i)
      tables[i] = factors_.table(others[i], traits_[others[i]], block);
    segment_block({n, T, Q_, nodes, tables.data(), early + from, late + from, own_tables.data(),
                   own + from, others_.data() + block * kBlock},
                  products_.data() + (block * Q_ + from) * kBlock, scratch_.data(),
                  scratch_.data() + (n + 1) * kBlock, mantissas_.data(), exponents_.data());
  }
  segment_values_.resize((n + 1) * T);
  for (std::size_t i = 0; i < segment_values_.size(); ++i) {
    segment_values_[i] = toolkit::log_product(mantissas_.data() + i * kLanes,
                                              exponents_.data() + i * kLanes, near * kGroups) +
                         offset(b, first + i % T);
    if (T > 1)
      segment_values_[i] +=
          toolkit::log_product(&far_mantissas[i % T * kLanes], &far_exponents[i % T * kLanes],
                               (blocks_ - near) * kGroups);
  }
  return segment_values_;
}

void NodeLikelihood::place_in_segment(std::size_t b, std::size_t place, std::size_t t) {
  segment_.erase(std::find(segment_.begin(), segment_.end(), b));
  segment_.insert(segment_.begin() + static_cast<std::ptrdiff_t>(place), b);
  traits_[b] = t;
}

void NodeLikelihood::close_segment() {
  for (std::size_t i = 0; i < segment_.size(); ++i) {
    times_[segment_[i]] = static_cast<double>((segment_first_ + i) * nodes_.per_stage);
    multiply_event(segment_[i], times_[segment_[i]], products_);
  }
}

}  // namespace tempo::bayes
