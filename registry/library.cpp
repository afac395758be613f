#include "library.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/dll/shared_library.hpp>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <list>
#include <mutex>

#include "tempo/generative_process.hpp"
#include "tempo/measurement_model.hpp"
#include "tempo/stage_prior.hpp"

namespace tempo {
namespace {

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_X86_64: return "x86-64";
    case EM_AARCH64: return "AArch64";
    case EM_386: return "x86 (32 bit)";
    case EM_ARM: return "ARM (32 bit)";
    case EM_RISCV: return "RISC-V";
    case EM_PPC64: return "PowerPC 64";
    default: return fmt::format("machine {}", machine);
  }
}

#if defined(__x86_64__)
constexpr unsigned kThisMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kThisMachine = EM_AARCH64;
#elif defined(__riscv)
constexpr unsigned kThisMachine = EM_RISCV;
#else
constexpr unsigned kThisMachine = EM_NONE;
#endif

/// Says what is wrong with a file that the dynamic linker would only call invalid.
void check_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw PluginError("cannot be read; check that it exists and its permissions");
  std::array<unsigned char, 20> header{};
  file.read(reinterpret_cast<char*>(header.data()), header.size());
  if (file.gcount() < static_cast<std::streamsize>(header.size()) ||
      std::memcmp(header.data(), ELFMAG, SELFMAG) != 0)
    throw PluginError("is not a shared library: found no ELF header, expected a file made by "
                      "tempo_add_plugin");
  const unsigned type = header[16] | header[17] << 8;
  const unsigned machine = header[18] | header[19] << 8;
  if (kThisMachine != EM_NONE && machine != kThisMachine)
    throw PluginError(fmt::format("is built for another machine: found {}, expected {}; build it on "
                                  "this machine",
                                  machine_name(machine), machine_name(kThisMachine)));
  if (type != ET_DYN)
    throw PluginError("is not a shared library: found another kind of ELF file (an object file or a "
                      "program), expected a file made by tempo_add_plugin");
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* name = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 ? name : symbol;
  std::free(name);
  return out;
}

/// Turns the dynamic linker's words into ours.
std::string explain(const std::string& linker_message) {
  const std::string undefined = "undefined symbol: ";
  if (const auto at = linker_message.find(undefined); at != std::string::npos) {
    auto symbol = linker_message.substr(at + undefined.size());
    symbol = symbol.substr(0, symbol.find_first_of(" ,\n"));
    return fmt::format("needs the symbol '{}', which neither tempo nor the plugin's own libraries "
                       "have; link what defines it, or rebuild the plugin against this tempo",
                       demangled(symbol));
  }
  const std::string no_file = ": cannot open shared object file";
  if (const auto at = linker_message.find(no_file); at != std::string::npos) {
    auto library = linker_message.substr(0, at);
    library = library.substr(library.rfind(' ') == std::string::npos ? 0 : library.rfind(' ') + 1);
    return fmt::format("needs the library '{}', which is not on this machine; install it or set "
                       "LD_LIBRARY_PATH",
                       library);
  }
  return fmt::format("cannot be loaded: {}", linker_message);
}

std::uint32_t interface_version(InterfaceKind kind) {
  switch (kind) {
    case InterfaceKind::stage_prior: return StagePrior::kInterfaceVersion;
    case InterfaceKind::measurement_model: return MeasurementModel::kInterfaceVersion;
    case InterfaceKind::generative_process: return GenerativeProcess::kInterfaceVersion;
    case InterfaceKind::inference_method: return InferenceMethod::kInterfaceVersion;
  }
  return 0;
}

void check_descriptor(const PluginDescriptor* descriptor) {
  if (descriptor == nullptr)
    throw PluginError("its entry point returned nothing; expected a descriptor from TEMPO_PLUGIN");
  if (descriptor->magic != kPluginMagic)
    throw PluginError(fmt::format("its descriptor is no tempo descriptor: found magic {:#x}, expected "
                                  "{:#x}; end the source with TEMPO_PLUGIN",
                                  descriptor->magic, kPluginMagic));
  if (descriptor->struct_size != sizeof(PluginDescriptor))
    throw PluginError(fmt::format("its descriptor has another layout: found {} bytes, expected {}; "
                                  "rebuild the plugin against tempo " TEMPO_VERSION,
                                  descriptor->struct_size, sizeof(PluginDescriptor)));
  const auto kind = static_cast<InterfaceKind>(descriptor->kind);
  const auto expected = interface_version(kind);
  if (expected == 0)
    throw PluginError(fmt::format("is of an unknown kind: found {}, expected 1 (stage_prior), "
                                  "2 (measurement_model), 3 (hypothesis) or 4 (method)",
                                  descriptor->kind));
  if (descriptor->interface_version != expected)
    throw PluginError(fmt::format("was written for another interface: found {} version {}, expected "
                                  "version {}; {}",
                                  to_string(kind), descriptor->interface_version, expected,
                                  descriptor->interface_version < expected
                                      ? "port the plugin to this tempo"
                                      : "update tempo or use an older plugin"));
  if (descriptor->build_tag == nullptr || std::strcmp(descriptor->build_tag, TEMPO_BUILD_TAG) != 0)
    throw PluginError(fmt::format("was built for another tempo: found {}, expected {}; rebuild the "
                                  "plugin against this installation",
                                  descriptor->build_tag == nullptr ? "none" : descriptor->build_tag,
                                  TEMPO_BUILD_TAG));
  const std::string_view id = descriptor->id == nullptr ? "" : descriptor->id;
  const auto allowed = [](unsigned char c) {
    return std::islower(c) || std::isdigit(c) || c == '_';
  };
  if (id.empty() || !std::all_of(id.begin(), id.end(), allowed))
    throw PluginError(fmt::format("has the id '{}'; expected lower-case letters, digits and '_'", id));
  for (const char* text :
       {descriptor->version, descriptor->licence, descriptor->summary, descriptor->source})
    if (text == nullptr || *text == '\0')
      throw PluginError("leaves a field of its PluginInfo empty; expected id, version, licence, "
                        "summary and source");
}

/// Libraries are never unloaded: objects and code of a plugin may outlive every other trace of it.
const boost::dll::shared_library& keep_loaded(boost::dll::shared_library library) {
  static std::mutex mutex;
  static auto* libraries = new std::list<boost::dll::shared_library>;
  const std::lock_guard lock(mutex);
  return libraries->emplace_back(std::move(library));
}

}  // namespace

const PluginDescriptor& load_descriptor(const std::filesystem::path& path) {
  check_file(path);
  boost::dll::fs::error_code failure;
  boost::dll::shared_library library;
  try {
    library.load(std::filesystem::absolute(path),
                 boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
  } catch (const boost::dll::fs::system_error& error) {
    throw PluginError(explain(error.what()));
  }
  if (!library.has(kPluginEntryPoint))
    throw PluginError(fmt::format("has no entry point: expected the symbol '{}', which TEMPO_PLUGIN "
                                  "exports at the end of the source",
                                  kPluginEntryPoint));
  const auto& kept = keep_loaded(std::move(library));
  const auto& entry = kept.get<const PluginDescriptor*()>(kPluginEntryPoint);
  const PluginDescriptor* descriptor = nullptr;
  try {
    descriptor = entry();
  } catch (const std::exception& error) {
    throw PluginError(fmt::format("its entry point threw: {}", error.what()));
  } catch (...) {
    throw PluginError("its entry point threw something that is no exception");
  }
  check_descriptor(descriptor);
  return *descriptor;
}

}  // namespace tempo
