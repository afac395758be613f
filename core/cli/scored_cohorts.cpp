#include "cli/scored_cohorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "data/json_text.hpp"
#include "data/names.hpp"
#include "data/public_cohorts.hpp"
#include "run/run_folder.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

/// What an entry calls its cohort, less the ending of a CSV.
fs::path without_csv(const std::string& cohort) {
  fs::path path(cohort);
  if (path.extension() == ".csv") path.replace_extension();
  return path;
}

/// Cohorts in the public layout.
class CohortsOfFolder final : public ScoredCohorts {
 public:
  CohortsOfFolder(const fs::path& folder, Problems& problems)
      : folder_(folder.string()), all_(list_public_cohorts(folder, problems)) {}

  const std::vector<std::string>& axes() const override { return none_; }
  const std::vector<std::string>& methods() const override { return none_; }

  std::optional<ScoredCohort> find(const FoundEntry& entry, Problems& problems) override {
    const auto* dataset = dataset_of(entry, problems);
    if (dataset == nullptr) return std::nullopt;
    const auto before = problems.size();
    auto read = read_public_cohort(*dataset, problems);
    if (problems.size() > before) return std::nullopt;
    return ScoredCohort{.name = dataset->csv.string(),
                        .points = {{}},
                        .hypothesis = dataset->hypothesis,
                        .number = dataset->number,
                        .cohort = {std::move(read.cohort), std::move(read.truth)}};
  }

 private:
  /// Called alike, and in the folder that the entry names; null, and a problem, if there is none,
  /// or if several could be meant.
  const PublicDataset* dataset_of(const FoundEntry& entry, Problems& problems) const {
    const auto named = without_csv(entry.cohort);
    std::vector<const PublicDataset*> found;
    std::vector<std::string> files;
    for (const auto& dataset : all_) {
      const bool is_there = !named.has_parent_path() ||
                            dataset.csv.parent_path().filename() == named.parent_path().filename();
      if (dataset.csv.stem() != named.filename() || !is_there) continue;
      found.push_back(&dataset);
      files.push_back(dataset.csv.string());
    }
    if (found.size() == 1) return found.front();
    problems.add({entry.file}, found.empty()
                                   ? fmt::format("'{}' is no cohort of {}", entry.cohort, folder_)
                                   : fmt::format("'{}' may be {}; name its folder, too",
                                                 entry.cohort, one_of(files)));
    return nullptr;
  }

  std::string folder_;
  std::vector<PublicDataset> all_;
  std::vector<std::string> none_;
};

/// The number N of `..._mN`, or of `N`.
std::optional<std::size_t> number_of(const std::string& stem) {
  const auto at = stem.rfind("_m");
  const auto digits = at == std::string::npos ? stem : stem.substr(at + 2);
  std::size_t number = 0;
  if (digits.empty() || parse_number(digits, number) != std::errc()) return std::nullopt;
  return number;
}

/// What public names of a hypothesis' cohorts have in common: the passage between the share of the
/// healthy and the number.
std::string passage_of(const std::string& stem) {
  const auto size = stem.find('_');
  const auto share = size == std::string::npos ? size : stem.find('_', size + 1);
  const auto end = stem.rfind("_m");
  return share == std::string::npos || end <= share ? std::string()
                                                    : stem.substr(share, end - share);
}

/// Cohorts of a run, whose truths are in its store.
class CohortsOfRun final : public ScoredCohorts {
 public:
  explicit CohortsOfRun(const fs::path& folder)
      : folder_(folder.string()), store_(RunFolder::store_in(folder), Database::Mode::read) {
    const auto results = store_.results();
    axes_ = results.axes;
    const auto about = store_.description();
    is_joined_ = about && !about->joined.empty();
    is_simulated_ = about && about->cohorts.source == RunDescription::Cohorts::Source::simulate;
    for (const auto& [id, result] : results.rows) {
      add_new(points_, id.axis_values);
      add_new(hypotheses_, generated_by(id));
      add_new(methods_, id.method);
      is_real_ |= id.is_real();
    }
    for (auto& cohort : store_.planned_cohorts())
      keys_[{cohort.axis_values, cohort.hypothesis, cohort.number}] = cohort.key;
    for (auto& key : store_.known_truths()) known_.insert(key);
  }

