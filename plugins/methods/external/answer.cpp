#include "answer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "task_files.hpp"
#include "tempo/error.hpp"
#include "tempo/problem.hpp"

namespace tempo::external {
namespace {

using nlohmann::json;

constexpr std::size_t kMostShown = 5;  // faults
constexpr std::size_t kMostWarnings = 20;
constexpr int kMostLevels = 16;           // an answer has four
constexpr std::size_t kMostOfText = 300;  // bytes of a text that a program wrote

/// The beginning of a text, whole characters of it.
std::string beginning(std::string text) {
  if (text.size() <= kMostOfText) return text;
  auto end = kMostOfText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  text.resize(end);
  return text + "...";
}

std::string kind_of(const json& value) {
  return value.is_array()    ? "a list"
         : value.is_object() ? "an object"
         : value.is_string() ? fmt::format("the text '{}'", beginning(value.get<std::string>()))
                             : value.dump();
}

/// Notes names that an object has twice, of which the parser keeps the last, and refuses lists that
/// lie too deep in each other.
class ParseWatch {
 public:
  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    if (depth > kMostLevels)
      refuse_answer(
          fmt::format("lists and objects lie more than {} deep in each other", kMostLevels));
    if (event == json::parse_event_t::object_start) names_.emplace_back();
    if (event == json::parse_event_t::object_end) names_.pop_back();
    if (event == json::parse_event_t::key)
      if (auto name = parsed.get<std::string>(); !names_.back().insert(name).second)
        found_.insert(std::move(name));
    return true;
  }
  const std::set<std::string>& twice() const { return found_; }

 private:
  std::vector<std::set<std::string>> names_;  // of the objects that are open
  std::set<std::string> found_;
};

/// What stands where a text stops being JSON.
std::string place_of_fault(const std::string& text, std::size_t byte) {
  const auto at = std::min(byte > 0 ? byte - 1 : 0, text.size());
  for (const auto* word : {"NaN", "nan", "NA", "Infinity", "-Infinity", "Inf", "-Inf", "inf"}) {
    // The parser stops within the word.
    const auto begin = at - std::min(at, std::strlen(word) - 1);
    const auto found = text.find(word, begin);
    if (found != std::string::npos && found <= at)
      return fmt::format("byte {} is in '{}', which is no number in JSON", byte, word);
  }
  return fmt::format("byte {} of {}", byte, text.size());
}

json parse(const std::string& text) {
  ParseWatch watch;
  json root;
  try {
    root = json::parse(text, std::ref(watch));
  } catch (const json::parse_error& error) {
    refuse_answer(text.empty()
                      ? "it is empty"
                      : fmt::format("it is not valid JSON ({})", place_of_fault(text, error.byte)));
  } catch (const json::exception& error) {  // a number that no double holds
    refuse_answer(fmt::format("it is not valid JSON ({})", error.what()));
  }
  if (!watch.twice().empty())
    refuse_answer(fmt::format("'{}' is there twice", beginning(*watch.twice().begin())));
  return root;
}

class Answer {
 public:
  Answer(const json& root, const Question& question)
      : root_(root), question_(question), cohort_(question.cohort) {}

  Inference read() {
    if (!root_.is_object()) {
      add(fmt::format("found {}, expected an object", kind_of(root_)));
      throw_faults();
    }
    check_identity();
    throw_faults();
    give_up_if_it_does();
    check_keys();
    read_order();
    out_.stages = numbers("stages", cohort_.participants, "participant", biomarkers());
    if (root_.contains("event_times"))
      out_.event_times = numbers("event_times", cohort_.biomarkers, "biomarker", 1.0);
    if (root_.contains("rank_posterior"))
      out_.rank_posterior = rows("rank_posterior", cohort_.biomarkers, "biomarker", 0);
    if (root_.contains("stage_posterior"))
      out_.stage_posterior = rows("stage_posterior", cohort_.participants, "participant", 1);
    read_warnings();
    throw_faults();
    return std::move(out_);
  }

 private:
  void add(std::string fault) { faults_.push_back(std::move(fault)); }
  void throw_faults() const {
    if (faults_.empty()) return;
    const auto shown = std::min(kMostShown, faults_.size());
    refuse_answer(fmt::format(
        "{}{}",
        fmt::join(faults_.begin(), faults_.begin() + static_cast<std::ptrdiff_t>(shown), "; "),
        faults_.size() > shown ? fmt::format("; and {} more faults", faults_.size() - shown) : ""));
  }

  double biomarkers() const { return static_cast<double>(cohort_.biomarker_count()); }

  /// A program may say why it gives no answer.
  void give_up_if_it_does() const {
    const auto why = [&](const char* key) {
      const auto& value = root_[key];
      return value.is_string() ? beginning(value.get<std::string>()) : kind_of(value);
    };
    if (root_.contains("not_applicable"))
      throw FitFailure(FailureKind::not_applicable, "not applicable: " + why("not_applicable"));
    if (root_.contains("error")) throw Error("the program failed: " + why("error"));
  }

