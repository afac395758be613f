#include "data/found_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include "data/json_text.hpp"
#include "data/names.hpp"
#include "data/text_file.hpp"
#include "model/label_names.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

using nlohmann::json;

std::optional<std::string> text_at(const json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? std::optional(found->get<std::string>())
                                                    : std::nullopt;
}

void add_entry(const json& content, const std::string& file, std::vector<FoundEntry>& out,
               Problems& problems) {
  if (!content.is_object()) {
    problems.add(
        {file}, fmt::format("expected an object for each cohort, found {}", kind_of_json(content)));
    return;
  }
  FoundEntry entry{file, std::filesystem::path(file).stem().string(), {}, {}, content};
  if (auto cohort = text_at(content, "cohort")) entry.cohort = std::move(*cohort);
  if (auto plugin = text_at(content, "plugin")) entry.plugin = std::move(*plugin);
  if (const auto labels = text_at(content, "labels")) {
    entry.labels = label_use(*labels);
    if (entry.labels == LabelUse::optional) entry.labels.reset();  // which of the two, is known
    if (!entry.labels)
      problems.add({file}, fmt::format("labels '{}'; expected 'none', 'fit' or 'infer'", *labels));
  }
  out.push_back(std::move(entry));
}

/// Reads the lists of an entry and compares their names with the cohort.
class EntryReader {
 public:
  EntryReader(const FoundEntry& entry, Problems& problems) : entry_(entry), problems_(problems) {}

  void complain(const std::string& path, const std::string& message) {
    problems_.add({entry_.file}, fmt::format("{}/{}: {}", entry_.cohort, path, message));
  }

  /// Calls `take(index, item, path)` with each of the names once.
  /// @param list      key of the list
  /// @param key       of the name in its items
  template <class Take>
  void for_each(const char* list, const char* key, const std::vector<std::string>& names,
                const Take& take) {
    const auto found = entry_.content.find(list);
    if (found == entry_.content.end() || !found->is_array())
      return complain(list, fmt::format("expected a list of objects, each with {}", key));
    std::unordered_map<std::string, std::size_t> left;
    for (std::size_t i = 0; i < names.size(); ++i) left.emplace(names[i], i);
    std::size_t faults = 0;
    for (std::size_t i = 0; i < found->size(); ++i) {
      const auto path = fmt::format("{}/{}", list, i);
      const auto name = name_of((*found)[i], key);
      const auto at = name ? left.find(*name) : left.end();
      if (at != left.end()) {
        take(at->second, (*found)[i], path);
        left.erase(at);
      } else if (++faults <= kShownFaults) {
        complain(path, why_unknown(name, key, names));
      }
    }
    if (faults > kShownFaults)
      complain(list, fmt::format("and {} more such names", faults - kShownFaults));
    if (!left.empty()) complain(list, missing(left, key, names));
  }

  std::optional<double> number_at(const json& item, const char* key) const {
    const auto found = item.find(key);
    return found != item.end() && found->is_number() ? std::optional(found->get<double>())
                                                     : std::nullopt;
  }

  /// Takes a list of probabilities, if the item has one, into row `i` of a posterior.
  void take_probabilities(const json& item, const char* key, const std::string& path, std::size_t i,
                          std::size_t rows, std::size_t columns, std::optional<Matrix>& posterior) {
    const auto found = item.find(key);
    if (found == item.end()) return;
    constexpr double kRounding = 1e-6;  // of a sum of probabilities
    double sum = 0.0;
    bool is_good = found->is_array() && found->size() == columns;
    for (std::size_t k = 0; is_good && k < columns; ++k) {
      is_good = (*found)[k].is_number() && (*found)[k].get<double>() >= 0.0;
      if (is_good) sum += (*found)[k].get<double>();
    }
    if (!is_good || !(std::abs(sum - 1.0) <= kRounding))
      return complain(fmt::format("{}/{}", path, key),
                      fmt::format("expected {} probabilities that add up to 1", columns));
    if (!posterior) posterior.emplace(rows, columns);
    for (std::size_t k = 0; k < columns; ++k) (*posterior)(i, k) = (*found)[k].get<double>() / sum;
  }

 private:
  /// 17 is the participant '17'.
  static std::optional<std::string> name_of(const json& item, const char* key) {
    if (!item.is_object()) return std::nullopt;
    const auto found = item.find(key);
    if (found == item.end()) return std::nullopt;
    if (found->is_number_integer()) return found->dump();
    return found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
  }

