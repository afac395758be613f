#include "report/estimates_text.hpp"

#include <nlohmann/json.hpp>

namespace tempo {

std::string estimates_json(const std::vector<EstimatedBiomarker>& estimated,
                           const std::string& healthy) {
  using Json = nlohmann::ordered_json;
  Json out;
  out["healthy"] = healthy;
  for (const auto& found : estimated) {
    const auto& [pre, post, share, evidence] = found.mixture;
    out["biomarkers"].push_back({{"name", found.name},
                                 {"pre_event", {{"mean", pre.mean}, {"sd", pre.sd}}},
                                 {"post_event", {{"mean", post.mean}, {"sd", post.sd}}},
                                 {"post_share", share},
                                 {"distance", found.distance},
                                 {"evidence", evidence},
                                 {"healthy", found.healthy},
                                 {"diseased", found.diseased},
                                 {"warning", found.warning.empty() ? Json() : Json(found.warning)},
                                 {"doubts", found.doubts}});
  }
  return out.dump(2) + "\n";
}

}  // namespace tempo