  void check_keys() {
    const std::vector<std::string> known{
        "order",    "ranks",    "stages", "event_times", "rank_posterior", "stage_posterior",
        "warnings", "protocol", "seed",   "version",     "not_applicable", "error"};
    for (const auto& [key, value] : root_.items())
      if (std::find(known.begin(), known.end(), key) == known.end())
        add(fmt::format("unknown key '{}'; expected {}{}", beginning(key), one_of(known),
                        did_you_mean(key, known)));
    if (root_.contains("order") == root_.contains("ranks"))
      add(root_.contains("order") ? "'order' and 'ranks' are both there; expected one of them"
                                  : "neither 'order' (biomarkers, the earliest first) nor 'ranks' "
                                    "(biomarker -> 1..B) is there");
  }

  /// Whether it is the answer to this question, of this program.
  void check_identity() {
    if (root_.contains("protocol") && root_["protocol"] != kProtocol)
      add(fmt::format("'protocol' is {}, expected {}", kind_of(root_["protocol"]), kProtocol));
    if (root_.contains("seed") ? root_["seed"] != question_.seed : question_.must_repeat)
      add(root_.contains("seed")
              ? fmt::format("'seed' is {}, that of the task is {}: the answer to another question",
                            kind_of(root_["seed"]), question_.seed)
              : "'seed' is not there; expected that of the task, which tells answers apart");
    if (root_.contains("version") && !question_.version.empty() &&
        root_["version"] != question_.version)
      add(fmt::format("'version' is {}, the experiment says '{}'", kind_of(root_["version"]),
                      question_.version));
  }

  void read_order() {
    const auto B = cohort_.biomarker_count();
    if (root_.contains("order")) {
      const auto& order = root_["order"];
      constexpr auto kExpected =
          "expected a list of biomarkers, the earliest first; 'ranks' takes numbers by biomarker";
      if (!order.is_array())
        return add(fmt::format("'order' is {}, {}", kind_of(order), kExpected));
      std::map<std::string, double> places;
      for (const auto& name : order) {
        if (!name.is_string())
          return add(fmt::format("'order' holds {}, {}", kind_of(name), kExpected));
        if (!places.emplace(name.get<std::string>(), static_cast<double>(places.size())).second)
          add(fmt::format("'order' has '{}' twice", beginning(name.get<std::string>())));
      }
      std::set<std::string> present;
      for (const auto& [name, place] : places) present.insert(name);
      compare_names("order", present, cohort_.biomarkers, "biomarker");
      for (const auto& name : cohort_.biomarkers) out_.event_scores.push_back(places[name]);
    } else if (root_.contains("ranks")) {
      out_.event_scores = numbers("ranks", cohort_.biomarkers, "biomarker", biomarkers());
      std::set<double> seen;
      for (std::size_t b = 0; b < out_.event_scores.size() && b < B; ++b) {
        const double rank = out_.event_scores[b];
        if (std::isnan(rank)) continue;  // has been complained of
        if (rank < 1.0 || rank != std::round(rank))
          add(fmt::format("'ranks' has {} for '{}', expected whole numbers 1..{}", rank,
                          cohort_.biomarkers[b], B));
        else if (!seen.insert(rank).second)
          add(fmt::format("'ranks' has {} twice", rank));
      }
    }
  }

  /// Calls `take(i, value)` with what a table says of each name. Names that are absent, unknown or
  /// given in no table are faults.
  template <class Take>
  void for_each_named(const std::string& key, const std::vector<std::string>& names,
                      const std::string& what, const Take& take) {
    const auto* table = table_of(key, what);
    if (table == nullptr) return;
    compare_names(key, names_in(*table), names, what);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (const auto found = table->find(names[i]); found != table->end()) take(i, *found);
  }

  /// What a table says of each name, in the order of names; NaN where it says nothing, which is a
  /// fault.
  /// @param high  the largest number that may be; the least is 0
  std::vector<double> numbers(const std::string& key, const std::vector<std::string>& names,
                              const std::string& what, double high) {
    std::vector<double> out(names.size(), std::nan(""));
    for_each_named(key, names, what, [&](std::size_t i, const json& found) {
      const auto number = found.is_number() ? found.get<double>() : std::nan("");
      if (number >= 0.0 && number <= high)
        out[i] = number;
      else
        add(fmt::format("'{}' has {} for '{}', expected a number 0..{}", key, kind_of(found),
                        names[i], high));
    });
    return out;
  }

