#include "run/isolated_fits.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <istream>
#include <optional>
#include <sstream>
#include <string_view>

#include "results/codec.hpp"
#include "run/fit.hpp"
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

// ---- what a server says: a line that begins with one of these words

constexpr std::string_view kRecord = "record ";  // and the record, as the codec writes it
constexpr std::string_view kSignal = "signal ";  // and its number: the fit crashed
constexpr std::string_view kStatus = "status ";  // and its number: the fit ended its process

std::string end_line(int status) {
  return WIFSIGNALED(status) ? fmt::format("{}{}", kSignal, WTERMSIG(status))
                             : fmt::format("{}{}", kStatus, WEXITSTATUS(status));
}

// ---- the server

/// A flag that a process and its forks share.
class SharedFlag {
 public:
  using Flag = std::atomic<bool>;
  static_assert(Flag::is_always_lock_free);

  SharedFlag()
      : memory_(::mmap(nullptr, sizeof(Flag), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)) {
    if (memory_ == MAP_FAILED)
      throw Error(fmt::format("cannot share memory with a fit: {}", std::strerror(errno)));
    new (memory_) Flag(false);
  }
  ~SharedFlag() { ::munmap(memory_, sizeof(Flag)); }
  SharedFlag(const SharedFlag&) = delete;
  SharedFlag& operator=(const SharedFlag&) = delete;

  Flag& get() { return *static_cast<Flag*>(memory_); }

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

/// What is to become of a question: the position of a fit in the plan, and its content key.
FitRecord answer(const std::string& question, const Plan& plan, FitMaker& fits) {
  std::istringstream words(question);
  std::size_t position = 0;
  std::string key;
  words >> position >> key;
  if (position >= plan.fits.size() || plan.fits[position].key != key)
    return failed_fit(
        "the experiment was read again, and this fit is not in it: a file that it names "
        "has changed since the run began",
        0.0);
  return fits.make(position);
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// ---- those who ask

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

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

/// The number at the end of a line that begins with a word; nothing if it does not.
std::optional<int> number_after(std::string_view word, std::string_view line) {
  if (!line.starts_with(word)) return std::nullopt;
  line.remove_prefix(word.size());
  int number = 0;
  std::from_chars(line.data(), line.data() + line.size(), number);
  return number;
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
  SharedFlag has_answered;
  for (std::string question; std::getline(questions, question);) {
    has_answered.get() = false;
    const auto child = ::fork();
    if (child < 0) throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (child == 0) {
      write_line(answers, std::string(kRecord) + codec::to_text(answer(question, plan, fits)));
      has_answered.get() = true;
      ::_exit(0);  // plugins clean up nothing: their fit is over
    }
    const int status = wait_for(child);
    if (!has_answered.get()) write_line(answers, end_line(status));
  }
}

FitRecord IsolatedFits::make(std::size_t position, const PlannedFit& fit, const FitLimits& given) {
  process::Limits limits;
  limits.seconds = given.seconds;
  limits.memory = given.memory;
  const auto begin = std::chrono::steady_clock::now();
  try {
    auto& server = servers_[{given.seconds, given.memory}];
    if (server == nullptr) server = std::make_unique<process::Conversation>(server_, limits);
    const auto reply = server->ask(fmt::format("{} {}", position, fit.key), given.memory, stop_);
    if (reply.what != process::Reply::What::line) {
      const auto ended = std::exchange(server, nullptr)->end();
      return record_of(ended, limits, seconds_since(begin));
    }
    if (reply.line.starts_with(kRecord))
      return codec::record_from(reply.line.substr(kRecord.size()));
    process::End end;
    end.errors = server->words();
    const auto signal = number_after(kSignal, reply.line);
    end.outcome = signal ? process::Outcome::crashed : process::Outcome::exited;
    end.code = signal ? *signal : number_after(kStatus, reply.line).value_or(0);
    return record_of(end, limits, seconds_since(begin));
  } catch (const std::exception& error) {
    return failed_fit(error.what(), seconds_since(begin));
  }
}

}  // namespace tempo
