// What every plugin has to do, whatever its kind.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cfenv>
#include <chrono>
#include <clocale>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>
#include <thread>

#include "conformance/check.hpp"
#include "conformance/examples.hpp"
#include "conformance/kinds.hpp"
#include "conformance/scored_examples.hpp"
#include "conformance/subject.hpp"
#include "model/fault_text.hpp"

namespace tempo::conformance {
namespace fs = std::filesystem;
namespace {

bool is_one_line(const std::string& text) {
  return !text.empty() && text.find('\n') == std::string::npos;
}

/// `1.2.3`: three numbers.
bool is_version(const std::string& text) {
  return std::count(text.begin(), text.end(), '.') == 2 && std::isdigit(text.front()) != 0 &&
         std::isdigit(text.back()) != 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return c == '.' || std::isdigit(c) != 0; });
}

Finding describes_itself(const Subject& subject) {
  const auto& plugin = *subject.record().descriptor;
  constexpr std::size_t kLongest = 120;
  if (const std::string version = plugin.version; !is_version(version))
    return failed(
        fmt::format("version: expected three numbers such as 0.1.0, found '{}'", version));
  const std::string licence = plugin.licence, summary = plugin.summary, source = plugin.source;
  if (!is_one_line(licence) || licence.size() > kLongest)
    return failed(
        fmt::format("licence: expected an SPDX identifier such as MIT, found '{}'", licence));
  if (!is_one_line(summary) || summary.size() > kLongest)
    return failed(fmt::format("summary: expected one line of at most {} letters, found '{}'",
                              kLongest, summary));
  if (!is_one_line(source))
    return failed("source: expected a publication, or 'unpublished', found nothing");
  for (const auto& spec : subject.record().parameters)
    if (!is_one_line(spec.help))
      return failed(
          fmt::format("setting '{}': expected one line of help, found '{}'", spec.key, spec.help));
  return passed();
}

Finding loads_quickly(const Subject& subject) {
  constexpr double kMost = 0.05;
  if (!subject.load_seconds) return not_applicable("was loaded before this check");
  if (*subject.load_seconds > kMost)
    return failed(fmt::format("took {:.0f} ms of the processor to load, expected at most {:.0f} ms",
                              1000.0 * *subject.load_seconds, 1000.0 * kMost));
  return passed();
}

/// Draws or makes whatever the plugin is for, with these settings.
void use(const Subject& subject, const PartSpec& part) {
  const auto table = biomarkers(3);
  switch (subject.kind()) {
    case InterfaceKind::inference_method:
    case InterfaceKind::trainable_method:
      subject.make(part, table);
      return;
    case InterfaceKind::metric: {
      const auto answer = answers(scored_example(3, 20)).front();
      subject.registry().metric(part)->score(answer.found, answer.cohort);
      return;
    }
    default:
      Drawer(subject, part, table).draw(20, RandomStream(1, "conformance", "use"));
  }
}

Finding works_as_it_comes(const Subject& subject) {
  const auto table = biomarkers(3);
  use(subject, subject.part());
  if (subject.kind() == InterfaceKind::generative_process) {
    const auto process = subject.hypothesis(table);
    if (!(process->biomarkers() == table))
      return failed("its biomarkers are not those that it was made with");
    if (process->law() != nullptr && !(process->law()->biomarkers() == table))
      return failed("the biomarkers of its law are not those that it was made with");
  }
  if (subject.kind() == InterfaceKind::measurement_model &&
      !(subject.measurement_model(table)->biomarkers() == table))
    return failed("its biomarkers are not those that it was made with");
  return passed();
}

/// A number as a setting of that type takes it.
ParameterValue value_of(const ParameterSpec& spec, double number) {
  if (spec.type == "integer") return {{}, static_cast<std::int64_t>(number)};
  return {{}, number};
}

bool is_number(const ParameterSpec& spec) {
  return spec.type == "number" || spec.type == "integer";
}

bool allows(const Bounds& bounds, double number) {
  return (bounds.low_open ? number > bounds.low : number >= bounds.low) &&
         (bounds.high_open ? number < bounds.high : number <= bounds.high);
}

/// What came of using the plugin with one setting changed.
struct Tried {
  bool works = false;
  std::string complaint = {};
  bool names(const std::string& key) const { return complaint.find(key) != std::string::npos; }
};

Tried try_with(const Subject& subject, const std::string& key, ParameterValue value) {
  try {
    use(subject, subject.part_with(key, std::move(value)));
    return {true};
  } catch (const std::exception& error) {
    return {false, fault_text(error)};
  }
}

