#include "training.hpp"

#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/grad_mode.h>
#include <torch/types.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <tuple>

#include "answers.hpp"
#include "batch_queue.hpp"
#include "compact_pass.hpp"
#include "device.hpp"
#include "history_json.hpp"
#include "learning_rate.hpp"
#include "model_file.hpp"
#include "network.hpp"
#include "samples.hpp"
#include "tempo/error.hpp"
#include "tempo/metrics.hpp"
#include "weight_tensors.hpp"
#include "worker_pool.hpp"

namespace tempo::amortised {
namespace {

using Json = nlohmann::json;

constexpr double kWeightDecay = 1e-4, kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;
constexpr double kLargestGradient = 1.0;
constexpr std::size_t kStandardisingCohorts = 256;           // where cohorts are never the same
constexpr std::uint64_t kPatience = 10, kMostPatience = 15;  // epochs; paper
constexpr double kBetterThanChance = 2.0;                    // standard errors

/// Subsamples that a thread works on together: decides in which order gradients are added up, and
/// therefore never depends on the number of threads.
/// Small enough for the allocator to use memory again, and for the memory of eight large cohorts; a
/// power of two.
std::size_t chunk_size(Preset preset, std::size_t cells) {
  return std::bit_floor(preset == Preset::paper
                            ? std::clamp<std::size_t>(12288 / cells, 1, 4)
                            : std::clamp<std::size_t>((std::size_t{1} << 20) / cells, 1, 8));
}

/// What training knows after an epoch: all that it needs to go on.
struct State {
  std::uint64_t epoch = 0;  ///< finished
  std::uint64_t steps = 0;
  double learning_rate = 0.0;
  double best_tau = -std::numeric_limits<double>::infinity();  ///< for patience
  std::uint64_t without_better = 0, since_halved = 0;          ///< epochs
  std::optional<std::uint64_t> best_epoch;
  double best_score = 0.0, best_second = 0.0;  ///< of the weights kept, less is better
  std::vector<TrainingEpoch> history;
};

Json to_json(const State& s) {
  return {{"epoch", s.epoch},
          {"steps", s.steps},
          {"learning_rate", s.learning_rate},
          {"best_tau", s.best_tau},
          {"without_better", s.without_better},
          {"since_halved", s.since_halved},
          {"best_epoch", *s.best_epoch},
          {"best_score", s.best_score},
          {"best_second", s.best_second},
          {"history", history_to_json(s.history)}};
}

/// Checkpoints of tempo 0.1.0's first layout hold the tau (1: perfect, 0: chance) of each epoch.
void use_distances(std::vector<TrainingEpoch>& history) {
  for (auto& epoch : history)
    for (auto& [name, number] : epoch.numbers)
      if (name == "validation_tau") {
        name = "validation_tau_distance";
        number = (1.0 - number) / 2.0;
      }
}

State state_from(const std::string& text) {
  const auto json = Json::parse(text);
  State s;
  json.at("epoch").get_to(s.epoch);
  json.at("steps").get_to(s.steps);
  json.at("learning_rate").get_to(s.learning_rate);
  json.at("best_tau").get_to(s.best_tau);
  json.at("without_better").get_to(s.without_better);
  json.at("since_halved").get_to(s.since_halved);
  s.best_epoch = json.at("best_epoch").get<std::uint64_t>();
  json.at("best_score").get_to(s.best_score);
  json.at("best_second").get_to(s.best_second);
  s.history = history_from_json(json.at("history").get<std::string>());
  use_distances(s.history);
  return s;
}

/// Means over the validation cohorts.
struct Judged {
  double loss = 0.0, distance = 0.0, stage_mae = 0.0;
};

class Trainer {
 public:
  Trainer(const TempoSettings& settings, const TrainingTask& task, TrainingMonitor& monitor);
  TrainingOutcome run();

 private:
  bool goes_on() const;
  bool train_epoch();  // false: stopped by the monitor
  double step(std::size_t number, BatchQueue* queue);
  double gradient_of(const Samples& samples, std::size_t of, const RandomStream& dropout,
                     torch::Tensor& gradient) const;
  Weights leaves() const;
  double rate_at(std::uint64_t step) const;
  void update(double rate);
  void draw_validation();
  Judged validate(const torch::Tensor& weights);
  void judge();
  std::optional<std::string> no_better_than_chance() const;
  void save() const;
  void resume();
  /// A checkpoint that cannot be read: it is kept for whoever wants to know, and stops nobody.
  void set_aside(const std::string& why);
  std::vector<float> values_of(const torch::Tensor& flat) const;
  torch::Tensor flat_of(const std::vector<float>& values) const;

