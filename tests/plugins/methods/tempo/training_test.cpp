// Training through the public interface: reproducible, resumable, honest about what goes wrong.

#include <torch/cuda.h>

#include "tempo/error.hpp"
#include "training_support.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

std::vector<float> weights_in(const TemporaryFolder& folder) {
  return amortised::read_model(folder.path() / "model").weights;
}

std::vector<float> trained(const TrainableMethod& method, std::size_t threads = 1,
                           std::uint64_t seed = 1) {
  const TemporaryFolder folder;
  Watcher watcher;
  REQUIRE(train(method, FewCohorts(), folder.path(), watcher, threads, seed).finished);
  return weights_in(folder);
}

const std::vector<Setting> kPaper = {{"preset", "paper"},
                                     {"samples", std::int64_t{4}},
                                     {"batch", std::int64_t{2}},
                                     {"participants", std::int64_t{16}}};

}  // namespace

TEST_CASE("a training writes a model with its history, and tells its monitor", "[tempo][train]") {
  const TemporaryFolder folder;
  Watcher watcher;
  const auto outcome = train(*small_tempo(), FewCohorts(), folder.path(), watcher);
  REQUIRE(outcome.finished);
  REQUIRE(outcome.warnings.size() == 1);  // 48 subsamples teach nothing that 4 cohorts could show
  REQUIRE_THAT(outcome.warnings[0], StartsWith("no better than chance"));
  REQUIRE(watcher.steps.size() == 4);
  REQUIRE(watcher.steps[1].samples_done == 24);
  REQUIRE(watcher.steps[1].epochs == 2);
  REQUIRE(watcher.epochs.size() == 2);
  std::vector<std::string> names;
  for (const auto& [name, value] : watcher.epochs[0].numbers) names.push_back(name);
  REQUIRE(names == std::vector<std::string>{"training_loss", "validation_loss",
                                            "validation_tau_distance", "validation_stage_mae",
                                            "learning_rate"});
  const auto model = amortised::read_model(folder.path() / "model");
  REQUIRE(model.columns.biomarkers == std::vector<std::string>{"alpha", "beta", "mu", "zeta"});
  REQUIRE(model.hypotheses == std::vector<std::string>{"h1"});
  REQUIRE(model.history.size() == 2);
  REQUIRE(model.history[1].numbers == watcher.epochs[1].numbers);
}

TEST_CASE("the same stream gives the same weights for any number of threads", "[tempo][train]") {
  const auto method = small_tempo();
  const auto weights = trained(*method, 1);
  REQUIRE(trained(*method, 3) == weights);
  REQUIRE(trained(*method, 1, /*seed=*/2) != weights);
}

TEST_CASE("dropout does not depend on threads either", "[tempo][train]") {
  auto settings = kPaper;
  settings.emplace_back("epochs", std::int64_t{1});
  settings.emplace_back("batch", std::int64_t{8});  // two pieces of work
  settings[1].second = std::int64_t{8};
  const auto method = small_tempo(settings);
  REQUIRE(trained(*method, 2) == trained(*method, 1));
}

TEST_CASE("a training that was stopped goes on to the same weights", "[tempo][train]") {
  const bool paper = GENERATE(false, true);
  const auto method = paper ? small_tempo(kPaper) : small_tempo();
  const TemporaryFolder whole, parts;
  Watcher watcher;
  REQUIRE(train(*method, FewCohorts(), whole.path(), watcher).finished);

  Watcher impatient(/*most_steps=*/3);  // in the middle of epoch 2
  REQUIRE_FALSE(train(*method, FewCohorts(), parts.path(), impatient).finished);
  REQUIRE_FALSE(std::filesystem::exists(parts.path() / "model"));
  Watcher second;
  REQUIRE(train(*method, FewCohorts(), parts.path(), second).finished);
  REQUIRE(second.steps.size() == 2);  // epoch 2 only
  REQUIRE(second.epochs.size() == 2);
  REQUIRE(second.epochs[0].numbers == watcher.epochs[0].numbers);
  REQUIRE(second.epochs[1].numbers == watcher.epochs[1].numbers);
  REQUIRE(read_text(parts.path() / "model") == read_text(whole.path() / "model"));
}