/// Each value works, or is refused with the name of the setting.
Finding expect_works(const Subject& subject, const ParameterSpec& spec,
                     const ParameterValue& value) {
  const auto tried = try_with(subject, spec.key, value);
  if (tried.works || tried.names(spec.key)) return passed();
  return failed(fmt::format(
      "{} = {} is allowed by its declaration ({}), and does not work: {}; declare bounds, or name "
      "it in the complaint",
      spec.key, canonical_json(value), spec.allowed.empty() ? "any " + spec.type : spec.allowed,
      tried.complaint));
}

Finding works_at_bounds(const Subject& subject) {
  for (const auto& spec : subject.record().parameters) {
    std::vector<ParameterValue> values;
    if (is_number(spec))
      for (const auto& [bound, is_open] : {std::pair(spec.bounds.low, spec.bounds.low_open),
                                           std::pair(spec.bounds.high, spec.bounds.high_open)})
        if (std::isfinite(bound) && !is_open) values.push_back(value_of(spec, bound));
    for (const auto& choice : spec.choices) values.push_back({{}, choice});
    if (spec.type == "boolean") values = {{{}, true}, {{}, false}};
    for (const auto& value : values)
      if (auto found = expect_works(subject, spec, value); found.outcome != Outcome::passed)
        return found;
  }
  return passed();
}

Finding works_where_allowed(const Subject& subject) {
  for (const auto& spec : subject.record().parameters) {
    if (!is_number(spec)) continue;
    for (const double number : {-1000.0, -1.0, 0.0, 1.0, 2.0, 1000.0})
      if (allows(spec.bounds, number))
        if (auto found = expect_works(subject, spec, value_of(spec, number));
            found.outcome != Outcome::passed)
          return found;
  }
  return passed();
}

/// Values that a declaration forbids.
std::vector<ParameterValue> forbidden(const ParameterSpec& spec) {
  std::vector<ParameterValue> values;
  if (is_number(spec)) {
    const auto& [low, high, low_open, high_open] = spec.bounds;
    if (std::isfinite(low)) values.push_back(value_of(spec, low_open ? low : low - 1.0));
    if (std::isfinite(high)) values.push_back(value_of(spec, high_open ? high : high + 1.0));
  }
  if (is_number(spec) || spec.type == "boolean" || spec.type == "choice")
    values.push_back({{}, std::string("no such thing")});
  return values;
}

Finding refuses_what_is_forbidden(const Subject& subject) {
  const auto expect_refused = [&](const std::string& key, const ParameterValue& value) {
    const auto tried = try_with(subject, key, value);
    if (tried.works)
      return failed(fmt::format("{} = {} is accepted, expected a complaint that names '{}'", key,
                                canonical_json(value), key));
    if (!tried.names(key))
      return failed(fmt::format("{} = {} is refused without the name of the setting: {}", key,
                                canonical_json(value), tried.complaint));
    return passed();
  };
  for (const auto& spec : subject.record().parameters)
    for (const auto& value : forbidden(spec))
      if (auto found = expect_refused(spec.key, value); found.outcome != Outcome::passed)
        return found;
  return expect_refused("no_such_setting", {{}, std::int64_t{1}});
}

/// Standard output goes to a file as long as it lives.
class CaughtOutput {
 public:
  explicit CaughtOutput(const fs::path& file) : file_(file), kept_(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    const int caught = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(caught, STDOUT_FILENO);
    close(caught);
  }
  ~CaughtOutput() { end(); }
  CaughtOutput(const CaughtOutput&) = delete;
  CaughtOutput& operator=(const CaughtOutput&) = delete;

  /// @return how many bytes were written
  std::uintmax_t end() {
    if (kept_ < 0) return 0;
    std::fflush(stdout);
    dup2(kept_, STDOUT_FILENO);
    close(kept_);
    kept_ = -1;
    return fs::file_size(file_);
  }

 private:
  fs::path file_;
  int kept_;
};

void use_in_full(const Subject& subject) {
  if (subject.kind() == InterfaceKind::inference_method || subject.is_trained()) {
    const auto [table, cohort, truth] = plain_example();
    Fitter(subject, table).fit(cohort);
  } else {
    use(subject, subject.part());
  }
}

/// What everybody in a process lives with.
struct Surroundings {
  fs::path folder;
  std::string locale;
  int rounding;
  mode_t mask;  ///< of new files
  std::set<std::string> environment;
};

Surroundings surroundings_now() {
  const auto mask = ::umask(0);
  ::umask(mask);
  Surroundings out{
      fs::current_path(), std::setlocale(LC_ALL, nullptr), std::fegetround(), mask, {}};
  for (char** variable = environ; *variable != nullptr; ++variable)
    out.environment.insert(*variable);
  return out;
}

void put_back(const Surroundings& before) {
  fs::current_path(before.folder);
  std::setlocale(LC_ALL, before.locale.c_str());
  std::fesetround(before.rounding);
  ::umask(before.mask);
}