  TempoSettings settings_;
  const TrainingTask& task_;
  TrainingMonitor& monitor_;
  torch::Device device_;
  Columns columns_;
  SampleSource source_;
  std::unique_ptr<Network> network_;
  WorkerPool pool_;
  std::string identity_;
  std::filesystem::path checkpoint_;

  torch::Tensor weights_, first_, second_, gradient_, best_;  // flat: all weights one after another
  std::vector<Samples> validation_;                           // drawn when they are needed first
  std::vector<Truth> truths_;
  State state_;
  std::optional<std::string> broken_;  // why training cannot go on
  std::vector<std::string> warnings_;
};

Columns columns_of(const TempoSettings& settings, const TrainingTask& task) {
  if (task.cohorts.biomarkers().size() < 2)
    throw Error("one biomarker has no order: at least two are needed");
  return standardisation(task.cohorts,
                         settings.fixed_cohorts ? settings.cohorts : kStandardisingCohorts,
                         task.threads);
}

Trainer::Trainer(const TempoSettings& settings, const TrainingTask& task, TrainingMonitor& monitor)
    : settings_(for_biomarkers(settings, task.cohorts.biomarkers().size())),
      task_(task),
      monitor_(monitor),
      device_(device_of(settings.device)),
      columns_(columns_of(settings_, task)),
      source_(task.cohorts, columns_, settings_, task.stream.substream("samples")),
      network_(make_network(settings.preset, columns_)),
      pool_(task.threads, [] { limit_threads(1); }),
      checkpoint_(task.checkpoints / "checkpoint.safetensors") {
  limit_threads(1);
  set_precision(settings.precision);
  auto mark = task.stream.substream("identity");
  identity_ = fmt::format("tempo {}; {}; on {}; seed {:016x}; {} {} {} {}", kPluginVersion,
                          identity(settings_), device_.is_cpu() ? "cpu" : "cuda", mark(),
                          Json(columns_.biomarkers).dump(), Json(task.cohorts.hypotheses()).dump(),
                          Json(columns_.mean).dump(), Json(columns_.sd).dump());
  weights_ = flat_of(initial_values(network_->layout(), task.stream.substream("weights")));
  first_ = at::zeros_like(weights_);
  second_ = at::zeros_like(weights_);
  gradient_ = at::zeros_like(weights_);
  best_ = weights_.clone();
  state_.learning_rate = settings.learning_rate;
  resume();
}

std::vector<float> Trainer::values_of(const torch::Tensor& flat) const {
  const auto here = flat.cpu().contiguous();
  return {here.data_ptr<float>(), here.data_ptr<float>() + here.numel()};
}

torch::Tensor Trainer::flat_of(const std::vector<float>& values) const {
  return torch::from_blob(const_cast<float*>(values.data()),
                          {static_cast<std::int64_t>(values.size())})
      .clone()
      .to(device_);
}

void Trainer::save() const {
  TensorFile file;
  file.metadata = {{"identity", identity_}, {"state", to_json(state_).dump()}};
  add_weights(network_->layout(), values_of(weights_), "weights.", file);
  add_weights(network_->layout(), values_of(first_), "first.", file);
  add_weights(network_->layout(), values_of(second_), "second.", file);
  add_weights(network_->layout(), values_of(best_), "best.", file);
  write_safetensors(file, checkpoint_);
}

void Trainer::resume() {
  std::filesystem::create_directories(task_.checkpoints);
  if (!std::filesystem::exists(checkpoint_)) return;
  std::optional<TensorFile> read;
  try {
    read = read_safetensors(checkpoint_);
  } catch (const std::exception& error) {
    return set_aside(error.what());
  }
  auto& file = *read;
  try {
    if (file.metadata["identity"] != identity_)
      throw Error("belongs to another task, other settings or another version of the plugin");
    state_ = state_from(file.metadata["state"]);
    weights_ = flat_of(take_weights(network_->layout(), "weights.", file));
    first_ = flat_of(take_weights(network_->layout(), "first.", file));
    second_ = flat_of(take_weights(network_->layout(), "second.", file));
    best_ = flat_of(take_weights(network_->layout(), "best.", file));
  } catch (const std::exception& error) {
    throw Error(fmt::format("checkpoint {} {}; delete it to begin anew", checkpoint_.string(),
                            error.what()));
  }
  for (const auto& line : state_.history) monitor_.epoch(line);
}

void Trainer::set_aside(const std::string& why) {
  auto aside = checkpoint_;
  aside += ".damaged";
  std::filesystem::rename(checkpoint_, aside);
  warnings_.push_back(
      fmt::format("the checkpoint {}; it was set aside as {}, and the training began anew", why,
                  aside.string()));
}

bool Trainer::goes_on() const {
  return !broken_ && state_.epoch < settings_.epochs &&
         (settings_.preset != Preset::paper || state_.without_better < kMostPatience);
}

TrainingOutcome Trainer::run() {
  TrainingOutcome out;
  while (goes_on()) {
    if (!train_epoch()) return out;
    if (broken_) break;
    judge();
    if (broken_) break;
    save();
    monitor_.epoch(state_.history.back());
  }
  std::vector<std::string> doubts;  // of the model, wherever it goes
  if (broken_) {
    if (!state_.best_epoch) throw Error(*broken_ + "; no epoch had been finished");
    doubts.push_back(
        fmt::format("{}; the weights of epoch {} were kept", *broken_, *state_.best_epoch));
  }
  if (const auto warning = no_better_than_chance()) doubts.push_back(*warning);
  write_model({settings_.preset, columns_, task_.cohorts.hypotheses(), state_.history,
               CompactSizes::latest(columns_.biomarkers.size()), values_of(best_), doubts},
              task_.model);
  out.finished = true;
  out.warnings = warnings_;
  out.warnings.insert(out.warnings.end(), doubts.begin(), doubts.end());
  return out;
}

std::optional<std::string> Trainer::no_better_than_chance() const {
  // Of a random order of B the tau distance has mean 1/2 and variance (2B + 5)/(18 B (B - 1)):
  // Kendall 1938, "A new measure of rank correlation", for tau = 1 - 2 distance.
  const auto B = static_cast<double>(columns_.biomarkers.size());
  const double error = std::sqrt((2.0 * B + 5.0) / (18.0 * B * (B - 1.0)) /
                                 static_cast<double>(settings_.validation));
  const auto& numbers = state_.history.at(*state_.best_epoch - 1).numbers;
  const auto found =
      std::ranges::find(numbers, "validation_tau_distance", &std::pair<std::string, double>::first);
  const double distance = found->second;
  if (distance < 0.5 - kBetterThanChance * error) return {};
  return fmt::format(
      "no better than chance: tau distance {:.3f} over {} validation cohorts, where random orders "
      "have 0.5 with a standard error of {:.3f}; more samples or epochs, or another learning_rate, "
      "may help",
      distance, settings_.validation, error);
}

bool Trainer::train_epoch() {
  const auto epoch = state_.epoch + 1;
  const auto steps = (settings_.samples + settings_.batch - 1) / settings_.batch;
  source_.begin_epoch(epoch);
  std::optional<BatchQueue> queue;
  if (!device_.is_cpu())
    queue.emplace(steps, task_.threads, [this, epoch](std::size_t number) {
      const auto begin = number * settings_.batch;
      return source_.training(epoch, begin, std::min(begin + settings_.batch, settings_.samples),
                              source_.participants(epoch, number));
    });
  TrainingStep progress;
  progress.epoch = epoch;
  progress.epochs = settings_.epochs;
  progress.samples = settings_.samples;
  double sum = 0.0;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t number = 0; number < steps; ++number) {
    if (monitor_.stop_asked()) return false;
    const auto count = std::min(settings_.batch, settings_.samples - number * settings_.batch);
    const double loss = step(number, queue ? &*queue : nullptr);
    if (broken_) return true;
    sum += loss * static_cast<double>(count);
    progress.samples_done += count;
    progress.loss = sum / static_cast<double>(progress.samples_done);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    progress.samples_per_second = static_cast<double>(progress.samples_done) / seconds.count();
    monitor_.step(progress);
  }
  state_.epoch = epoch;
  state_.history.push_back({epoch, settings_.epochs, {{"training_loss", progress.loss}}});
  return true;
}

Weights Trainer::leaves() const {
  return views(network_->layout(),
               settings_.precision == Precision::bf16 ? weights_.to(torch::kBFloat16) : weights_,
               /*gradients=*/true);
}

double Trainer::gradient_of(const Samples& samples, std::size_t of, const RandomStream& stream,
                            torch::Tensor& gradient) const {
  const double share = static_cast<double>(samples.S) / static_cast<double>(of);
  if (device_.is_cpu())
    if (const auto* shape = network_->by_hand()) {
      gradient = at::zeros_like(weights_);
      return compact_loss(*shape, weights_.data_ptr<float>(), samples, share,
                          gradient.data_ptr<float>());
    }
  const auto type = settings_.precision == Precision::bf16 ? torch::kBFloat16 : torch::kFloat;
  const auto in = inputs_of(samples, device_, type);
  const auto weights = leaves();
  Dropout dropout(network_->dropout_rate(), stream);
  auto out = network_->forward(weights, in, dropout);
  const auto loss = network_->loss(weights, out, in, targets_of(samples, device_)) * share;
  auto parts = torch::autograd::grad({loss}, weights.all(), {}, {}, false, /*allow_unused=*/true);
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i] =
        parts[i].defined() ? parts[i].reshape({-1}) : at::zeros_like(weights.all()[i]).view({-1});
  gradient = at::cat(parts).to(torch::kFloat);
  return loss.item<double>();
}

