#include "training_support.hpp"

#include <fmt/format.h>

namespace tempo::test {

FewCohorts::FewCohorts(const std::string& hypothesis, std::uint64_t seed, std::size_t participants)
    : hypotheses_{hypothesis}, seed_(seed), size_{.participants = participants} {
  std::vector<Biomarker> table;
  for (const auto* name : {"mu", "alpha", "zeta", "beta"}) {
    const auto place = static_cast<double>(table.size());
    table.push_back({name, {place, 1.0}, {place + 3.0, 1.0}});
    names_.emplace_back(name);
  }
  process_ = shipped().hypothesis(part(hypothesis), BiomarkerTable(table));
}

SimulatedCohort FewCohorts::draw(Purpose purpose, std::uint64_t number) const {
  RandomStream stream(seed_, purpose == Purpose::training ? "training" : "validation", {}, number);
  return process_->simulate(size_, stream);
}

std::unique_ptr<TrainableMethod> small_tempo(const std::vector<Setting>& settings) {
  PartSpec spec = part("tempo");
  const auto set = [&](const Setting& setting) {
    ParameterValue value;
    std::visit([&](const auto& held) { value.value = held; }, setting.second);
    spec.settings.set(setting.first, value);
  };
  for (const auto& [key, number] : {std::pair<const char*, std::int64_t>{"epochs", 2},
                                    {"samples", 24},
                                    {"batch", 12},
                                    {"validation_cohorts", 4},
                                    {"fixed_cohorts", 8}})
    set({key, number});
  for (const auto& setting : settings) set(setting);
  return shipped().trainable_method(spec);
}

TrainingOutcome train(const TrainableMethod& method, const TrainingCohorts& cohorts,
                      const std::filesystem::path& folder, TrainingMonitor& monitor,
                      std::size_t threads, std::uint64_t seed) {
  return method.train({cohorts, stream(seed), folder / "model", folder / "checkpoints", threads},
                      monitor);
}

amortised::Columns columns(std::size_t biomarkers) {
  using namespace amortised;
  Columns out;
  for (std::size_t b = 0; b < biomarkers; ++b) {
    out.biomarkers.push_back(biomarkers <= 26 ? std::string(1, static_cast<char>('a' + b))
                                              : fmt::format("{:03}", b));
    const auto shift = 0.01F * static_cast<float>(b);  // no two biomarkers have the same knots
    for (std::size_t i = 0; i < kKnots; ++i) {
      const auto share = static_cast<float>(i) / static_cast<float>(kKnots - 1);
      out.knots.push_back(shift - 3.0F + (5.0F + share) * share);
    }
    out.atoms.insert(out.atoms.end(), {-2.5F + shift, 2.25F - shift});
    out.atoms.insert(out.atoms.end(), {b == 0 ? 2.250005F : kNoAtom, b == 0 ? 0.5F : kNoAtom});
  }
  out.mean.assign(biomarkers, 1.0);
  out.sd.assign(biomarkers, 2.0);
  return out;
}

amortised::Model untrained(amortised::Preset preset, std::size_t biomarkers) {
  amortised::Model model;
  model.preset = preset;
  model.columns = columns(biomarkers);
  model.sizes = amortised::CompactSizes::latest(biomarkers);
  model.hypotheses = {"h1"};
  model.history = {{1, 2, {{"training_loss", 0.1}}}};
  model.weights = amortised::initial_values(
      amortised::make_network(preset, model.columns)->layout(), stream(1));
  return model;
}

}  // namespace tempo::test