  /// Probabilities of each name, B and `more` of them, which add up to 1 but for their rounding.
  Matrix rows(const std::string& key, const std::vector<std::string>& names,
              const std::string& what, std::size_t more) {
    const auto size = cohort_.biomarker_count() + more;
    Matrix out(names.size(), size);
    for_each_named(key, names, what, [&](std::size_t i, const json& found) {
      double sum = 0.0;
      bool is_sound = found.is_array() && found.size() == size;
      for (std::size_t k = 0; is_sound && k < size; ++k) {
        const auto& share = found[k];
        is_sound = share.is_number() && share.get<double>() >= 0.0;
        if (is_sound) sum += out(i, k) = share.get<double>();
      }
      constexpr double kRounding = 1e-3;  // of decimals that a program writes
      if (!is_sound || !(std::abs(sum - 1.0) <= kRounding))
        return add(fmt::format("'{}' of '{}': expected {} probabilities that add up to 1", key,
                               names[i], size));
      for (std::size_t k = 0; k < size; ++k) out(i, k) /= sum;
    });
    return out;
  }

  void read_warnings() {
    if (!root_.contains("warnings")) return;
    const auto& list = root_["warnings"];
    if (!list.is_array())
      return add(fmt::format("'warnings' is {}, expected a list of texts", kind_of(list)));
    for (const auto& warning : list) {
      if (!warning.is_string())
        return add(fmt::format("'warnings' holds {}, expected texts", kind_of(warning)));
      if (out_.warnings.size() < kMostWarnings)
        out_.warnings.push_back(beginning(warning.get<std::string>()));
    }
    if (list.size() > kMostWarnings)
      out_.warnings.push_back(fmt::format("and {} more warnings", list.size() - kMostWarnings));
  }

  const json* table_of(const std::string& key, const std::string& what) {
    if (!root_.contains(key)) {
      add(fmt::format("'{}' is not there", key));
      return nullptr;
    }
    const auto& table = root_[key];
    if (table.is_object()) return &table;
    add(fmt::format("'{}' is {}, expected an object ({} -> value)", key, kind_of(table), what));
    return nullptr;
  }

  static std::set<std::string> names_in(const json& table) {
    std::set<std::string> out;
    for (const auto& [name, value] : table.items()) out.insert(name);
    return out;
  }

  void compare_names(const std::string& key, const std::set<std::string>& found,
                     const std::vector<std::string>& names, const std::string& what) {
    const std::set<std::string> expected(names.begin(), names.end());
    for (const auto& name : names)
      if (!found.contains(name)) add(fmt::format("'{}' lacks {} '{}'", key, what, name));
    for (const auto& name : found)
      if (!expected.contains(name))
        add(fmt::format("'{}' has '{}', which is no {}{}", key, beginning(name), what,
                        faults_.size() < kMostShown ? did_you_mean(name, names) : ""));
  }

  const json& root_;
  const Question& question_;
  const Cohort& cohort_;
  Inference out_;
  std::vector<std::string> faults_;
};

}  // namespace

std::size_t most_bytes(const Cohort& cohort) {
  constexpr std::size_t kRest = std::size_t{1} << 20, kByNumber = 64;
  const auto J = cohort.participant_count(), B = cohort.biomarker_count();
  std::size_t names = 0;
  for (const auto* list : {&cohort.participants, &cohort.biomarkers})
    for (const auto& name : *list) names += 6 * name.size();  // `é` may be `\u00e9`
  return kRest + 4 * names + kByNumber * (J * (B + 3) + B * (B + 3));
}

Inference read_answer(const std::string& text, const Question& question) {
  const auto root = parse(text);
  return Answer(root, question).read();
}

std::string answer_text(const std::filesystem::path& file, std::size_t most) {
  const auto name = file.filename().string();
  // Neither what a link leads to, nor a pipe that nobody fills.
  const int number = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (number < 0)
    refuse_answer(errno == ENOENT  ? fmt::format("the program wrote no {}", name)
                  : errno == ELOOP ? fmt::format("{} is a link, expected a file", name)
                                   : fmt::format("{}: {}", name, std::strerror(errno)));
  struct stat status {};
  const bool is_file = ::fstat(number, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = static_cast<std::size_t>(is_file ? status.st_size : 0);
  std::string out(std::min(size, most), '\0');
  std::size_t done = 0;
  for (ssize_t count = 1; count > 0 && done < out.size(); done += static_cast<std::size_t>(count))
    count = std::max<ssize_t>(::read(number, out.data() + done, out.size() - done), 0);
  ::close(number);
  if (!is_file) refuse_answer(fmt::format("{} is no file", name));
  if (size > most)
    refuse_answer(fmt::format("{} has {} bytes, expected at most {}", name, size, most));
  out.resize(done);
  return out;
}

void refuse_answer(const std::string& what) {
  throw FitFailure(FailureKind::bad_answer, "bad answer: " + what);
}

}  // namespace tempo::external
