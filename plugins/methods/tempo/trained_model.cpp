#include "trained_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "answers.hpp"
#include "cohort_doubts.hpp"
#include "device.hpp"
#include "model_file.hpp"
#include "network.hpp"
#include "plain_faults.hpp"
#include "posteriors.hpp"
#include "tempo/error.hpp"

namespace tempo::amortised {
namespace {

class TrainedModel final : public InferenceMethod {
 public:
  TrainedModel(Model model, torch::Device device, std::size_t threads)
      : columns_(std::move(model.columns)),
        network_(make_network(model.preset, columns_, model.sizes)),
        device_(device),
        together_(cells_together(model.preset, device)),
        // A pass of the compact network is too short to be shared.
        threads_(model.preset == Preset::paper ? threads : 1),
        weights_(torch::from_blob(model.weights.data(),
                                  {static_cast<std::int64_t>(model.weights.size())})
                     .clone()
                     .to(device)) {}

 private:
  Inference do_fit(const Cohort& cohort, RandomStream& stream) const override {
    return do_fit_all({&cohort, 1}, {&stream, 1}).front();
  }

  std::vector<Inference> do_fit_all(std::span<const Cohort> cohorts,
                                    std::span<RandomStream> streams) const override {
    std::vector<Inference> out(cohorts.size());
    std::vector<std::vector<std::size_t>> places;
    std::vector<Samples> samples;
    for (std::size_t i = 0; i < cohorts.size(); ++i) {
      places.push_back(place_in(cohorts[i]));
      out[i].warnings = doubts(cohorts[i], places[i], columns_);
      samples.push_back(read(cohorts[i], places[i]));
    }
    limit_threads(threads_);
    for (const auto& group : groups(samples, together_)) {
      const auto found = with_plain_faults(
          [&] { return answers(*network_, weights_, joined(samples, group), device_); });
      const auto B = columns_.biomarkers.size(), J = samples[group[0]].J;
      const auto part = [](const std::vector<double>& all, std::size_t i, std::size_t size) {
        return std::span(all).subspan(all.empty() ? 0 : i * size, all.empty() ? 0 : size);
      };
      for (std::size_t i = 0; i < group.size(); ++i) {
        write(part(found.scores, i, B), part(found.stages, i, J),
              part(found.stage_posterior, i, J * (B + 1)), places[group[i]], out[group[i]]);
        if (!found.score_sds.empty())
          write_ranks(part(found.scores, i, B), part(found.score_sds, i, B), places[group[i]],
                      streams[group[i]], out[group[i]]);
      }
    }
    return out;
  }

  /// @param scores [B], stages [J], posterior [J, B + 1] or empty
  static void write(std::span<const double> scores, std::span<const double> stages,
                    std::span<const double> posterior, const std::vector<std::size_t>& place,
                    Inference& out) {
    const auto B = place.size(), J = stages.size();
    out.event_scores.resize(B);
    out.event_times.emplace(B);
    for (std::size_t b = 0; b < B; ++b) {
      out.event_scores[place[b]] = scores[b];
      (*out.event_times)[place[b]] = std::clamp(scores[b], 0.0, 1.0);
    }
    for (const auto stage : stages)
      out.stages.push_back(std::clamp(stage, 0.0, static_cast<double>(B)));
    if (posterior.empty()) return;
    auto& matrix = out.stage_posterior.emplace(J, B + 1);
    for (std::size_t j = 0; j < J; ++j) {
      const auto row = posterior.subspan(j * (B + 1), B + 1);
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      for (std::size_t k = 0; k <= B; ++k) matrix(j, k) = row[k] / sum;
    }
  }

  static void write_ranks(std::span<const double> scores, std::span<const double> sds,
                          const std::vector<std::size_t>& place, RandomStream& stream,
                          Inference& out) {
    const auto ranks = rank_posterior(scores, sds, stream);
    auto& posterior = out.rank_posterior.emplace(place.size(), place.size());
    for (std::size_t b = 0; b < place.size(); ++b)
      std::ranges::copy(ranks.row(b), posterior.row(place[b]).begin());
  }

  /// Where in the cohort each of the model's biomarkers stands.
  std::vector<std::size_t> place_in(const Cohort& cohort) const {
    const auto [place, missing, unknown] = find_columns(cohort, columns_.biomarkers);
    std::vector<std::string> faults;
    if (!missing.empty())
      faults.push_back(fmt::format("the cohort lacks {} of the model's {} biomarkers: {}",
                                   missing.size(), columns_.biomarkers.size(),
                                   fmt::join(missing, ", ")));
    if (!unknown.empty())
      faults.push_back(fmt::format("the model does not know {}: leave {} out",
                                   fmt::join(unknown, ", "), unknown.size() > 1 ? "them" : "it"));
    if (!faults.empty()) throw Error(fmt::format("{}", fmt::join(faults, "; ")));
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
              "participant '{}', {}: {} is too far from what the model was "
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
  torch::Tensor weights_;  // flat
};

}  // namespace

std::unique_ptr<InferenceMethod> load(const std::filesystem::path& model, const std::string& device,
                                      std::size_t threads) {
  // It is the process's: what was trained before must not decide how this model computes.
  set_precision(Precision::float32);
  return std::make_unique<TrainedModel>(read_model(model), device_of(device), threads);
}

}  // namespace tempo::amortised
