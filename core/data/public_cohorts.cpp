#include "data/public_cohorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>
#include <utility>

#include "data/text_file.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr const char* kTruthFile = "true_order_and_stages.json";

struct PublicName {
  std::string_view hypothesis;
  std::string_view folder;
  std::string_view design;  ///< what stands between healthy share and number in a file's name
};
constexpr std::array<PublicName, 9> kPublicNames{{
    {"h1", "exp1", "Esn_kjOrdinalDM_xnjNormal"},
    {"h2", "exp2", "Esn_kjOrdinalDM_xnjNonNormal"},
    {"h3", "exp3", "Esn_kjOrdinalUniform_xnjNormal"},
    {"h4", "exp4", "Esn_kjOrdinalUniform_xnjNonNormal"},
    {"h5", "exp5", "Esn_kjContinuousBeta_sigmoid"},
    {"h6", "exp6", "Esn_kjContinuousBeta_xnjNormal"},
    {"h7", "exp7", "Esn_kjContinuousBeta_xnjNonNormal"},
    {"h8", "exp8", "ExiNearNormalWithNoise_kjContinuousBeta_sigmoid"},
    {"h9", "exp9", "ExiNearNormalWithNoise_kjContinuousBeta_xnjNormal"},
}};

const PublicName* public_name(const std::string& hypothesis) {
  for (const auto& name : kPublicNames)
    if (name.hypothesis == hypothesis) return &name;
  return nullptr;
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

/// Sorts exp2 before exp10: the text, and the number at its end.
std::pair<std::string, std::size_t> natural_key(const std::string& name) {
  const auto last = name.find_last_not_of("0123456789");
  const auto digits = last == std::string::npos ? 0 : last + 1;
  std::size_t number = 0;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return {name.substr(0, digits), number};
}

/// The entries of a folder but hidden ones, sorted; a problem if it cannot be listed.
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

bool is_csv(const fs::path& path) { return path.extension() == ".csv"; }

void add_datasets(const fs::path& folder, std::vector<PublicDataset>& datasets,
                  Problems& problems) {
  std::map<std::size_t, fs::path> by_number;
  for (const auto& path : entries_of(folder, problems)) {
    if (!is_csv(path)) continue;
    const auto number = dataset_number(path.stem().string());
    if (!number) {
      problems.add({path.string()},
                   "expected a name that ends in _mN.csv, N the data set's number");
      continue;
    }
    const auto [first, is_new] = by_number.emplace(*number, path);
    if (!is_new)
      problems.add({path.string()}, fmt::format("there is a data set {} already: {}", *number,
                                                first->second.filename().string()));
  }
  for (const auto& [number, path] : by_number)
    datasets.push_back({folder.filename().string(), number, path});
}

/// Parses JSON; a key given twice, of which the library would keep only one, is a problem.
std::optional<json> parse_json(std::string_view text, const std::string& name, Problems& problems) {
  const auto checked = checked_text(text, name, problems);
  if (!checked) return std::nullopt;
  bool unique = true;
  std::vector<std::string> path;             // of the key last read
  std::vector<std::set<std::string>> known;  // keys of each open object
  const auto watch = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) {
      known.emplace_back();
      path.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      known.pop_back();
      path.pop_back();
    } else if (event == json::parse_event_t::key) {
      path.back() = parsed.get<std::string>();
      if (!known.back().insert(path.back()).second) {
        unique = false;
        problems.add({name}, fmt::format("{}: this key is given twice", fmt::join(path, "/")));
      }
    }
    return true;
  };
  try {
    auto root = json::parse(*checked, watch);
    return unique ? std::optional(std::move(root)) : std::nullopt;
  } catch (const json::out_of_range& error) {  // a number beyond a double; it has no position
    const std::string_view what = error.what();
    problems.add({name}, fmt::format("{}: {}", fmt::join(path, "/"),
                                     what.substr(std::min(what.find("] ") + 2, what.size()))));
    return std::nullopt;
  } catch (const json::parse_error& error) {
    const std::string_view what = error.what();
    problems.add(place_in_text(*checked, error.byte == 0 ? 0 : error.byte - 1, name),
                 fmt::format("not valid JSON: {}",
                             what.substr(std::min(what.find("syntax error"), what.size()))));
    return std::nullopt;
  }
}