  const std::vector<std::string>& axes() const override { return axes_; }
  const std::vector<std::string>& methods() const override { return methods_; }

  /// @return whether there is anything to score against
  bool expect_truths(Problems& problems) const {
    if (is_real_)
      problems.add({folder_}, "is a run of a real cohort: nobody knows its truth");
    else if (keys_.empty() || known_.empty())
      problems.add(
          {folder_},
          "keeps no truths, as an earlier tempo made it: call tempo run again, which makes "
          "no fit anew but keeps them; or name the folder that tempo simulate writes");
    else
      return true;
    return false;
  }

  std::optional<ScoredCohort> find(const FoundEntry& entry, Problems& problems) override {
    const auto named = without_csv(entry.cohort);
    const auto number = number_of(named.filename().string());
    const auto hypothesis = number ? hypothesis_of(named) : std::string();
    const auto before = problems.size();
    std::map<std::string, std::vector<Point>> found;  // by key
    for (const auto& point : points_of(named, entry, problems))
      if (const auto at = keys_.find({point, hypothesis, number.value_or(0)}); at != keys_.end())
        found[at->second].push_back(point);
    if (problems.size() > before) return std::nullopt;
    if (found.size() > 1) keep_with_participants(entry, found);
    if (found.empty()) {
      problems.add({entry.file},
                   fmt::format("'{}' is no cohort of {}; expected a name such as tempo simulate "
                               "gives it, or HYPOTHESIS/NUMBER such as {}/0",
                               entry.cohort, folder_, hypotheses_.front()));
      return std::nullopt;
    }
    if (found.size() > 1) {
      problems.add({entry.file},
                   fmt::format("'{}' may be a cohort of {} points of the sweep in {}; say which: "
                               "\"sweep\": {{\"{}\": \"{}\"}}, or point1/{} for the first",
                               entry.cohort, found.size(), folder_, axes_.front(),
                               found.begin()->second.front().front(), entry.cohort));
      return std::nullopt;
    }
    const auto& key = found.begin()->first;
    auto cohort = store_.truth(key);
    if (!cohort) {
      problems.add({entry.file},
                   fmt::format("the truth of '{}' is not in {}: call tempo run again, which makes "
                               "no fit anew but keeps truths",
                               entry.cohort, folder_));
      return std::nullopt;
    }
    return ScoredCohort{.name = fmt::format("cohort {} of '{}'", *number, hypothesis),
                        .points = points_with(key, hypothesis, *number),
                        .hypothesis = hypothesis,
                        .number = *number,
                        .cohort = std::move(*cohort)};
  }

 private:
  using Point = std::vector<std::string>;

  template <class Item>
  static void add_new(std::vector<Item>& to, const Item& item) {
    if (std::find(to.begin(), to.end(), item) == to.end()) to.push_back(item);
  }

  /// That of the folder of a cohort and of its name, where it has one or the other; empty if there
  /// is none, or if the two disagree.
  std::string hypothesis_of(const fs::path& named) const {
    const auto folder = named.parent_path().filename().string();
    const auto passage = passage_of(named.filename().string());
    for (const auto& id : hypotheses_) {
      const bool is_its_name = passage == passage_of(public_stem(id, /*participants=*/1, 0.5, 0));
      const bool is_its_folder = folder == id || folder == public_folder_name(id);
      // Cohorts that others wrote may have names of another kind.
      const bool may_be_its_name = is_its_name || passage.empty() || !is_simulated_;
      if (folder.empty() ? is_its_name : is_its_folder && may_be_its_name) return id;
    }
    return {};
  }

  /// The points of the sweep that an entry may be about: as `sweep` says, or the folder `pointN` of
  /// tempo simulate; all where nothing is said. A problem for each fault of these.
  std::vector<Point> points_of(const fs::path& named, const FoundEntry& entry,
                               Problems& problems) const {
    const auto sweep = entry.content.find("sweep");
    const bool says_sweep = sweep != entry.content.end();
    auto out = points_;
    if (const auto number = point_number(named); number && !(is_joined_ && says_sweep))
      keep_of_folder(*number, entry, out, problems);
    if (says_sweep) keep_of_sweep(*sweep, entry, out, problems);
    return out;
  }

