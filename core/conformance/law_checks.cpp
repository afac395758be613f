// What stage priors and measurement models have to do, and the laws that they state.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "conformance/check.hpp"
#include "conformance/examples.hpp"
#include "conformance/kinds.hpp"
#include "conformance/statistics.hpp"
#include "conformance/subject.hpp"

namespace tempo::conformance {
namespace {

constexpr double kHealthySince = -std::numeric_limits<double>::infinity();
/// Stages since the event at which laws are looked at.
constexpr double kSince[] = {kHealthySince, -2.0, -0.25, 0.0, 0.5, 2.0};

RandomStream part_stream(std::uint64_t number) {
  return RandomStream(1, "conformance", "part", number);
}

/// One biomarker whose distributions differ in mean and width.
BiomarkerTable one_biomarker() { return BiomarkerTable({{"biomarker", {10.0, 2.0}, {30.0, 5.0}}}); }

/// Participants who all stand alike: `since` stages after the only event.
struct Alike {
  Alike(std::size_t participants, double since)
      : stages(participants, since == kHealthySince ? 0.0 : kTime + since),
        diseased(participants, since == kHealthySince ? 0 : 1) {}
  Timeline timeline() const { return {stages, diseased, times, {}}; }

  static constexpr double kTime = 3.0;
  std::vector<double> stages;
  std::vector<std::uint8_t> diseased;
  std::vector<double> times{kTime};
};

std::vector<double> drawn_values(const MeasurementModel& model, int trait, double since,
                                 std::size_t participants) {
  const Alike people(participants, since);
  auto stream = part_stream(2);
  Matrix x(participants, 1);
  model.measure(people.timeline(), {trait}, stream, x.view());
  return x.values();
}

/// A density as a distribution function: summed over cells that are narrow around the means and
/// wide far out, where tails may be heavy. Atoms are left out.
class Summed {
 public:
  Summed(const MeasurementLaw& law, int trait, double since) {
    const auto& [name, phi, theta] = law.biomarkers()[0];
    const double centre = 0.5 * (phi.mean + theta.mean);
    const double width = std::max({phi.sd, theta.sd, 0.25 * std::abs(theta.mean - phi.mean)});
    edges_.reserve(kCells + 1);
    for (std::size_t i = 0; i <= kCells; ++i)
      edges_.push_back(centre +
                       width * std::sinh(kReach * (2.0 * static_cast<double>(i) / kCells - 1.0)));
    sums_.push_back(0.0);
    const std::vector<double> at{since};
    std::vector<double> log_density(1);
    for (std::size_t i = 0; i < kCells; ++i) {
      law.log_density(0, trait, 0.5 * (edges_[i] + edges_[i + 1]), at, log_density);
      sums_.push_back(sums_.back() + std::exp(log_density[0]) * (edges_[i + 1] - edges_[i]));
    }
  }
  double mass() const { return sums_.back(); }
  double below(double x) const {
    const auto right = std::upper_bound(edges_.begin(), edges_.end(), x);
    if (right == edges_.begin()) return 0.0;
    if (right == edges_.end()) return mass();
    const auto i = static_cast<std::size_t>(right - edges_.begin() - 1);
    const double share = (x - edges_[i]) / (edges_[i + 1] - edges_[i]);
    return sums_[i] + share * (sums_[i + 1] - sums_[i]);
  }

