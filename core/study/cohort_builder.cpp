#include "study/cohort_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/biomarker_file.hpp"
#include "data/content_key.hpp"
#include "data/estimated_biomarkers.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

/// `h1` for the public `exp1`; any other folder names its hypothesis itself.
std::string hypothesis_of_folder(const std::string& folder) {
  for (int number = 1; number <= 9; ++number)
    if (const auto id = fmt::format("h{}", number); public_folder_name(id) == folder) return id;
  return folder;
}

std::string relative_to(const Asked& asked) {
  return asked.place.line == 0 ? "the current folder" : "the file that names it";
}

}  // namespace

const RealCohorts::Read& RealCohorts::get(const fs::path& path) {
  const auto [at, is_new] = read_.try_emplace(path);
  auto& [cohort, content, problems] = at->second;
  if (is_new) {
    cohort = std::make_shared<RealCohort>(read_real_cohort(path, problems));
    content = cohort_key(cohort->table.cohort);
  }
  return at->second;
}

fs::path CohortBuilder::base_folder(const Asked& asked) const {
  return asked.place.line == 0 ? fs::path() : folder_;
}

fs::path CohortBuilder::resolve(const AskedText& path) const {
  return (base_folder(path.asked) / path.text).lexically_normal();
}

BuiltCohorts CohortBuilder::build(const CohortsInput& input) {
  return std::visit([&](const auto& source) { return build(source); }, input);
}

BuiltCohorts CohortBuilder::build(const SimulatedCohortsInput& input) {
  return {SimulatedCohorts{build(input.simulation, {}, /*may_estimate=*/false)}, {}};
}

Simulation CohortBuilder::build(const SimulationInput& input, const CohortSize& fallback,
                                bool may_estimate) {
  const auto& [name, asked] = input.biomarkers;
  Simulation out{name,
                 {},
                 {input.participants.value_or(fallback.participants),
                  input.healthy_ratio.value_or(fallback.healthy_ratio)}};
  if (name.empty() || (may_estimate && name == kEstimate)) return out;
  const auto hint = may_estimate ? did_you_mean(name, {kEstimate}) : std::string();
  if (!hint.empty())
    faults_.at(asked).add(asked.place, fmt::format("unknown biomarker table '{}'{}", name, hint));
  else
    out.biomarkers = find_biomarkers(name, base_folder(asked), asked.place, faults_.at(asked));
  return out;
}

BuiltCohorts CohortBuilder::build(const FolderCohortsInput& input) {
  FolderCohorts out;
  std::vector<FolderGroup> groups;
  if (!input.path.text.empty()) {
    out.path = resolve(input.path);
    out.named = input.path.text;
    groups = list_groups(out.path, input.path.asked);
  }
  if (input.numbers) restrict_groups(*input.numbers, input.numbers_asked, groups);
  if (input.simulation) out.simulation = build(*input.simulation, {}, /*may_estimate=*/false);
  return {std::move(out), std::move(groups)};
}

/// Finds the cohorts of each hypothesis in a folder.
std::vector<FolderGroup> CohortBuilder::list_groups(const fs::path& path, const Asked& asked) {
  auto& problems = faults_.at(asked);
  if (std::error_code ignored; !fs::exists(path, ignored)) {
    problems.add(asked.place, fmt::format("no such folder '{}' (a path is relative to {})",
                                          path.string(), relative_to(asked)));
    return {};
  }
  std::vector<FolderGroup> groups;
  for (auto& file : list_public_cohorts(path, problems)) {
    const auto id = hypothesis_of_folder(file.hypothesis);
    if (groups.empty() || groups.back().files.back().hypothesis != file.hypothesis) {
      for (const auto& group : groups)
        if (group.id == id)
          problems.add(asked.place,
                       fmt::format("'{}' and '{}' both hold cohorts of '{}'",
                                   group.files.front().hypothesis, file.hypothesis, id));
      groups.push_back({id, {}});
    }
    groups.back().files.push_back(std::move(file));
  }
  return groups;
}

