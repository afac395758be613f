#include "data/public_cohort_reader.hpp"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "data/content_key.hpp"
#include "data/json_text.hpp"
#include "data/public_subtype_truth.hpp"
#include "data/public_truth.hpp"
#include "data/text_file.hpp"
#include "data/wide_cohort_csv.hpp"
#include "tempo/random_stream.hpp"

namespace tempo {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

/// Puts participants in a random order: files list them by subtype, and a method that looks at
/// places would be told.
/// @param content  decides the order
void shuffle_participants(const std::string& content, Cohort& cohort, Truth& truth) {
  const auto order =
      RandomStream(0, "order of participants", content).permutation(cohort.participant_count());
  const auto shuffle = [&](auto& values) {
    auto out = values;
    for (std::size_t j = 0; j < order.size(); ++j) out[j] = values[order[j]];
    values = std::move(out);
  };
  shuffle(cohort.participants);
  shuffle(cohort.diseased);
  shuffle(truth.stages);
  shuffle(truth.ordinal_stages);
  shuffle(truth.subtypes->subtype);
  const auto measured = cohort.measurements;
  for (std::size_t j = 0; j < order.size(); ++j) {
    const auto row = measured.row(order[j]);
    std::copy(row.begin(), row.end(), cohort.measurements.row(j).begin());
  }
}

}  // namespace

/// How many bytes of text may still be kept.
class PublicCohortReader::TextLimit {
 public:
  explicit TextLimit(std::size_t bytes) : left_(bytes) {}

  bool reserve(std::size_t bytes) {
    auto left = left_.load();
    while (left >= bytes)
      if (left_.compare_exchange_weak(left, left - bytes)) return true;
    return false;
  }
  void release(std::size_t bytes) { left_ += bytes; }

 private:
  std::atomic<std::size_t> left_;
};

/// A file that is read when it is first asked for. Its owner locks.
class PublicCohortReader::File {
 public:
  File(fs::path path, TextLimit& limit) : path_(std::move(path)), limit_(limit) {}

  const fs::path& path() const { return path_; }

  /// @throws InputError if the file cannot be read
  const std::string& key() {
    if (!key_.empty()) return key_;
    Problems problems;
    auto text = load(problems);
    problems.throw_if_any();
    if (limit_.reserve(text->size())) text_ = std::move(text);
    return key_;
  }

  /// Hands the text over, which is needed once; absent, and a problem, if there is none.
  std::optional<std::string> take(Problems& problems) {
    if (!text_) return load(problems);
    limit_.release(text_->size());
    return std::exchange(text_, std::nullopt);
  }

 private:
  std::optional<std::string> load(Problems& problems) {
    auto text = read_text_file(path_, problems);
    if (!text) return std::nullopt;
    auto key = content_key(*text);
    if (!key_.empty() && key != key_) {
      problems.add({path_.string()}, "was changed while tempo was at work; run the command again");
      return std::nullopt;
    }
    key_ = std::move(key);
    return text;
  }

  const fs::path path_;
  TextLimit& limit_;
  std::string key_;                  ///< of the bytes first read; empty: not read yet
  std::optional<std::string> text_;  ///< read for its key, kept for its content
};

/// The truths of a hypothesis, parsed when the first is asked for.
class PublicCohortReader::Truths {
 public:
  Truths(fs::path path, TextLimit& limit) : file_(std::move(path), limit) {}

  /// What messages call the file.
  std::string name() const { return file_.path().string(); }

  std::string key() {
    const std::lock_guard lock(mutex_);
    return file_.key();
  }

  /// All truths; null, and the same problems each time, if there are none.
  const json* read(Problems& problems) {
    const std::lock_guard lock(mutex_);
    if (!is_parsed_) {
      if (const auto text = file_.take(faults_)) root_ = parse_json(*text, name(), faults_);
      is_parsed_ = true;
    }
    problems.append(faults_);
    return root_ ? &*root_ : nullptr;
  }

