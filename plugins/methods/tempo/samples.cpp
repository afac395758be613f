#include "samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <span>

#include "targets.hpp"
#include "tempo/error.hpp"
#include "worker_pool.hpp"

namespace tempo::amortised {
namespace {

constexpr std::size_t kMostTogether = 1024;  // samples: their tokens take memory, too
constexpr std::size_t kRepeated = 3;         // doubles that are equal so often are no accident
constexpr std::size_t kMostValues = std::size_t{1} << 18;  // of a biomarker, for its knots
constexpr double kLeastGap = 1e-3;                         // between knots, in standard deviations

/// Count, mean and sum of squared deviations, which add up over cohorts without loss.
struct Moments {
  double n = 0.0, mean = 0.0, squares = 0.0;

  void add(const Moments& other) {
    const double total = n + other.n;
    const double shift = other.mean - mean;
    squares += other.squares + shift * shift * n * other.n / total;
    mean += shift * other.n / total;
    n = total;
  }
};

Moments moments(const Matrix& x, std::size_t b) {
  Moments out;
  out.n = static_cast<double>(x.rows());
  for (std::size_t j = 0; j < x.rows(); ++j) out.mean += x(j, b) / out.n;
  for (std::size_t j = 0; j < x.rows(); ++j)
    out.squares += (x(j, b) - out.mean) * (x(j, b) - out.mean);
  return out;
}

/// Values that occur three times and more, those that occur most often first. No more than kAtoms.
std::vector<double> repeated(const std::vector<double>& sorted) {
  std::vector<std::pair<std::size_t, double>> found;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    if (end - i >= kRepeated) found.emplace_back(end - i, sorted[i]);
    i = end;
  }
  std::ranges::sort(found, std::greater<>());
  std::vector<double> out;
  for (std::size_t i = 0; i < std::min(found.size(), kAtoms); ++i) out.push_back(found[i].second);
  return out;
}

/// Half of the knots where values are, half evenly between the least and the greatest.
std::vector<double> knots_among(const std::vector<double>& sorted, double sd) {
  constexpr std::size_t kHalf = kKnots / 2;
  std::vector<double> out;
  for (std::size_t i = 0; i < kHalf; ++i) {
    const auto share = (static_cast<double>(i) + 0.5) / static_cast<double>(kHalf);
    out.push_back(sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size()))]);
    out.push_back(std::lerp(sorted.front(), sorted.back(),
                            static_cast<double>(i) / static_cast<double>(kHalf - 1)));
  }
  std::ranges::sort(out);
  for (std::size_t i = 1; i < out.size(); ++i)
    out[i] = std::max(out[i], out[i - 1] + kLeastGap * sd);
  return out;
}

/// Where the names, sorted, stand in the cohorts.
std::vector<std::size_t> sorted_columns(const std::vector<std::string>& names) {
  std::vector<std::size_t> column(names.size());
  std::iota(column.begin(), column.end(), std::size_t{0});
  std::ranges::sort(column, {}, [&](std::size_t b) { return names[b]; });
  return column;
}

}  // namespace

