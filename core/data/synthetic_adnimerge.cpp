#include "data/synthetic_adnimerge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tempo/error.hpp"
#include "tempo/generative_process.hpp"

namespace tempo {
namespace {

enum class Kind { score, fluid, volume };
struct Column {
  const char* biomarker;  ///< of adni-12
  const char* name;       ///< of ADNIMERGE
  Kind kind;
  double low, high;  ///< of a score: the ends of its scale; of a fluid: of what the assay measures
};
constexpr std::array<Column, 12> kBiomarkers{
    {{"ADAS13", "ADAS13", Kind::score, 0, 85},
     {"MMSE", "MMSE", Kind::score, 0, 30},
     {"RAVLT_immediate", "RAVLT_immediate", Kind::score, 0, 75},
     {"ABETA", "ABETA", Kind::fluid, 200, 1700},
     {"TAU", "TAU", Kind::fluid, 80, 1300},
     {"PTAU", "PTAU", Kind::fluid, 8, 120},
     {"VentricleNorm", "Ventricles", Kind::volume, 0, 0},
     {"HippocampusNorm", "Hippocampus", Kind::volume, 0, 0},
     {"WholeBrainNorm", "WholeBrain", Kind::volume, 0, 0},
     {"EntorhinalNorm", "Entorhinal", Kind::volume, 0, 0},
     {"FusiformNorm", "Fusiform", Kind::volume, 0, 0},
     {"MidTempNorm", "MidTemp", Kind::volume, 0, 0}}};

/// What the table says of a participant besides measurements.
struct Person {
  std::string id, label, sex;
  double age = 0.0;
  int education = 0;
  double icv = 0.0;
  bool has_fluids = true;
  bool has_volumes = true;
};

std::string cell(const Column& column, double value, double icv) {
  if (column.kind == Kind::volume) return fmt::format("{:.0f}", std::max(0.0, value * icv));
  if (column.kind == Kind::score)
    return fmt::format("{:.0f}", std::clamp(std::round(value), column.low, column.high));
  if (value > column.high) return fmt::format(">{:.0f}", column.high);
  if (value < column.low) return fmt::format("<{:.0f}", column.low);
  return fmt::format("{:.2f}", value);
}

/// Labels each patient EMCI, LMCI or AD by a blurred stage.
void label_patients(const SimulatedCohort& simulated, std::vector<Person>& people,
                    RandomStream& stream) {
  const auto B = static_cast<double>(simulated.cohort.biomarker_count());
  std::vector<std::pair<double, std::size_t>> patients;
  for (std::size_t j = 0; j < people.size(); ++j)
    if (simulated.cohort.diseased[j] != 0)
      patients.emplace_back(simulated.truth.stages[j] + 0.2 * B * stream.normal(), j);
  std::sort(patients.begin(), patients.end());
  for (std::size_t i = 0; i < patients.size(); ++i) {
    const auto share = (static_cast<double>(i) + 0.5) / static_cast<double>(patients.size());
    people[patients[i].second].label = share < 0.4 ? "EMCI" : share < 0.75 ? "LMCI" : "AD";
  }
}

/// Takes something from all but `complete` participants, so that an analysis of complete cases
/// leaves them out.
void leave_gaps(const Cohort& cohort, std::size_t complete, std::size_t controls,
                std::vector<Person>& people, RandomStream& stream, SyntheticAdnimerge& out) {
  auto order = stream.permutation(people.size());
  std::array<std::size_t, 2> wanted{controls, complete - controls};
  for (const auto j : order) {
    const auto group = cohort.diseased[j] != 0 ? std::size_t{1} : std::size_t{0};
    if (wanted[group] > 0) {
      --wanted[group];
      ++out.complete;
      out.controls += group == 0 ? 1 : 0;
      continue;
    }
    const auto fate = stream.uniform();
    if (group == 0 && fate < 0.3)
      people[j].label = "SMC";
    else if (fate < 0.35)
      people[j].label = "";
    else if (fate < 0.7)
      people[j].has_fluids = false;
    else if (fate < 0.9)
      people[j].has_volumes = false;
    else
      people[j].has_fluids = people[j].has_volumes = false;
  }
}

std::string truth_of(const SimulatedCohort& simulated, const std::vector<Person>& people) {
  auto order = nlohmann::ordered_json::object();
  auto times = nlohmann::ordered_json::object();
  for (std::size_t b = 0; b < simulated.cohort.biomarker_count(); ++b) {
    const auto& name = simulated.cohort.biomarkers[b];
    order[name] = simulated.truth.event_ranks[b];
    if (simulated.truth.continuous_events) times[name] = simulated.truth.event_times[b];
  }
  auto ids = nlohmann::ordered_json::array();
  for (const auto& person : people) ids.push_back(person.id);
  nlohmann::ordered_json out;
  out["true_order"] = std::move(order);
  out["true_order_continuous"] = std::move(times);
  out["true_stages"] = simulated.truth.ordinal_stages;
  out["true_stages_continuous"] =
      simulated.truth.continuous_stages ? simulated.truth.stages : std::vector<double>();
  out["participants"] = std::move(ids);
  return out.dump(2) + "\n";
}

}  // namespace

SyntheticAdnimerge synthesize_adnimerge(const SimulatedCohort& simulated, std::size_t complete,
                                        double healthy_ratio, RandomStream& stream) {
  const auto& cohort = simulated.cohort;
  std::vector<std::string> names;
  for (const auto& column : kBiomarkers) names.emplace_back(column.biomarker);
  const auto found = find_columns(cohort, names);
  if (!found.missing.empty() || !found.unknown.empty())
    throw ShapeError("ADNIMERGE: expected the biomarkers of the shipped table adni-12");

  SyntheticAdnimerge out;
  std::vector<Person> people(cohort.participant_count());
  const auto sites = stream.permutation(people.size());
  for (std::size_t j = 0; j < people.size(); ++j) {
    auto& person = people[j];
    person.id = fmt::format("{:03}_S_{:04}", 2 + sites[j] % 60, j + 1);
    person.label = "CN";
    person.sex = stream.uniform() < 0.5 ? "Female" : "Male";
    person.age = 73.0 + 7.0 * stream.normal();
    person.education = static_cast<int>(std::clamp(16.0 + 2.8 * stream.normal(), 6.0, 20.0));
    person.icv = 1.45e6 + (person.sex == "Male" ? 1.4e5 : 0.0) + 1.2e5 * stream.normal();
  }
  label_patients(simulated, people, stream);
  leave_gaps(cohort, complete, healthy_count({complete, healthy_ratio}), people, stream, out);

  out.csv = "RID,PTID,VISCODE,DX_bl,AGE,PTGENDER,PTEDUCAT";
  for (const auto& column : kBiomarkers) out.csv += fmt::format(",{}", column.name);
  out.csv += ",ICV\n";
  for (std::size_t j = 0; j < people.size(); ++j) {
    const auto& person = people[j];
    const auto visits = 1 + stream.index(4);
    for (std::size_t visit = 0; visit < visits; ++visit) {
      ++out.rows;
      const bool later = visit > 0;
      out.csv += fmt::format("{},{},{},{},{:.1f},{},{}", j + 1, person.id,
                             later ? fmt::format("m{:02}", 6 * visit) : "bl", person.label,
                             person.age, person.sex, person.education);
      // Later visits, which the preset leaves out, have the scores only, with some drift.
      for (std::size_t b = 0; b < kBiomarkers.size(); ++b) {
        const auto& column = kBiomarkers[b];
        const bool given =
            column.kind == Kind::score ||
            (!later && (column.kind == Kind::fluid ? person.has_fluids : person.has_volumes));
        const auto value = cohort.measurements(j, found.columns[b]);
        const auto drift = later ? stream.normal() : 0.0;
        out.csv += "," + (given ? cell(column, value + drift, person.icv) : std::string());
      }
      out.csv += !later && person.has_volumes ? fmt::format(",{:.0f}\n", person.icv) : ",\n";
    }
  }
  out.truth = truth_of(simulated, people);
  return out;
}

}  // namespace tempo
