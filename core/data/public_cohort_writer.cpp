#include "data/public_cohort_writer.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "data/cohort_csv.hpp"
#include "data/public_cohorts.hpp"
#include "data/public_subtype_truth.hpp"
#include "data/public_truth.hpp"
#include "data/text_file.hpp"
#include "data/wide_cohort_csv.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace fs = std::filesystem;
using nlohmann::json;

void expect_no_cohorts(const fs::path& folder, const std::string& hypothesis) {
  if (hypothesis.empty() || hypothesis.starts_with('.') ||
      hypothesis.find('/') != std::string::npos)
    throw Error(fmt::format("hypothesis '{}' cannot name a folder", hypothesis));
  const auto of_hypothesis = folder / public_folder_name(hypothesis);
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(of_hypothesis, absent))
    throw Error(
        fmt::format("'{}' is not empty (it holds '{}'); cohorts are not mixed with other "
                    "files: give a new folder, or remove this one",
                    of_hypothesis.string(), entry.path().filename().string()));
}

PublicCohortWriter::PublicCohortWriter(const fs::path& folder, std::string hypothesis,
                                       double healthy_ratio, Before before)
    : folder_(folder / public_folder_name(hypothesis)),
      hypothesis_(std::move(hypothesis)),
      healthy_ratio_(healthy_ratio),
      truths_(std::make_unique<json>(json::object())) {
  if (before == Before::nothing) expect_no_cohorts(folder, hypothesis_);
  std::error_code fault;
  fs::create_directories(folder_, fault);
  if (fault)
    throw Error(fmt::format("cannot make the folder '{}': {}", folder_.string(), fault.message()));
}

PublicCohortWriter::~PublicCohortWriter() = default;

void PublicCohortWriter::add(std::size_t number, const Cohort& cohort, const Truth& truth,
                             const BiomarkerTable* biomarkers) {
  check(cohort);
  check(truth, cohort);
  const auto stem = public_stem(hypothesis_, cohort.participant_count(), healthy_ratio_, number);
  if (truths_->contains(stem))
    throw Error(fmt::format("data set {} of '{}' is written already", number, folder_.string()));
  if (!truths_->empty() && truth.subtypes.has_value() != has_subtypes_)
    throw Error(
        fmt::format("the cohorts of '{}' have to be either all with subtypes or all without",
                    folder_.string()));
  has_subtypes_ = truth.subtypes.has_value();
  if (has_subtypes_) {
    std::error_code fault;
    fs::create_directory(folder_ / kSubtypeData, fault);  // writing tells if it cannot be made
    write_wide_cohort_csv(cohort, folder_ / kSubtypeData / (stem + ".csv"));
    (*truths_)[stem] = subtype_truth_to_json(cohort, truth, biomarkers);
  } else {
    write_cohort_csv(cohort, folder_ / (stem + ".csv"));
    (*truths_)[stem] = truth_to_json(cohort, truth, biomarkers);
  }
}

void PublicCohortWriter::finish() {
  std::string text;
  for (const auto& [stem, truth] : truths_->items())  // a line each
    text += fmt::format("{}{}: {}", text.empty() ? "" : ",\n", json(stem).dump(), truth.dump());
  write_text_file(folder_ / kTruthFileName, "{" + text + "}\n");
}

}  // namespace tempo