std::string kind_of_json(const json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return value.dump();
}

/// The truth of one data set in a file of several; null if it is not there.
const json* find_truth(const json& root, const std::string& file, const std::string& stem,
                       Problems& problems) {
  if (!root.is_object()) {
    problems.add({file},
                 fmt::format("expected an object (file -> truth), found {}", kind_of_json(root)));
    return nullptr;
  }
  const auto entry = root.find(stem);
  if (entry == root.end()) {
    std::vector<std::string> stems;
    for (const auto& item : root.items()) stems.push_back(item.key());
    problems.add({file}, fmt::format("no truth for '{}'{}", stem, did_you_mean(stem, stems)));
    return nullptr;
  }
  if (!entry->is_object()) {
    problems.add({file},
                 fmt::format("{}: expected an object, found {}", stem, kind_of_json(*entry)));
    return nullptr;
  }
  return &*entry;
}

/// Reads the truth of one data set. Everything is compared with its cohort.
class TruthReader {
 public:
  /// @param stem   of a file of several truths; else empty
  /// @param whose  what the cohort was read from, in words
  TruthReader(const std::string& file, const std::string& stem, const Cohort& cohort,
              const std::string& whose, Problems& problems)
      : file_(file), stem_(stem), cohort_(cohort), whose_(whose), problems_(problems) {}

  void read(const json& entry, Truth& truth, std::optional<BiomarkerTable>& biomarkers) {
    const auto before = problems_.size();
    check_keys(entry);
    find_rows(entry);
    read_order(entry, truth);
    read_stages(entry, truth);
    read_parameters(entry, biomarkers);
    if (problems_.size() > before) return;
    try {
      check(truth, cohort_);
    } catch (const Error& error) {
      complain("", error.what());
    }
  }

 private:
  void complain(const std::string& path, const std::string& message) {
    const auto where = stem_ + path;
    problems_.add({file_}, where.empty() ? message : fmt::format("{}: {}", where, message));
  }

  void check_keys(const json& entry) {
    const std::vector<std::string> all{
        "true_order",   "true_stages",          "true_order_continuous", "true_stages_continuous",
        "participants", "biomarker_parameters", "biomarker_traits"};
    for (const auto& item : entry.items())
      if (std::find(all.begin(), all.end(), item.key()) == all.end())
        complain("", fmt::format("unknown key '{}'{}", item.key(), did_you_mean(item.key(), all)));
  }

  /// Calls `take(b, value, path)` for each biomarker of an object biomarker -> value. An object
  /// that is absent or empty is passed over: true if there was one.
  template <class Take>
  bool for_each_biomarker(const json& entry, const std::string& key, const Take& take) {
    const auto found = entry.find(key);
    if (found == entry.end() || (found->is_object() && found->empty())) return false;
    const auto path = "/" + key;
    if (!found->is_object()) {
      complain(path, fmt::format("expected an object (biomarker -> value), found {}",
                                 kind_of_json(*found)));
      return false;
    }
    for (const auto& item : found->items())
      if (!std::binary_search(cohort_.biomarkers.begin(), cohort_.biomarkers.end(), item.key()))
        complain(path, fmt::format("{} has no biomarker '{}'{}", whose_, item.key(),
                                   did_you_mean(item.key(), cohort_.biomarkers)));
    for (std::size_t b = 0; b < cohort_.biomarker_count(); ++b) {
      const auto& name = cohort_.biomarkers[b];
      if (const auto value = found->find(name); value == found->end())
        complain(path, fmt::format("biomarker '{}' of {} is missing", name, whose_));
      else
        take(b, *value, path + "/" + name);
    }
    return true;
  }