  static std::string why_unknown(const std::optional<std::string>& name, const char* key,
                                 const std::vector<std::string>& names) {
    if (!name) return fmt::format("expected an object with a text '{}'", key);
    if (std::find(names.begin(), names.end(), *name) != names.end())
      return fmt::format("{} '{}' is given twice", key, *name);
    return fmt::format("the cohort has no {} '{}'{}", key, *name, did_you_mean(*name, names));
  }

  static std::string missing(const std::unordered_map<std::string, std::size_t>& left,
                             const char* key, const std::vector<std::string>& names) {
    std::vector<std::string> absent;
    for (const auto& name : names)
      if (left.contains(name)) absent.push_back(name);
    return fmt::format("lacks {} of the cohort: {}", counted(absent.size(), key), in_short(absent));
  }

  const FoundEntry& entry_;
  Problems& problems_;
};

void read_events(EntryReader& reader, const Cohort& cohort, Inference& out) {
  const auto B = cohort.biomarker_count();
  out.event_scores.assign(B, 0.0);
  std::vector<bool> taken(B, false);
  std::size_t with_score = 0, with_posterior = 0;
  reader.for_each(
      "events", "biomarker", cohort.biomarkers,
      [&](std::size_t b, const json& item, const std::string& path) {
        const auto score = reader.number_at(item, "score"), rank = reader.number_at(item, "rank");
        with_score += score.has_value();
        if (score) {
          out.event_scores[b] = *score;
        } else if (!rank || *rank != std::floor(*rank) || *rank < 1.0 ||
                   *rank > static_cast<double>(B)) {
          reader.complain(path, fmt::format("expected a 'score', or a 'rank' in 1..{}", B));
        } else if (taken[static_cast<std::size_t>(*rank) - 1]) {
          reader.complain(path, fmt::format("rank {} is given twice", *rank));
        } else {
          taken[static_cast<std::size_t>(*rank) - 1] = true;
          out.event_scores[b] = *rank;
        }
        with_posterior += item.contains("rank_probabilities");
        reader.take_probabilities(item, "rank_probabilities", path, b, B, B, out.rank_posterior);
      });
  if (with_score > 0 && with_score < B)
    reader.complain(
        "events",
        fmt::format("{} of {} have a score; expected all or, with ranks, none", with_score, B));
  if (with_posterior > 0 && with_posterior < B)
    reader.complain("events", fmt::format("{} of {} have rank_probabilities; expected all or none",
                                          with_posterior, B));
}

void read_stages(EntryReader& reader, const Cohort& cohort, Inference& out) {
  const auto J = cohort.participant_count(), B = cohort.biomarker_count();
  out.stages.assign(J, 0.0);
  std::size_t with_posterior = 0;
  reader.for_each("stages", "participant", cohort.participants,
                  [&](std::size_t j, const json& item, const std::string& path) {
                    const auto stage = reader.number_at(item, "stage");
                    if (!stage || !(*stage >= 0.0 && *stage <= static_cast<double>(B)))
                      reader.complain(path, fmt::format("expected a 'stage' in 0..{}", B));
                    else
                      out.stages[j] = *stage;
                    with_posterior += item.contains("stage_probabilities");
                    reader.take_probabilities(item, "stage_probabilities", path, j, J, B + 1,
                                              out.stage_posterior);
                  });
  if (with_posterior > 0 && with_posterior < J)
    reader.complain("stages", fmt::format("{} of {} have stage_probabilities; expected all or none",
                                          with_posterior, J));
}

}  // namespace

std::vector<FoundEntry> read_found(const std::string& file, Problems& problems) {
  const auto before = problems.size();
  const auto text = read_text_file(file, problems);
  if (!text) return {};
  const auto content = parse_json(*text, file, problems);
  if (!content) return {};
  std::vector<FoundEntry> out;
  if (content->is_array())
    for (const auto& item : *content) add_entry(item, file, out, problems);
  else
    add_entry(*content, file, out, problems);
  return problems.size() > before ? std::vector<FoundEntry>() : out;
}

std::optional<Inference> found_in(const FoundEntry& entry, const Cohort& cohort,
                                  Problems& problems) {
  const auto before = problems.size();
  Inference out;
  EntryReader reader(entry, problems);
  read_events(reader, cohort, out);
  read_stages(reader, cohort, out);
  if (problems.size() > before) return std::nullopt;
  return out;
}

}  // namespace tempo
