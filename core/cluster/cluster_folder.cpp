#include "cluster/cluster_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/json_text.hpp"
#include "data/text_file.hpp"
#include "run/run_folder.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

fs::path submission_in(const ClusterFolder& folder) { return folder.path() / "submission.json"; }

/// Nothing if the file says something else.
std::optional<Submission> submission_of(const nlohmann::json& in) {
  const auto has = [&](const char* key, auto is) { return in.contains(key) && (in.at(key).*is)(); };
  using nlohmann::json;
  const bool is_whole = in.is_object() && has("launcher", &json::is_string) &&
                        has("models", &json::is_number_unsigned) &&
                        has("tasks", &json::is_number_unsigned) && has("jobs", &json::is_array);
  if (!is_whole) return std::nullopt;
  const auto& jobs = in.at("jobs");
  if (!std::all_of(jobs.begin(), jobs.end(), [](const json& job) { return job.is_string(); }))
    return std::nullopt;
  return Submission{in.at("launcher"), in.at("models"), in.at("tasks"), jobs};
}

}  // namespace

ClusterFolder::ClusterFolder(const fs::path& run) : run_(fs::absolute(run).lexically_normal()) {
  if (!run_.has_filename()) run_ = run_.parent_path();  // it was given with a slash at its end
}

fs::path ClusterFolder::part(const Shard& shard) const {
  return parts() /
         fmt::format("{}-{}", shard.what == Shard::What::fits ? "fits" : "model", shard.index);
}

std::vector<fs::path> ClusterFolder::stored_parts() const {
  std::vector<fs::path> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(parts(), none))
    if (fs::exists(RunFolder::store_in(entry.path()))) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<Submission> ClusterFolder::submission() const {
  const auto text = text_if_there(submission_in(*this));
  if (!text) return std::nullopt;
  Problems problems;
  if (const auto in = parse_json(*text, submission_in(*this).string(), problems))
    if (auto found = submission_of(*in)) return found;
  throw Error(fmt::format(
      "'{}' is damaged: expected how the run was cut, as tempo submit writes it; remove this file and "
      "submit again",
      submission_in(*this).string()));
}

void ClusterFolder::write(const Submission& submission) const {
  const nlohmann::json out{{"launcher", submission.launcher},
                           {"models", submission.models},
                           {"tasks", submission.tasks},
                           {"jobs", submission.jobs}};
  write_text_file(submission_in(*this), out.dump(1) + "\n");
}

}  // namespace tempo
