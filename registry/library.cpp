#include "library.hpp"

#include <cxxabi.h>
#include <elf.h>
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
#include <cstring>
#include <fstream>
#include <list>
#include <mutex>

#include "tempo/error.hpp"
#include "tempo/plugin_call.hpp"
#include "tempo/version.hpp"

namespace tempo {
namespace fs = std::filesystem;
namespace {

std::string machine_name(unsigned machine, unsigned char file_class) {
  const auto name = [&]() -> std::string {
    switch (machine) {
      case EM_X86_64:
        return "x86-64";
      case EM_AARCH64:
        return "AArch64";
      case EM_386:
        return "x86";
      case EM_ARM:
        return "ARM";
      case EM_RISCV:
        return "RISC-V";
      case EM_PPC64:
        return "PowerPC 64";
      default:
        return fmt::format("machine {}", machine);
    }
  }();
  return file_class == ELFCLASS64 ? name : name + " (32 bit)";
}

#if defined(__x86_64__)
constexpr unsigned kThisMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kThisMachine = EM_AARCH64;
#elif defined(__riscv)
constexpr unsigned kThisMachine = EM_RISCV;
#else
#error "name this machine's ELF number here, and in machine_name"
#endif

/// The size that the file needs to have for its segments to be whole.
std::uintmax_t size_of_segments(std::ifstream& file, const Elf64_Ehdr& header) {
  std::uintmax_t size = header.e_phoff + std::uintmax_t{header.e_phnum} * sizeof(Elf64_Phdr);
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  Elf64_Phdr segment{};
  for (unsigned i = 0;
       i < header.e_phnum && file.read(reinterpret_cast<char*>(&segment), sizeof segment); ++i)
    size = std::max<std::uintmax_t>(size, segment.p_offset + segment.p_filesz);
  return size;
}

/// Says what is wrong with a file that the dynamic linker would only call invalid, or crash on.
void check_file(const fs::path& path) {
  std::error_code failure;
  const auto status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found)
    throw PluginError(fs::is_symlink(fs::symlink_status(path, failure))
                          ? fmt::format("is a link to '{}', which does not exist; remove it, or "
                                        "build what it points to",
                                        fs::read_symlink(path).string())
                          : "does not exist");
  if (!failure && status.type() != fs::file_type::regular)
    throw PluginError("is not a file; expected a library made by tempo_add_plugin");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw PluginError(
        fmt::format("cannot be read ({}); check the permissions of the file and its folders",
                    std::strerror(errno)));

  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (file.bad()) throw PluginError(fmt::format("cannot be read ({})", std::strerror(errno)));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    throw PluginError(
        "is not a shared library: found no ELF header, expected a library made by "
        "tempo_add_plugin");
  const auto file_class = header.e_ident[EI_CLASS];
  if (header.e_machine != kThisMachine || file_class != ELFCLASS64)
    throw PluginError(fmt::format(
        "is built for another machine: found {}, expected {}; build it on this machine",
        machine_name(header.e_machine, file_class), machine_name(kThisMachine, ELFCLASS64)));
  if (header.e_type != ET_DYN)
    throw PluginError(
        "is not a shared library: found another kind of ELF file (an object file or a "
        "program), expected a library made by tempo_add_plugin");
  const auto expected = size_of_segments(file, header);
  if (const auto found = fs::file_size(path); found < expected)
    throw PluginError(
        fmt::format("is cut short: found {} bytes, expected at least {}; build or copy it again",
                    found, expected));
}

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
      descriptor->kind > static_cast<std::uint32_t>(InterfaceKind::trainable_method))
    throw PluginError(
        fmt::format("is of an unknown kind: found {}, expected 1 (stage_prior), "
                    "2 (measurement_model), 3 (hypothesis), 4 (method) or 5 (trainable_method); "
                    "rebuild the plugin against tempo " TEMPO_VERSION,
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
  for (const auto& [name, text] : texts)
    if (text == nullptr || *text == '\0')
      throw PluginError(
          fmt::format("leaves the {} in its PluginInfo empty; expected id, version, "
                      "licence, summary and source",
                      name));
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

/// Loads a library in a child process. @throws PluginError if that dies of it
void try_to_load(const fs::path& path) {
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

const PluginDescriptor& load_descriptor(const fs::path& path, bool on_trial) {
  check_file(path);
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
    throw PluginError(fmt::format("throws from its entry point: {}", error.what()));
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