  /// Calls `take(j, value)` with the row j and the value of each participant; `take` returns false
  /// if the value is not as `expected`. A list that is absent or empty is passed over: true if
  /// there was one.
  template <class Take>
  bool for_each_participant(const json& entry, const std::string& key, const std::string& expected,
                            const Take& take) {
    const auto found = entry.find(key);
    if (found == entry.end() || (found->is_array() && found->empty())) return false;
    const auto path = "/" + key;
    if (!found->is_array()) {
      complain(path, fmt::format("expected a list, found {}", kind_of_json(*found)));
      return false;
    }
    if (found->size() != cohort_.participant_count()) {
      complain(path, fmt::format("expected a list of {}, one value for each participant of {}, "
                                 "found a list of {}",
                                 cohort_.participant_count(), whose_, found->size()));
      return false;
    }
    std::size_t faults = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!take(rows_[i], (*found)[i]) && ++faults <= kShown)
        complain(fmt::format("{}/{}", path, i),
                 fmt::format("expected {}, found {}", expected, kind_of_json((*found)[i])));
    if (faults > kShown) complain(path, fmt::format("and {} more wrong values", faults - kShown));
    return true;
  }

  /// Which row of the cohort the i-th value of a list belongs to.
  void find_rows(const json& entry) {
    const auto J = cohort_.participant_count();
    const auto ids = entry.find("participants");
    const bool listed = ids != entry.end();
    if (listed && (!ids->is_array() || ids->size() != J))
      return complain(
          "/participants",
          fmt::format(
              "expected a list of the {} participants of {}, found {}", J, whose_,
              ids->is_array() ? fmt::format("a list of {}", ids->size()) : kind_of_json(*ids)));
    std::unordered_map<std::string, std::size_t> row_of;
    for (std::size_t j = 0; j < J; ++j) row_of.emplace(cohort_.participants[j], j);
    for (std::size_t i = 0; i < J; ++i) {
      auto id = listed ? (*ids)[i] : json(std::to_string(i));
      if (id.is_number_integer()) id = id.dump();  // 17 is the participant '17' of the CSV
      const auto row = id.is_string() ? row_of.find(id.get<std::string>()) : row_of.end();
      if (row == row_of.end()) {
        if (listed)
          complain(fmt::format("/participants/{}", i),
                   fmt::format("expected the id of a participant of {}, each once, found {}",
                               whose_, kind_of_json(id)));
        else
          complain("", fmt::format("the CSV has no participant '{}'; participants are 0..{} unless "
                                   "a list 'participants' names them",
                                   i, J - 1));
        return;
      }
      rows_.push_back(row->second);
      row_of.erase(row);  // each once
    }
  }

  void read_order(const json& entry, Truth& truth) {
    const auto B = cohort_.biomarker_count();
    std::vector<std::size_t> ranks(B, 0);
    std::map<std::size_t, std::string> owner;
    const auto before = problems_.size();
    const bool given = for_each_biomarker(
        entry, "true_order", [&](std::size_t b, const json& value, const std::string& path) {
          const auto rank = whole_number(value);
          if (!rank || *rank < 1 || *rank > static_cast<std::int64_t>(B))
            return complain(path,
                            fmt::format("expected a rank 1..{}, found {}", B, kind_of_json(value)));
          ranks[b] = static_cast<std::size_t>(*rank);
          const auto [first, is_new] = owner.emplace(ranks[b], cohort_.biomarkers[b]);
          if (!is_new)
            complain(path, fmt::format("rank {} is that of '{}' already", *rank, first->second));
        });
    if (!given && problems_.size() == before)
      complain("/true_order", "missing or empty; expected the rank of each biomarker");
    if (given && problems_.size() == before) truth.event_ranks = Ranks(ranks);
    truth.event_times.assign(ranks.begin(), ranks.end());
    truth.continuous_events = for_each_biomarker(
        entry, "true_order_continuous",
        [&](std::size_t b, const json& value, const std::string& path) {
          if (in_range(value))
            truth.event_times[b] = value.get<double>();
          else
            complain(path, fmt::format("expected a time 0..{}, found {}", B, kind_of_json(value)));
        });
    truth.traits.assign(B, 0);
    if (!for_each_biomarker(entry, "biomarker_traits",
                            [&](std::size_t b, const json& value, const std::string& path) {
                              if (const auto trait = whole_number(value))
                                truth.traits[b] = static_cast<int>(*trait);
                              else
                                complain(path, fmt::format("expected a whole number, found {}",
                                                           kind_of_json(value)));
                            }))
      truth.traits.clear();
  }

  void read_stages(const json& entry, Truth& truth) {
    const auto B = cohort_.biomarker_count();
    const auto before = problems_.size();
    truth.ordinal_stages.assign(cohort_.participant_count(), 0);
    const bool given =
        for_each_participant(entry, "true_stages", fmt::format("a whole number 0..{}", B),
                             [&](std::size_t j, const json& value) {
                               const auto stage = whole_number(value);
                               if (!stage || !in_range(value)) return false;
                               truth.ordinal_stages[j] = static_cast<int>(*stage);
                               return true;
                             });
    if (!given && problems_.size() == before)
      complain("/true_stages", "missing or empty; expected the stage of each participant");
    truth.stages.assign(truth.ordinal_stages.begin(), truth.ordinal_stages.end());
    const auto ordinal = truth.stages;
    const bool listed =
        for_each_participant(entry, "true_stages_continuous", fmt::format("a stage 0..{}", B),
                             [&](std::size_t j, const json& value) {
                               if (!in_range(value)) return false;
                               truth.stages[j] = value.get<double>();
                               return true;
                             });
    // Whole stages are listed too where continuous event times make them differ from the ordinal.
    const bool whole = std::all_of(truth.stages.begin(), truth.stages.end(),
                                   [](double stage) { return stage == std::floor(stage); });
    truth.continuous_stages = listed && (!whole || truth.stages == ordinal);
  }

  void read_parameters(const json& entry, std::optional<BiomarkerTable>& biomarkers) {
    std::vector<Biomarker> table;
    const auto before = problems_.size();
    const bool given = for_each_biomarker(
        entry, "biomarker_parameters",
        [&](std::size_t b, const json& value, const std::string& path) {
          if (!value.is_object())
            return complain(path, fmt::format("expected an object, found {}", kind_of_json(value)));
          const auto phi = read_normal(value, path, "phi");
          const auto theta = read_normal(value, path, "theta");
          table.push_back({cohort_.biomarkers[b], phi, theta});
        });
    if (given && problems_.size() == before) biomarkers = BiomarkerTable(std::move(table));
  }

  Normal read_normal(const json& value, const std::string& path, const std::string& state) {
    const auto number = [&](const std::string& key, bool positive) {
      const auto found = value.find(key);
      if (found != value.end() && found->is_number() && (!positive || found->get<double>() > 0.0))
        return found->get<double>();
      complain(path + "/" + key,
               fmt::format("expected a number{}, found {}", positive ? " > 0" : "",
                           found == value.end() ? "nothing" : kind_of_json(*found)));
      return 0.0;
    };
    const auto mean = number(state + "_mean", /*positive=*/false);
    return {mean, number(state + "_std", /*positive=*/true)};
  }

  /// A whole number, also one written 3.0.
  static std::optional<std::int64_t> whole_number(const json& value) {
    if (!value.is_number()) return std::nullopt;
    const auto number = value.get<double>();
    if (number != std::floor(number) || std::abs(number) > 1e9) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }

  bool in_range(const json& value) const {
    return value.is_number() && value.get<double>() >= 0.0 &&
           value.get<double>() <= static_cast<double>(cohort_.biomarker_count());
  }

  static constexpr std::size_t kShown = 10;

  const std::string& file_;
  const std::string& stem_;
  const Cohort& cohort_;  ///< biomarkers sorted by name
  const std::string whose_;
  Problems& problems_;
  std::vector<std::size_t> rows_;  ///< of the cohort, in the order of the lists
};