 private:
  std::mutex mutex_;
  File file_;
  bool is_parsed_ = false;
  std::optional<json> root_;
  Problems faults_;
};

/// A cohort and its truth, parsed when the cohort is asked for.
class PublicCohortReader::Dataset {
 public:
  Dataset(const PublicDataset& dataset, Truths& truths, TextLimit& limit)
      : csv_(dataset.csv, limit), has_subtypes_(dataset.has_subtypes()), truths_(truths) {}

  PublicFileKeys keys() {
    const std::lock_guard lock(mutex_);
    return {csv_.key(), truths_.key()};
  }

  std::shared_ptr<const PublicCohort> read(Problems& problems) {
    const std::lock_guard lock(mutex_);
    if (!cohort_) {
      faults_ = {};
      cohort_ = std::make_shared<const PublicCohort>(parse());
    }
    problems.append(faults_);
    return cohort_;
  }

 private:
  PublicCohort parse() {
    PublicCohort out;
    CohortFile file;
    if (const auto text = csv_.take(faults_))
      file = has_subtypes_ ? read_wide_cohort_csv_text(*text, csv_.path().string(), faults_)
                           : read_cohort_csv_text(*text, csv_.path().string(), faults_);
    const auto* root = truths_.read(faults_);
    // Without the cohort there is nothing to compare the truth with.
    if (root != nullptr && !file.cohort.participants.empty()) {
      const auto stem = csv_.path().stem().string();
      const auto name = truths_.name();
      const auto read = has_subtypes_ ? read_subtype_truth_entry : read_truth_entry;
      if (const auto* entry = find_truth(*root, name, stem, faults_))
        read(*entry, {name, stem, file.cohort, "the CSV"}, faults_, out.truth, out.biomarkers);
    }
    if (!faults_.empty()) return {};
    out.cohort = std::move(file.cohort);
    out.missing = std::move(file.missing);
    if (has_subtypes_) shuffle_participants(csv_.key(), out.cohort, out.truth);
    return out;
  }

  std::mutex mutex_;
  File csv_;
  bool has_subtypes_;
  Truths& truths_;
  std::shared_ptr<const PublicCohort> cohort_;  ///< null: not parsed yet
  Problems faults_;
};

PublicCohortReader::PublicCohortReader(std::size_t kept_text)
    : limit_(std::make_unique<TextLimit>(kept_text)) {}

PublicCohortReader::~PublicCohortReader() = default;

PublicFileKeys PublicCohortReader::keys(const PublicDataset& dataset) {
  return entry_of(dataset).keys();
}

std::shared_ptr<const PublicCohort> PublicCohortReader::read(const PublicDataset& dataset,
                                                             Problems& problems) {
  return entry_of(dataset).read(problems);
}

PublicCohortReader::Dataset& PublicCohortReader::entry_of(const PublicDataset& dataset) {
  const std::lock_guard lock(mutex_);
  auto& truths = truths_of(dataset);
  auto& entry = datasets_[dataset.csv];
  if (!entry) entry = std::make_unique<Dataset>(dataset, truths, *limit_);
  return *entry;
}

PublicCohortReader::Truths& PublicCohortReader::truths_of(const PublicDataset& dataset) {
  auto& truths = truths_[truth_file(dataset)];
  if (!truths) truths = std::make_unique<Truths>(truth_file(dataset), *limit_);
  return *truths;
}

std::vector<std::string> PublicCohortReader::absent_beside(const PublicDataset& dataset) {
  std::unique_lock lock(mutex_);
  auto& truths = truths_of(dataset);
  lock.unlock();
  Problems ignored;
  std::vector<std::string> absent;
  const auto* root = truths.read(ignored);
  if (root == nullptr || !root->is_object()) return absent;
  const auto folder = dataset.csv.parent_path();
  for (const auto& [stem, truth] : root->items())
    if (std::error_code fault; !fs::exists(folder / (stem + ".csv"), fault) &&
                               !fs::exists(folder / (stem + ".CSV"), fault))
      absent.push_back(stem);
  return absent;
}

}  // namespace tempo