TEST_CASE("a training goes on from a checkpoint of an older version, which kept tau",
          "[tempo][train]") {
  const TemporaryFolder folder;
  Watcher impatient(/*most_steps=*/3), after;
  REQUIRE_FALSE(train(*small_tempo(), FewCohorts(), folder.path(), impatient).finished);
  const auto checkpoint = folder.path() / "checkpoints" / "checkpoint.safetensors";
  auto file = amortised::read_safetensors(checkpoint);
  auto& state = file.metadata.at("state");
  const std::string name = "validation_tau_distance", old_name = "validation_tau";
  const auto place = state.find(name);
  REQUIRE(place != std::string::npos);
  state.replace(place, name.size(), old_name);  // so that its distance is read as a tau
  amortised::write_safetensors(file, checkpoint);
  const auto tau = impatient.epochs.at(0).numbers.at(2).second;
  REQUIRE(train(*small_tempo(), FewCohorts(), folder.path(), after).finished);
  REQUIRE(after.epochs.size() == 2);
  REQUIRE(after.epochs[0].numbers[2] == std::pair{name, (1.0 - tau) / 2.0});
}

TEST_CASE("a checkpoint of another task or other settings is refused", "[tempo][train]") {
  const TemporaryFolder folder;
  Watcher impatient(/*most_steps=*/3), watcher;
  REQUIRE_FALSE(train(*small_tempo(), FewCohorts(), folder.path(), impatient).finished);
  const std::string refusal = "belongs to another task, other settings";
  REQUIRE_THROWS_WITH(
      train(*small_tempo({{"learning_rate", 1e-4}}), FewCohorts(), folder.path(), watcher),
      Contains(refusal) && Contains("delete it to begin anew"));
  REQUIRE_THROWS_WITH(train(*small_tempo(), FewCohorts("h8"), folder.path(), watcher),
                      Contains(refusal));
  REQUIRE_THROWS_WITH(train(*small_tempo(), FewCohorts(), folder.path(), watcher, 1, /*seed=*/2),
                      Contains(refusal));
  REQUIRE_THROWS_WITH(train(*small_tempo(), FewCohorts("h1", /*seed=*/9), folder.path(), watcher),
                      Contains(refusal));
}

TEST_CASE("a damaged checkpoint is set aside, told of, and stops no training", "[tempo][train]") {
  const TemporaryFolder folder, undisturbed;
  Watcher impatient(/*most_steps=*/3), watcher, other;
  REQUIRE_FALSE(train(*small_tempo(), FewCohorts(), folder.path(), impatient).finished);
  const auto checkpoint = folder.path() / "checkpoints" / "checkpoint.safetensors";
  auto bytes = read_text(checkpoint);
  SECTION("cut short") {
    REQUIRE(bytes.size() > 1000);
    bytes.resize(1000);
  }
  SECTION("with another state") {
    const auto at = bytes.find("learning_rate");
    REQUIRE(at != std::string::npos);
    ++bytes[bytes.find_first_of("123456789", at)];
  }
  folder.write("checkpoints/checkpoint.safetensors", bytes);
  const auto outcome = train(*small_tempo(), FewCohorts(), folder.path(), watcher);
  REQUIRE(outcome.finished);
  REQUIRE_THAT(outcome.warnings.front(),
               Contains("it was set aside as " + checkpoint.string() + ".damaged"));
  REQUIRE(read_text(checkpoint.string() + ".damaged") == bytes);
  REQUIRE(train(*small_tempo(), FewCohorts(), undisturbed.path(), other).finished);
  REQUIRE(read_text(folder.path() / "model") == read_text(undisturbed.path() / "model"));
}

TEST_CASE("a loss that is no number ends training, naming the likely cause", "[tempo][train]") {
  const TemporaryFolder folder;
  Watcher watcher;
  REQUIRE_THROWS_WITH(
      train(*small_tempo({{"learning_rate", 1e30}}), FewCohorts(), folder.path(), watcher),
      Contains("learning_rate = 1e+30 is the likely cause") &&
          Contains("no epoch had been finished"));
  REQUIRE_FALSE(std::filesystem::exists(folder.path() / "model"));
}

TEST_CASE("cohorts that nothing can be learnt from leave the weights of the best epoch",
          "[tempo][train]") {
  // Cohorts from number 256 on, which the second epoch begins with, are beyond what a float holds.
  struct Exploding final : TrainingCohorts {
    SimulatedCohort draw(Purpose purpose, std::uint64_t number) const override {
      auto drawn = few.draw(purpose, number);
      if (purpose == Purpose::training && number >= 256)
        for (auto& value : drawn.cohort.measurements.values()) value *= 1e300;
      return drawn;
    }
    const std::vector<std::string>& biomarkers() const override { return few.biomarkers(); }
    const std::vector<std::string>& hypotheses() const override { return few.hypotheses(); }
    FewCohorts few;
  } exploding;
  const TemporaryFolder folder, good;
  Watcher watcher;
  const std::vector<Setting> settings = {{"samples", std::int64_t{256}},
                                         {"batch", std::int64_t{64}}};
  const auto outcome = train(*small_tempo(settings), exploding, folder.path(), watcher);
  REQUIRE(outcome.finished);
  REQUIRE_THAT(outcome.warnings.at(0),
               Contains("training stopped in epoch 2 at step 1: a cohort has ") &&
                   Contains("beyond what single precision holds") &&
                   Contains("the weights of epoch 1 were kept"));
  Watcher impatient(/*most_steps=*/5);  // stops a training that meets no such cohort after epoch 1
  REQUIRE_FALSE(train(*small_tempo(settings), exploding.few, good.path(), impatient).finished);
  const auto model = amortised::read_model(folder.path() / "model");
  REQUIRE(model.history.size() == 1);
  REQUIRE(model.history[0].numbers == impatient.epochs.at(0).numbers);
}