 private:
  static constexpr std::size_t kCells = 60'000;
  static constexpr double kReach = 8.0;  // asinh of how many widths
  std::vector<double> edges_, sums_;
};

/// The values that have probability of their own, and how much the law gives them.
std::vector<std::pair<double, double>> atoms_of(const MeasurementLaw& law, int trait,
                                                double since) {
  const auto state = since >= 0.0 ? EventState::post : EventState::pre;
  const auto& biomarker = law.biomarkers()[0];
  const double sd = (state == EventState::post ? biomarker.theta : biomarker.phi).sd;
  const std::vector<double> at{since};
  std::vector<double> log_density(1);
  std::vector<std::pair<double, double>> out;
  for (const double value : law.atoms(0, trait, state)) {
    law.log_density(0, trait, value, at, log_density);
    out.emplace_back(value, std::exp(log_density[0] - MeasurementLaw::kAtomPrecision) * sd);
  }
  return out;
}

std::string where_of(int trait, double since) {
  if (since == kHealthySince) return fmt::format("trait {}, healthy", trait);
  return fmt::format("trait {}, {} stages {} the event", trait, std::abs(since),
                     since < 0.0 ? "before" : "after");
}

/// Looks at the law of a model for each trait and several times since the event.
template <class Look>
Finding for_each_state(const Subject& subject, Look&& look) {
  const auto model = subject.measurement_model(one_biomarker());
  if (model->law() == nullptr) return not_applicable("states no law");
  for (const int trait : model->law()->possible_traits())
    for (const double since : kSince)
      if (Finding found = look(*model, trait, since); found.outcome != Outcome::passed)
        return found;
  return passed();
}

Finding density_adds_up(const Subject& subject) {
  constexpr double kWithin = 1e-3;
  return for_each_state(subject, [](const MeasurementModel& model, int trait, double since) {
    double mass = Summed(*model.law(), trait, since).mass();
    for (const auto& [value, share] : atoms_of(*model.law(), trait, since)) mass += share;
    if (std::abs(mass - 1.0) <= kWithin) return passed();
    return failed(
        fmt::format("{}: the density adds up to {:.4f}, expected 1; a normalising term "
                    "is missing or wrong",
                    where_of(trait, since), mass));
  });
}

Finding density_is_that_of_draws(const Subject& subject) {
  constexpr std::size_t kDraws = 100'000;
  return for_each_state(subject, [](const MeasurementModel& model, int trait, double since) {
    const Summed law(*model.law(), trait, since);
    const auto atoms = atoms_of(*model.law(), trait, since);
    auto values = drawn_values(model, trait, since, kDraws);
    std::erase_if(values, [&](double value) {
      return std::any_of(atoms.begin(), atoms.end(),
                         [&](const auto& atom) { return atom.first == value; });
    });
    if (values.empty()) return passed();
    const double p = ks_p_value(values, [&](double x) { return law.below(x) / law.mass(); });
    if (p >= kRarely) return passed();
    return failed(fmt::format("{}: {} draws do not follow the density (mean {:.3f}, p = {:.1e})",
                              where_of(trait, since), values.size(), mean(values), p));
  });
}

Finding atoms_hold_their_mass(const Subject& subject) {
  constexpr std::size_t kDraws = 20'000;
  bool has_some = false;
  auto found = for_each_state(
      subject, [&](const MeasurementModel& model, int trait, double since) -> Finding {
        auto values = drawn_values(model, trait, since, kDraws);
        std::sort(values.begin(), values.end());
        const auto atoms = atoms_of(*model.law(), trait, since);
        for (const auto& [value, share] : atoms) {
          has_some = true;
          const auto [from, to] = std::equal_range(values.begin(), values.end(), value);
          const auto count = static_cast<double>(to - from);
          const double expected = kDraws * share;
          if (std::abs(count - expected) > 4.5 * std::sqrt(expected) + 1.0)
            return failed(fmt::format("{}: {} of {} draws are {}, and the law gives it {:.1f}",
                                      where_of(trait, since), count, kDraws, value, expected));
        }
        const auto is_atom = [&](double value) {
          return std::any_of(atoms.begin(), atoms.end(),
                             [&](const auto& atom) { return atom.first == value; });
        };
        for (std::size_t i = 1; i < values.size(); ++i)
          if (values[i] == values[i - 1] && !is_atom(values[i])) {
            has_some = true;
            return failed(
                fmt::format("{}: participants share the value {}, which is no atom of "
                            "the law; state it in do_atoms",
                            where_of(trait, since), values[i]));
          }
        return passed();
      });
  if (found.outcome == Outcome::passed && !has_some) return not_applicable("has no atoms");
  return found;
}

Finding switch_switches(const Subject& subject) {
  const auto model = subject.measurement_model(one_biomarker());
  if (model->law() == nullptr) return not_applicable("states no law");
  if (model->law()->effect() != EventEffect::switched)
    return not_applicable("has a gradual effect");
  for (const int trait : model->law()->possible_traits())
    for (const double x : {5.0, 10.0, 20.0, 30.0}) {
      const std::vector<double> since{kHealthySince, -2.0, -0.01, 0.0, 0.01, 5.0};
      std::vector<double> out(since.size());
      model->law()->log_density(0, trait, x, since, out);
      if (out[0] != out[1] || out[1] != out[2] || out[3] != out[4] || out[4] != out[5])
        return failed(
            fmt::format("trait {}, value {}: the density changes with the time since the "
                        "event, and the law says EventEffect::switched",
                        trait, x));
    }
  return passed();
}

Finding traits_are_possible(const Subject& subject) {
  constexpr std::size_t kBiomarkers = 3'000;
  const auto model = subject.measurement_model(biomarkers(kBiomarkers));
  if (model->law() == nullptr) return not_applicable("states no law");
  auto stream = part_stream(3);
  const auto traits = model->draw_traits(stream);
  const auto& possible = model->law()->possible_traits();
  if (traits.empty()) {
    if (possible == std::vector{0}) return not_applicable("has no traits");
    return failed("the law has traits, and none are drawn");
  }
  std::vector<double> counts;
  double all = 0.0;
  for (const int trait : possible) {
    counts.push_back(static_cast<double>(std::count(traits.begin(), traits.end(), trait)));
    all += counts.back();
  }
  if (all != static_cast<double>(kBiomarkers))
    return failed(fmt::format("{} of {} biomarkers have a trait that the law does not know",
                              static_cast<double>(kBiomarkers) - all, kBiomarkers));
  if (counts.size() > 1 && chi_square_p_value(counts, std::vector(counts.size(), 1.0)) < kRarely)
    return failed("traits are not equally likely, and methods that infer take them for that");
  return passed();
}

/// Draws for participants and events of some variety.
Matrix measured(const MeasurementModel& model, const std::vector<double>& stages,
                const std::vector<double>& times, MatrixView<const double> of_cells = {}) {
  std::vector<std::uint8_t> diseased;
  for (const double stage : stages) diseased.push_back(stage > 0.0 ? 1 : 0);
  auto stream = part_stream(4);
  const auto traits = model.draw_traits(stream);
  Matrix x(stages.size(), times.size());
  model.measure({stages, diseased, times, of_cells}, traits, stream, x.view());
  return x;
}

const std::vector<double>& some_stages() {
  static const std::vector<double> stages{0.0, 1.0, 2.0, 3.0, 0.0, 2.5};
  return stages;
}

Finding healthy_have_no_events(const Subject& subject) {
  const auto model = subject.measurement_model(biomarkers(3));
  const std::vector<double> healthy(6, 0.0);
  if (!(measured(*model, healthy, {0.0, 0.0, 0.0}) == measured(*model, healthy, {3.0, 3.0, 3.0})))
    return failed(
        "values of the healthy depend on event times; a healthy participant is before "
        "every event (Timeline::post_event)");
  return passed();
}

Finding cells_have_their_own_times(const Subject& subject) {
  const auto model = subject.measurement_model(biomarkers(3));
  const std::vector<double> times{3.0, 2.0, 1.0};
  Matrix own(some_stages().size(), times.size());
  for (std::size_t j = 0; j < own.rows(); ++j)
    std::copy(times.begin(), times.end(), own.row(j).begin());
  if (!(measured(*model, some_stages(), {1.0, 2.0, 3.0}, std::as_const(own).view()) ==
        measured(*model, some_stages(), times)))
    return failed(
        "a cell's own event time is not looked at; use Timeline::event_time or "
        "Timeline::event_times_of instead of event_times");
  return passed();
}

Finding values_follow_units(const Subject& subject) {
  constexpr double kScale = 1e6, kShift = 1e7, kWithin = 1e-6;
  const auto table = biomarkers(3);
  std::vector<Biomarker> scaled;
  for (const auto& [name, phi, theta] : table)
    scaled.push_back({name,
                      {kScale * phi.mean + kShift, kScale * phi.sd},
                      {kScale * theta.mean + kShift, kScale * theta.sd}});
  const auto x = measured(*subject.measurement_model(table), some_stages(), {1.0, 2.0, 3.0});
  const auto y =
      measured(*subject.measurement_model(BiomarkerTable(scaled)), some_stages(), {1.0, 2.0, 3.0});
  for (std::size_t j = 0; j < x.rows(); ++j)
    for (std::size_t b = 0; b < x.cols(); ++b) {
      const double expected = kScale * x(j, b) + kShift;
      if (std::abs(y(j, b) - expected) > kWithin * kScale * table[b].phi.sd)
        return failed(
            fmt::format("'{}' in units of a millionth, moved by {:g}: expected {:.10g}, "
                        "found {:.10g}; the model holds a number with a unit",
                        table[b].name, kShift, expected, y(j, b)));
    }
  return passed();
}

Finding cumulative_rises(const Subject& subject) {
  const auto prior = subject.stage_prior();
  const auto* law = prior->continuous_law();
  if (law == nullptr) return not_applicable("states no law of continuous stages");
  constexpr std::size_t kPlaces = 1'000;
  for (const std::size_t last : {1, 2, 12, 100}) {
    std::vector<double> stages;
    for (std::size_t i = 0; i <= kPlaces; ++i)
      stages.push_back(static_cast<double>(last * i) / kPlaces);
    const auto below = law->cumulative(last, stages);
    if (below.front() != 0.0 || below.back() != 1.0)
      return failed(fmt::format("B = {}: P(k <= 0) is {} and P(k <= B) is {}, expected 0 and 1",
                                last, below.front(), below.back()));
    for (std::size_t i = 1; i <= kPlaces; ++i)
      if (below[i] < below[i - 1])
        return failed(fmt::format("B = {}: P(k <= stage) falls from {} at stage {} to {} at {}",
                                  last, below[i - 1], stages[i - 1], below[i], stages[i]));
  }
  return passed();
}

Finding concentrations_are_positive(const Subject& subject) {
  const auto prior = subject.stage_prior();
  if (prior->ordinal_law() == nullptr) return not_applicable("states no law of ordinal stages");
  for (const std::size_t last : {1, 2, 12, 100}) prior->ordinal_law()->concentrations(last);
  return passed();  // the SDK refuses others
}

std::vector<double> drawn_stages(const StagePrior& prior, std::size_t last, std::size_t count,
                                 std::uint64_t number) {
  std::vector<double> stages(count);
  auto stream = part_stream(number);
  prior.draw(last, stream, stages);
  return stages;
}

/// The law of whole stages: how often each is drawn, and how often two of one cohort agree.
Finding ordinal_draws_follow(const StagePrior& prior) {
  constexpr std::size_t kLast = 5, kCohorts = 6'000;
  const auto alpha = prior.ordinal_law()->concentrations(kLast);
  double total = 0.0;
  for (const double value : alpha) total += value;
  double expected = 0.0;  // that two participants of one cohort are at one stage
  for (const double value : alpha) expected += value * (value + 1.0) / (total * (total + 1.0));
  std::vector<double> counts(kLast);
  double same = 0.0;
  for (std::size_t i = 0; i < kCohorts; ++i) {
    const auto pair = drawn_stages(prior, kLast, 2, 100 + i);
    ++counts[static_cast<std::size_t>(pair[0]) - 1];
    same += pair[0] == pair[1];
  }
  if (chi_square_p_value(counts, alpha) < kRarely)
    return failed("stages are not drawn as often as the concentrations say");
  if (mean_p_value(same / kCohorts, kCohorts, expected, std::sqrt(expected * (1.0 - expected))) <
      kRarely)
    return failed(
        fmt::format("two participants of a cohort are at one stage in {:.3f} of cohorts, "
                    "and the concentrations say {:.3f}",
                    same / kCohorts, expected));
  return passed();
}

Finding stages_follow_their_law(const Subject& subject) {
  const auto prior = subject.stage_prior();
  if (prior->ordinal_law() != nullptr) return ordinal_draws_follow(*prior);
  const auto* law = prior->continuous_law();
  if (law == nullptr) return not_applicable("states no law");
  constexpr std::size_t kLast = 5, kDraws = 100'000;
  auto stages = drawn_stages(*prior, kLast, kDraws, 5);
  std::sort(stages.begin(), stages.end());
  const auto below = law->cumulative(kLast, stages);
  const double p = ks_p_value(stages, [&](double stage) {
    const auto place = std::upper_bound(stages.begin(), stages.end(), stage) - stages.begin();
    return below[static_cast<std::size_t>(place) - 1];
  });
  if (p < kRarely)
    return failed(fmt::format("{} draws do not follow P(k <= stage) (mean {:.3f}, p = {:.1e})",
                              kDraws, mean(stages), p));
  return passed();
}

/// A short name of what a plugin draws: nine digits of each number count.
std::string digest_of(const std::vector<double>& numbers) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const double number : numbers)
    for (const char c : fmt::format("{:.9g},", number + 0.0)) {
      hash ^= static_cast<unsigned char>(c);
      hash *= 0x100000001b3;
    }
  return fmt::format("{:016x}", hash);
}