Columns standardisation(const TrainingCohorts& cohorts, std::size_t count, std::size_t threads) {
  const auto column = sorted_columns(cohorts.biomarkers());
  const auto B = column.size();
  std::vector<std::vector<Moments>> found(count);
  std::vector<Matrix> some(count);  // of each cohort, its first participants
  WorkerPool(threads).for_each(count, [&](std::size_t number) {
    const auto drawn = cohorts.draw(TrainingCohorts::Purpose::training, number);
    const auto& x = drawn.cohort.measurements;
    some[number] = Matrix(std::min(x.rows(), (kMostValues + count - 1) / count), B);
    for (std::size_t b = 0; b < B; ++b) {
      found[number].push_back(moments(x, column[b]));
      for (std::size_t j = 0; j < some[number].rows(); ++j) some[number](j, b) = x(j, column[b]);
    }
  });
  Columns out;
  for (std::size_t b = 0; b < B; ++b) {
    Moments all = found[0][b];
    for (std::size_t number = 1; number < count; ++number) all.add(found[number][b]);
    const double sd = std::sqrt(all.squares / all.n);
    const auto& name = cohorts.biomarkers()[column[b]];
    if (!(sd > 0.0) || !std::isfinite(sd))
      throw Error(
          fmt::format("biomarker '{}' has a standard deviation of {} over {} simulated "
                      "cohorts: nothing can be learnt from it",
                      name, sd, count));
    out.biomarkers.push_back(name);
    out.mean.push_back(all.mean);
    out.sd.push_back(sd);
    std::vector<double> values;
    for (const auto& x : some)
      for (std::size_t j = 0; j < x.rows(); ++j) values.push_back(x(j, b));
    std::ranges::sort(values);
    const auto standardised = [&](double value) {
      return static_cast<float>((value - all.mean) / sd);
    };
    std::ranges::transform(knots_among(values, sd), std::back_inserter(out.knots), standardised);
    auto atoms = repeated(values);
    std::ranges::transform(atoms, std::back_inserter(out.atoms), standardised);
    out.atoms.resize((b + 1) * kAtoms, kNoAtom);
  }
  return out;
}

std::vector<std::vector<std::size_t>> groups(const std::vector<Samples>& samples,
                                             std::size_t most_cells) {
  std::vector<std::vector<std::size_t>> out;
  std::map<std::size_t, std::size_t> open;  // by participants: the group that has room
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto J = samples[i].J;
    const auto found = open.find(J);
    if (found == open.end() || out[found->second].size() == kMostTogether ||
        (out[found->second].size() + 1) * J * samples[i].B > most_cells) {
      open[J] = out.size();
      out.emplace_back();
    }
    out[open[J]].push_back(i);
  }
  return out;
}

Samples joined(const std::vector<Samples>& samples, const std::vector<std::size_t>& group) {
  Samples out;
  out.J = samples[group.front()].J;
  out.B = samples[group.front()].B;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const auto i : group) {
    const auto& one = samples[i];
    out.S += one.S;
    append(out.x, one.x);
    append(out.diseased, one.diseased);
    append(out.target, one.target);
    append(out.xi, one.xi);
    append(out.stages, one.stages);
    append(out.continuous, one.continuous);
    append(out.pairs, one.pairs);
  }
  return out;
}

SampleSource::SampleSource(const TrainingCohorts& cohorts, const Columns& columns,
                           const TempoSettings& settings, const RandomStream& stream)
    : cohorts_(cohorts),
      columns_(columns),
      settings_(settings),
      stream_(stream),
      column_(sorted_columns(cohorts.biomarkers())),
      cohort_size_(cohorts.draw(TrainingCohorts::Purpose::training, 0).cohort.participant_count()) {
}

void SampleSource::begin_epoch(std::uint64_t epoch) {
  if (settings_.fixed_cohorts)
    order_ = stream_.substream("order", epoch).permutation(settings_.samples);
}

std::uint64_t SampleSource::cohort_of(std::uint64_t epoch, std::size_t sample) const {
  return settings_.fixed_cohorts ? order_[sample] % settings_.cohorts
                                 : (epoch - 1) * settings_.samples + sample;
}

std::size_t SampleSource::participants(std::uint64_t epoch, std::size_t step) const {
  if (settings_.participants > 0) return std::min(settings_.participants, cohort_size_);
  auto draw = stream_.substream("participants", epoch * settings_.samples + step);
  const auto fewest = std::max<std::size_t>(1, cohort_size_ / 5);
  return fewest + draw.index(cohort_size_ - fewest + 1);
}

