#include "gradual_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "beta_times.hpp"
#include "node_likelihood.hpp"
#include "parameter_sampler.hpp"
#include "places_given_stages.hpp"
#include "stage_nodes.hpp"
#include "tempo/toolkit/draw_index.hpp"
#include "tempo/toolkit/portable_math.hpp"
#include "time_factors.hpp"
#include "time_moves.hpp"

namespace tempo::bayes {
namespace {

/// What the chains of a fit share.
struct Study {
  const ProcessLaw& process;
  StageNodes nodes;
  std::vector<std::size_t> diseased;  // rows of the cohort
  std::size_t healthy;
  TimeFactors factors;
  bool on_stages;       // event times are a permutation of 1..B
  const OwnTimes* own;  // of a law that the hypothesis states itself; null: of tempo's
};

/// Event times are in grid steps.
class GradualChain final : public Chain {
 public:
  /// @param parameters  of the biomarkers, where they are sampled, too
  GradualChain(const Study& study, bool from_data, std::optional<ParameterSampler> parameters,
               RandomStream stream)
      : study_(study),
        parameters_(std::move(parameters)),
        own_factors_(parameters_ ? std::optional(study.factors) : std::nullopt),
        factors_(own_factors_ ? *own_factors_ : study.factors),
        stream_(std::move(stream)),
        likelihood_(factors_, study.nodes, study.diseased.size()),
        last_(study.nodes.last()),
        moves_(study.nodes.biomarkers, study.nodes.times()),
        node_(study.diseased.size()) {
    const std::size_t B = study.nodes.biomarkers;
    if (study.on_stages && study.own == nullptr) given_stages_.emplace(factors_, study.nodes);
    std::vector<double> times(B);
    std::vector<std::size_t> traits(B);
    for (auto& trait : traits) trait = stream_.index(factors_.traits());
    if (study.own != nullptr) {
      times = study.own->start(stream_);
      for (double& time : times) time /= study.nodes.step();
    } else if (study.on_stages) {
      times = study.nodes.places(stream_.permutation(B));
    } else {
      const auto& law = study.process.event_times();
      for (auto& time : times) time = last_ * stream_.beta(law.alpha(), law.beta());
    }
    if (from_data) start_from_data(times, traits);
    likelihood_.set(times, traits);
    if (parameters_)
      for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < factors_.traits(); ++t) weigh(b, t);
  }

  void sweep(double temperature) override {
    if (study_.on_stages && study_.own != nullptr) {
      rearrange_often(temperature);
    } else if (study_.on_stages) {
      move_places(temperature);
      if (temperature == 1.0) draw_places_given_stages();
    } else {
      move_times(temperature);
    }
    if (parameters_ && temperature == 1.0) draw_parameters();
    if (!study_.nodes.concentrations.empty()) draw_masses();
  }

  long tuning_sweeps() const override { return study_.on_stages ? 0 : 20; }
  void end_tuning() override { tuning_ = false; }
  double acceptance() const override {
    return steps_ == 0 ? 0.0 : static_cast<double>(taken_) / static_cast<double>(steps_);
  }
  const NodeLikelihood& likelihood() const { return likelihood_; }
  double log_likelihood() const override { return likelihood_.value(); }

  std::vector<std::size_t> order() const override { return order_by_time(likelihood_.times()); }

  void read(Draw& draw, Matrix& stage_sums) const override {
    const std::size_t B = study_.nodes.biomarkers;
    read_times(draw.event_times);
    read_traits(draw.traits);
    if (!study_.nodes.concentrations.empty()) draw.stage_probabilities = likelihood_.masses();
    auto& log_likelihoods = draw.log_likelihoods;
    std::fill(log_likelihoods.begin(), log_likelihoods.end(), 0.0);
    for (std::size_t b = 0; b < B; ++b) {
      const std::size_t t = likelihood_.traits()[b];
      const auto scales = factors_.log_scales(b, t);
      for (std::size_t j = 0; j < scales.size(); ++j) log_likelihoods[j] += scales[j];
    }
    std::vector<double> logs(study_.diseased.size());
    likelihood_.log_likelihoods(logs);
    for (std::size_t i = 0; i < logs.size(); ++i) log_likelihoods[study_.diseased[i]] += logs[i];
    likelihood_.add_stage_posteriors(study_.nodes.shares(likelihood_.times()), stage_sums);
    draw.biomarkers.clear();
    if (parameters_)
      for (std::size_t b = 0; b < B; ++b)
        draw.biomarkers.push_back(parameters_->biomarker(likelihood_.traits()[b], b));
  }