Finding draws_are_those_of_the_version(const Subject& subject) {
  const std::string version = subject.record().descriptor->version;
  std::vector<double> numbers;
  const Drawer drawer(subject, biomarkers(5));
  for (std::uint64_t i = 0; i < 3; ++i) {
    const auto drawn = drawer.draw(20, part_stream(i));
    numbers.insert(numbers.end(), drawn.begin(), drawn.end());
  }
  const auto digest = digest_of(numbers);
  for (const auto& draws : subject.draws_on_file)
    if (draws.version == version)
      return draws.digest == digest
                 ? passed()
                 : failed(fmt::format("draws of version {} have the digest {} on file, and now {}; "
                                      "raise the version where draws change",
                                      version, draws.digest, digest));
  return not_applicable(fmt::format(
      "has no digest on file; keep one with [[draws]], version = \"{}\", digest = \"{}\"", version,
      digest));
}

}  // namespace

std::vector<Check> law_checks() {
  return {
      {"H13", "A stated density adds up to 1.",
       "Summed over all values, within 0.001, for each trait and six times since the event. A term "
       "that is missing turns comparisons of hypotheses upside down, and nothing else shows it.",
       kModels, false, density_adds_up},
      {"H14", "A stated law is that of the draws.",
       "100,000 draws against the density, for each trait and six times since the event, or "
       "against the law of stages (Kolmogorov-Smirnov or chi-square at 1e-4).",
       kParts, false,
       [](const Subject& subject) {
         return subject.kind() == InterfaceKind::stage_prior ? stages_follow_their_law(subject)
                                                             : density_is_that_of_draws(subject);
       }},
      {"H15", "The law of continuous stages rises from 0 to 1.",
       "P(k <= stage) at 1,001 stages from 0 to B, for several B.", kPriors, false,
       cumulative_rises},
      {"H16", "The concentrations of ordinal stages are positive.",
       "One for each stage, for B of 1, 2, 12 and 100.", kPriors, false,
       concentrations_are_positive},
      {"H17", "Atoms hold the mass that the law gives them.",
       "Values that participants share are atoms of the law (do_atoms), and 20,000 draws hit each "
       "as often as the law says.",
       kModels, false, atoms_hold_their_mass},
      {"H19", "Draws change with the version only.",
       "A digest of some draws against the one that the file of --expected has for this version. "
       "Results are kept by version, so that draws which change without it mix old and new.",
       kDrawing, false, draws_are_those_of_the_version},
      {"H21", "Measurements follow the units of the biomarker table.",
       "The table times 1e6, moved by 1e7, gives the same values times 1e6, moved by 1e7.", kModels,
       false, values_follow_units},
      {"H23", "Traits are those of the law, equally likely.",
       "Traits of 3,000 biomarkers (chi-square at 1e-4).", kModels, false, traits_are_possible},
      {"H24", "A cell's own event time counts.",
       "Hypotheses with noisy event times give one to each cell: Timeline::cell_event_times.",
       kModels, false, cells_have_their_own_times},
      {"H27", "The healthy are before every event.",
       "Early and late events give the healthy the same values.", kModels, false,
       healthy_have_no_events},
      {"H28", "A switch depends on nothing but whether the event has happened.",
       "A law with EventEffect::switched is the same at any time before the event, and at any time "
       "after it.",
       kModels, false, switch_switches},
  };
}

}  // namespace tempo::conformance
