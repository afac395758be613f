#include "conformance/runner.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "data/cohort_csv.hpp"
#include "data/text_file.hpp"
#include "model/fault_text.hpp"
#include "process/program.hpp"
#include "tempo/error.hpp"

namespace tempo::conformance {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

constexpr double kThoroughTimes = 10.0;
/// Bytes of a file that a check may write: a flood of output ends here.
constexpr std::uint64_t kMostWritten = std::uint64_t{64} << 20;

fs::path result_file(const fs::path& scratch, const std::string& id) {
  return scratch / (id + ".json");
}
fs::path loaded_file(const fs::path& scratch) { return scratch / "loaded.json"; }

/// What a process left; null if it left nothing.
Json read_left(const fs::path& file) {
  std::ifstream in(file);
  return in ? Json::parse(in, nullptr, /*allow_exceptions=*/false) : Json();
}

process::Limits limits_of(const Check* check, const ChildRuns& runs) {
  process::Limits limits;
  limits.seconds = runs.seconds * (check != nullptr && check->is_thorough ? kThoroughTimes : 1.0);
  limits.memory = runs.memory;
  limits.file = kMostWritten;
  return limits;
}

/// How a process ended that left no finding.
std::pair<Outcome, std::string> ended(const process::End& end, const process::Limits& limits) {
  auto words = process::in_words(end, limits);
  const auto said = process::last_words(end.errors);
  if (end.outcome == process::Outcome::exited)
    words = fmt::format("ended with status {} in the middle of the check", end.code);
  if (!said.empty()) words += "; it said: " + said;
  return {end.outcome == process::Outcome::timed_out ? Outcome::timed_out : Outcome::crashed,
          words};
}

process::End run_child(const ChildRuns& runs, const process::Limits& limits,
                       const std::vector<std::string>& more) {
  auto command = runs.command;
  command.insert(command.end(), more.begin(), more.end());
  auto end = process::run({command}, limits, runs.stop);
  if (end.outcome == process::Outcome::interrupted) throw Stopped("the checks were stopped");
  return end;
}

}  // namespace

bool is_fault(const Result& result) {
  const bool has_failed =
      result.outcome != Outcome::passed && result.outcome != Outcome::not_applicable;
  return has_failed != result.expected.has_value();
}

Result run_in_child(const Check& check, const ChildRuns& runs) {
  const auto file = result_file(runs.scratch, check.id);
  fs::remove(file);
  const auto limits = limits_of(&check, runs);
  const auto end = run_child(runs, limits, {"--only", check.id});
  const auto left = read_left(file);
  const bool has_died = end.outcome != process::Outcome::exited;
  if (!left.is_object() || has_died) {
    const auto [outcome, words] = ended(end, limits);
    return {
        &check, outcome, left.is_object() ? "after the check: " + words : words, {}, end.seconds};
  }
  return {&check, static_cast<Outcome>(left.at("outcome").get<int>()), left.at("text"),
          left.at("cohort").get<std::string>(), end.seconds};
}

std::vector<Result> run_in_children(const std::vector<const Check*>& checks, const ChildRuns& runs,
                                    const std::function<void(const Result&)>& done) {
  std::vector<std::optional<Result>> results(checks.size());
  bool has_model = true;
  for (std::size_t i = 0; i < checks.size(); ++i)
    if (checks[i]->makes_model) {
      results[i] = run_in_child(*checks[i], runs);
      has_model = results[i]->outcome == Outcome::passed;
    }
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t next = 0;
  std::exception_ptr fault;
  const auto work = [&] {
    for (;;) {
      std::unique_lock lock(mutex);
      while (next < checks.size() && results[next]) ++next;
      if (next == checks.size() || fault) return;
      const auto i = next++;
      lock.unlock();
      std::optional<Result> result;
      std::exception_ptr thrown;
      try {
        result = has_model || checks[i]->kinds != kMethods
                     ? run_in_child(*checks[i], runs)
                     : Result{checks[i], Outcome::not_applicable, "could not be trained"};
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      results[i] = std::move(result);
      if (thrown) fault = thrown;
      changed.notify_all();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < runs.jobs; ++t) threads.emplace_back(work);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return results[i].has_value() || fault; });
    if (fault) break;
    const auto result = *results[i];
    lock.unlock();
    done(result);
  }
  threads.clear();  // joins them
  if (fault) std::rethrow_exception(fault);
  std::vector<Result> out;
  for (auto& result : results) out.push_back(std::move(*result));
  return out;
}

Loaded load_in_child(const ChildRuns& runs) {
  const auto file = loaded_file(runs.scratch);
  fs::remove(file);
  const auto limits = limits_of(nullptr, runs);
  const auto end = run_child(runs, limits, {});
  const auto left = read_left(file);
  if (!left.is_object()) return {false, "cannot be loaded: " + ended(end, limits).second};
  return {left.at("usable"), left.at("problem"),
          static_cast<InterfaceKind>(left.at("kind").get<std::uint32_t>()), left.at("version"),
          left.at("needed")};
}

Result run_here(const Check& check, const Subject& subject) {
  const auto start = std::chrono::steady_clock::now();
  const auto found = run(check, subject);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  Result out{&check, found.outcome, found.text, {}, taken.count()};
  if (found.cohort && !found.cohort->diseased.empty()) {
    try {
      const fs::path folder = "failed-checks";
      fs::create_directories(folder);
      const auto file = folder / fmt::format("{}-{}.csv", subject.record().id, check.id);
      write_cohort_csv(*found.cohort, file);
      out.cohort = file;
    } catch (const std::exception& error) {  // no fault of the plugin
      out.text += fmt::format(" (its cohort cannot be written: {})", fault_text(error));
    }
  }
  return out;
}

void leave(const Loaded& loaded, const fs::path& scratch) {
  write_text_file(loaded_file(scratch), Json{{"usable", loaded.is_usable},
                                             {"problem", loaded.problem},
                                             {"kind", static_cast<std::uint32_t>(loaded.kind)},
                                             {"version", loaded.version},
                                             {"needed", loaded.needed}}
                                            .dump(-1, ' ', false, Json::error_handler_t::replace));
}

void leave(const Result& result, const fs::path& scratch) {
  write_text_file(result_file(scratch, result.check->id),
                  Json{{"outcome", static_cast<int>(result.outcome)},
                       {"text", result.text},
                       {"cohort", result.cohort.string()}}
                      .dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tempo::conformance
