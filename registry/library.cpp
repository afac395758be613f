#include "library.hpp"

#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/dll/shared_library.hpp>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <list>
#include <mutex>

#include "library_file.hpp"
#include "model/fault_text.hpp"
#include "model/printable.hpp"
#include "tempo/error.hpp"
#include "tempo/plugin_call.hpp"
#include "tempo/version.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* name = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 ? name : symbol;
  std::free(name);
  return out;
}

/// The dynamic linker's own words, without those that Boost.DLL puts around them.
std::string linker_message(const std::string& boost_message) {
  const std::string before = "(dlerror system message: ";
  const auto begin = boost_message.find(before);
  const auto end = boost_message.rfind(')');
  if (begin == std::string::npos || end == std::string::npos) return boost_message;
  return boost_message.substr(begin + before.size(), end - begin - before.size());
}

/// What follows `marker`, up to a space or comma; empty if it does not occur.
std::string word_after(const std::string& text, const std::string& marker) {
  const auto at = text.find(marker);
  if (at == std::string::npos) return {};
  const auto begin = at + marker.size();
  return text.substr(begin, text.find_first_of(" ,:\n", begin) - begin);
}

/// Turns the dynamic linker's words into found, expected and likely cause.
std::string explain(const std::string& message) {
  if (const auto symbol = word_after(message, "undefined symbol: "); !symbol.empty())
    return fmt::format(
        "needs the symbol '{}', which neither tempo nor the plugin's own libraries "
        "have; link what defines it, or rebuild the plugin against this tempo",
        demangled(symbol));
  if (message.find(": cannot open shared object file") != std::string::npos) {
    const auto library = word_after(message, "");
    if (library.starts_with("libtempo_core.so"))
      return fmt::format("was built for another tempo: found {}, expected " TEMPO_CORE_LIBRARY
                         "; rebuild the plugin against this installation",
                         library);
    return fmt::format(
        "needs the library '{}', which is not on this machine; install it, or set LD_LIBRARY_PATH",
        library);
  }
  if (const auto version = word_after(message, ": version `"); !version.empty())
    return fmt::format("needs {} of {}, which is older; build the plugin on this machine",
                       version.substr(0, version.find('\'')), word_after(message, ""));
  return fmt::format("cannot be loaded: {}", message);
}

/// Compares field by field, in the order in which each makes the next one readable.
void check_descriptor(const PluginDescriptor* descriptor) {
  if (descriptor == nullptr)
    throw PluginError(
        "returns nothing from its entry point; expected a descriptor from TEMPO_PLUGIN");
  if (descriptor->magic != kPluginMagic)
    throw PluginError(
        fmt::format("has no tempo descriptor: found magic {:#x}, expected {:#x}; end the "
                    "source with TEMPO_PLUGIN",
                    descriptor->magic, kPluginMagic));
  if (descriptor->struct_size != sizeof(PluginDescriptor))
    throw PluginError(
        fmt::format("has a descriptor of another layout: found {} bytes, expected {}; "
                    "rebuild the plugin against tempo " TEMPO_VERSION,
                    descriptor->struct_size, sizeof(PluginDescriptor)));
  if (descriptor->kind < static_cast<std::uint32_t>(InterfaceKind::stage_prior) ||
      descriptor->kind > static_cast<std::uint32_t>(InterfaceKind::metric))
    throw PluginError(
        fmt::format("is of an unknown kind: found {}, expected 1 (stage_prior), "
                    "2 (measurement_model), 3 (hypothesis), 4 (method), 5 (trainable_method) or "
                    "6 (metric); rebuild the plugin against tempo " TEMPO_VERSION,
                    descriptor->kind));
  const std::string_view tag = descriptor->build_tag == nullptr ? "none" : descriptor->build_tag;
  if (tag != TEMPO_BUILD_TAG)
    throw PluginError(
        fmt::format("was built for another tempo: found {}, expected {}; rebuild the "
                    "plugin against this installation",
                    tag, TEMPO_BUILD_TAG));
  const std::string_view id = descriptor->id == nullptr ? "" : descriptor->id;
  const auto allowed = [](unsigned char c) {
    return std::islower(c) || std::isdigit(c) || c == '_';
  };
  if (id.empty() || !std::all_of(id.begin(), id.end(), allowed))
    throw PluginError(
        fmt::format("has the id '{}'; expected lower-case letters, digits and '_'", id));
  const std::array<std::pair<const char*, const char*>, 4> texts{{{"version", descriptor->version},
                                                                  {"licence", descriptor->licence},
                                                                  {"summary", descriptor->summary},
                                                                  {"source", descriptor->source}}};
  for (const auto& [name, text] : texts) {
    if (text == nullptr || *text == '\0')
      throw PluginError(
          fmt::format("leaves the {} in its PluginInfo empty; expected id, version, "
                      "licence, summary and source",
                      name));
    expect_text(fmt::format("the {} of its PluginInfo", name), text);
  }
}

