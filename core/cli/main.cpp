// tempo: the program. Each sub-command is a file of its own beside this one.

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/interrupt.hpp"
#include "data/names.hpp"
#include "model/fault_text.hpp"
#include "model/printable.hpp"
#include "run/processors.hpp"
#include "tempo/plugin_call.hpp"
#include "tempo/version.hpp"

namespace tempo::cli {
namespace {

/// Runs a command and says what went wrong. @return an exit code
int run(const Command& command, const std::vector<std::string>& arguments) {
  try {
    Options options(command);
    options.parse(arguments);
    return command.run(options);
  } catch (const HelpShown&) {
    return kOk;
  } catch (const InputError& error) {
    std::cerr << error.what() << "\n"
              << counted(error.problems().size(), "problem") << "; nothing was run.\n";
    return kBadInput;
  } catch (const Stopped& stopped) {
    std::cerr << "tempo " << command.name << ": " << printable(stopped.what()) << "\n";
    return kInterrupted;
  } catch (const std::exception& error) {
    std::cerr << "tempo " << command.name << ": " << printable(fault_text(error)) << "\n";
    return kFailed;
  }
}

/// A stream that is closed at the start gets a descriptor all the same, on which nothing can be
/// written: the next file that is opened would receive the text.
void occupy_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDONLY);
}

/// Complains of an argument that is in the place of a command.
int complain_of(const std::string& name) {
  const bool is_option = name.starts_with('-');
  const auto known = is_option ? std::vector<std::string>{"--help", "--version"} : command_names();
  std::cerr << fmt::format("tempo: unknown {} '{}'; expected {}{}{} (see tempo help)\n",
                           is_option ? "option" : "command", name, one_of(known),
                           is_option ? ", or a command before its options" : "",
                           did_you_mean(name, known));
  return kBadInput;
}

int main(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    std::cerr << first_steps();
    return kBadInput;
  }
  const auto& name = arguments.front();
  if (name == "--help" || name == "-h") {
    std::cout << usage();
    return kOk;
  }
  if (name == "--version") {
    std::cout << "tempo " TEMPO_VERSION " (" TEMPO_BUILD_TAG ")\n";
    return kOk;
  }
  for (const auto& command : commands())
    if (name == command.name) return run(command, {arguments.begin() + 1, arguments.end()});
  return complain_of(name);
}

/// Whether standard output is a pipe that nobody reads any more (`| head -1`): what does not arrive
/// there is not wanted.
bool is_unread() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

int code_at_end = kOk;

/// What libraries of plugins do when they are put away comes after all else is done: a crash there
/// is told, and spoils nothing.
int survive_end(int code) {
  code_at_end = code;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, [](int) {
      constexpr std::string_view kTold =
          "warning: a crash after tempo had done its work, most likely in a plugin: a file that is "
          "damaged or was copied in part is built or copied again\n";
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kTold.data(), kTold.size());
      ::_exit(code_at_end);
    });
  return code;
}

}  // namespace
}  // namespace tempo::cli

int main(int argc, char* argv[]) {
  // Cohorts come and go by the thousand: keep their memory instead of handing it back each time.
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  tempo::cli::occupy_streams();
  tempo::forbid_hidden_threads();
  std::signal(SIGCHLD, SIG_DFL);  // ignored, as some programs leave it, children end unseen
  std::signal(SIGXFSZ, SIG_IGN);  // a file that is larger than allowed is an error like a full disk
  tempo::cli::end_on_interrupt();
  tempo::PluginCall::tell_of_crashes();
  const int code = tempo::cli::main(std::vector<std::string>(argv + 1, argv + argc));
  errno = 0;
  if (std::cout.flush() || tempo::cli::is_unread()) return tempo::cli::survive_end(code);
  // It failed before, and fails again: with what is left of the output, or with one byte more.
  if (errno == 0) std::fflush(stdout);
  if (errno == 0) [[maybe_unused]]
    const auto written = ::write(STDOUT_FILENO, "\n", 1);
  std::cerr << "tempo: the output could not be written in full"
            << (errno == 0 ? "" : fmt::format(" ({})", std::strerror(errno))) << "\n";
  return tempo::cli::survive_end(code == tempo::cli::kOk ? tempo::cli::kFailed : code);
}
