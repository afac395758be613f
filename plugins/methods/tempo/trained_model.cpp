#include "trained_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>

#include "cohort_doubts.hpp"
#include "device.hpp"
#include "model_file.hpp"
#include "network.hpp"
#include "tempo/error.hpp"

namespace tempo::amortised {
namespace {

class TrainedModel final : public InferenceMethod {
 public:
  TrainedModel(Model model, torch::Device device, std::size_t threads)
      : columns_(std::move(model.columns)),
        network_(make_network(model.preset, columns_.biomarkers.size())),
        device_(device),
        together_(cells_together(model.preset, device)),
        // A pass of the compact network is too short to be shared.
        threads_(model.preset == Preset::compact ? 1 : threads),
        weights_(views(network_->layout(),
                       torch::from_blob(model.weights.data(),
                                        {static_cast<std::int64_t>(model.weights.size())})
                           .clone()
                           .to(device),
                       false)) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream& stream) const override {
    return do_fit_all({&cohort, 1}, {&stream, 1}).front();
  }

  std::vector<Inference> do_fit_all(std::span<const Cohort> cohorts,
                                    std::span<RandomStream>) const override {
    std::vector<Inference> out(cohorts.size());
    std::vector<std::vector<std::size_t>> places;
    std::vector<Samples> samples;
    for (std::size_t i = 0; i < cohorts.size(); ++i) {
      places.push_back(place_in(cohorts[i]));
      out[i].warnings = doubts(cohorts[i], places[i], columns_);
      samples.push_back(read(cohorts[i], places[i]));
    }
    limit_threads(threads_);
    const torch::NoGradGuard no_gradient;
    for (const auto& group : groups(samples, together_)) {
      Dropout none;
      const auto found =
          network_->forward(weights_, inputs_of(joined(samples, group), device_), none);
      const auto scores = found.scores.cpu().to(torch::kDouble);
      const auto stages = found.stages.cpu().to(torch::kDouble);
      const auto posterior = found.stage_posterior.defined()
                                 ? found.stage_posterior.cpu().to(torch::kDouble)
                                 : torch::Tensor();
      for (std::size_t i = 0; i < group.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i);
        write(scores[row], stages[row], posterior.defined() ? posterior[row] : posterior,
              places[group[i]], out[group[i]]);
      }
    }
    return out;
  }

  /// @param scores [B], stages [J], posterior [J, B + 1] or undefined
  static void write(const torch::Tensor& scores, const torch::Tensor& stages,
                    const torch::Tensor& posterior, const std::vector<std::size_t>& place,
                    Inference& out) {
    const auto B = place.size();
    const auto J = static_cast<std::size_t>(stages.size(0));
    const auto score = scores.contiguous(), stage = stages.contiguous();
    out.event_scores.resize(B);
    out.event_times.emplace(B);
    for (std::size_t b = 0; b < B; ++b) {
      out.event_scores[place[b]] = score.data_ptr<double>()[b];
      (*out.event_times)[place[b]] = std::clamp(score.data_ptr<double>()[b], 0.0, 1.0);
    }
    for (std::size_t j = 0; j < J; ++j)
      out.stages.push_back(std::clamp(stage.data_ptr<double>()[j], 0.0, static_cast<double>(B)));
    if (!posterior.defined()) return;
    const auto probability = posterior.contiguous();
    auto& matrix = out.stage_posterior.emplace(J, B + 1);
    for (std::size_t j = 0; j < J; ++j) {
      const double* row = probability.data_ptr<double>() + j * (B + 1);
      double sum = 0.0;
      for (std::size_t k = 0; k <= B; ++k) sum += row[k];
      for (std::size_t k = 0; k <= B; ++k) matrix(j, k) = row[k] / sum;
    }
  }

  /// Where in the cohort each of the model's biomarkers stands.
  std::vector<std::size_t> place_in(const Cohort& cohort) const {
    const auto [place, missing, unknown] = find_columns(cohort, columns_.biomarkers);
    if (!missing.empty())
      throw Error(fmt::format("the cohort lacks {} of the model's {} biomarkers: {}",
                              missing.size(), columns_.biomarkers.size(),
                              fmt::join(missing, ", ")));
    if (!unknown.empty())
      throw Error(fmt::format("the model does not know {}: leave {} out", fmt::join(unknown, ", "),
                              unknown.size() > 1 ? "them" : "it"));
    return place;
  }

  Samples read(const Cohort& cohort, const std::vector<std::size_t>& place) const {
    Samples out;
    out.S = 1;
    out.J = cohort.participant_count();
    out.B = place.size();
    for (std::size_t j = 0; j < out.J; ++j) {
      for (std::size_t b = 0; b < out.B; ++b) {
        const double x = cohort.measurements(j, place[b]);
        out.x.push_back(
            std::isnan(x) ? 0.0F : static_cast<float>((x - columns_.mean[b]) / columns_.sd[b]));
        if (!std::isfinite(out.x.back()))
          throw Error(fmt::format(
              "participant {}, {}: {} is too far from what the model was "
              "trained on (mean {}, standard deviation {}); other units?",
              cohort.participants[j], columns_.biomarkers[b], x, columns_.mean[b], columns_.sd[b]));
      }
      out.diseased.push_back(cohort.diseased[j]);
    }
    return out;
  }

  Columns columns_;
  std::unique_ptr<Network> network_;
  torch::Device device_;
  std::size_t together_, threads_;
  Weights weights_;
};

}  // namespace

std::unique_ptr<InferenceMethod> load(const std::filesystem::path& model, const std::string& device,
                                      std::size_t threads) {
  // It is the process's: what was trained before must not decide how this model computes.
  set_precision(Precision::float32);
  return std::make_unique<TrainedModel>(read_model(model), device_of(device), threads);
}

}  // namespace tempo::amortised