  /// The N of a folder `pointN` above that of the cohort, where there is a sweep.
  std::optional<std::size_t> point_number(const fs::path& named) const {
    const auto above = named.parent_path().parent_path().filename().string();
    std::size_t number = 0;
    if (axes_.empty() || !above.starts_with("point") ||
        parse_number(above.substr(5), number) != std::errc())
      return std::nullopt;
    return number;
  }

  void keep_of_folder(std::size_t number, const FoundEntry& entry, std::vector<Point>& points,
                      Problems& problems) const {
    if (is_joined_)
      problems.add({entry.file},
                   fmt::format("'{}' is of a numbered point, but {} holds several experiments, "
                               "whose points have numbers of their own; say which it is: "
                               "\"sweep\": {{\"{}\": \"{}\"}}",
                               entry.cohort, folder_, axes_.front(), points_.front().front()));
    else if (number < 1 || number > points_.size())
      problems.add({entry.file},
                   fmt::format("'{}' is of point {}; the sweep of {} has {}", entry.cohort, number,
                               folder_, counted(points_.size(), "point")));
    else
      points = {points_[number - 1]};
  }

  void keep_of_sweep(const nlohmann::json& sweep, const FoundEntry& entry,
                     std::vector<Point>& points, Problems& problems) const {
    const auto complain = [&](const std::string& what) {
      problems.add({entry.file}, fmt::format("the sweep of '{}' {}", entry.cohort, what));
    };
    if (!sweep.is_object())
      return complain(fmt::format("is {}; expected an object of settings and their values",
                                  kind_of_json(sweep)));
    for (const auto& [axis, value] : sweep.items()) {
      const auto at = std::find(axes_.begin(), axes_.end(), axis);
      if (at == axes_.end()) {
        complain(fmt::format("names '{}', which {} does not sweep{}", axis, folder_,
                             axes_.empty() ? "" : "; expected " + one_of(axes_)));
        continue;
      }
      const auto a = static_cast<std::size_t>(at - axes_.begin());
      const auto text = value.is_string() ? value.get<std::string>() : value.dump();
      std::vector<std::string> values;
      for (const auto& point : points_) add_new(values, point[a]);
      if (std::find(values.begin(), values.end(), text) == values.end())
        complain(
            fmt::format("has the value '{}' of '{}'; expected {}", text, axis, one_of(values)));
      std::erase_if(points, [&](const Point& point) { return point[a] != text; });
    }
  }

  /// All points of the sweep at which the very cohort stands: what they sweep besides does not
  /// change it.
  std::vector<Point> points_with(const std::string& key, const std::string& hypothesis,
                                 std::size_t number) const {
    std::vector<Point> out;
    for (const auto& point : points_)
      if (const auto at = keys_.find({point, hypothesis, number});
          at != keys_.end() && at->second == key)
        out.push_back(point);
    return out;
  }

  /// Leaves those of several cohorts whose participants the entry has.
  void keep_with_participants(const FoundEntry& entry,
                              std::map<std::string, std::vector<Point>>& found) {
    std::set<std::string> participants;
    const auto stages = entry.content.find("stages");
    if (stages == entry.content.end() || !stages->is_array()) return;
    for (const auto& stage : *stages)
      if (const auto id = stage.find("participant"); id != stage.end() && id->is_string())
        participants.insert(id->get<std::string>());
    std::erase_if(found, [&](const auto& candidate) {
      const auto truth = store_.truth(candidate.first);
      return truth && std::set(truth->cohort.participants.begin(),
                               truth->cohort.participants.end()) != participants;
    });
  }

  std::string folder_;
  Store store_;
  bool is_real_ = false, is_joined_ = false, is_simulated_ = false;
  std::vector<std::string> axes_, hypotheses_, methods_;
  std::vector<Point> points_;
  std::map<std::tuple<Point, std::string, std::size_t>, std::string> keys_;
  std::set<std::string> known_;  // keys of truths
};

}  // namespace

std::unique_ptr<ScoredCohorts> scored_cohorts(const fs::path& folder, Problems& problems) {
  if (!fs::exists(RunFolder::store_in(folder)))
    return std::make_unique<CohortsOfFolder>(folder, problems);
  auto run = std::make_unique<CohortsOfRun>(folder);
  if (!run->expect_truths(problems)) return nullptr;
  return run;
}

}  // namespace tempo::cli