/// The cohort that a truth is about as far as it says: names, and diseased who has a stage. What
/// does not fit together TruthReader complains about.
Cohort named_cohort(const json& entry) {
  Cohort out;
  if (const auto order = entry.find("true_order"); order != entry.end() && order->is_object())
    for (const auto& item : order->items()) out.biomarkers.push_back(item.key());
  const auto list = [&](const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_array() ? *found : json::array();
  };
  const auto ids = list("participants"), stages = list("true_stages"),
             times = list("true_stages_continuous");
  for (const auto& id : ids)
    out.participants.push_back(id.is_string() ? id.get<std::string>() : id.dump());
  if (!entry.contains("participants"))
    for (std::size_t j = 0; j < stages.size(); ++j) out.participants.push_back(std::to_string(j));
  const auto is_beyond_0 = [](const json& values, std::size_t j) {
    return j < values.size() && values[j] != 0;
  };
  for (std::size_t j = 0; j < out.participants.size(); ++j)
    out.diseased.push_back(is_beyond_0(stages, j) || is_beyond_0(times, j) ? 1 : 0);
  out.measurements = Matrix(out.participants.size(), out.biomarkers.size());
  return out;
}

template <class Values>
json by_biomarker(const Cohort& cohort, const Values& values) {
  auto object = json::object();
  for (std::size_t b = 0; b < cohort.biomarker_count(); ++b)
    object[cohort.biomarkers[b]] = values[b];
  return object;
}