/// Keeps the cohorts of these numbers only; complains of numbers that no hypothesis has.
void CohortBuilder::restrict_groups(const std::set<std::size_t>& numbers, const Asked& asked,
                                    std::vector<FolderGroup>& groups) {
  if (groups.empty()) return;  // the folder has been complained of
  auto absent = numbers;
  for (const auto& group : groups)
    for (const auto& file : group.files) absent.erase(file.number);
  if (!absent.empty()) {
    constexpr std::ptrdiff_t kShown = 5;
    const auto count = static_cast<std::ptrdiff_t>(absent.size());
    faults_.at(asked).add(
        asked.place,
        fmt::format(
            "'datasets' names {}{}, which no hypothesis in the folder has",
            fmt::join(absent.begin(), std::next(absent.begin(), std::min(count, kShown)), ", "),
            count > kShown ? fmt::format(" and {} more", count - kShown) : ""));
    return;
  }
  for (auto& group : groups)
    std::erase_if(group.files,
                  [&](const PublicDataset& file) { return !numbers.contains(file.number); });
}

/// A real cohort, and what is simulated to learn from or inferred under beside it.
BuiltCohorts CohortBuilder::build(const TableCohortInput& input) {
  TableCohort out;
  out.real = std::make_shared<RealCohort>();
  if (!input.path.text.empty()) {
    out.path = resolve(input.path);
    out.named = input.path.text;
    find_real(input.path.asked, out);
  }
  out.intake = out.real->table.report();
  if (input.simulation) {
    const auto& cohort = out.real->table.cohort;
    const bool has_diseased =
        std::find(cohort.diseased.begin(), cohort.diseased.end(), 1) != cohort.diseased.end();
    out.simulation = build(*input.simulation, has_diseased ? size_like(cohort) : CohortSize(),
                           /*may_estimate=*/true);
    if (out.simulation->name == kEstimate)
      estimate(input, out);
    else if (cohort.biomarker_count() > 0)
      restrict_biomarkers(input.biomarkers_needed, out);
  }
  return {std::move(out), {}};
}

void CohortBuilder::find_real(const Asked& asked, TableCohort& cohort) {
  auto& problems = faults_.at(asked);
  if (std::error_code ignored; !fs::exists(cohort.path, ignored)) {
    problems.add(asked.place, fmt::format("no such file '{}' (a path is relative to {})",
                                          cohort.path.string(), relative_to(asked)));
    return;
  }
  const auto& read = read_.get(cohort.path);
  problems.append(read.problems);
  cohort.real = read.cohort;
  cohort.content = read.content;
}

void CohortBuilder::estimate(const TableCohortInput& input, TableCohort& cohort) {
  std::vector<std::string> faults;
  const auto found = estimate_biomarkers(cohort.real->table.cohort, input.healthy, faults);
  const auto& asked = input.biomarkers_needed;
  for (const auto& fault : faults) faults_.at(asked).add(asked.place, fault);
  cohort.simulation->biomarkers = table_of(found);
  if (faults.empty()) cohort.not_separating = not_separating(found);
  cohort.intake += fmt::format("distributions before and after the event, estimated (healthy {})\n",
                               input.healthy == HealthyAre::free ? "free" : "fixed") +
                   report(found);
}

/// Only what the cohort has can be inferred; it may have nothing that the table has not.
void CohortBuilder::restrict_biomarkers(const Asked& asked, TableCohort& cohort) {
  auto& simulation = *cohort.simulation;
  std::vector<Biomarker> kept;
  std::vector<std::string> left_out;
  auto missing = cohort.real->table.cohort.biomarkers;
  for (const auto& biomarker : simulation.biomarkers) {
    if (std::erase(missing, biomarker.name) > 0)
      kept.push_back(biomarker);
    else
      left_out.push_back(biomarker.name);
  }
  if (simulation.biomarkers.size() > 0 && !missing.empty())
    faults_.at(asked).add(
        asked.place,
        fmt::format("the table '{}' lacks biomarkers of the cohort: {}; leave them out "
                    "of the cohort, or choose biomarkers = \"estimate\"",
                    simulation.name, fmt::join(missing, ", ")));
  if (!left_out.empty() && missing.empty())
    cohort.intake +=
        fmt::format("note: the cohort lacks biomarkers of the table '{}', which are left out: {}\n",
                    simulation.name, fmt::join(left_out, ", "));
  simulation.biomarkers = BiomarkerTable(std::move(kept));
}

}  // namespace tempo