double Trainer::step(std::size_t number, BatchQueue* queue) {
  const auto epoch = state_.epoch + 1;
  const auto begin = number * settings_.batch;
  const auto end = std::min(begin + settings_.batch, settings_.samples);
  const auto dropout = task_.stream.substream("dropout", state_.steps);
  gradient_.zero_();
  double loss = 0.0;
  std::string fault;
  if (queue) {
    const auto seed = task_.stream.substream("device dropout", state_.steps)();
    auto generator = at::globalContext().defaultGenerator(device_);
    generator.set_current_seed(seed);
    torch::Tensor gradient;
    const auto samples = queue->next();
    fault = samples.fault;
    loss = gradient_of(samples, end - begin, dropout, gradient);
    gradient_.add_(gradient);
  } else {
    const auto participants = source_.participants(epoch, number);
    const auto chunk = chunk_size(settings_.preset, participants * columns_.biomarkers.size());
    const auto chunks = (end - begin + chunk - 1) / chunk;
    std::mutex mutex;
    std::map<std::size_t, std::pair<double, torch::Tensor>> waiting;
    std::size_t added = 0;
    pool_.for_each(chunks, [&](std::size_t i) {
      const auto first = begin + i * chunk;
      const auto samples =
          source_.training(epoch, first, std::min(first + chunk, end), participants);
      torch::Tensor gradient;
      const double part =
          gradient_of(samples, end - begin, dropout.substream("chunk", i), gradient);
      // Sums of floating point numbers depend on their order: chunk by chunk.
      const std::lock_guard lock(mutex);
      if (!samples.fault.empty()) fault = samples.fault;
      waiting[i] = {part, std::move(gradient)};
      for (auto next = waiting.find(added); next != waiting.end(); next = waiting.find(++added)) {
        loss += next->second.first;
        gradient_.add_(next->second.second);
        waiting.erase(next);
      }
    });
  }
  if (!fault.empty()) {
    broken_ = fmt::format("training stopped in epoch {} at step {}: {}", epoch, number + 1, fault);
    return loss;
  }
  const double norm = gradient_.norm().item<double>();
  if (!std::isfinite(loss) || !std::isfinite(norm)) {
    broken_ = fmt::format(
        "training stopped in epoch {} at step {}: loss {}, gradient {}; learning_rate = {} is the "
        "likely cause (try a tenth of it){}",
        epoch, number + 1, loss, norm, settings_.learning_rate,
        settings_.precision == Precision::float32 ? "" : ", or precision (try \"float32\")");
    return loss;
  }
  if (norm > kLargestGradient) gradient_.mul_(kLargestGradient / norm);
  update(rate_at(state_.steps++));
  return loss;
}