json to_json(const Cohort& cohort, const Truth& truth, const BiomarkerTable* biomarkers) {
  json entry;
  entry["true_order"] = by_biomarker(cohort, truth.event_ranks);
  entry["true_stages"] = truth.ordinal_stages;
  // Numbers that ranks or ordinal stages do not tell are written, whatever the flag says.
  const std::vector<double> ordinal(truth.ordinal_stages.begin(), truth.ordinal_stages.end());
  const std::vector<double> ranks(truth.event_ranks.begin(), truth.event_ranks.end());
  entry["true_stages_continuous"] =
      truth.continuous_stages || truth.stages != ordinal ? json(truth.stages) : json::array();
  entry["true_order_continuous"] = truth.continuous_events || truth.event_times != ranks
                                       ? by_biomarker(cohort, truth.event_times)
                                       : json::object();
  if (!truth.traits.empty()) entry["biomarker_traits"] = by_biomarker(cohort, truth.traits);
  std::vector<std::string> numbers;
  for (std::size_t j = 0; j < cohort.participant_count(); ++j) numbers.push_back(std::to_string(j));
  if (cohort.participants != numbers) entry["participants"] = cohort.participants;
  if (biomarkers != nullptr)
    for (const auto& [name, phi, theta] : *biomarkers)
      entry["biomarker_parameters"][name] = {{"phi_mean", phi.mean},
                                             {"phi_std", phi.sd},
                                             {"theta_mean", theta.mean},
                                             {"theta_std", theta.sd}};
  return entry;
}

}  // namespace

