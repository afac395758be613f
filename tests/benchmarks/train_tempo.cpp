// Trains plugin `tempo` on one hypothesis through the public interface, prints the curve, and
// scores the result on the public cohorts of that hypothesis where they are given:
//
//   bin/train_tempo h1 [preset=paper] [epochs=5] [device=cuda] ... [--threads N] [--seconds S]
//     [--biomarkers adni-12] [--cohorts DATA/public-cohorts-12] [--folder DIR] [--calibrate N]
//     [--under h1,h2,...] [--seed N] [--beside bayes]
//
// --calibrate: how well the posteriors of ranks and stages are calibrated, over N fresh cohorts.
// --beside: the same cohorts by another method, under the true hypothesis and with known
// distributions: what `bayes` reaches there is the limit.
// --under: scores the public cohorts of these hypotheses instead of its own. With either, a model
// of the hypothesis that is in the folder already is taken instead of a training.
//
// It ends with the processor time of a step, all threads together, and the most memory it had.
//
// --seconds: stops then; the same command goes on from the last epoch. Every other word is a
// setting of the plugin.

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/spread.hpp"
#include "data/biomarker_file.hpp"
#include "data/public_cohorts.hpp"
#include "registry.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/metrics.hpp"
#include "tempo/trainable_method.hpp"

namespace tempo {
namespace {

using Clock = std::chrono::steady_clock;

class Simulated final : public TrainingCohorts {
 public:
  Simulated(const GenerativeProcess& process, std::string hypothesis, std::uint64_t seed)
      : process_(process), seed_(seed), hypotheses_{std::move(hypothesis)} {
    for (const auto& biomarker : process.biomarkers()) biomarkers_.push_back(biomarker.name);
  }
  SimulatedCohort draw(Purpose purpose, std::uint64_t number) const override {
    RandomStream stream(seed_, purpose == Purpose::training ? "training" : "validation",
                        hypotheses_[0], number);
    return process_.simulate({}, stream);
  }
  const std::vector<std::string>& biomarkers() const override { return biomarkers_; }
  const std::vector<std::string>& hypotheses() const override { return hypotheses_; }

 private:
  const GenerativeProcess& process_;
  std::uint64_t seed_;
  std::vector<std::string> biomarkers_, hypotheses_;
};

class Printer final : public TrainingMonitor {
 public:
  explicit Printer(double seconds) : seconds_(seconds) {}
  void step(const TrainingStep& step) override {
    rate_ = step.samples_per_second;
    if (step.samples_done > last_done_) {  // of the same epoch: nothing but a step lies between
      seconds_of_steps_ += processor_seconds() - last_processor_seconds_;
      ++steps_;
    }
    last_done_ = step.samples_done;
    last_processor_seconds_ = processor_seconds();
  }
  void epoch(const TrainingEpoch& epoch) override {
    fmt::print("{:7.1f} s  epoch {}/{}", elapsed(), epoch.epoch, epoch.epochs);
    for (const auto& [name, value] : epoch.numbers) fmt::print("  {} {:.5g}", name, value);
    fmt::print("  samples/s {:.1f}\n", rate_);
    std::fflush(stdout);
  }
  bool stop_asked() const override { return elapsed() > seconds_; }
  void print_costs() const {
    fmt::print("processor time of a step {:.3f} s ({} steps), at most {} MiB in memory\n",
               seconds_of_steps_ / static_cast<double>(steps_), steps_, most_memory());
  }

 private:
  static double processor_seconds() {
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
  }
  static std::size_t most_memory() {
    std::ifstream status("/proc/self/status");
    std::size_t kibibytes = 0;
    for (std::string word; status >> word;)
      if (word == "VmHWM:") status >> kibibytes;
    return kibibytes / 1024;
  }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  Clock::time_point start_ = Clock::now();
  double seconds_, rate_ = 0.0;
  std::uint64_t last_done_ = std::numeric_limits<std::uint64_t>::max(), steps_ = 0;
  double last_processor_seconds_ = 0.0, seconds_of_steps_ = 0.0;
};

ParameterValue value_of(const std::string& text) {
  ParameterValue value;
  std::int64_t integer = 0;
  double number = 0.0;
  const auto* end = text.data() + text.size();
  if (std::from_chars(text.data(), end, integer).ptr == end)
    value.value = integer;
  else if (std::from_chars(text.data(), end, number).ptr == end)
    value.value = number;
  else
    value.value = text;
  return value;
}

void print(const char* what, const Calibration& found) {
  const double per_cent = 100.0 / static_cast<double>(found.truths);
  fmt::print("{}: {:.1f} % in their 90 % interval; tenths of the posterior hold", what,
             per_cent * found.inside);
  for (const auto tenth : found.tenths) fmt::print(" {:.1f}", per_cent * tenth);
  fmt::print(" % of the truth ({} values)\n", found.truths);
}

/// Of numbers, or of differences: mean and half of its 95 % interval.
std::string summary(const std::vector<double>& values) {
  const auto of = spread(values).value();
  return fmt::format("{:.4f} +- {:.4f}", of.mean, of.half_width.value_or(NAN));
}

/// How near a method comes to the truth of each cohort.
struct Scores {
  std::vector<double> distances, maes;

