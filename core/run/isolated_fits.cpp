#include "run/isolated_fits.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <istream>
#include <optional>
#include <sstream>
#include <string_view>

#include "model/fault_text.hpp"
#include "process/descendants.hpp"
#include "results/codec.hpp"
#include "run/fit.hpp"
#include "run/progress.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

// ---- which

/// Plugins of a plan that do not come with tempo, as Libraries name them.
std::vector<std::string> guests_of(const Plan& plan, const Registry& registry) {
  std::vector<std::string> out;
  for (const auto& [name, version] : plan.versions) {
    const auto* record = registry.deciding(name.substr(name.find(' ') + 1));
    if (record != nullptr && !registry.comes_with_tempo(*record)) out.push_back(name);
  }
  return out;
}

// ---- what is asked, and what a server says: lines of words

/// What a server says once it can be asked.
constexpr std::string_view kReady = "ready";

/// A fit that is to be made.
struct Question {
  std::size_t position = 0;  ///< in the plan
  std::string key;           ///< content key: the plan may be another one
  bool with_truth = false;
};

std::string line_of(const Question& question) {
  return fmt::format("{} {} {:d}", question.position, question.key, question.with_truth);
}

Question question_from(const std::string& line) {
  Question out;
  std::istringstream words(line);
  words >> out.position >> out.key >> out.with_truth;
  return out;
}

// An answer begins with the position that was asked for, and one of these words.
constexpr std::string_view kRecord = "record";  // then the record, as the codec writes it
constexpr std::string_view kSignal = "signal";  // then its number: the fit crashed
constexpr std::string_view kStatus = "status";  // then its number: the fit ended its process

struct Answer {
  std::string word, rest;
};

/// Absent if the line is no answer about the fit of that position.
std::optional<Answer> answer_from(const std::string& line, std::size_t position) {
  const auto begin = fmt::format("{} ", position);
  const auto space = line.find(' ', begin.size());
  if (!line.starts_with(begin) || space == std::string::npos) return std::nullopt;
  return Answer{line.substr(begin.size(), space - begin.size()), line.substr(space + 1)};
}

// ---- the server

/// How far the fork is that makes a fit.
enum class Stage { fitting, writing, done };

/// What a process and its forks share.
class SharedStage {
 public:
  using Value = std::atomic<Stage>;
  static_assert(Value::is_always_lock_free);

  SharedStage()
      : memory_(::mmap(nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)) {
    if (memory_ == MAP_FAILED)
      throw Error(fmt::format("cannot share memory with a fit: {}", std::strerror(errno)));
    new (memory_) Value(Stage::fitting);
  }
  ~SharedStage() { ::munmap(memory_, sizeof(Value)); }
  SharedStage(const SharedStage&) = delete;
  SharedStage& operator=(const SharedStage&) = delete;

  Value& get() { return *static_cast<Value*>(memory_); }

 private:
  void* memory_;
};

