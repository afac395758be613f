#include "cli/new_patients.hpp"

#include <fmt/format.h>

#include <iostream>
#include <map>
#include <unordered_set>

#include "cli/cohort_columns.hpp"
#include "data/names.hpp"
#include "data/real_cohort.hpp"
#include "model/printable.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

void note(const std::string& file, const std::string& text) {
  std::cerr << printable(fmt::format("note: {}: {}", file, text), "") << "\n";
}

LaterParticipants read_table(const std::string& file, const StageBasis& basis,
                             const Options& options, std::vector<fs::path> inputs) {
  Problems problems;
  auto read = read_later_participants(file, basis.labels(), basis.adjustment, problems);
  inputs.insert(inputs.end(), read.files.begin(), read.files.end());
  refuse_overwriting(options, "out", inputs, problems);
  problems.throw_if_any();
  return read;
}

/// Says which participants a table lost, and what was changed in it.
void note_intake(const CohortTable& table, const std::string& file) {
  const auto& flow = table.flow;
  for (std::size_t i = 1; i < flow.size(); ++i)
    if (flow[i].participants < flow[i - 1].participants)
      note(file, fmt::format("{} of {} participants {}", flow[i].participants,
                             flow[i - 1].participants, flow[i].what));
  // Labels are not looked at, and so their groups are one.
  std::map<std::string, std::pair<std::size_t, std::size_t>> censored;
  for (const auto& [biomarker, diagnosis, below, above] : table.censored) {
    censored[biomarker].first += below;
    censored[biomarker].second += above;
  }
  for (const auto& [biomarker, count] : censored)
    note(file,
         fmt::format("censored: {}: {} below, {} above", biomarker, count.first, count.second));
  for (const auto& text : table.notes) note(file, text);
}

/// Complains of biomarkers that patients lack, or warns of them where they can be staged without.
/// @throws InputError
void check_biomarkers(const LaterParticipants& read, const std::string& file,
                      const StageBasis& basis, std::vector<std::string>& warnings) {
  Problems problems;
  const auto& cohort = read.table.cohort;
  const auto& wanted = basis.reference.biomarkers;
  if (basis.model || !read.marginal_asked)
    expect_biomarkers(
        cohort, wanted, file, basis.whose,
        basis.model ? "" : "; a description with missing = \"marginal\" stages without them",
        problems);
  else if (const auto missing = find_columns(cohort, wanted).missing; !missing.empty())
    warnings.push_back(fmt::format("{} lacks {}, which {} not count in stages", file,
                                   fmt::join(missing, ", "), missing.size() == 1 ? "does" : "do"));
  note_unknown(cohort, wanted, file, basis.whose);
  problems.throw_if_any();
}

/// Participants of the reference are no new patients. @throws InputError
void expect_new(const Cohort& patients, const std::string& file, const StageBasis& basis) {
  const auto& reference = basis.reference;
  const std::unordered_set<std::string> known(reference.participants.begin(),
                                              reference.participants.end());
  std::vector<std::string> both;
  for (const auto& id : patients.participants)
    if (known.contains(id)) both.push_back(id);
  Problems problems;
  if (!both.empty())
    problems.add(
        {file}, fmt::format("has participants that are in {} too: {}", basis.name, in_short(both)));
  problems.throw_if_any();
}

/// Warns of patients whose values were not adjusted as the reference's were.
void warn_of_adjustment(const LaterParticipants& read, const std::string& file,
                        const StageBasis& basis, std::vector<std::string>& warnings) {
  if (!basis.adjustment.covariates.empty() && !read.adjusts)
    warnings.push_back(fmt::format(
        "{} was adjusted for {}, and the values of {} are taken as they stand: a description with "
        "'adjust' adjusts them as those were",
        basis.name, fmt::join(basis.adjustment.covariates, ", "), file));
  for (const auto& doubt : read.table.doubts) warnings.push_back(doubt);
}

/// Puts the reference's means where values are missing, if the description asks for it, and says
/// what is missing.
void treat_missing(Cohort& patients, const LaterParticipants& read, const std::string& file,
                   const StageBasis& basis) {
  const auto missing = count_missing(patients, Labels::ignored).total();
  const auto filled = read.means_asked ? fill_means(basis.reference, patients) : std::size_t{0};
  if (filled > 0)
    note(file, fmt::format("the mean of {} stands for {}", basis.name,
                           counted(filled, "missing measurement")));
  if (missing > filled)
    note(file, fmt::format("{} of {} are missing{}", missing - filled,
                           counted(patients.measurements.values().size(), "measurement"),
                           basis.model ? "" : " and do not count"));
}

}  // namespace

NewPatients read_new_patients(const std::string& file, const StageBasis& basis,
                              const Options& options, std::vector<fs::path> inputs) {
  auto read = read_table(file, basis, options, std::move(inputs));
  NewPatients out;
  note_intake(read.table, file);
  check_biomarkers(read, file, basis, out.warnings);
  out.cohort = with_biomarkers(read.table.cohort, basis.reference.biomarkers);
  if (basis.model) expect_new(out.cohort, file, basis);
  warn_of_adjustment(read, file, basis, out.warnings);
  auto far = far_values(basis.reference, out.cohort,
                        read.adjusts ? ValuesAre::adjusted : ValuesAre::as_given);
  for (auto& warning : far.warnings) out.warnings.push_back(std::move(warning));
  out.far = std::move(far.biomarkers);
  treat_missing(out.cohort, read, file, basis);
  out.left_out = std::move(read.table.left_out);
  return out;
}

}  // namespace tempo::cli
