#include "library_file.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "tempo/error.hpp"

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

constexpr const char* kDamaged =
    "is damaged: its table of segments makes no sense; build or copy it again";

/// The size that the file needs to have for its segments to be whole.
/// @throws PluginError if no file can have them
std::uint64_t size_of_segments(std::ifstream& file, const Elf64_Ehdr& header) {
  std::uint64_t size = 0;
  const auto need = [&](std::uint64_t begin, std::uint64_t bytes) {
    std::uint64_t end = 0;
    if (__builtin_add_overflow(begin, bytes, &end)) throw PluginError(kDamaged);
    size = std::max(size, end);
  };
  if (header.e_phnum > 0 && header.e_phentsize != sizeof(Elf64_Phdr)) throw PluginError(kDamaged);
  need(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr));
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  Elf64_Phdr segment{};
  for (unsigned i = 0;
       i < header.e_phnum && file.read(reinterpret_cast<char*>(&segment), sizeof segment); ++i)
    need(segment.p_offset, segment.p_filesz);
  return size;
}

}  // namespace

void check_library_file(const fs::path& path) {
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
  file.clear();  // a file that ends amid the header has a size, too
  const auto expected = std::max<std::uint64_t>(sizeof header, size_of_segments(file, header));
  if (const auto found = fs::file_size(path); found < expected)
    throw PluginError(
        fmt::format("is cut short: found {} bytes, expected at least {}; build or copy it again",
                    found, expected));
}

}  // namespace tempo
