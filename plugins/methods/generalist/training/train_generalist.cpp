// Trains the network of plugin `generalist` on cohorts that it draws itself, and writes its file:
//
//   bin/train_generalist FILE [--epochs N] [--samples N] [--validation N] [--threads N] [--rate R]
//     [--seed N] [--stop-after EPOCH]
//
// A checkpoint beside FILE is written after each epoch; the same command goes on from it. The
// defaults are those of the file that is shipped.

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "drawn_cohorts.hpp"
#include "generalist_model.hpp"
#include "generalist_pass.hpp"
#include "learning_rate.hpp"
#include "posteriors.hpp"
#include "registry.hpp"
#include "safetensors.hpp"
#include "tempo/metrics.hpp"
#include "weight_tensors.hpp"
#include "worker_pool.hpp"

namespace tempo::amortised {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kWeightDecay = 1e-4, kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;
constexpr double kLargestGradient = 1.0;
constexpr std::size_t kTogether = 4, kBatch = 32;  // cohorts of a pass, of a step
constexpr double kAverage = 0.999;                 // of the weights that are kept

struct Options {
  std::filesystem::path file;
  std::size_t epochs = 48, samples = 32768, validation = 512, threads = 2, seed = 1;
  std::size_t stop_after = std::numeric_limits<std::size_t>::max();  // epoch, to go on later
  double rate = 2e-3;
};

/// Moving state of a training.
struct State {
  std::vector<float> weights, first, second, average;
  std::size_t epoch = 0, steps = 0;
};

struct Scores {
  double distance = 0.0, mae = 0.0;
  std::size_t count = 0;
};

class Trainer {
 public:
  explicit Trainer(const Options& options);
  void run();

 private:
  double step();
  void update(const std::vector<float>& gradient);
  double rate_at(std::size_t step) const;
  void validate();
  std::vector<PreparedCohort> draw(const char* purpose, std::size_t number) const;
  std::string identity() const;
  void save_state() const;
  void resume();

  Options options_;
  std::filesystem::path checkpoint_;
  Registry registry_;
  GeneralistShape shape_;
  WorkerPool pool_;
  State state_;
  std::vector<std::vector<PreparedCohort>> validation_;
};

Trainer::Trainer(const Options& options)
    : options_(options),
      checkpoint_(options.file.string() + ".checkpoint"),
      registry_({{TEMPO_BUILT_PLUGINS, "build", true}}),
      pool_(options.threads) {
  state_.weights = initial_values(shape_.layout, RandomStream(options.seed, "generalist weights"));
  state_.average = state_.weights;
  state_.first.assign(state_.weights.size(), 0.0F);
  state_.second.assign(state_.weights.size(), 0.0F);
  resume();
}

std::vector<PreparedCohort> Trainer::draw(const char* purpose, std::size_t number) const {
  RandomStream stream(options_.seed, "generalist", purpose, number);
  const auto biomarkers = draw_biomarker_count(stream);
  std::vector<PreparedCohort> out;
  for (std::size_t i = 0; i < kTogether; ++i)
    out.push_back(prepare(draw_cohort(registry_, biomarkers, stream)));
  return out;
}

double Trainer::rate_at(std::size_t step) const {
  const auto steps = options_.epochs * ((options_.samples + kBatch - 1) / kBatch);
  const double done = (static_cast<double>(step) + 0.5) / static_cast<double>(steps);
  return cosine_rate(options_.rate, done);
}

double Trainer::step() {
  constexpr auto kParts = kBatch / kTogether;
  std::vector<std::vector<float>> gradients(kParts);
  std::vector<double> losses(kParts);
  pool_.for_each(kParts, [&](std::size_t i) {
    gradients[i].assign(state_.weights.size(), 0.0F);
    const auto cohorts = draw("training", state_.steps * kParts + i);
    losses[i] = generalist_loss(shape_, state_.weights.data(), cohorts,
                                1.0 / static_cast<double>(kParts), gradients[i].data());
  });
  double loss = losses[0];
  for (std::size_t i = 1; i < kParts; ++i) {
    loss += losses[i];
    for (std::size_t w = 0; w < gradients[0].size(); ++w) gradients[0][w] += gradients[i][w];
  }
  if (!std::isfinite(loss)) throw std::runtime_error("the loss is no number");
  update(gradients[0]);
  return loss;
}

void Trainer::update(const std::vector<float>& gradient) {
  double squares = 0.0;
  for (const float g : gradient) squares += static_cast<double>(g) * static_cast<double>(g);
  const double norm = std::sqrt(squares);
  if (!std::isfinite(norm)) throw std::runtime_error("the gradient is no number");
  const auto clip = static_cast<float>(norm > kLargestGradient ? kLargestGradient / norm : 1.0);
  const double rate = rate_at(state_.steps++);
  const auto t = static_cast<double>(state_.steps);
  const auto size = static_cast<float>(rate / (1.0 - std::pow(kBeta1, t)));
  const auto root = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(kBeta2, t)));
  const auto kept = static_cast<float>(std::min(kAverage, 1.0 - 1.0 / t));
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const float g = clip * gradient[i];
    auto& first = state_.first[i];
    auto& second = state_.second[i];
    first = static_cast<float>(kBeta1) * first + static_cast<float>(1.0 - kBeta1) * g;
    second = static_cast<float>(kBeta2) * second + static_cast<float>(1.0 - kBeta2) * g * g;
    auto& w = state_.weights[i];
    w *= static_cast<float>(1.0 - rate * kWeightDecay);
    w -= size * first / (std::sqrt(second) * root + static_cast<float>(kEpsilon));
    state_.average[i] = kept * state_.average[i] + (1.0F - kept) * w;
  }
}

