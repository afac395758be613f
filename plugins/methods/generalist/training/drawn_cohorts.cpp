#include "drawn_cohorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "prepared_cohort.hpp"

namespace tempo::amortised {
namespace {

constexpr double kWithoutDiagnosis = 0.35;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double between(double low, double high, RandomStream& draw) {
  return low + (high - low) * draw.uniform();
}
double log_between(double low, double high, RandomStream& draw) {
  return std::exp(between(std::log(low), std::log(high), draw));
}
bool happens(double share, RandomStream& draw) { return draw.uniform() < share; }

/// Values in units of the pre-event distribution: the network sees none of them.
BiomarkerTable draw_biomarkers(std::size_t count, RandomStream& draw) {
  enum class Kind { clinical, wide, unrelated };
  const double kind_of = draw.uniform();
  const auto kind = kind_of < 0.4 ? Kind::clinical : kind_of < 0.75 ? Kind::wide : Kind::unrelated;
  std::vector<Biomarker> out;
  for (std::size_t b = 0; b < count; ++b) {
    Biomarker biomarker{fmt::format("b{}", b), {0.0, 1.0}, {0.0, 1.0}};
    if (kind == Kind::unrelated) {  // the means may nearly be the same
      biomarker.phi = {between(-400.0, 400.0, draw), between(5.0, 300.0, draw)};
      biomarker.theta = {between(-400.0, 400.0, draw), between(5.0, 300.0, draw)};
    } else {
      const double ratio = kind == Kind::clinical ? log_between(0.6, 3.0, draw)
                                                  : std::exp(0.2 + 0.6 * draw.normal());
      const double gap =
          kind == Kind::clinical ? between(0.8, 3.5, draw) : log_between(0.15, 8.0, draw);
      biomarker.theta.sd = std::clamp(ratio, 0.1, 10.0);
      biomarker.theta.mean = (happens(0.5, draw) ? 1.0 : -1.0) * gap *
                             std::sqrt(0.5 * (1.0 + biomarker.theta.sd * biomarker.theta.sd));
    }
    out.push_back(biomarker);
  }
  return BiomarkerTable(std::move(out));
}

ParameterValue table_of(std::initializer_list<std::pair<const char*, ParameterValue>> entries) {
  ParameterTable out;
  for (const auto& [key, value] : entries) out.set(key, value);
  ParameterValue value;
  value.value = std::move(out);
  return value;
}
ParameterValue text(const char* value) { return {{}, std::string(value)}; }
ParameterValue number(double value) { return {{}, value}; }

PartSpec draw_composition(RandomStream& draw) {
  PartSpec out{"composed", {}, {}};
  if (happens(0.5, draw))
    out.settings.set("event_times", table_of({{"kind", text("beta")},
                                              {"alpha", number(between(1.0, 4.0, draw))},
                                              {"beta", number(between(1.0, 4.0, draw))},
                                              {"noise_sd", number(between(0.0, 0.08, draw))}}));
  else
    out.settings.set("event_times", text("permutation"));
  switch (draw.index(3)) {
    case 0:
      out.settings.set("stage_prior", table_of({{"plugin", text("beta")},
                                                {"alpha", number(log_between(0.8, 8.0, draw))},
                                                {"beta", number(log_between(0.8, 5.0, draw))}}));
      break;
    case 1:
      out.settings.set("stage_prior", text("dirichlet_multinomial"));
      break;
    default:
      out.settings.set("stage_prior",
                       table_of({{"plugin", text("uniform")},
                                 {"concentration", number(log_between(1.0, 100.0, draw))}}));
  }
  constexpr std::array kModels = {"ebm_normal", "ebm_non_normal", "sigmoid"};
  out.settings.set("measurement_model", text(kModels[draw.index(kModels.size())]));
  return out;
}

/// Measurements in steps, or bent: what clinics have and the hypotheses lack.
void disturb(Matrix& x, RandomStream& draw) {
  const bool in_steps = happens(0.2, draw), bent = happens(0.1, draw);
  for (std::size_t b = 0; b < x.cols(); ++b) {
    const bool steps_here = in_steps && happens(0.5, draw), bent_here = bent && happens(0.3, draw);
    if (!steps_here && !bent_here) continue;
    double mean = 0.0, squares = 0.0;
    const auto n = static_cast<double>(x.rows());
    for (std::size_t j = 0; j < x.rows(); ++j) mean += x(j, b) / n;
    for (std::size_t j = 0; j < x.rows(); ++j) squares += (x(j, b) - mean) * (x(j, b) - mean) / n;
    const double sd = std::sqrt(squares);
    const double step = sd * log_between(0.05, 1.0, draw), bend = between(-0.6, 0.6, draw);
    for (std::size_t j = 0; j < x.rows(); ++j) {
      if (bent_here) x(j, b) = std::exp(std::clamp(bend * (x(j, b) - mean) / sd, -6.0, 6.0));
      if (steps_here) x(j, b) = std::round(x(j, b) / (bent_here ? 0.2 * step / sd : step));
    }
  }
}

/// Cells that are missing at random, each for itself or all of a group of biomarkers at once.
void leave_out(Matrix& x, RandomStream& draw) {
  if (happens(0.5, draw)) return;
  const double share = between(0.0, 0.4, draw);
  const bool in_groups = happens(0.3, draw);
  std::vector<double> shares(x.cols());
  std::vector<std::size_t> group(x.cols());
  for (std::size_t b = 0; b < x.cols(); ++b) {
    shares[b] = std::min(share * between(0.0, 2.0, draw), 0.8);
    group[b] = draw.index(3);
  }
  for (std::size_t j = 0; j < x.rows(); ++j) {
    const std::array missing = {happens(share, draw), happens(share, draw), happens(share, draw)};
    for (std::size_t b = 0; b < x.cols(); ++b)
      if (in_groups ? missing[group[b]] : happens(shares[b], draw)) x(j, b) = kNan;
  }
}

}  // namespace

std::size_t draw_biomarker_count(RandomStream& stream) {
  return static_cast<std::size_t>(log_between(kFewestBiomarkers, kMostBiomarkers + 1, stream));
}

SimulatedCohort draw_cohort(const PartFactory& factory, std::size_t biomarkers,
                            RandomStream& stream) {
  PartSpec hypothesis{fmt::format("h{}", 1 + stream.index(9)), {}, {}};
  if (happens(0.3, stream)) hypothesis = draw_composition(stream);
  const auto process = factory.hypothesis(hypothesis, draw_biomarkers(biomarkers, stream));
  CohortSize size;
  size.participants = static_cast<std::size_t>(
      happens(0.8, stream) ? log_between(kFewestParticipants, 800.0, stream)
                           : log_between(200.0, kMostParticipants + 1, stream));
  size.healthy_ratio = happens(0.3, stream) ? 0.21 : between(kLeastHealthy, kMostHealthy, stream);
  auto out = process->simulate(size, stream);
  disturb(out.cohort.measurements, stream);
  leave_out(out.cohort.measurements, stream);
  if (happens(kWithoutDiagnosis, stream)) out.cohort.diseased.clear();
  return out;
}

}  // namespace tempo::amortised