/// Writes a line whole, if somebody reads it.
void write_line(int to, std::string text) {
  text.push_back('\n');
  for (std::size_t done = 0; done < text.size();) {
    const auto count = ::write(to, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

FitRecord made(const Question& question, const Plan& plan, FitMaker& fits) {
  const auto& [position, key, with_truth] = question;
  if (position >= plan.fits.size() || plan.fits[position].key != key)
    return failed_fit(
        "the experiment was read again, and this fit is not in it: a file that it names "
        "has changed since the run began",
        0.0);
  return fits.make(position, with_truth);
}

/// Makes a fit in a fork, and answers.
/// @return false if nobody knows whether the answer is whole
bool answer_in_fork(const Question& question, const Plan& plan, FitMaker& fits, int answers,
                    SharedStage& stage) {
  stage.get() = Stage::fitting;
  const auto child = ::fork();
  if (child < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    ::setsid();  // what it starts is killed by its groups, which the server is not in
    try {
      auto text = fmt::format("{} {} {}", question.position, kRecord,
                              codec::to_text(made(question, plan, fits)));
      stage.get() = Stage::writing;
      write_line(answers, std::move(text));
      stage.get() = Stage::done;
    } catch (const std::exception& error) {  // what the server has to put away is not for its fork
      std::cerr << fault_text(error) << std::endl;
      ::_exit(EXIT_FAILURE);
    }
    ::_exit(0);  // plugins clean up nothing: their fit is over
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  process::kill_descendants();  // of the fit
  if (stage.get() == Stage::fitting)
    write_line(answers,
               WIFSIGNALED(status)
                   ? fmt::format("{} {} {}", question.position, kSignal, WTERMSIG(status))
                   : fmt::format("{} {} {}", question.position, kStatus, WEXITSTATUS(status)));
  return stage.get() != Stage::writing;
}

// ---- those who ask

/// The record of a fit whose process, or whose server's, ended.
FitRecord record_of(const process::End& end, const process::Limits& limits, double seconds) {
  const auto words = process::last_words(end.errors);
  const bool exited = end.outcome == process::Outcome::exited;
  const auto what =
      fmt::format("the fit{} {}{}{}{}", exited ? "'s process" : "", process::in_words(end, limits),
                  exited ? " and gave no answer" : "", words.empty() ? "" : ": ", words);
  switch (end.outcome) {
    case process::Outcome::interrupted:
      return {};
    case process::Outcome::timed_out:
      return failed_fit(what, seconds, FitStatus::timed_out);
    case process::Outcome::out_of_memory:
      return failed_fit(what, seconds, FitStatus::out_of_memory);
    default:
      return failed_fit(what, seconds);
  }
}

/// How the process of a fit ended, as its server tells.
process::End end_of(const Answer& answer, process::Conversation& server) {
  process::End out;
  out.outcome = answer.word == kSignal ? process::Outcome::crashed : process::Outcome::exited;
  out.code = std::stoi(answer.rest);
  out.errors = server.words();
  return out;
}

}  // namespace

std::vector<bool> isolated_fits(const Study& study, const Plan& plan, const Registry& registry,
                                Isolate which) {
  const auto guests = guests_of(plan, registry);
  const auto is_guest = [&](const std::string& name) {
    return std::find(guests.begin(), guests.end(), name) != guests.end();
  };
  std::vector<bool> out(plan.fits.size(), which == Isolate::all);
  if (which != Isolate::guests) return out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto& task = plan.tasks[i];
    const auto& plugins = plan.fits[i].plugins;
    out[i] = study.points[task.point].methods[task.method].limits.are_given ||
             std::any_of(plugins.begin(), plugins.end(), is_guest);
  }
  return out;
}

void serve_fits(const Plan& plan, FitMaker& fits, std::istream& questions) {
  const int answers = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (answers < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw Error(fmt::format("cannot answer: {}", std::strerror(errno)));
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  SharedStage stage;
  std::string line;
  if (std::getline(questions, line)) write_line(answers, std::string(kReady));
  while (std::getline(questions, line))
    if (!answer_in_fork(question_from(line), plan, fits, answers, stage)) return;
}

process::Conversation& IsolatedFits::server_for(const process::Limits& limits) {
  auto& server = servers_[{limits.seconds, limits.memory}];
  if (server != nullptr) return *server;
  // To read the experiment takes its time, and is no part of the fit.
  constexpr double kSecondsToStart = 600.0;
  constexpr std::size_t kMost = 64;
  auto begun = std::make_unique<process::Conversation>(server_, limits);
  const auto reply = begun->ask(kReady, kMost, stop_, kSecondsToStart);
  if (reply.what != process::Reply::What::line || reply.line != kReady) {
    const auto end = begun->end();
    if (end.outcome == process::Outcome::interrupted) throw Stopped("tempo was asked to stop");
    const auto words = process::last_words(end.errors);
    throw Error(fmt::format("the process that makes fits {}{}{}", process::in_words(end, limits),
                            words.empty() ? "" : ": ", words));
  }
  server = std::move(begun);
  return *server;
}

/// @return nothing if a server that made other fits ended by itself: a new one has to decide
std::optional<FitRecord> IsolatedFits::ask(std::size_t position, const std::string& question,
                                           const process::Limits& limits) {
  const auto begin = std::chrono::steady_clock::now();
  const std::pair key(limits.seconds, limits.memory);
  const bool has_begun = servers_.contains(key);
  auto& server = server_for(limits);
  const auto reply = server.ask(question, limits.memory, stop_);
  const auto answer =
      reply.what == process::Reply::What::line ? answer_from(reply.line, position) : std::nullopt;
  if (answer && answer->word == kRecord) return codec::record_from(answer->rest);
  if (answer) return record_of(end_of(*answer, server), limits, seconds_since(begin));
  const auto end = server.end();
  servers_.erase(key);
  // It was ended here because of what it said: bytes that are no answer, or too many.
  if (end.outcome == process::Outcome::interrupted && (stop_ == nullptr || !*stop_))
    return failed_fit(
        "the fit's process gave no answer but other bytes: a plugin in it writes to what is not "
        "its own",
        seconds_since(begin));
  if (has_begun && end.outcome == process::Outcome::exited) return std::nullopt;
  return record_of(end, limits, seconds_since(begin));
}

FitRecord IsolatedFits::make(std::size_t position, const PlannedFit& fit, const FitLimits& given,
                             bool with_truth) {
  process::Limits limits;
  limits.seconds = given.seconds;
  limits.memory = given.memory;
  const auto question = line_of({position, fit.key, with_truth});
  try {
    if (auto record = ask(position, question, limits)) return std::move(*record);
    return ask(position, question, limits).value();
  } catch (const Stopped&) {
    return {};
  } catch (const std::exception& error) {
    servers_.erase({limits.seconds, limits.memory});  // nobody knows what it says next
    return failed_fit(fault_text(error), 0.0);
  }
}

}  // namespace tempo