  void add(const Inference& found, const Truth& truth, std::size_t biomarkers) {
    distances.push_back(tau_distance(found.event_scores, truth.event_ranks));
    maes.push_back(stage_mae(found.stages, truth.ordinal_stages, biomarkers));
  }
  Scores minus(const Scores& other) const {
    auto out = *this;
    for (std::size_t i = 0; i < distances.size(); ++i) {
      out.distances[i] -= other.distances[i];
      out.maes[i] -= other.maes[i];
    }
    return out;
  }
  std::string in_words() const {
    return fmt::format("tau distance {}, staging MAE {}", summary(distances), summary(maes));
  }
};

void score(const InferenceMethod& method, const std::filesystem::path& folder,
           const std::string& hypothesis) {
  Problems problems;
  Scores scores;
  double seconds = 0.0;
  for (const auto& dataset : list_public_cohorts(folder, problems)) {
    if (dataset.hypothesis != public_folder_name(hypothesis)) continue;
    const auto read = read_public_cohort(dataset, problems);
    problems.throw_if_any();
    RandomStream stream(/*seed=*/1, "fit");
    const auto start = Clock::now();
    const auto found = method.fit(read.cohort, stream);
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
    scores.add(found, read.truth, read.cohort.biomarker_count());
  }
  fmt::print("{}: {} public cohorts: {}, {:.3f} s per fit\n", hypothesis, scores.distances.size(),
             scores.in_words(), seconds / static_cast<double>(scores.distances.size()));
}

/// @param beside  null: nothing is fitted beside it
void calibrate(const InferenceMethod& method, const InferenceMethod* beside,
               const GenerativeProcess& process, const std::string& hypothesis,
               std::size_t cohorts) {
  Calibration ranks, stages;
  Scores own, others;
  for (std::size_t number = 0; number < cohorts; ++number) {
    RandomStream stream(/*seed=*/1, "calibration", hypothesis, number);
    const auto drawn = process.simulate({}, stream);
    const auto B = drawn.cohort.biomarker_count();
    const auto found = method.fit(drawn.cohort, stream);
    own.add(found, drawn.truth, B);
    if (beside != nullptr) {
      RandomStream fit(/*seed=*/1, "beside", hypothesis, number);
      others.add(beside->fit(drawn.cohort, fit), drawn.truth, B);
    }
    for (std::size_t b = 0; found.rank_posterior && b < B; ++b)
      ranks.add(found.rank_posterior->row(b), drawn.truth.event_ranks[b] - 1);
    for (std::size_t j = 0; found.stage_posterior && j < drawn.cohort.participant_count(); ++j)
      if (drawn.cohort.diseased[j] != 0)
        stages.add(found.stage_posterior->row(j),
                   static_cast<std::size_t>(drawn.truth.ordinal_stages[j]));
  }
  fmt::print("{}: {} fresh cohorts: {}\n", hypothesis, cohorts, own.in_words());
  if (beside != nullptr)
    fmt::print("{}: beside it: {}; more than that: {}\n", hypothesis, others.in_words(),
               own.minus(others).in_words());
  print("ranks", ranks);
  print("stages of the diseased", stages);
}

int run(const std::vector<std::string>& words) {
  std::map<std::string, std::string> options = {{"--threads", "2"},
                                                {"--seconds", "1e9"},
                                                {"--biomarkers", "adni-12"},
                                                {"--cohorts", ""},
                                                {"--folder", "train_tempo"},
                                                {"--calibrate", "0"},
                                                {"--under", ""},
                                                {"--beside", ""},
                                                {"--seed", "1"}};
  PartSpec spec{"tempo", {}, {}};
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (options.contains(words[i])) {
      options[words[i]] = words.at(i + 1);
      ++i;
      continue;
    }
    const auto equals = words[i].find('=');
    if (equals == std::string::npos) throw std::invalid_argument("unknown word " + words[i]);
    spec.settings.set(words[i].substr(0, equals), value_of(words[i].substr(equals + 1)));
  }
  const auto& hypothesis = words.at(0);
  const auto threads = std::stoul(options["--threads"]);

  const Registry registry({{TEMPO_TEST_PLUGINS, "build", true}});
  Problems problems;
  const auto table = find_biomarkers(options["--biomarkers"], {}, {}, problems);
  problems.throw_if_any();
  const auto process = registry.hypothesis({hypothesis, {}, {}}, table);
  const auto method = registry.trainable_method(spec);
  const std::filesystem::path folder = options["--folder"];
  std::filesystem::create_directories(folder);
  const auto model = folder / (hypothesis + ".safetensors");
  const auto calibrated = std::stoul(options["--calibrate"]);
  const auto under = options["--under"];
  const auto seed = std::stoull(options["--seed"]);
  if ((calibrated == 0 && under.empty()) || !std::filesystem::exists(model)) {
    const Simulated cohorts(*process, hypothesis, seed);
    Printer printer(std::stod(options["--seconds"]));
    const auto outcome = method->train({cohorts, RandomStream(seed, "train", hypothesis), model,
                                        folder / (hypothesis + "-checkpoints"), threads},
                                       printer);
    for (const auto& warning : outcome.warnings) fmt::print("warning: {}\n", warning);
    printer.print_costs();
    if (!outcome.finished) return 3;
    std::filesystem::remove_all(folder / (hypothesis + "-checkpoints"));
  }
  const auto trained = method->load(model, threads);
  const auto& other = options["--beside"];
  const auto beside = other.empty() ? nullptr : registry.method_under({other, {}, {}}, *process);
  if (calibrated > 0) calibrate(*trained, beside.get(), *process, hypothesis, calibrated);
  if (options["--cohorts"].empty()) return 0;
  std::istringstream names(under.empty() ? hypothesis : under);
  for (std::string name; std::getline(names, name, ',');)
    score(*trained, options["--cohorts"], name);
  return 0;
}

}  // namespace
}  // namespace tempo

int main(int argc, char* argv[]) {
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  try {
    if (argc < 2) throw std::invalid_argument("which hypothesis?");
    return tempo::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "train_tempo: {}\n", error.what());
    return 1;
  }
}
