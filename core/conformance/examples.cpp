#include "conformance/examples.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "tempo/composed_process.hpp"
#include "tempo/error.hpp"

namespace tempo::conformance {
namespace {

constexpr double kHealthyRatio = 0.3;

/// Whole stages, nearly equally likely.
class EvenLaw final : public DirichletStageLaw {
 private:
  std::vector<double> do_concentrations(std::size_t count) const override {
    return std::vector(count, 100.0);
  }
};

class EvenStages final : public StagePrior {
 public:
  EvenStages() : StagePrior(std::make_unique<EvenLaw>()) {}

 private:
  void do_draw(std::size_t count, RandomStream& stream, std::span<double> stages) const override {
    const auto shares = stream.dirichlet(ordinal_law()->concentrations(count));
    for (auto& stage : stages) stage = 1.0 + static_cast<double>(stream.categorical(shares));
  }
};

class NormalLaw final : public MeasurementLaw {
 public:
  explicit NormalLaw(const BiomarkerTable& table) : MeasurementLaw(table, EventEffect::switched) {}

 private:
  void do_log_density(std::size_t b, int, double x, std::span<const double> since,
                      std::span<double> out) const override {
    const auto& [name, phi, theta] = biomarkers()[b];
    for (std::size_t i = 0; i < since.size(); ++i) {
      const auto& state = since[i] >= 0.0 ? theta : phi;
      const double z = (x - state.mean) / state.sd;
      out[i] = -0.5 * z * z - std::log(state.sd * std::sqrt(2.0 * std::numbers::pi));
    }
  }
};

class NormalSwitch final : public MeasurementModel {
 public:
  explicit NormalSwitch(const BiomarkerTable& table)
      : MeasurementModel(table, std::make_unique<NormalLaw>(table)) {}

 private:
  void do_measure(const Timeline& timeline, const std::vector<int>&, RandomStream& stream,
                  MatrixView<double> x) const override {
    for (std::size_t j = 0; j < x.rows(); ++j)
      for (std::size_t b = 0; b < x.cols(); ++b) {
        const auto& [name, phi, theta] = biomarkers()[b];
        const auto& state = timeline.post_event(j, b) ? theta : phi;
        x(j, b) = state.mean + state.sd * stream.normal();
      }
  }
};

/// Whatever plugin is asked for, the parts above come.
class KnownParts final : public PartFactory {
 public:
  PartSpec resolve(InterfaceKind, const PartSpec& part, const std::string&,
                   Problems&) const override {
    return part;
  }
  std::unique_ptr<StagePrior> stage_prior(const PartSpec&) const override {
    return std::make_unique<EvenStages>();
  }
  std::unique_ptr<MeasurementModel> measurement_model(const PartSpec&,
                                                      const BiomarkerTable& table) const override {
    return std::make_unique<NormalSwitch>(table);
  }
  std::unique_ptr<GenerativeProcess> hypothesis(const PartSpec&,
                                                const BiomarkerTable& table) const override {
    return known_process(table);
  }
};

RandomStream example_stream(std::uint64_t number) {
  return RandomStream(1, "conformance", "cohort", number);
}

}  // namespace

BiomarkerTable biomarkers(std::size_t count, double separation) {
  std::vector<Biomarker> out;
  for (std::size_t b = 0; b < count; ++b) {
    const auto index = static_cast<double>(b);
    const Normal phi{10.0 * index + 20.0, 1.0 + 0.25 * index};
    const double direction = b % 2 == 0 ? 1.0 : -1.0;
    out.push_back({"biomarker_" + std::to_string(b + 1),
                   phi,
                   {phi.mean + direction * separation * phi.sd, 1.2 * phi.sd}});
  }
  return BiomarkerTable(std::move(out));
}

std::unique_ptr<GenerativeProcess> known_process(const BiomarkerTable& biomarkers) {
  static const KnownParts parts;
  return std::make_unique<ComposedProcess>(Composition{}, ProcessContext{biomarkers, parts});
}

Example example(const BiomarkerTable& biomarkers, std::size_t participants, std::uint64_t number) {
  auto stream = example_stream(number);
  auto [cohort, truth] = known_process(biomarkers)->simulate({participants, kHealthyRatio}, stream);
  return {biomarkers, std::move(cohort), std::move(truth)};
}

Example example_in_order(const BiomarkerTable& biomarkers, std::size_t participants,
                         const std::vector<std::size_t>& ranks, std::uint64_t number) {
  auto made = example(biomarkers, participants, number);
  auto& truth = made.truth;
  truth.event_ranks = Ranks(ranks);
  truth.event_times.assign(ranks.begin(), ranks.end());
  for (std::size_t j = 0; j < participants; ++j)
    truth.ordinal_stages[j] = static_cast<int>(truth.stages[j]);
  auto stream = example_stream(number).substream("in order");
  made.cohort.measurements =
      known_process(biomarkers)->law()->measure(truth, made.cohort.diseased, stream);
  return made;
}

Example plain_example(std::uint64_t number) { return example(biomarkers(8), 240, number); }

Example clear_example(std::uint64_t number) {
  return example_in_order(biomarkers(6, 8.0), 240, {2, 3, 1, 6, 4, 5}, number);
}

}  // namespace tempo::conformance