  void read_traits(std::span<int> out) const override {
    for (std::size_t b = 0; b < out.size(); ++b) out[b] = factors_.trait(likelihood_.traits()[b]);
  }

  void read_times(std::span<double> out) const override {
    for (std::size_t b = 0; b < out.size(); ++b)
      out[b] = likelihood_.times()[b] * study_.nodes.step();
  }

 private:
  /// Where a law of the hypothesis' own takes such times for impossible, they stay as drawn.
  void start_from_data(std::vector<double>& times, std::vector<std::size_t>& traits) {
    const auto drawn = times;
    take_alone(times, traits);
    if (study_.own != nullptr && std::isinf(log_own_prior(times))) times = drawn;
  }

  /// Times and traits of each event as if nothing else had been measured.
  void take_alone(std::vector<double>& times, std::vector<std::size_t>& traits) {
    const std::size_t B = times.size(), G = study_.nodes.times(), T = factors_.traits();
    std::vector<double> logs(T * G);
    for (std::size_t b = 0; b < B; ++b) {
      likelihood_.alone(b);
      for (std::size_t t = 0; t < T; ++t)
        for (std::size_t g = 0; g < G; ++g) {
          const bool possible = study_.on_stages ? g > 0 : g > 0 && g + 1 < G;
          logs[t * G + g] =
              possible ? likelihood_.lifted_value(t, static_cast<double>(g)) : kImpossible;
        }
      const auto best =
          static_cast<std::size_t>(std::max_element(logs.begin(), logs.end()) - logs.begin());
      traits[b] = best / G;
      times[b] = static_cast<double>(best % G);
    }
    if (!study_.on_stages) return;
    auto order = stream_.permutation(B);  // ties in any order
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return times[a] < times[b]; });
    times = study_.nodes.places(order);
  }

  /// Draws the place of every event among those of a segment, with its trait: Gibbs steps. Segments
  /// cover all places; of many events, each segment has its turn now and then only, because steps
  /// given the participants' stages cost far less there.
  void move_places(double temperature) {
    constexpr std::size_t kSegment = 6;
    const std::size_t B = study_.nodes.biomarkers, T = factors_.traits();
    const std::size_t length = std::min(B, kSegment);
    constexpr std::size_t kOftenUpTo = 24;  // events
    const std::size_t every = temperature > 1.0 ? 1 : std::max<std::size_t>(1, B / kOftenUpTo);
    if (temperature > 1.0) likelihood_.renew();  // else it has just been
    const std::size_t shift = B > length ? stream_.index(length) : 0;
    for (std::size_t end = B > length ? length - shift : length, begin = 0; begin < B;
         begin = end, end = std::min(B, end + length)) {
      if (stream_.index(every) != 0) continue;
      const auto now = order();
      const auto events = std::span(now).subspan(begin, end - begin);
      likelihood_.open_segment(events, begin + 1);
      for (const std::size_t i : stream_.permutation(events.size())) {
        const auto values = likelihood_.segment_places(events[i]);
        const std::size_t drawn = toolkit::draw_index(values, temperature, stream_);
        likelihood_.place_in_segment(events[i], drawn / T, drawn % T);
      }
      likelihood_.close_segment();
    }
    for (std::size_t i = 0; i < 2 * B / every && B > 1; ++i) rearrange(temperature);
  }

  /// A Metropolis step that exchanges two events or turns a run of them, where the traits of the
  /// outer two may change, or rotates a run.
  void rearrange(double temperature) {
    constexpr std::size_t kLongest = 8;  // of a run
    const std::size_t B = study_.nodes.biomarkers, T = factors_.traits();
    // Of every length as likely as the reverse move, short ones more often.
    const std::size_t kind = stream_.index(3);
    const std::size_t most = kind == 0 ? B : std::min(B, kLongest);
    const std::size_t length = 2 + stream_.index(1 + stream_.index(most - 1));
    const auto from = stream_.index(B - length + 1);
    const auto before = order();
    auto after = before;
    const auto begin = after.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = begin + static_cast<std::ptrdiff_t>(length);
    if (kind == 0)
      std::iter_swap(begin, end - 1);
    else if (kind == 1)
      std::reverse(begin, end);
    else
      std::rotate(begin, begin + static_cast<std::ptrdiff_t>(1 + stream_.index(length - 1)), end);
    changes_.clear();
    const bool any_trait = T > 1 && kind != 2 && stream_.index(2) == 0;
    for (std::size_t i = from; i < from + length; ++i) {
      const std::size_t b = after[i];
      const bool outer = b == before[from] || b == before[from + length - 1];
      if (b == before[i] && !(outer && any_trait)) continue;
      changes_.push_back({b, outer && any_trait ? stream_.index(T) : likelihood_.traits()[b],
                          static_cast<double>((i + 1) * study_.nodes.per_stage)});
    }
    const double prior = study_.own == nullptr ? 0.0
                                               : log_own_prior(study_.nodes.places(after)) -
                                                     log_own_prior(study_.nodes.places(before));
    if (accept(likelihood_.propose(changes_) / temperature + prior)) likelihood_.accept_proposal();
  }

  /// Under a law of orders that is not uniform.
  void rearrange_often(double temperature) {
    constexpr std::size_t kStepsPerEvent = 6;
    const std::size_t B = study_.nodes.biomarkers;
    likelihood_.renew();
    for (std::size_t i = 0; i < kStepsPerEvent * B && B > 1; ++i) rearrange(temperature);
  }

  /// Draws the participants' stages, then order and traits given these.
  void draw_places_given_stages() {
    likelihood_.draw_nodes(stream_, node_);
    given_stages_->set_nodes(node_, likelihood_.log_weights());
    auto now = order();
    auto traits = likelihood_.traits();
    given_stages_->draw(now, traits, stream_);
    likelihood_.set(study_.nodes.places(now), traits);
  }

  /// Draws every event's time given the others', and its trait now and then; then moves all.
  void move_times(double temperature) {
    const std::size_t B = study_.nodes.biomarkers;
    for (const std::size_t b : stream_.permutation(B)) {
      likelihood_.lift(b);
      lifted_ = b;
      std::size_t trait = likelihood_.traits()[b];
      double time = likelihood_.times()[b];
      const auto target = [&](std::size_t t, double at) {
        return lifted_target(t, at, temperature);
      };
      constexpr std::size_t kAnywhere = 8;  // every n-th step
      if (temperature > 1.0 || stream_.index(kAnywhere) == 0)
        moves_.draw_anywhere(
            factors_.traits(), trait, time, target, [&](double gain) { return accept(gain); },
            stream_);
      moves_.slice_twice(b, trait, time, tuning_, target, stream_);
      likelihood_.drop(trait, time);
    }
    const bool renewed = move_all(temperature);
    if (!move_all(temperature) && !renewed) likelihood_.renew();
  }

  /// @param times  in grid steps
  double log_own_prior(std::vector<double> times) const {
    for (double& time : times) time *= study_.nodes.step();
    return study_.own->law.log_density(times);
  }

  /// Of the lifted event given the others.
  double log_lifted_prior(double time) const {
    if (study_.own == nullptr) return log_time_prior(time);
    if (!(time > 0.0 && time < last_)) return kImpossible;
    auto times = likelihood_.times();
    times[lifted_] = time;
    return log_own_prior(std::move(times));
  }

  /// Of all events at other times, less that of the present ones.
  double own_prior_gain(const std::vector<double>& to) const {
    const auto [least, largest] = std::minmax_element(to.begin(), to.end());
    if (!(*least > 0.0 && *largest < last_)) return kImpossible;
    return log_own_prior(to) - log_own_prior(likelihood_.times());
  }

  /// Of an event by itself.
  double log_time_prior(double time) const {
    return log_beta_density(study_.process.event_times(), time / last_);
  }

  double lifted_target(std::size_t trait, double time, double temperature) {
    const double prior = log_lifted_prior(time);
    if (!(prior > kImpossible)) return prior;
    return likelihood_.lifted_value(trait, time) / temperature + prior;
  }

  /// A Metropolis step that shifts all times, or stretches them from the beginning or the end.
  /// @return whether it was taken
  bool move_all(double temperature) {
    const std::size_t kind = stream_.index(3);
    double& width = all_widths_[kind];
    const double by = width * stream_.normal();
    const auto& from = likelihood_.times();
    const auto [to, log_scale] = move_all_times(from, kind, by, last_);
    double prior = log_scale;
    if (study_.own != nullptr) {
      prior += own_prior_gain(to);
    } else {
      for (std::size_t b = 0; b < to.size(); ++b) {
        prior -= log_time_prior(from[b]);
        prior += log_time_prior(to[b]);
      }
    }
    bool taken = false;
    if (prior > kImpossible) {
      taken = accept(likelihood_.propose_times(to) / temperature + prior);
      if (taken) likelihood_.accept_times(to);
    }
    if (tuning_) width *= taken ? 1.15 : 0.93;
    return taken;
  }

  bool accept(double gain) {
    const bool taken = toolkit::portable_exp(std::min(gain, 0.0)) > stream_.uniform();
    ++steps_;
    taken_ += taken;
    return taken;
  }

  void weigh(std::size_t b, std::size_t t) {
    likelihood_.set_log_weight(b, t, parameters_->log_weight(t, b));
  }

  /// The distributions of some biomarkers given the participants' stages.
  void draw_parameters() {
    constexpr std::size_t kEvery = 4;  // every n-th biomarker: its tables are made anew
    const auto times = likelihood_.times();
    const auto traits = likelihood_.traits();
    likelihood_.draw_nodes(stream_, node_);
    for (std::size_t b = 0; b < times.size(); ++b) {
      if (stream_.index(kEvery) != 0) continue;
      const std::size_t t = traits[b];
      const auto after =
          static_cast<std::size_t>(std::count_if(node_.begin(), node_.end(), [&](std::size_t q) {
            return study_.nodes.stage(q) >= times[b] * study_.nodes.step();
          }));
      const auto log_likelihood = [&](const MeasurementLaw& law, bool) {
        return factors_.log_likelihood(b, t, law, 0, times[b], node_);
      };
      if (parameters_->move(t, b, study_.healthy + node_.size() - after, after, log_likelihood,
                            stream_))
        own_factors_->set(b, t, *parameters_->model(t, b)->law(), 0);
      weigh(b, t);
      if (const auto other = parameters_->redraw_other(t, b, stream_); other != t) {
        own_factors_->set(b, other, *parameters_->model(other, b)->law(), 0);
        weigh(b, other);
      }
    }
    likelihood_.set(times, traits);
  }

  /// Nodes of the participants, then their probabilities given how many are at each.
  void draw_masses() {
    likelihood_.draw_nodes(stream_, node_);
    auto counts = study_.nodes.concentrations;
    for (const std::size_t q : node_) counts[q] += 1.0;
    likelihood_.set_masses(stream_.dirichlet(counts));
  }

  const Study& study_;
  std::optional<ParameterSampler> parameters_;
  std::optional<TimeFactors> own_factors_;  // of parameters that are sampled
  const TimeFactors& factors_;
  RandomStream stream_;
  NodeLikelihood likelihood_;
  double last_;
  std::size_t lifted_ = 0;  // event
  TimeMoves moves_;
  double all_widths_[3] = {0.02, 0.02, 0.02};
  std::vector<std::size_t> node_;
  std::optional<PlacesGivenStages> given_stages_;
  std::vector<NodeLikelihood::Change> changes_;
  bool tuning_ = true;
  long steps_ = 0, taken_ = 0;
};