/// Scores one cohort in its prepared order.
void add_scores(const PreparedCohort& cohort, const GeneralistFound& found, Scores& to) {
  const std::vector<double> times(cohort.time.begin(), cohort.time.end());
  std::vector<int> truth(cohort.J, 0);
  std::vector<double> stages(cohort.J, 0.0);
  const auto medians = median_stages(found.stage_posterior, cohort.B + 1);
  for (std::size_t i = 0; i < cohort.asked.size(); ++i) {
    truth[cohort.asked[i]] = static_cast<int>(cohort.stages[i]);
    stages[cohort.asked[i]] = medians[i];
  }
  to.distance += tau_distance(found.scores, ranks_of(sequence_by_score(times)));
  to.mae += stage_mae(stages, truth, cohort.B);
  ++to.count;
}

void Trainer::validate() {
  const auto groups = (options_.validation + kTogether - 1) / kTogether;
  if (validation_.empty()) {
    validation_.resize(groups);
    pool_.for_each(groups, [&](std::size_t i) { validation_[i] = draw("validation", i); });
  }
  std::vector<double> losses(groups);
  std::vector<Scores> labelled(groups), unlabelled(groups);
  pool_.for_each(groups, [&](std::size_t i) {
    losses[i] = generalist_loss<float>(shape_, state_.average.data(), validation_[i], 1.0, nullptr);
    const auto found = generalist_answers(shape_, state_.average.data(),
                                          std::span<const PreparedCohort>(validation_[i]));
    for (std::size_t s = 0; s < found.size(); ++s)
      add_scores(validation_[i][s], found[s],
                 validation_[i][s].labelled ? labelled[i] : unlabelled[i]);
  });
  double loss = 0.0;
  for (const auto l : losses) loss += l / static_cast<double>(groups);
  fmt::print("  validation loss {:.4f}", loss);
  for (const auto* scores : {&labelled, &unlabelled}) {
    Scores all;
    for (const auto& one : *scores) {
      all.distance += one.distance;
      all.mae += one.mae;
      all.count += one.count;
    }
    const auto n = static_cast<double>(all.count);
    fmt::print("  {} {:.4f} {:.4f}", scores == &labelled ? "labelled" : "unlabelled",
               all.distance / n, all.mae / n);
  }
}

