// What the public layout calls its folders and files, and what is there.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "data/public_cohort_writer.hpp"
#include "data/public_cohorts.hpp"
#include "data/public_truth.hpp"
#include "model/lower_case.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

/// What stands between healthy share and number in the names of files, by folder: exp1, exp2, ...
/// The layout numbers hypotheses: folder expN has the cohorts of the one called hN.
constexpr std::array<std::string_view, 9> kDesigns{
    "Esn_kjOrdinalDM_xnjNormal",
    "Esn_kjOrdinalDM_xnjNonNormal",
    "Esn_kjOrdinalUniform_xnjNormal",
    "Esn_kjOrdinalUniform_xnjNonNormal",
    "Esn_kjContinuousBeta_sigmoid",
    "Esn_kjContinuousBeta_xnjNormal",
    "Esn_kjContinuousBeta_xnjNonNormal",
    "ExiNearNormalWithNoise_kjContinuousBeta_sigmoid",
    "ExiNearNormalWithNoise_kjContinuousBeta_xnjNormal",
};

/// The number by which the layout knows a hypothesis.
std::optional<std::size_t> public_number(const std::string& hypothesis) {
  for (std::size_t number = 1; number <= kDesigns.size(); ++number)
    if (hypothesis == fmt::format("h{}", number)) return number;
  return std::nullopt;
}

/// N of a text that ends in `_mN`.
std::optional<std::size_t> dataset_number(const std::string& stem) {
  const auto mark = stem.rfind("_m");
  if (mark == std::string::npos) return std::nullopt;
  std::size_t number = 0;
  const auto* end = stem.data() + stem.size();
  const auto [stop, fault] = std::from_chars(stem.data() + mark + 2, end, number);
  if (fault != std::errc() || stop != end) return std::nullopt;
  return number;
}

/// A key that sorts exp2 before exp10: the text, and the number at its end.
std::pair<std::string, std::size_t> natural_key(const std::string& name) {
  const auto last = name.find_last_not_of("0123456789");
  const auto digits = last == std::string::npos ? 0 : last + 1;
  std::size_t number = 0;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return {name.substr(0, digits), number};
}

/// The entries of a folder, sorted, hidden ones skipped; a problem if it cannot be listed.
std::vector<fs::path> entries_of(const fs::path& folder, Problems& problems) {
  std::vector<fs::path> entries;
  std::error_code fault;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
    if (!at->path().filename().string().starts_with('.')) entries.push_back(at->path());
  if (fault == std::errc::no_such_file_or_directory)
    problems.add({folder.string()}, "no such folder");
  else if (fault == std::errc::not_a_directory)
    problems.add({folder.string()}, "is a file; expected a folder");
  else if (fault)
    problems.add({folder.string()}, "cannot be listed: " + fault.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool is_csv(const fs::path& path) { return in_lower_case(path.extension().string()) == ".csv"; }

/// Whether a file is a data set that was not copied to its end: `*_m2.csv.part`.
bool is_unfinished(const fs::path& path) {
  const auto name = path.stem();
  return !is_csv(path) && is_csv(name) && dataset_number(name.stem().string());
}

/// What the names of files call a hypothesis, as folders call it: `exp1` for a design of the
/// layout.
std::string hypothesis_of_stem(const std::string& stem) {
  auto design = stem.substr(0, stem.rfind("_m"));
  for (const char letter : {'j', 'r'})  // j726_r0.21_
    if (const auto end = design.find('_'); end != std::string::npos && end > 1 &&
                                           design[0] == letter &&
                                           design.find_first_not_of("0123456789.", 1) == end)
      design.erase(0, end + 1);
  const auto* found = std::find(kDesigns.begin(), kDesigns.end(), design);
  return found == kDesigns.end() ? design : fmt::format("exp{}", found - kDesigns.begin() + 1);
}

/// The file of truths of a folder of cohorts with subtypes; empty if it is no such folder.
fs::path truth_of_subtypes(const fs::path& folder) {
  std::error_code ignored;
  auto truth = folder / kTruthFileName;
  const bool is_one =
      fs::is_directory(folder / kSubtypeData, ignored) && fs::exists(truth, ignored);
  return is_one ? truth : fs::path();
}

/// @param truth  of a folder of cohorts with subtypes; else empty, and the folder is a hypothesis
void add_datasets(const fs::path& folder, const fs::path& truth,
                  std::vector<PublicDataset>& datasets, Problems& problems) {
  std::map<std::pair<std::string, std::size_t>, fs::path> by_number;
  for (const auto& path : entries_of(folder, problems)) {
    if (is_unfinished(path))
      problems.add({path.string()},
                   fmt::format("looks like a copy of '{}' that was not finished, or is packed; "
                               "finish, unpack or remove it",
                               path.stem().string()));
    if (!is_csv(path)) continue;
    const auto stem = path.stem().string();
    const auto number = dataset_number(stem);
    if (!number) {
      problems.add({path.string()},
                   "expected a name that ends in _mN.csv, N the data set's number");
      continue;
    }
    auto hypothesis = truth.empty() ? folder.filename().string() : hypothesis_of_stem(stem);
    const auto [first, is_new] = by_number.emplace(std::pair(std::move(hypothesis), *number), path);
    if (!is_new)
      problems.add({path.string()}, fmt::format("there is a data set {} already: {}", *number,
                                                first->second.filename().string()));
  }
  for (const auto& [name, path] : by_number)
    datasets.push_back({name.first, name.second, path, truth});
}

}  // namespace

std::vector<PublicDataset> list_public_cohorts(const fs::path& folder, Problems& problems) {
  Problems found;
  if (std::error_code absent; fs::exists(folder / kUnfinishedMark, absent))
    found.add({folder.string()},
              "was not written to its end: the same tempo simulate goes on there");
  std::vector<PublicDataset> datasets;
  const auto entries = entries_of(folder, found);
  const auto add_subtypes = [&](const fs::path& of) {
    auto truth = truth_of_subtypes(of);
    if (!truth.empty()) add_datasets(of / kSubtypeData, truth, datasets, found);
    return !truth.empty();
  };
  if (!add_subtypes(folder))
    for (const auto& entry : entries)
      if (std::error_code ignored; fs::is_directory(entry, ignored) && !add_subtypes(entry))
        add_datasets(entry, {}, datasets, found);
  if (datasets.empty() && found.empty()) {
    const bool is_hypothesis = std::any_of(entries.begin(), entries.end(), is_csv);
    found.add({folder.string()},
              is_hypothesis
                  ? "looks like the folder of one hypothesis; give the folder above it"
                  : "has no hypotheses; expected folders such as exp1 with files *_m0.csv, "
                    "*_m1.csv, ...");
  }
  std::stable_sort(datasets.begin(), datasets.end(), [](const auto& a, const auto& b) {
    return natural_key(a.hypothesis) < natural_key(b.hypothesis);
  });
  problems.append(found);
  return datasets;
}

std::string public_folder_name(const std::string& hypothesis) {
  const auto number = public_number(hypothesis);
  return number ? fmt::format("exp{}", *number) : hypothesis;
}

std::string public_stem(const std::string& hypothesis, std::size_t participants,
                        double healthy_ratio, std::size_t number) {
  const auto known = public_number(hypothesis);
  return fmt::format("j{}_r{}_{}_m{}", participants, healthy_ratio,
                     known ? kDesigns[*known - 1] : std::string_view(hypothesis), number);
}

}  // namespace tempo