namespace {

/// Appends the participants `rows` of a cohort as a sample.
void append(const SimulatedCohort& drawn, std::span<const std::size_t> rows,
            const std::vector<std::size_t>& column, const Columns& columns, Samples& out) {
  const auto B = column.size();
  for (const auto j : rows) {
    for (std::size_t b = 0; b < B; ++b) {
      const double value = drawn.cohort.measurements(j, column[b]);
      out.x.push_back(static_cast<float>((value - columns.mean[b]) / columns.sd[b]));
      if (!std::isfinite(out.x.back()))
        out.fault = fmt::format("a cohort has {} = {}, beyond what single precision holds",
                                columns.biomarkers[b], value);
    }
    out.diseased.push_back(drawn.cohort.diseased[j]);
    out.stages.push_back(static_cast<float>(drawn.truth.ordinal_stages[j]));
  }
  for (std::size_t b = 0; b < B; ++b) {
    out.xi.push_back(relative_time(drawn.truth, column[b]));
    out.target.push_back(score_target(drawn.truth, column[b]));
  }
  out.continuous.push_back(drawn.truth.continuous_events ? 1.0F : 0.0F);
  ++out.S;
}

}  // namespace

Samples SampleSource::training(std::uint64_t epoch, std::size_t begin, std::size_t end,
                               std::size_t participants) const {
  const auto B = column_.size();
  Samples out;
  out.J = participants;
  out.B = B;
  out.x.reserve((end - begin) * participants * B);
  // Small subsamples of a step are different parts of the same fresh cohort, where there is room:
  // to simulate costs as much as to learn, and what they say of it is independent given its truth.
  // One, two or four, as chunks of a power of two have them whole: no cohort is simulated twice.
  const auto room = settings_.preset == Preset::compact && !settings_.fixed_cohorts
                        ? cohort_size_ / participants
                        : 1;
  const std::size_t parts = room >= 4 ? 4 : room >= 2 ? 2 : 1;
  std::optional<std::size_t> drawn_for;
  SimulatedCohort drawn;
  std::vector<std::size_t> order;
  for (auto sample = begin; sample < end; ++sample) {
    const auto first_of_step = sample - sample % settings_.batch;
    const auto leader = first_of_step + (sample - first_of_step) / parts * parts;
    auto stream = stream_.substream("sample", epoch * settings_.samples + sample);
    if (drawn_for != leader) {
      // Numbers without gaps: hypotheses take turns by them.
      const auto number = first_of_step + (sample - first_of_step) / parts;
      drawn = cohorts_.draw(TrainingCohorts::Purpose::training, cohort_of(epoch, number));
      drawn_for = leader;
      const auto J = drawn.cohort.participant_count();
      if (J < participants * parts)
        throw Error(
            fmt::format("training cohort with {} participants; the first had {}", J, cohort_size_));
      order =
          stream_.substream("participants of", epoch * settings_.samples + leader).permutation(J);
    }
    const auto rows = std::span(order).subspan((sample - leader) * participants, participants);
    append(drawn, rows, column_, columns_, out);
    const auto first = stream.index(B);
    const auto second = stream.index(B - 1);
    out.pairs.push_back(static_cast<std::int64_t>(first));
    out.pairs.push_back(static_cast<std::int64_t>(second + (second >= first)));
  }
  return out;
}

Samples SampleSource::validation(std::size_t number, Truth& truth) const {
  auto drawn = cohorts_.draw(TrainingCohorts::Purpose::validation, number);
  std::vector<std::size_t> rows(drawn.cohort.participant_count());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Samples out;
  out.J = rows.size();
  out.B = column_.size();
  append(drawn, rows, column_, columns_, out);
  auto stream = stream_.substream("validation", number);
  const auto pair = stream.permutation(column_.size());
  out.pairs = {static_cast<std::int64_t>(pair[0]), static_cast<std::int64_t>(pair[1])};
  truth = std::move(drawn.truth);
  std::vector<std::size_t> ranks;
  std::vector<double> times;
  for (const auto b : column_) {
    ranks.push_back(truth.event_ranks[b]);
    times.push_back(truth.event_times[b]);
  }
  truth.event_ranks = Ranks(ranks);
  truth.event_times = times;
  return out;
}

}  // namespace tempo::amortised