/// What a checkpoint must have in common with the training that goes on from it.
std::string Trainer::identity() const {
  return fmt::format("{} epochs of {} cohorts, rate {}, seed {}", options_.epochs, options_.samples,
                     options_.rate, options_.seed);
}

void Trainer::save_state() const {
  TensorFile file;
  file.metadata = {{"identity", identity()},
                   {"epoch", std::to_string(state_.epoch)},
                   {"steps", std::to_string(state_.steps)}};
  add_weights(shape_.layout, state_.weights, "weights.", file);
  add_weights(shape_.layout, state_.first, "first.", file);
  add_weights(shape_.layout, state_.second, "second.", file);
  add_weights(shape_.layout, state_.average, "average.", file);
  write_safetensors(file, checkpoint_);
}

void Trainer::resume() {
  if (!std::filesystem::exists(checkpoint_)) return;
  auto file = read_safetensors(checkpoint_);
  if (file.metadata["identity"] != identity())
    throw std::runtime_error(fmt::format("{} belongs to {}, not to {}; delete it to begin anew",
                                         checkpoint_.string(), file.metadata["identity"],
                                         identity()));
  state_.epoch = std::stoul(file.metadata.at("epoch"));
  state_.steps = std::stoul(file.metadata.at("steps"));
  state_.weights = take_weights(shape_.layout, "weights.", file);
  state_.first = take_weights(shape_.layout, "first.", file);
  state_.second = take_weights(shape_.layout, "second.", file);
  state_.average = take_weights(shape_.layout, "average.", file);
}

void Trainer::run() {
  const auto steps = (options_.samples + kBatch - 1) / kBatch;
  const auto start = Clock::now();
  while (state_.epoch < options_.epochs) {
    if (state_.epoch >= options_.stop_after) return;
    double loss = 0.0;
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < steps; ++i) loss += step() / static_cast<double>(steps);
    const std::chrono::duration<double> taken = Clock::now() - begin, all = Clock::now() - start;
    ++state_.epoch;
    fmt::print("{:7.0f} s  epoch {}/{}  loss {:.4f}  cohorts/s {:.0f}", all.count(), state_.epoch,
               options_.epochs, loss, static_cast<double>(steps * kBatch) / taken.count());
    validate();
    fmt::print("\n");
    std::fflush(stdout);
    save_state();
  }
  write_generalist({shape_, state_.average}, identity(), options_.file);
  std::filesystem::remove(checkpoint_);
}

Options read(const std::vector<std::string>& words) {
  Options out;
  out.file = words.at(0);
  for (std::size_t i = 1; i < words.size(); i += 2) {
    if (i + 1 == words.size()) throw std::invalid_argument(words[i] + " without a value");
    const auto& value = words[i + 1];
    if (words[i] == "--epochs")
      out.epochs = std::stoul(value);
    else if (words[i] == "--samples")
      out.samples = std::stoul(value);
    else if (words[i] == "--validation")
      out.validation = std::stoul(value);
    else if (words[i] == "--threads")
      out.threads = std::stoul(value);
    else if (words[i] == "--stop-after")
      out.stop_after = std::stoul(value);
    else if (words[i] == "--seed")
      out.seed = std::stoul(value);
    else if (words[i] == "--rate")
      out.rate = std::stod(value);
    else
      throw std::invalid_argument("unknown word " + words[i]);
  }
  return out;
}

}  // namespace
}  // namespace tempo::amortised

int main(int argc, char* argv[]) {
  // Memory of a step is used again in the next one, instead of being given back and cleared.
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  try {
    if (argc < 2) throw std::invalid_argument("which file?");
    tempo::amortised::Trainer(tempo::amortised::read({argv + 1, argv + argc})).run();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "train_generalist: {}\n", error.what());
    return 1;
  }
}
