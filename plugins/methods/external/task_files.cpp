#include "task_files.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tempo/error.hpp"

namespace tempo::external {
namespace fs = std::filesystem;
namespace {

/// A field of a CSV, quoted if it has to be.
std::string field(const std::string& text) {
  if (!text.empty() && text.find_first_of(",\"\r\n ") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string as_csv(const Cohort& cohort) {
  const bool has_labels = !cohort.diseased.empty();
  std::string out = has_labels ? "participant,diseased" : "participant";
  for (const auto& name : cohort.biomarkers) out += ',' + field(name);
  out += '\n';
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) {
    out += field(cohort.participants[j]);
    if (has_labels) out += cohort.diseased[j] != 0 ? ",1" : ",0";
    for (const double x : cohort.measurements.row(j))
      out += std::isnan(x) ? std::string(",") : fmt::format(",{}", x);
    out += '\n';
  }
  return out;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  if (!(out << text).flush()) throw Error(fmt::format("cannot write '{}'", file.string()));
}

nlohmann::ordered_json as_json(const Cohort& cohort, const Task& task,
                               const std::string& cohort_file) {
  return {{"protocol", kProtocol},
          {"cohort", cohort_file},
          {"biomarkers", cohort.biomarkers},
          {"participants", cohort.participant_count()},
          {"labels", !cohort.diseased.empty()},
          {"seed", task.seed},
          {"threads", 1},
          {"time_limit", task.seconds},
          {"settings", nlohmann::ordered_json::parse(task.settings)}};
}

}  // namespace

void write_cohort(const Cohort& cohort, const fs::path& folder) {
  write(folder / kCohortFile, as_csv(cohort));
}

void write_task(const Cohort& cohort, const Task& task, const fs::path& folder) {
  auto json = as_json(cohort, task, kCohortFile);
  json["answer"] = kAnswerFile;
  write(folder / kTaskFile, json.dump(2) + "\n");
}

std::string task_line(const Cohort& cohort, const Task& task, const fs::path& folder) {
  return as_json(cohort, task, folder / kCohortFile).dump();
}

}  // namespace tempo::external