/// The name of the first variable that is in one environment as it is not in the other.
std::string changed_variable(const std::set<std::string>& one, const std::set<std::string>& other) {
  std::vector<std::string> only;
  std::set_symmetric_difference(one.begin(), one.end(), other.begin(), other.end(),
                                std::back_inserter(only));
  return only.empty() ? "" : only.front().substr(0, only.front().find('='));
}

/// The end of a sentence; empty if nothing has changed.
std::string what_changed(const Surroundings& before, const Surroundings& now) {
  if (now.folder != before.folder) return "changed the working folder";
  if (now.locale != before.locale)
    return fmt::format("changed the locale from '{}' to '{}'", before.locale, now.locale);
  if (now.rounding != before.rounding) return "changed the rounding mode";
  if (now.mask != before.mask) return "changed the permissions that new files get (umask)";
  if (const auto name = changed_variable(before.environment, now.environment); !name.empty())
    return fmt::format("changed the environment variable '{}'", name);
  return {};
}

std::size_t threads_now() {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator()));
}

/// How many threads are there once those that are about to end have ended.
std::size_t threads_left(std::size_t expected) {
  constexpr auto kPatience = std::chrono::milliseconds(500);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (threads_now() > expected && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return threads_now();
}

/// Whether each use leaves threads behind: a library may keep some from its first use on.
/// @param before  threads before that first use, which is over
bool leaves_threads(const Subject& subject, std::size_t before) {
  const auto first = threads_left(before);
  if (first <= before) return false;
  use_in_full(subject);
  return threads_left(first) > first;
}

Finding leaves_its_surroundings_alone(const Subject& subject) {
  if (subject.is_trained()) use_in_full(subject);  // a training may write: to its folders
  const auto folder = subject.scratch() / "elsewhere";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto before = surroundings_now();

  CaughtOutput caught(subject.scratch() / "printed");
  fs::current_path(folder);
  auto meanwhile = before;
  meanwhile.folder = fs::current_path();
  std::string complaint;
  bool has_left_threads = false;
  const auto threads = threads_now();
  try {
    use_in_full(subject);
    has_left_threads = leaves_threads(subject, threads);
  } catch (const std::exception& error) {
    complaint = fault_text(error);
  }
  const auto printed = caught.end();
  const auto changed = what_changed(meanwhile, surroundings_now());
  put_back(before);

  if (!complaint.empty()) return failed(complaint);
  if (printed > 0)
    return failed(fmt::format("wrote {} bytes to standard output, which is for results", printed));
  if (!fs::is_empty(folder))
    return failed(fmt::format("wrote a file '{}' to the working folder",
                              fs::directory_iterator(folder)->path().filename().string()));
  if (!changed.empty()) return failed(changed);
  if (has_left_threads) return failed("leaves a thread behind with every use; join it");
  return passed();
}

}  // namespace

std::vector<Check> plugin_checks() {
  return {
      {"P01", "It says what it is.",
       "Its version is three numbers, its summary is one line, and its licence, its source and a "
       "line of help for each setting are there. They stand in TEMPO_PLUGIN, and where settings "
       "are read.",
       kEveryKind, false, describes_itself},
      {"P02", "It loads within 50 ms of the processor's time.",
       "tempo loads plugins to list them. Work of static objects belongs into the constructor of "
       "the plugin's class.",
       kEveryKind, false, loads_quickly},
      {"P03", "It works with its default settings.",
       "It is made without settings, and what draws draws a small cohort. A hypothesis and a "
       "measurement model have the biomarkers that their context gave them.",
       kEveryKind, false, works_as_it_comes},
      {"P04", "Every setting works at its bounds.",
       "Each bound that is allowed, each choice, and both values of each switch work, or the "
       "complaint names the setting.",
       kEveryKind, false, works_at_bounds},
      {"P05", "Every number that its settings allow works.",
       "The values -1000, -1, 0, 1, 2 and 1000 are tried where the declaration allows them. A "
       "number without bounds promises that all work: declare bounds such as tempo::positive.",
       kEveryKind, false, works_where_allowed},
      {"P06", "What its settings do not allow is refused by name.",
       "A value just past a bound, a text in place of a number, and a setting that there is not. "
       "The complaint has the name of the setting.",
       kEveryKind, false, refuses_what_is_forbidden},
      {"P07", "It leaves its surroundings alone.",
       "It prints nothing to standard output, writes no file to the working folder, and leaves the "
       "working folder, the locale, the rounding mode, the environment and the mask of new files "
       "as they are. No use leaves a thread behind.",
       kEveryKind, false, leaves_its_surroundings_alone},
  };
}

}  // namespace tempo::conformance