/// The diseased roughly by stage: NodeLikelihood.
std::vector<std::size_t> by_stage(const Study& study, RandomStream stream) {
  const auto stages = GradualChain(study, true, {}, std::move(stream)).likelihood().mean_nodes();
  std::vector<std::size_t> out(study.diseased.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::stable_sort(out.begin(), out.end(), [&](auto i, auto j) { return stages[i] < stages[j]; });
  for (auto& i : out) i = study.diseased[i];
  return out;
}

}  // namespace

Inference sample_gradual_posterior(const ProcessLaw& process, const Cohort& cohort,
                                   std::span<const std::size_t> columns,
                                   const BiomarkerEstimates& estimates, const OwnTimes* own,
                                   const ChainSettings& settings, RandomStream& stream,
                                   const Visit& visit) {
  const auto nodes = stage_nodes(process);
  const auto study_of = [&](const std::vector<std::size_t>& rows) {
    return Study{process,
                 nodes,
                 rows,
                 cohort.participant_count() - rows.size(),
                 {process, nodes, cohort, columns, rows},
                 process.event_times().are_ranks(),
                 own};
  };
  auto diseased = diseased_rows(cohort);
  if (nodes.size() >= 4 * TimeFactors::kBlock)
    diseased = by_stage(study_of(diseased), stream.substream("first look"));
  const auto study = study_of(diseased);
  const auto parameters =
      parameter_sampler(process, estimates, study.healthy, study.diseased.size());
  std::vector<std::unique_ptr<Chain>> chains;
  for (long c = 0; c < settings.chains; ++c)
    chains.push_back(std::make_unique<GradualChain>(
        study, c % 2 == 1, parameters, stream.substream("chain", static_cast<std::uint64_t>(c))));
  return run_chains(chains, cohort, columns, diseased, !study.on_stages, settings, visit);
}

}  // namespace tempo::bayes
