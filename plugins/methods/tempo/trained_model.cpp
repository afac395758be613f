#include "trained_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "device.hpp"
#include "model_file.hpp"
#include "network.hpp"
#include "tempo/error.hpp"

namespace tempo::amortised {
namespace {

constexpr auto kNowhere = std::numeric_limits<std::size_t>::max();

class TrainedModel final : public InferenceMethod {
 public:
  TrainedModel(Model model, torch::Device device, std::size_t threads)
      : columns_(std::move(model.columns)),
        network_(make_network(model.preset, columns_.biomarkers.size())),
        device_(device),
        // A pass of the compact network is too short to be shared.
        threads_(model.preset == Preset::compact ? 1 : threads),
        weights_(views(network_->layout(),
                       torch::from_blob(model.weights.data(),
                                        {static_cast<std::int64_t>(model.weights.size())})
                           .clone()
                           .to(device),
                       false)) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream&) const override {
    Inference out;
    const auto place = places(cohort, out.warnings);
    const auto samples = read(cohort, place, out.warnings);
    const auto J = cohort.participant_count(), B = columns_.biomarkers.size();

    limit_threads(threads_);
    const torch::NoGradGuard no_gradient;
    Dropout none;
    const auto found = network_->forward(weights_, inputs_of(samples, device_), none);
    const auto scores = found.scores.cpu().to(torch::kDouble).contiguous();
    const auto stages = found.stages.cpu().to(torch::kDouble).contiguous();
    // Columns that the model does not know come after all others.
    out.event_scores.assign(cohort.biomarker_count(), std::numeric_limits<double>::max());
    out.event_times.emplace(cohort.biomarker_count(), 1.0);
    for (std::size_t b = 0; b < B; ++b) {
      const double score = scores.data_ptr<double>()[b];
      out.event_scores[place[b]] = score;
      (*out.event_times)[place[b]] = std::clamp(score, 0.0, 1.0);
    }
    for (std::size_t j = 0; j < J; ++j)
      out.stages.push_back(std::clamp(stages.data_ptr<double>()[j], 0.0, static_cast<double>(B)));
    if (found.stage_posterior.defined() && B == cohort.biomarker_count()) {
      const auto posterior = found.stage_posterior.cpu().to(torch::kDouble).contiguous();
      auto& matrix = out.stage_posterior.emplace(J, B + 1);
      for (std::size_t j = 0; j < J; ++j) {
        const double* row = posterior.data_ptr<double>() + j * (B + 1);
        double sum = 0.0;
        for (std::size_t k = 0; k <= B; ++k) sum += row[k];
        for (std::size_t k = 0; k <= B; ++k) matrix(j, k) = row[k] / sum;
      }
    }
    return out;
  }

  /// Where in the cohort each of the model's biomarkers stands.
  std::vector<std::size_t> places(const Cohort& cohort, std::vector<std::string>& warnings) const {
    std::vector<std::size_t> place(columns_.biomarkers.size(), kNowhere);
    std::vector<std::string> extra, missing;
    for (std::size_t column = 0; column < cohort.biomarker_count(); ++column) {
      const auto& name = cohort.biomarkers[column];
      const auto found = std::ranges::lower_bound(columns_.biomarkers, name);
      if (found != columns_.biomarkers.end() && *found == name)
        place[static_cast<std::size_t>(found - columns_.biomarkers.begin())] = column;
      else
        extra.push_back(name);
    }
    for (std::size_t b = 0; b < place.size(); ++b)
      if (place[b] == kNowhere) missing.push_back(columns_.biomarkers[b]);
    if (!missing.empty())
      throw Error(fmt::format("the cohort lacks {} of the model's {} biomarkers: {}",
                              missing.size(), place.size(), fmt::join(missing, ", ")));
    if (!extra.empty())
      warnings.push_back(
          fmt::format("the model does not know {}: not used, and placed after all "
                      "other events, which says nothing about {}",
                      fmt::join(extra, ", "), extra.size() > 1 ? "them" : "it"));
    return place;
  }

  Samples read(const Cohort& cohort, const std::vector<std::size_t>& place,
               std::vector<std::string>& warnings) const {
    Samples out;
    out.S = 1;
    out.J = cohort.participant_count();
    out.B = place.size();
    std::size_t missing = 0;
    for (std::size_t j = 0; j < out.J; ++j) {
      for (std::size_t b = 0; b < out.B; ++b) {
        const double x = cohort.measurements(j, place[b]);
        missing += std::isnan(x);
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
    if (missing > 0)
      warnings.push_back(
          fmt::format("{} of {} cells are missing and took the mean of the training "
                      "cohorts",
                      missing, out.J * out.B));
    return out;
  }

  Columns columns_;
  std::unique_ptr<Network> network_;
  torch::Device device_;
  std::size_t threads_;
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