double Trainer::rate_at(std::uint64_t step) const {
  if (settings_.preset == Preset::paper) return state_.learning_rate;
  const auto per_epoch = (settings_.samples + settings_.batch - 1) / settings_.batch;
  const double done =
      (static_cast<double>(step) + 0.5) / static_cast<double>(per_epoch * settings_.epochs);
  return cosine_rate(settings_.learning_rate, done);
}

void Trainer::update(double rate) {
  // AdamW: Loshchilov & Hutter 2019, "Decoupled weight decay regularization", algorithm 2.
  const torch::NoGradGuard no_gradient;
  const auto t = static_cast<double>(state_.steps);
  weights_.mul_(1.0 - rate * kWeightDecay);
  first_.mul_(kBeta1).add_(gradient_, 1.0 - kBeta1);
  second_.mul_(kBeta2).addcmul_(gradient_, gradient_, 1.0 - kBeta2);
  const auto scale = second_.sqrt().div_(std::sqrt(1.0 - std::pow(kBeta2, t))).add_(kEpsilon);
  weights_.addcdiv_(first_, scale, -rate / (1.0 - std::pow(kBeta1, t)));
}

void Trainer::draw_validation() {
  validation_.resize(settings_.validation);
  truths_.resize(settings_.validation);
  pool_.for_each(settings_.validation,
                 [&](std::size_t i) { validation_[i] = source_.validation(i, truths_[i]); });
}

