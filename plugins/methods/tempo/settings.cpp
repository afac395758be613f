#include "settings.hpp"

#include <fmt/format.h>

#include "device.hpp"

namespace tempo::amortised {
namespace {

constexpr std::size_t kLongTraining = 50;  // biomarkers

std::size_t count(Parameters& keys, const char* key, std::int64_t fallback, double low,
                  const char* help) {
  return static_cast<std::size_t>(keys.integer(key, fallback, {.low = low, .high = 1e9}, help));
}

bool is_device(const std::string& text) {
  if (text == "auto" || text == "cpu" || text == "cuda") return true;
  const auto number = text.starts_with("cuda:") ? text.substr(5) : "";
  return !number.empty() && number.size() < 3 &&
         number.find_first_not_of("0123456789") == std::string::npos;
}

/// Whether it would be; of names of no device, too, which have been complained about.
bool is_gpu(const std::string& device) {
  return device == "auto" ? why_no_device("cuda").empty() : device != "cpu";
}

}  // namespace

TempoSettings::TempoSettings(Parameters& keys) {
  const bool paper =
      keys.choice("preset", "compact", {"compact", "paper"},
                  "compact: trained in minutes on a CPU; paper: as published") == "paper";
  preset = paper ? Preset::paper : Preset::compact;
  device = keys.device("device", "auto", "auto (a GPU if there is one), cpu, cuda or cuda:N");
  if (!is_device(device))
    keys.complain("device", fmt::format("'{}' is no device; expected auto, cpu, cuda or cuda:N "
                                        "(N = 0, 1, ...)",
                                        device));
  else if (const auto why = why_no_device(device); !why.empty())
    keys.complain("device", fmt::format("there is no device '{}': {}", device, why));
  const auto arithmetic =
      keys.choice("precision", "float32", {"float32", "tf32", "bf16"},
                  "of matrix products; tf32 and bf16 on a GPU only, bf16 with paper only");
  precision = arithmetic == "tf32"   ? Precision::tf32
              : arithmetic == "bf16" ? Precision::bf16
                                     : Precision::float32;
  if (precision != Precision::float32 && !is_gpu(device))
    keys.complain("precision",
                  fmt::format("precision '{}' is for a GPU, which device = \"{}\" is not here; "
                              "use \"float32\"",
                              arithmetic, device));
  // Values that many participants share are recognised as equal, which eight bits cannot do.
  if (precision == Precision::bf16 && !paper)
    keys.complain("precision",
                  "precision 'bf16' goes with preset = \"paper\"; use \"tf32\" or \"float32\"");
  fixed_cohorts =
      keys.choice("cohorts", paper ? "fixed" : "stream", {"stream", "fixed"},
                  "stream: fresh cohorts all the time; fixed: the same every epoch") == "fixed";
  cohorts = count(keys, "fixed_cohorts", 950, 1, "how many cohorts where they are fixed");
  validation = count(keys, "validation_cohorts", 50, 1, "cohorts on which each epoch is judged");
  epochs = count(keys, "epochs", paper ? 0 : 40, 0,
                 "passes; 0: as published, 25, or 50 from 50 biomarkers on");
  samples = count(keys, "samples", paper ? 15200 : 0, 0,
                  "subsamples per epoch; 0: 8192, or 4096 from 50 biomarkers on");
  participants = count(keys, "participants", paper ? 256 : 0, 0,
                       "how many a subsample has; 0: a fifth of the cohort to all of it");
  batch = count(keys, "batch", paper ? 48 : 32, 1, "subsamples per step");
  learning_rate = keys.number("learning_rate", paper ? 1e-4 : 3e-3, positive,
                              "step size of AdamW; compact: its peak");
}

std::string identity(const TempoSettings& s) {
  return fmt::format(
      "preset {}, precision {}, fixed {} {}, validation {}, epochs {}, "
      "samples {}, participants {}, batch {}, learning rate {}",
      static_cast<int>(s.preset), static_cast<int>(s.precision), s.fixed_cohorts, s.cohorts,
      s.validation, s.epochs, s.samples, s.participants, s.batch, s.learning_rate);
}

TempoSettings for_biomarkers(TempoSettings settings, std::size_t biomarkers) {
  const bool many = biomarkers >= kLongTraining;
  if (settings.epochs == 0) settings.epochs = many ? 50 : 25;
  if (settings.samples == 0) settings.samples = many ? 4096 : 8192;
  return settings;
}

}  // namespace tempo::amortised
