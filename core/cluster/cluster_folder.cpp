#include "cluster/cluster_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/text_file.hpp"
#include "run/run_folder.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

fs::path submission_in(const ClusterFolder& folder) { return folder.path() / "submission.json"; }

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
  Problems absent;
  const auto text = read_text_file(submission_in(*this), absent);
  if (!text) return std::nullopt;
  try {
    const auto in = nlohmann::json::parse(*text);
    return Submission{in.at("launcher"), in.at("models"), in.at("tasks"), in.at("jobs")};
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("'{}': {}", submission_in(*this).string(), error.what()));
  }
}

void ClusterFolder::write(const Submission& submission) const {
  const nlohmann::json out{{"launcher", submission.launcher},
                           {"models", submission.models},
                           {"tasks", submission.tasks},
                           {"jobs", submission.jobs}};
  write_text_file(submission_in(*this), out.dump(1) + "\n");
}

}  // namespace tempo