/// A library has one name: that of its file is the id of its plugin, so that a plugin can be found
/// without loading the others.
void check_file_name(const fs::path& path, const std::string& id) {
  if (path.stem() == id) return;
  const auto named_right = path.parent_path() / (id + ".so");
  throw PluginError(
      fs::exists(named_right)
          ? fmt::format("holds the plugin '{}', which '{}' in the same folder is too; remove one",
                        id, named_right.string())
          : fmt::format(
                "holds the plugin '{}', expected '{}' as the file is called; rename the file "
                "to '{}.so'",
                id, path.stem().string(), id));
}

/// Libraries are never unloaded: objects and code of a plugin may outlive every other trace of it.
const boost::dll::shared_library& load_for_good(const fs::path& path) {
  static std::mutex mutex;
  static auto* libraries = new std::list<boost::dll::shared_library>;
  try {
    boost::dll::shared_library library(
        fs::absolute(path), boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
    const std::lock_guard lock(mutex);
    return libraries->emplace_back(std::move(library));
  } catch (const boost::dll::fs::system_error& error) {
    throw PluginError(explain(linker_message(error.what())));
  }
}

/// What the child of a trial ends with, whatever became of the library: a plugin that ends the
/// program ends with another number.
constexpr int kLived = 97;
constexpr unsigned kMostSeconds = 60;

[[noreturn]] void load_as_child(const fs::path& path) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTERM, SIGINT})
    std::signal(signal, SIG_DFL);
  const rlimit no_core{};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC); nowhere >= 0)
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  ::alarm(kMostSeconds);
  try {
    const auto& library = load_for_good(path);
    if (library.has(kPluginEntryPoint)) {
      const auto* descriptor = library.get<const PluginDescriptor*()>(kPluginEntryPoint)();
      check_descriptor(descriptor);
    }
  } catch (...) {  // the parent finds the same, and says it
  }
  ::_exit(kLived);
}

/// Whether this process has more threads than this one; true where nobody knows.
bool has_other_threads() {
  std::error_code unknown;
  const fs::directory_iterator threads("/proc/self/task", unknown), end;
  return unknown || std::distance(threads, end) != 1;
}

/// Loads a library in a child process. Beside other threads it does not: the child would wait for
/// ever for locks of the dynamic linker that one of them may hold. A crash names the library all
/// the same, and ends the program.
/// @throws PluginError if the child dies of it
void try_to_load(const fs::path& path) {
  if (has_other_threads()) return;
  const auto child = ::fork();
  if (child < 0) return;  // no process to spare
  if (child == 0) load_as_child(path);
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (ended != child) return;  // what became of it is not known, as where SIGCHLD is ignored
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    throw PluginError(fmt::format("is not loaded within {} seconds", kMostSeconds));
  if (WIFSIGNALED(status))
    throw PluginError(
        fmt::format("crashes while it is loaded (SIG{}): damaged, or copied in part? Build or copy "
                    "it again",
                    ::sigabbrev_np(WTERMSIG(status))));
  if (WIFEXITED(status) && WEXITSTATUS(status) != kLived)
    throw PluginError("ends the program while it is loaded, which is not for a plugin to do");
}

}  // namespace

void expect_text(const std::string& what, std::string_view text) {
  if (const auto shown = printable(text, ""); shown != text)
    throw PluginError(
        fmt::format("has bytes in {} that are no text: '{}'; expected UTF-8 without control "
                    "characters; if the file is damaged, build or copy it again",
                    what, shown));
}

const PluginDescriptor& load_descriptor(const fs::path& path, bool on_trial) {
  check_library_file(path);
  if (on_trial) try_to_load(path);
  PluginCall call(path.native(), "being loaded");
  const auto& library = load_for_good(path);
  if (!library.has(kPluginEntryPoint))
    throw PluginError(
        fmt::format("has no entry point: expected the symbol '{}', which TEMPO_PLUGIN "
                    "exports at the end of the source",
                    kPluginEntryPoint));
  const PluginDescriptor* descriptor = nullptr;
  try {
    descriptor = library.get<const PluginDescriptor*()>(kPluginEntryPoint)();
  } catch (const std::exception& error) {
    throw PluginError(fmt::format("throws from its entry point: {}", fault_text(error)));
  } catch (...) {
    throw PluginError("throws something that is no exception from its entry point");
  }
  if (const auto changed = call.put_back(); !changed.empty())
    throw PluginError(fmt::format(
        "changes {} as soon as it is loaded; build it without -ffast-math and the like", changed));
  check_descriptor(descriptor);
  check_file_name(path, descriptor->id);
  return *descriptor;
}

}  // namespace tempo
