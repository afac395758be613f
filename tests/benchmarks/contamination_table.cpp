// What gross errors cost each method: cohorts of the nine hypotheses, clean and with errors in a
// share of the participants, fitted by every method. Prints a line per fit as CSV, or the table of
// docs/reference/contamination.md from such lines.
//
//   bin/contamination_table [--cohorts 5] [--first 0] [--methods debm,...] [--hypotheses h1,...]
//     [--shares 0,0.01,0.05] [--models FOLDER] [--plugins FOLDER] [--seed 1] > fits.csv
//   bin/contamination_table --read fits.csv
//
// `tempo` needs --models, a folder with a trained model h1.safetensors ... of each hypothesis.
// `bayes` assumes the hypothesis and samples the distributions.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "contaminated.hpp"
#include "data/biomarker_file.hpp"
#include "registry.hpp"
#include "tempo/error.hpp"
#include "tempo/generative_process.hpp"
#include "tempo/metrics.hpp"

namespace tempo {
namespace {

using Options = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream parts(text);
  for (std::string one; std::getline(parts, one, ',');) out.push_back(one);
  return out;
}

std::unique_ptr<InferenceMethod> make(const Registry& registry, const std::string& plugin,
                                      const std::string& hypothesis,
                                      const GenerativeProcess& process,
                                      const std::filesystem::path& models) {
  PartSpec spec{plugin, {}, {}};
  if (plugin == "tempo")
    return registry.trainable_method(spec)->load(models / (hypothesis + ".safetensors"), 1);
  if (plugin != "bayes") return registry.method(spec);
  ParameterValue sample;
  sample.value = std::string("sample");
  spec.settings.set("parameters", sample);
  return registry.method_under(spec, process);
}

/// tau_distance,stage_mae,seconds,warnings; the first two are NaN if the fit fails.
std::string scored(const InferenceMethod& method, const Cohort& cohort, const Truth& truth,
                   RandomStream& stream) {
  const auto start = std::chrono::steady_clock::now();
  double distance = NAN, mae = NAN;
  std::size_t warnings = 0;
  try {
    const auto found = method.fit(cohort, stream);
    distance = tau_distance(found.event_scores, truth.event_ranks);
    mae = stage_mae(found.stages, truth.ordinal_stages, cohort.biomarker_count());
    warnings = found.warnings.size();
  } catch (const Error& error) {
    fmt::print(stderr, "a fit failed: {}\n", error.what());
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return fmt::format("{:.6f},{:.6f},{:.3f},{}", distance, mae, took.count(), warnings);
}

void fit_all(const Options& options) {
  const Registry registry({{options.at("--plugins"), "--plugins", true}});
  Problems problems;
  const auto table = find_biomarkers("adni-12", {}, {}, problems);
  problems.throw_if_any();
  const auto first = std::stoul(options.at("--first"));
  fmt::print("hypothesis,cohort,method,share,tau_distance,stage_mae,seconds,warnings\n");
  for (const auto& hypothesis : split(options.at("--hypotheses"))) {
    const auto process = registry.hypothesis({hypothesis, {}, {}}, table);
    for (const auto& plugin : split(options.at("--methods"))) {
      const auto method = make(registry, plugin, hypothesis, *process, options.at("--models"));
      for (auto number = first; number < first + std::stoul(options.at("--cohorts")); ++number) {
        RandomStream draw(/*seed=*/1, "contamination", hypothesis, number);
        const auto clean = process->simulate({}, draw);
        for (const auto& share : split(options.at("--shares"))) {
          const auto data =
              test::contaminated(clean.cohort, std::stod(share),
                                 RandomStream(/*seed=*/1, "gross errors", hypothesis, number));
          RandomStream stream(std::stoull(options.at("--seed")), "fit", hypothesis, number);
          fmt::print("{},{},{},{},{}\n", hypothesis, number, plugin, share,
                     scored(*method, data.cohort, clean.truth, stream));
          std::fflush(stdout);
        }
      }
    }
  }
}

struct Mean {
  double sum = 0.0, squares = 0.0, n = 0.0;
  void add(double x) {
    sum += x;
    squares += x * x;
    n += 1.0;
  }
  double mean() const { return sum / n; }
  /// Half of a 95 % interval by the normal law.
  double within() const {
    return n < 2.0 ? NAN
                   : 1.96 * std::sqrt(std::max(squares / n - mean() * mean(), 0.0) / (n - 1.0));
  }
};

/// Per hypothesis and over all: the clean distance, and what each share adds to it. NaN where a fit
/// failed.
void print_table(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  // method, hypothesis, cohort, share
  std::map<std::string, std::map<std::string, std::map<std::string, std::map<double, double>>>>
      found;
  while (std::getline(file, line)) {
    const auto cell = split(line);
    found[cell.at(2)][cell.at(0)][cell.at(1)][std::stod(cell.at(3))] = std::stod(cell.at(4));
  }
  if (found.empty()) throw std::invalid_argument(path + " has no fits");
  fmt::print("| method | hypothesis | clean | + 1 % | + 5 % |\n|---|---|---|---|---|\n");
  for (const auto& [method, of_method] : found) {
    Mean all_clean, all_one, all_five;
    std::string rows;
    for (const auto& [hypothesis, cohorts] : of_method) {
      Mean clean, one, five;
      for (const auto& [number, by_share] : cohorts) {
        const double without = by_share.at(0.0);
        for (auto* mean : {&clean, &all_clean}) mean->add(without);
        for (auto* mean : {&one, &all_one}) mean->add(by_share.at(0.01) - without);
        for (auto* mean : {&five, &all_five}) mean->add(by_share.at(0.05) - without);
      }
      rows += fmt::format("| {} | {} | {:.4f} | {:+.4f} | {:+.4f} |\n", method, hypothesis,
                          clean.mean(), one.mean(), five.mean());
    }
    fmt::print("{}| {} | all | {:.4f} | {:+.4f} ± {:.4f} | {:+.4f} ± {:.4f} |\n", rows, method,
               all_clean.mean(), all_one.mean(), all_one.within(), all_five.mean(),
               all_five.within());
  }
}

int run(const std::vector<std::string>& words) {
  Options options = {{"--cohorts", "5"},
                     {"--first", "0"},
                     {"--methods", "debm,debm_gmm,ucl_gmm,ucl_kde,sa_ebm,generalist"},
                     {"--hypotheses", "h1,h2,h3,h4,h5,h6,h7,h8,h9"},
                     {"--shares", "0,0.01,0.05"},
                     {"--models", ""},
                     {"--seed", "1"},
                     {"--plugins", TEMPO_TEST_PLUGINS},
                     {"--read", ""}};
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (!options.contains(words[i]) || i + 1 == words.size())
      throw std::invalid_argument("unknown or without a value: " + words[i]);
    options[words[i]] = words[i + 1];
  }
  options["--read"].empty() ? fit_all(options) : print_table(options["--read"]);
  return 0;
}

}  // namespace
}  // namespace tempo

int main(int argc, char* argv[]) {
  try {
    return tempo::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "contamination_table: {}\n", error.what());
    return 1;
  }
}
