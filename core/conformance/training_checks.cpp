// What methods have to do that are trained.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "conformance/check.hpp"
#include "conformance/examples.hpp"
#include "conformance/kinds.hpp"
#include "conformance/subject.hpp"
#include "conformance/training.hpp"
#include "tempo/error.hpp"

namespace tempo::conformance {
namespace fs = std::filesystem;
namespace {

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder of this check alone, empty.
fs::path fresh(const Subject& subject, const std::string& name) {
  const auto folder = subject.scratch() / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

Finding learns(const Subject& subject) {
  const auto model = trained(subject);
  const auto [table, cohort, truth] = plain_example();
  Fitter(subject, table).fit(cohort);
  return passed();
}

Finding same_training_same_model(const Subject& subject) {
  const auto method = subject.trainable_method();
  const auto first = train(*method, {fresh(subject, "first")});
  const auto second = train(*subject.trainable_method(), {fresh(subject, "second")});
  if (bytes_of(first.model) == bytes_of(second.model)) return passed();
  return failed(
      "two trainings with the same task wrote other models; draw from the task's stream "
      "only, and write no time or path into the model");
}

Finding stops_and_goes_on(const Subject& subject) {
  constexpr double kMost = 1.0;
  const auto method = subject.trainable_method();
  const auto whole = train(*method, {fresh(subject, "whole")});
  const auto folder = fresh(subject, "stopped");
  const auto stopped = train(*method, {folder, 2});
  if (stopped.seconds_to_stop > kMost)
    return failed(fmt::format("went on for {:.1f} s after stop_asked, expected at most {} s",
                              stopped.seconds_to_stop, kMost));
  if (stopped.outcome.finished) return not_applicable("was done before it could stop");
  const auto rest = train(*method, {folder});
  if (!rest.outcome.finished) return failed("a training that was stopped does not go on");
  if (bytes_of(rest.model) == bytes_of(whole.model)) return passed();
  return failed(
      "a training that was stopped and went on wrote another model than one that was not; "
      "keep all that it needs in the checkpoints");
}

Finding damaged_models_are_refused(const Subject& subject) {
  const auto method = subject.trainable_method();
  trained(subject);
  const auto whole = bytes_of(subject.scratch() / "trained" / "model.safetensors");
  const auto file = fresh(subject, "damaged") / "model.safetensors";
  for (const auto& [what, bytes] : {std::pair<std::string, std::string>{"an empty model", ""},
                                    {"half a model", whole.substr(0, whole.size() / 2)},
                                    {"a model of zeros", std::string(whole.size(), '\0')},
                                    {"a text", "this is no model"}}) {
    std::ofstream(file, std::ios::binary) << bytes;
    try {
      method->load(file, 1);
    } catch (const PluginError&) {
      continue;
    }
    return failed(fmt::format("loads {}, expected words that say what is wrong with it", what));
  }
  return passed();
}

Finding other_biomarkers_are_refused(const Subject& subject) {
  auto [table, cohort, truth] = plain_example();
  cohort.biomarkers[2] = "never seen";
  try {
    Fitter(subject, table).fit(cohort);
  } catch (const PluginError& refusal) {
    if (std::string(refusal.what()).find("never seen") != std::string::npos) return passed();
    return failed(fmt::format("refuses a biomarker that it was not trained on without its name: {}",
                              refusal.what()));
  }
  return failed("takes a biomarker that it was not trained on for another");
}

}  // namespace

std::vector<Check> training_checks() {
  return {
      {"T01", "It can be trained, and its model infers.",
       "A training with the settings of the checks, on cohorts of 240 participants and 8 "
       "biomarkers. Give quick settings in the file of --expected: the other checks train, too.",
       kTrained, false, learns, true},
      {"T02", "The same training gives the same model.",
       "Two trainings with the same task and one thread: the files are equal, byte by byte.",
       kTrained, false, same_training_same_model},
      {"T03", "A training stops within a second, and goes on as if nothing had been.",
       "It is asked to stop at its second report. The model is then that of an undisturbed "
       "training, byte by byte.",
       kTrained, false, stops_and_goes_on},
      {"T04", "A damaged model is refused.",
       "An empty file, half a model, zeros and a text: load throws, and nothing crashes.", kTrained,
       false, damaged_models_are_refused},
      {"T05", "A biomarker that it was not trained on is refused by name.",
       "A cohort with one other name.", kTrained, false, other_biomarkers_are_refused},
  };
}

}  // namespace tempo::conformance