TEST_CASE("a training that has learnt nothing says so", "[tempo][train]") {
  // Labels, values and order have nothing to do with each other: no network can tell.
  struct Noise final : TrainingCohorts {
    SimulatedCohort draw(Purpose purpose, std::uint64_t number) const override {
      auto drawn = few.draw(purpose, number);
      auto noise = stream(purpose == Purpose::training ? number : number + 1'000'000);
      for (auto& value : drawn.cohort.measurements.values()) value = noise.normal();
      return drawn;
    }
    const std::vector<std::string>& biomarkers() const override { return few.biomarkers(); }
    const std::vector<std::string>& hypotheses() const override { return few.hypotheses(); }
    FewCohorts few;
  } noise;
  const TemporaryFolder folder;
  Watcher watcher;
  const auto outcome = train(*small_tempo({{"validation_cohorts", std::int64_t{50}}}), noise,
                             folder.path(), watcher);
  REQUIRE(outcome.finished);
  REQUIRE(outcome.warnings.size() == 1);
  // sqrt(13 / (18 * 4 * 3) / 50)
  REQUIRE_THAT(outcome.warnings[0],
               StartsWith("no better than chance: tau distance 0.") &&
                   Contains("over 50 validation cohorts, where random orders have 0.5 with a "
                            "standard error of 0.035"));
}

TEST_CASE("training on continuous event times", "[tempo][train]") {
  const TemporaryFolder folder;
  Watcher watcher;
  auto settings = kPaper;
  settings.emplace_back("epochs", std::int64_t{1});
  REQUIRE(train(*small_tempo(settings), FewCohorts("h8"), folder.path(), watcher).finished);
}

TEST_CASE("a small network learns what there is to learn", "[tempo][train]") {
  // Four biomarkers three standard deviations apart: after these 960 subsamples the order is right
  // but for a few per cent of pairs. An untrained network gets half of them wrong.
  const TemporaryFolder folder;
  Watcher watcher;
  const auto method = small_tempo({{"samples", std::int64_t{320}},
                                   {"epochs", std::int64_t{3}},
                                   {"validation_cohorts", std::int64_t{40}}});
  const auto outcome = train(*method, FewCohorts("h1", 1, 80), folder.path(), watcher, 2);
  REQUIRE(outcome.finished);
  const auto& last = watcher.epochs.back().numbers;
  REQUIRE(outcome.warnings.empty());
  CAPTURE(last[2].second, last[3].second);
  REQUIRE(last[2].second < 0.1);   // tau distance
  REQUIRE(last[3].second < 0.35);  // stage MAE
}

TEST_CASE("one biomarker has no order", "[tempo][train]") {
  struct One final : TrainingCohorts {
    SimulatedCohort draw(Purpose, std::uint64_t) const override { return {}; }
    const std::vector<std::string>& biomarkers() const override { return names; }
    const std::vector<std::string>& hypotheses() const override { return names; }
    std::vector<std::string> names = {"a"};
  } cohorts;
  const TemporaryFolder folder;
  Watcher watcher;
  REQUIRE_THROWS_WITH(train(*small_tempo(), cohorts, folder.path(), watcher),
                      Contains("at least two are needed"));
}

TEST_CASE("devices and precisions that do not exist are complained about", "[tempo][settings]") {
  REQUIRE_THROWS_WITH(small_tempo({{"device", "gpu"}}), Contains("'gpu' is no device"));
  REQUIRE_THROWS_WITH(small_tempo({{"device", "cuda:99"}}),
                      Contains("there is no device 'cuda:99'"));
  if (torch::cuda::device_count() == 0) {
    REQUIRE_THROWS_WITH(small_tempo({{"device", "cuda"}}), Contains("LibTorch finds no GPU here"));
    REQUIRE_THROWS_WITH(
        small_tempo({{"precision", "tf32"}}),
        Contains("precision 'tf32' is for a GPU, which device = \"auto\" is not here"));
  }
  REQUIRE_THROWS_WITH(small_tempo({{"device", "cpu"}, {"precision", "bf16"}}),
                      Contains("is for a GPU") && Contains("goes with preset"));
}

}  // namespace tempo::test