std::vector<PublicDataset> list_public_cohorts(const fs::path& folder, Problems& problems) {
  Problems found;
  std::vector<PublicDataset> datasets;
  const auto entries = entries_of(folder, found);
  for (const auto& entry : entries)
    if (std::error_code ignored; fs::is_directory(entry, ignored))
      add_datasets(entry, datasets, found);
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

PublicCohort read_public_cohort(const PublicDataset& dataset, Problems& problems) {
  Problems found;
  PublicCohort out;
  auto file = read_cohort_csv(dataset.csv, found);
  const auto path = dataset.csv.parent_path() / kTruthFile;
  const auto name = path.string();
  if (const auto text = read_text_file(path, found)) {
    const auto root = parse_json(*text, name, found);
    // Without the cohort there is nothing to compare the truth with.
    const auto stem = dataset.csv.stem().string();
    if (root && !file.cohort.participants.empty())
      if (const auto* entry = find_truth(*root, name, stem, found))
        TruthReader(name, stem, file.cohort, "the CSV", found)
            .read(*entry, out.truth, out.biomarkers);
  }
  problems.append(found);
  if (!found.empty()) return {};
  out.cohort = std::move(file.cohort);
  out.missing = std::move(file.missing);
  return out;
}

std::optional<NamedTruth> read_truth(const fs::path& file, const std::string& stem,
                                     Problems& problems) {
  Problems found;
  NamedTruth out;
  const auto name = file.string();
  const auto text = read_text_file(file, found);
  const auto root = text ? parse_json(*text, name, found) : std::nullopt;
  if (root) {
    const bool is_of_one = root->is_object() && root->contains("true_order");
    if (const auto* entry = is_of_one ? &*root : find_truth(*root, name, stem, found)) {
      const auto cohort = named_cohort(*entry);
      std::optional<BiomarkerTable> ignored;
      TruthReader(name, is_of_one ? "" : stem, cohort, "the truth", found)
          .read(*entry, out.truth, ignored);
      out.biomarkers = cohort.biomarkers;
      out.participants = cohort.participants;
    }
  }
  const bool is_sound = found.empty();
  problems.append(found);
  return is_sound ? std::optional(std::move(out)) : std::nullopt;
}

std::string public_folder_name(const std::string& hypothesis) {
  const auto* name = public_name(hypothesis);
  return name == nullptr ? hypothesis : std::string(name->folder);
}

std::string public_stem(const std::string& hypothesis, std::size_t participants,
                        double healthy_ratio, std::size_t number) {
  const auto* name = public_name(hypothesis);
  return fmt::format("j{}_r{}_{}_m{}", participants, healthy_ratio,
                     name == nullptr ? std::string_view(hypothesis) : name->design, number);
}

PublicCohortWriter::PublicCohortWriter(const fs::path& folder, std::string hypothesis,
                                       double healthy_ratio)
    : folder_(folder / public_folder_name(hypothesis)),
      hypothesis_(std::move(hypothesis)),
      healthy_ratio_(healthy_ratio),
      truths_(std::make_unique<json>(json::object())) {
  if (hypothesis_.empty() || hypothesis_.starts_with('.') ||
      hypothesis_.find('/') != std::string::npos)
    throw Error(fmt::format("hypothesis '{}' cannot name a folder", hypothesis_));
  std::error_code fault;
  fs::create_directories(folder_, fault);
  if (fault)
    throw Error(fmt::format("cannot make the folder '{}': {}", folder_.string(), fault.message()));
  for (const auto& entry : fs::directory_iterator(folder_))
    throw Error(
        fmt::format("'{}' is not empty (it holds '{}'); cohorts are not mixed with other "
                    "files: give a new folder, or remove this one",
                    folder_.string(), entry.path().filename().string()));
}

PublicCohortWriter::~PublicCohortWriter() = default;

void PublicCohortWriter::add(std::size_t number, const Cohort& cohort, const Truth& truth,
                             const BiomarkerTable* biomarkers) {
  check(cohort);
  check(truth, cohort);
  const auto stem = public_stem(hypothesis_, cohort.participant_count(), healthy_ratio_, number);
  if (truths_->contains(stem))
    throw Error(fmt::format("data set {} of '{}' is written already", number, folder_.string()));
  write_cohort_csv(cohort, folder_ / (stem + ".csv"));
  (*truths_)[stem] = to_json(cohort, truth, biomarkers);
}

void PublicCohortWriter::finish() {
  std::string text;
  for (const auto& [stem, truth] : truths_->items())  // a line each
    text += fmt::format("{}{}: {}", text.empty() ? "" : ",\n", json(stem).dump(), truth.dump());
  write_text_file(folder_ / kTruthFile, "{" + text + "}\n");
}

}  // namespace tempo
