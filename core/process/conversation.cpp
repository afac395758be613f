#include "process/conversation.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <utility>

#include "process/supervised.hpp"
#include "tempo/error.hpp"

namespace tempo::process {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kLook = 100;  // milliseconds between looks at the clock and for a stop

/// The supervisor sees to memory and processes; time is counted by the question.
Limits without_time(Limits limits) {
  limits.seconds = std::numeric_limits<double>::infinity();
  return limits;
}

}  // namespace

struct Conversation::Talk {
  Talk(const Call& call, const Limits& given)
      : limits(given),
        program(call, without_time(given), true),
        errors(std::move(program.errors()), given.kept) {
    for (const int pipe : {program.input().get(), program.output().get()})
      ::fcntl(pipe, F_SETFL, O_NONBLOCK);
  }

  /// Waits until something can be written or read, or `kLook` has passed. @return false once the
  /// program has ended and all that it said was read
  bool exchange() {
    const int input = to_send.empty() ? -1 : program.input().get();
    std::array<pollfd, 4> waited{{{program.report(), POLLIN, 0},
                                  {input, POLLOUT, 0},
                                  {program.output().get(), POLLIN, 0},
                                  errors.waited()}};
    if (::poll(waited.data(), waited.size(), kLook) < 0 && errno != EINTR)
      throw Error(std::string("cannot wait for a program: ") + std::strerror(errno));
    write();
    read();
    errors.read();
    return waited[0].revents == 0;
  }

  void write() {
    if (to_send.empty()) return;
    const auto count = write_to_pipe(program.input().get(), to_send.data(), to_send.size());
    if (count > 0) to_send.erase(0, static_cast<std::size_t>(count));
    if (count >= 0 || errno == EAGAIN || errno == EINTR) return;
    // A program that does not read may still answer, and one that has ended is reported. One that
    // waits for a question that it does not get would wait for ever.
    if (errno != EPIPE)
      throw Error(std::string("cannot write to a program: ") + std::strerror(errno));
    to_send.clear();
  }

  void read() {
    std::array<char, 1 << 14> buffer{};
    ssize_t count = 0;
    while (heard.size() <= most && program.output().get() >= 0 &&
           (count = ::read(program.output().get(), buffer.data(), buffer.size())) > 0)
      heard.append(buffer.data(), static_cast<std::size_t>(count));
    if (count == 0 && heard.size() <= most) program.output().close();
    // Whoever waits for an answer that cannot be read would wait for ever.
    if (count < 0 && errno != EAGAIN && errno != EINTR)
      throw Error(std::string("cannot read from a program: ") + std::strerror(errno));
  }

  const Limits limits;
  Supervised program;
  Tail errors;
  std::string to_send, heard;
  std::size_t most = 0;  ///< characters that are heard
  bool has_answered = false;
  bool has_ended = false;
};

Conversation::Conversation(const Call& call, const Limits& limits)
    : talk_(std::make_unique<Talk>(call, limits)) {}

Conversation::~Conversation() {
  constexpr int kGoodbye = 1000;  // milliseconds
  talk_->program.input().close();
  pollfd ended{talk_->program.report(), POLLIN, 0};
  if (!talk_->has_ended) ::poll(&ended, 1, kGoodbye);
}

Reply Conversation::ask(std::string_view line, std::size_t most, const std::atomic<bool>* stop,
                        std::optional<double> limit) {
  auto& talk = *talk_;
  const auto begin = Clock::now();
  talk.to_send.append(line).push_back('\n');
  talk.most = most;
  if (talk.has_answered) words();  // of an earlier question
  std::size_t looked_at = 0;
  for (bool is_stopped = false, runs = true;;) {
    if (const auto end = talk.heard.find('\n', looked_at);
        end != std::string::npos && end <= most) {
      Reply out{Reply::What::line, talk.heard.substr(0, end)};
      talk.heard.erase(0, end + 1);
      talk.has_answered = true;
      return out;
    }
    looked_at = talk.heard.size();
    if (talk.heard.size() > most) return {Reply::What::too_long};
    if (!runs) return {Reply::What::nothing};
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const bool is_late = seconds > limit.value_or(talk.limits.seconds),
               is_asked = stop != nullptr && *stop;
    if ((is_late || is_asked) && !std::exchange(is_stopped, true))
      talk.program.say(is_asked ? Word::stop : Word::time_is_over);
    runs = talk.exchange();
    if (is_stopped) talk.heard.clear(), looked_at = 0;  // too late
  }
}

std::string Conversation::words() {
  talk_->errors.read();
  return talk_->errors.take();
}

End Conversation::end() {
  auto& talk = *talk_;
  talk.program.say(Word::stop);  // is not heard by one that has ended
  while (talk.exchange()) talk.heard.clear();
  talk.has_ended = true;
  auto out = talk.program.end();
  out.errors = talk.errors.take();
  out.errors_are_cut = talk.errors.is_cut();
  return out;
}

}  // namespace tempo::process