Judged Trainer::validate(const torch::Tensor& flat) {
  if (validation_.empty()) draw_validation();
  // A GPU is kept busy by several at a time, a CPU by its threads.
  const auto parts =
      groups(validation_, device_.is_cpu() ? 1 : cells_together(settings_.preset, device_));
  std::vector<Judged> found(parts.size());
  const auto work = [&](std::size_t part) {
    const auto together = joined(validation_, parts[part]);
    const auto here = answers(*network_, flat, together, device_);
    found[part].loss = here.loss * static_cast<double>(parts[part].size());
    for (std::size_t i = 0; i < parts[part].size(); ++i) {
      const auto& truth = truths_[parts[part][i]];
      found[part].distance += tau_distance(
          std::span(here.scores).subspan(i * together.B, together.B), truth.event_ranks);
      found[part].stage_mae += stage_mae(std::span(here.stages).subspan(i * together.J, together.J),
                                         truth.ordinal_stages, together.B);
    }
  };
  if (device_.is_cpu())
    pool_.for_each(parts.size(), work);
  else
    for (std::size_t part = 0; part < parts.size(); ++part) work(part);
  Judged mean;
  const auto share = 1.0 / static_cast<double>(settings_.validation);
  for (const auto& here : found) {
    mean.loss += here.loss * share;
    mean.distance += here.distance * share;
    mean.stage_mae += here.stage_mae * share;
  }
  return mean;
}

void Trainer::judge() {
  const auto mean = validate(weights_);
  if (!std::isfinite(mean.loss)) {
    broken_ = fmt::format(
        "training stopped after epoch {}: validation loss {}; learning_rate = {} "
        "is the likely cause (try a tenth of it)",
        state_.epoch, mean.loss, settings_.learning_rate);
    return;
  }
  const double tau = 1.0 - 2.0 * mean.distance;
  auto& numbers = state_.history.back().numbers;
  numbers.insert(numbers.end(), {{"validation_loss", mean.loss},
                                 {"validation_tau_distance", mean.distance},
                                 {"validation_stage_mae", mean.stage_mae},
                                 {"learning_rate", rate_at(state_.steps - 1)}});
  const bool paper = settings_.preset == Preset::paper;
  const auto score = paper ? std::pair(-tau, mean.stage_mae) : std::pair(mean.loss, 0.0);
  if (!state_.best_epoch || score < std::pair(state_.best_score, state_.best_second)) {
    state_.best_epoch = state_.epoch;
    std::tie(state_.best_score, state_.best_second) = score;
    best_ = weights_.clone();
  }
  ++state_.without_better;
  ++state_.since_halved;
  if (tau > state_.best_tau) {
    state_.best_tau = tau;
    state_.without_better = state_.since_halved = 0;
  }
  if (state_.since_halved >= kPatience) {
    state_.learning_rate *= 0.5;
    state_.since_halved = 0;
  }
}

}  // namespace

TrainingOutcome train(const TempoSettings& settings, const TrainingTask& task,
                      TrainingMonitor& monitor) {
  return Trainer(settings, task, monitor).run();
}

}  // namespace tempo::amortised
