#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/staging.hpp"
#include "cli/command.hpp"
#include "data/cohort_csv.hpp"
#include "data/covariates.hpp"
#include "tempo/biomarker_table.hpp"
#include "tempo/cohort.hpp"
#include "tempo/inference_method.hpp"
#include "tempo/order.hpp"

namespace tempo::cli {

/// What new patients are staged by: a model, among the participants of a cohort, or an order of
/// events, or several.
struct StageBasis {
  std::string name;  ///< what the cohort is called
  Cohort reference;  ///< it, with the biomarkers that patients need and in their order
  Adjustment adjustment;
  std::string whose;                                 ///< whose biomarkers these are
  std::string how;                                   ///< in words
  std::unique_ptr<InferenceMethod> model = nullptr;  ///< null: by the following
  std::optional<SharedOrders> orders = std::nullopt;
  BiomarkerTable distributions = {};
  std::vector<std::string> doubts = {};  ///< of the fit that they are staged by, a sentence each

  Labels labels() const {
    return model && model->label_use() != LabelUse::none ? Labels::needed : Labels::ignored;
  }
  /// @param file  whose patients they are, for complaints
  StagedPatients stage(const Cohort& patients, const std::string& file) const;
};

/// By a fit of a run of a real cohort, that of --fit or the only one: its model if it has one, else
/// its order of events. The consensus of all fits is an order, too.
/// @throws InputError
StageBasis basis_of_run(const std::filesystem::path& folder, const Options& options,
                        const Registry& registry, std::size_t threads);

/// By a model file, among the participants of --reference.
/// @param inputs  gets the files that the reference was read from
/// @throws InputError
StageBasis basis_of_model(const std::string& model_file, const Options& options,
                          const Registry& registry, std::size_t threads,
                          std::vector<std::filesystem::path>& inputs);

}  // namespace tempo::cli
