#include "model_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "history_json.hpp"
#include "tempo/error.hpp"
#include "training.hpp"
#include "weight_tensors.hpp"

namespace tempo::amortised {
namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "tempo-model-2";
constexpr const char* kFirstFormat = "tempo-model-1";  // of versions up to 1.1.0
constexpr std::size_t kMostBiomarkers = 100'000, kMostForms = 64;

std::string text_of(const TensorFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end())
    throw Error(fmt::format("has no metadata '{}': not written by tempo", key));
  return found->second;
}

std::vector<std::string> names_of(const TensorFile& file, const std::string& key) {
  try {
    return Json::parse(text_of(file, key)).get<std::vector<std::string>>();
  } catch (const Json::exception&) {
    throw Error(fmt::format("has metadata '{}' that are no list of names", key));
  }
}

/// The sizes of an architecture.
CompactSizes sizes_in(const std::string& architecture, std::size_t biomarkers) {
  auto out = CompactSizes::first(biomarkers);
  const auto sizes = Json::parse(architecture, nullptr, /*allow_exceptions=*/false);
  const auto read = [&](const char* key, std::size_t least, std::size_t most, std::size_t& to) {
    const auto found = sizes.is_object() ? sizes.find(key) : sizes.end();
    if (found != sizes.end() && found->is_number_unsigned() && *found >= least && *found <= most)
      to = found->get<std::size_t>();
  };
  read("forms", 0, kMostForms, out.forms);
  read("slots", 2, biomarkers + 1, out.slots);
  return out;
}

std::vector<double> take_numbers(const std::string& name, std::size_t count, TensorFile& file) {
  const auto found = file.doubles.find(name);
  if (found == file.doubles.end()) throw Error(fmt::format("has no F64 tensor '{}'", name));
  if (found->second.shape != std::vector<std::size_t>{count})
    throw Error(fmt::format("tensor '{}' has shape [{}]; expected [{}]", name,
                            fmt::join(found->second.shape, ", "), count));
  auto values = std::move(found->second.values);
  for (const auto value : values)
    if (!std::isfinite(value)) throw Error(fmt::format("tensor '{}' is not finite", name));
  file.doubles.erase(found);
  return values;
}

}  // namespace

void write_model(const Model& model, const std::filesystem::path& path) {
  if (model.preset == Preset::first_compact)
    throw std::logic_error("networks of version 1 are not written any more");
  const auto B = model.columns.biomarkers.size();
  const auto network = make_network(model.preset, model.columns, model.sizes);
  TensorFile file;
  file.metadata = {{"format", kFormat},
                   {"plugin", "tempo"},
                   {"version", kPluginVersion},
                   {"preset", model.preset == Preset::paper ? "paper" : "compact"},
                   {"architecture", Json(network->sizes()).dump()},
                   {"biomarkers", Json(model.columns.biomarkers).dump()},
                   {"hypotheses", Json(model.hypotheses).dump()},
                   {"history", history_to_json(model.history)}};
  if (!model.warnings.empty()) file.metadata["warnings"] = Json(model.warnings).dump();
  file.doubles["standardisation.mean"] = {{B}, model.columns.mean};
  file.doubles["standardisation.sd"] = {{B}, model.columns.sd};
  if (model.preset == Preset::compact) {
    file.floats["cells.knots"] = {{B, kKnots}, model.columns.knots};
    file.floats["cells.shared_values"] = {{B, kAtoms}, model.columns.atoms};
  }
  add_weights(network->layout(), model.weights, "", file);
  write_safetensors(file, path);
}

Model read_model(const std::filesystem::path& path) {
  auto file = read_safetensors(path);
  const auto format = text_of(file, "format");
  if (format != kFormat && format != kFirstFormat)
    throw Error(fmt::format("is a model of format '{}'; expected '{}' or '{}'", format, kFormat,
                            kFirstFormat));
  Model model;
  const auto preset = text_of(file, "preset");
  if (preset != "paper" && preset != "compact")
    throw Error(fmt::format("has preset '{}'; expected 'compact' or 'paper'", preset));
  model.preset = preset == "paper"   ? Preset::paper
                 : format == kFormat ? Preset::compact
                                     : Preset::first_compact;
  model.columns.biomarkers = names_of(file, "biomarkers");
  const auto B = model.columns.biomarkers.size();
  if (B < 2 || B > kMostBiomarkers) throw Error(fmt::format("has {} biomarkers", B));
  if (std::ranges::adjacent_find(model.columns.biomarkers, std::greater_equal<>()) !=
      model.columns.biomarkers.end())
    throw Error("has biomarkers that are not in ascending order, each once");
  model.hypotheses = names_of(file, "hypotheses");
  model.history = history_from_json(text_of(file, "history"));
  if (model.preset == Preset::compact) {
    const Layout places{{"cells.knots", {static_cast<std::int64_t>(B), kKnots}, {}},
                        {"cells.shared_values", {static_cast<std::int64_t>(B), kAtoms}, {}}};
    auto values = take_weights(places, "", file);
    model.columns.atoms.assign(values.begin() + static_cast<std::ptrdiff_t>(B * kKnots),
                               values.end());
    values.resize(B * kKnots);
    model.columns.knots = std::move(values);
    for (std::size_t b = 0; b < B; ++b) {
      const auto knots = std::span(model.columns.knots).subspan(b * kKnots, kKnots);
      if (std::ranges::adjacent_find(knots, std::greater_equal<>()) != knots.end())
        throw Error(
            fmt::format("has knots of '{}' that do not ascend", model.columns.biomarkers[b]));
    }
  }
  if (model.preset == Preset::compact) model.sizes = sizes_in(text_of(file, "architecture"), B);
  const auto network = make_network(model.preset, model.columns, model.sizes);
  if (const auto sizes = Json(network->sizes()).dump(); text_of(file, "architecture") != sizes)
    throw Error(fmt::format("has architecture {}; this version of the plugin ({}) has {}",
                            text_of(file, "architecture"), kPluginVersion, sizes));
  model.columns.mean = take_numbers("standardisation.mean", B, file);
  model.columns.sd = take_numbers("standardisation.sd", B, file);
  for (std::size_t b = 0; b < B; ++b)
    if (!(model.columns.sd[b] > 0.0))
      throw Error(fmt::format("has a standard deviation of {} for '{}'", model.columns.sd[b],
                              model.columns.biomarkers[b]));
  model.weights = take_weights(network->layout(), "", file);
  expect_nothing_left(file);
  return model;
}

}  // namespace tempo::amortised
