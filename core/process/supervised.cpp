#include "process/supervised.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <vector>

#include "tempo/error.hpp"

namespace tempo::process {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw Error(std::string(what) + ": " + std::strerror(errno));
}

struct Pipe {
  Descriptor read, write;
};

/// A descriptor above those of standard input and output, which a program gets others for.
Descriptor above_standard(int number) {
  constexpr int kFirst = 3;
  Descriptor given(number);
  if (number >= kFirst) return given;
  Descriptor out(::fcntl(number, F_DUPFD_CLOEXEC, kFirst));
  if (out.get() < 0) refuse("the system gives no descriptor");
  return out;
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse("the system gives no pipe");
  return {above_standard(ends[0]), above_standard(ends[1])};
}

/// Texts as exec takes them; they belong to the vector.
std::vector<char*> as_pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

ssize_t write_to_pipe(int pipe, const char* text, std::size_t size) {
  sigset_t one, before, pending;
  ::sigemptyset(&one);
  ::sigaddset(&one, SIGPIPE);
  ::sigpending(&pending);
  const bool was_pending = ::sigismember(&pending, SIGPIPE) == 1;
  ::pthread_sigmask(SIG_BLOCK, &one, &before);
  const auto count = ::write(pipe, text, size);
  const int why = errno;
  if (count < 0 && why == EPIPE && !was_pending) {
    const timespec at_once{};
    ::sigtimedwait(&one, nullptr, &at_once);  // takes it away
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = why;
  return count;
}

Tail::Tail(Descriptor pipe, std::size_t kept) : pipe_(std::move(pipe)), kept_(kept) {
  ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
}

void Tail::read() {
  constexpr int kAtOnce = 64;  // pieces, so that others get their turn
  std::array<char, 1 << 14> buffer{};
  for (int pieces = 0; pipe_.get() >= 0 && pieces < kAtOnce; ++pieces) {
    const auto count = ::read(pipe_.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) is_cut_ = true;  // there is more, but it cannot be read
    if (count <= 0) return pipe_.close();
    text_.append(buffer.data(), static_cast<std::size_t>(count));
    keep_end(2 * kept_ + buffer.size());
  }
}

std::string Tail::take() {
  keep_end(kept_);
  return std::move(text_);
}

void Tail::keep_end(std::size_t most) {
  if (text_.size() <= most) return;
  text_.erase(0, text_.size() - kept_);
  is_cut_ = true;
}

Supervised::Supervised(const Call& call, const Limits& limits, bool talks) {
  if (call.command.empty() || call.command.front().empty()) throw Error("no program is named");
  const auto arguments = as_pointers(call.command);
  const auto variables = call.environment.value_or(std::vector<std::string>{});
  const auto given = as_pointers(variables);
  const auto folder = call.folder.string();
  const Start start{arguments.data(), call.environment ? given.data() : ::environ,
                    folder.empty() ? nullptr : folder.c_str()};
  auto told = make_pipe(), report = make_pipe(), output = make_pipe(), errors = make_pipe();
  auto input = talks ? make_pipe() : Pipe{};
  supervisor_ = ::fork();
  if (supervisor_ < 0) refuse("the system gives no process");
  if (supervisor_ == 0)
    supervise(start, limits,
              {told.read.get(), report.write.get(), input.read.get(), output.write.get(),
               errors.write.get()});
  told_ = std::move(told.write);
  report_ = std::move(report.read);
  input_ = std::move(input.write);
  output_ = std::move(output.read);
  errors_ = std::move(errors.read);
}

Supervised::~Supervised() {
  told_.close();
  reap();
}

void Supervised::say(Word word) {
  const auto byte = static_cast<char>(word);
  write_to_pipe(told_.get(), &byte, 1);  // fails only if the supervisor is gone: its report tells
}

End Supervised::end() {
  Report told;
  ssize_t count = 0;
  while ((count = ::read(report_.get(), &told, sizeof told)) < 0 && errno == EINTR) {
  }
  const int why = errno;
  reap();
  if (count < 0)
    throw Error(std::string("cannot read from the process that watched the program: ") +
                std::strerror(why));
  if (count != static_cast<ssize_t>(sizeof told))
    throw Error("the process that watched the program was killed");
  return {
      .outcome = told.outcome, .code = told.code, .seconds = told.seconds, .memory = told.memory};
}

void Supervised::reap() {
  if (supervisor_ <= 0) return;
  while (::waitpid(supervisor_, nullptr, 0) < 0 && errno == EINTR) {
  }
  supervisor_ = -1;
}

}  // namespace tempo::process
