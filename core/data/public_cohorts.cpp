#include "data/public_cohorts.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "data/json_text.hpp"
#include "data/public_cohort_reader.hpp"
#include "data/public_truth.hpp"
#include "data/text_file.hpp"

namespace tempo {

std::filesystem::path truth_file(const PublicDataset& dataset) {
  return dataset.has_subtypes() ? dataset.truth : dataset.csv.parent_path() / kTruthFileName;
}

PublicCohort read_public_cohort(const PublicDataset& dataset, Problems& problems) {
  return *PublicCohortReader().read(dataset, problems);
}

std::optional<NamedTruth> read_truth(const std::filesystem::path& file, const std::string& stem,
                                     Problems& problems) {
  Problems found;
  NamedTruth out;
  const auto name = file.string();
  const auto text = read_text_file(file, found);
  const auto root = text ? parse_json(*text, name, found) : std::nullopt;
  if (root) {
    const bool is_of_one = root->is_object() && root->contains("true_order");
    if (const auto* entry = is_of_one ? &*root : find_truth(*root, name, stem, found)) {
      const auto cohort = named_cohort(*entry);
      std::optional<BiomarkerTable> ignored;
      read_truth_entry(*entry, {name, is_of_one ? "" : stem, cohort, "the truth"}, found, out.truth,
                       ignored);
      out.biomarkers = cohort.biomarkers;
      out.participants = cohort.participants;
    }
  }
  const bool is_sound = found.empty();
  problems.append(found);
  return is_sound ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace tempo
