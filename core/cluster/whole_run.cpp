#include "cluster/whole_run.hpp"

#include <algorithm>

#include "cluster/cluster_folder.hpp"
#include "run/run_folder.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

bool is_complete(Store& store) {
  const auto found = store.results();
  return std::none_of(found.rows.begin(), found.rows.end(),
                      [](const FitRow& row) { return row.result.status == FitStatus::pending; });
}

}  // namespace

WholeRun::WholeRun(const fs::path& run)
    : store_(std::make_unique<Store>(RunFolder::store_in(run), Database::Mode::read)) {
  const auto parts = ClusterFolder(run).stored_parts();
  if (parts.empty() || is_complete(*store_)) return;
  const auto plan = store_->plan_key();
  joined_.emplace("results");
  store_ = std::make_unique<Store>(RunFolder::store_in(joined_->path()), Database::Mode::create);
  store_->merge(RunFolder::store_in(run));
  for (const auto& part : parts)
    if (Store(RunFolder::store_in(part), Database::Mode::read).plan_key() == plan)
      store_->merge(RunFolder::store_in(part));
}

}  // namespace tempo
