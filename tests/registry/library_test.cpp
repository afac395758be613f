// What a library that cannot be used prints, word for word. Every folder here also holds `fine`.

#include "library.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "bad_plugins.hpp"
#include "tempo/version.hpp"

namespace tempo::test {
namespace fs = std::filesystem;

namespace {

/// Writes `bytes` into a file at `offset`.
void overwrite(const fs::path& path, std::size_t offset, std::string_view bytes) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(offset));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Replaces a text inside a file by one of the same length.
void replace(const fs::path& path, const std::string& before, const std::string& after) {
  const auto at = read_text(path).find(before);
  REQUIRE(at != std::string::npos);
  REQUIRE(before.size() == after.size());
  overwrite(path, at, after);
}

}  // namespace

TEST_CASE("a library built wrong is refused, saying found, expected and likely cause",
          "[registry]") {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"no_entry_point",
       "has no entry point: expected the symbol 'tempo_plugin', which TEMPO_PLUGIN exports at the "
       "end "
       "of the source"},
      {"null_descriptor",
       "returns nothing from its entry point; expected a descriptor from TEMPO_PLUGIN"},
      {"entry_point_throws", "throws from its entry point: no licence server"},
      {"entry_point_throws_int", "throws something that is no exception from its entry point"},
      {"wrong_magic",
       "has no tempo descriptor: found magic 0x2a, expected 0x31474c504f504d54; end the source "
       "with "
       "TEMPO_PLUGIN"},
      {"wrong_struct_size",
       fmt::format("has a descriptor of another layout: found 64 bytes, expected {}; rebuild the "
                   "plugin against tempo " TEMPO_VERSION,
                   sizeof(PluginDescriptor))},
      {"unknown_kind",
       "is of an unknown kind: found 9, expected 1 (stage_prior), 2 (measurement_model), "
       "3 (hypothesis), 4 (method), 5 (trainable_method) or 6 (metric); rebuild the plugin "
       "against tempo " TEMPO_VERSION},
      {"wrong_build_tag",
       "was built for another tempo: found tempo-0.0.9|g++-4|libstdc++-cxx11abi-0, "
       "expected " TEMPO_BUILD_TAG "; rebuild the plugin against this installation"},
      {"bad_id", "has the id 'Bad-Id'; expected lower-case letters, digits and '_'"},
      {"id_is_no_text",
       "has the id 'caf\\xc3\\x1b[2J'; expected lower-case letters, digits and '_'"},
      {"no_licence",
       "leaves the licence in its PluginInfo empty; expected id, version, licence, summary and "
       "source"},
      {"summary_is_no_text",
       "has bytes in the summary of its PluginInfo that are no text: 'caf\\xc3'; expected UTF-8 "
       "without control characters; if the file is damaged, build or copy it again"},
      {"setting_is_no_text",
       "has bytes in its setting 'width' that are no text: '\\x1b[2Jhow wide'; expected UTF-8 "
       "without control characters; if the file is damaged, build or copy it again"},
      {"choice_is_no_text",
       "has bytes in its setting 'shape' that are no text: ''round' or 'two\\x0alines''; expected "
       "UTF-8 without control characters; if the file is damaged, build or copy it again"},
      {"other_name",
       "holds the plugin 'another', expected 'other_name' as the file is called; rename the file "
       "to "
       "'another.so'"},
      {"settings_throw", "fails to declare its settings: no table of units"},
      {"undefined_symbol",
       "needs the symbol 'elsewhere::answer(char const*, int)', which neither tempo nor the "
       "plugin's "
       "own libraries have; link what defines it, or rebuild the plugin against this tempo"},
      {"missing_dependency",
       "needs the library 'libabsent.so', which is not on this machine; install it, or set "
       "LD_LIBRARY_PATH"},
  };
  for (const auto& [id, problem] : refused) {
    INFO(id);
    REQUIRE(problem_of(bad_plugins(), id) == problem);
  }
  SECTION("the others go on") {
    for (const auto* id : {"fine", "bad_prior", "bad_model", "bad_hypothesis", "bad_method"}) {
      INFO(id);
      REQUIRE(problem_of(bad_plugins(), id).empty());
    }
  }
  SECTION("a run that needs it says why it is missing") {
    REQUIRE_THROWS_WITH(bad_plugins().stage_prior(part("bad_id")),
                        "stage_prior 'bad_id' cannot be used: '" TEMPO_BAD_PLUGINS
                        "/bad_id.so' has the id 'Bad-Id'; "
                        "expected lower-case letters, digits and '_'");
  }
}

TEST_CASE("a plugin compiled against other public headers is refused", "[registry]") {
  const std::string tag = TEMPO_BUILD_TAG;
  const auto end = tag.rfind("|headers-");
  REQUIRE(end != std::string::npos);
  REQUIRE(tag.size() == end + std::string("|headers-").size() + 16);

  const auto problem = problem_of(bad_plugins(), "other_headers");
  const auto before = "was built for another tempo: found " + tag.substr(0, end) + "|headers-";
  const auto after = ", expected " + tag + "; rebuild the plugin against this installation";
  REQUIRE_THAT(problem, Catch::Matchers::StartsWith(before));
  REQUIRE_THAT(problem, Catch::Matchers::EndsWith(after));
  REQUIRE(problem.size() == before.size() + 16 + after.size());
}

TEST_CASE("a file that is no library for this machine is refused", "[registry]") {
  const TemporaryFolder folder;
  const auto copy = [&](const std::string& name) {
    return copy_plugin("fine", folder.path(), name + ".so");
  };
  copy("fine");
  const auto problem = [&](const std::string& id) {
    const Registry registry({{folder.path(), "test", true}});
    REQUIRE(registry.find(InterfaceKind::stage_prior, "fine") != nullptr);
    return problem_of(registry, id);
  };

  SECTION("text") {
    folder.write("text.so", "#!/bin/sh\necho I am a very long shell script that is no library\n");
    REQUIRE(problem("text") ==
            "is not a shared library: found no ELF header, expected a library made by "
            "tempo_add_plugin");
  }
  SECTION("an empty file") {
    folder.write("empty.so", "");
    REQUIRE(problem("empty") ==
            "is not a shared library: found no ELF header, expected a library made by "
            "tempo_add_plugin");
  }
  SECTION("an object file") {
    fs::copy_file(TEMPO_OBJECT_FILE, folder.path() / "object.so");
    REQUIRE(
        problem("object") ==
        "is not a shared library: found another kind of ELF file (an object file or a program), "
        "expected a library made by tempo_add_plugin");
  }
  SECTION("a program") {
    fs::copy_file("/proc/self/exe", folder.path() / "program.so");
    REQUIRE(problem("program") == "cannot be loaded: " + (folder.path() / "program.so").string() +
                                      ": cannot dynamically load position-independent executable");
  }
  SECTION("another machine") {
    const Elf64_Half machine = EM_S390;
    overwrite(copy("machine"), offsetof(Elf64_Ehdr, e_machine),
              {reinterpret_cast<const char*>(&machine), sizeof machine});
    REQUIRE(problem("machine") ==
            "is built for another machine: found machine 22, expected x86-64; build it on this "
            "machine");
  }
  SECTION("this machine in 32 bit") {
    overwrite(copy("narrow"), EI_CLASS, std::string(1, ELFCLASS32));
    REQUIRE(
        problem("narrow") ==
        "is built for another machine: found x86-64 (32 bit), expected x86-64; build it on this "
        "machine");
  }
  SECTION("a copy that stopped half-way, on which the dynamic linker would crash") {
    const auto path = copy("half");
    fs::resize_file(path, 4096);
    const auto text = problem("half");
    REQUIRE_THAT(text,
                 Catch::Matchers::StartsWith("is cut short: found 4096 bytes, expected at least "));
    REQUIRE_THAT(text, Catch::Matchers::EndsWith("; build or copy it again"));
  }
  SECTION("a segment whose end is beyond any number") {
    const auto path = copy("wraps");
    Elf64_Ehdr header{};
    std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
    const Elf64_Xword size = ~Elf64_Xword{0};
    for (std::size_t i = 0; i < header.e_phnum; ++i)
      overwrite(path, header.e_phoff + i * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_filesz),
                {reinterpret_cast<const char*>(&size), sizeof size});
    REQUIRE(problem("wraps") ==
            "is damaged: its table of segments makes no sense; build or copy it again");
  }
  SECTION("a copy that stopped amid the header") {
    fs::resize_file(copy("head"), 40);
    REQUIRE(problem("head") ==
            "is cut short: found 40 bytes, expected at least 64; build or copy it again");
  }
  SECTION("built against the core library of another tempo") {
    const std::string core = TEMPO_CORE_LIBRARY;
    auto other = core;
    other.back() = '9';
    replace(copy("core"), core, other);
    REQUIRE(problem("core") == "was built for another tempo: found " + other + ", expected " +
                                   core + "; rebuild the plugin against this installation");
  }
  SECTION("built against a newer C++ library") {
    replace(copy("newer"), "CXXABI_1.3", "CXXABI_9.9");
    REQUIRE_THAT(
        problem("newer"),
        Catch::Matchers::Matches("needs CXXABI_9\\.9[.0-9]* of .*/libstdc\\+\\+\\.so\\.6, which is "
                                 "older; build the plugin on this machine"));
  }
  SECTION("a folder") {
    fs::create_directory(folder.path() / "folder.so");
    REQUIRE(problem("folder") == "is not a file; expected a library made by tempo_add_plugin");
  }
  SECTION("a pipe, from which reading would never return") {
    REQUIRE(mkfifo((folder.path() / "pipe.so").c_str(), 0600) == 0);
    REQUIRE(problem("pipe") == "is not a file; expected a library made by tempo_add_plugin");
  }
  SECTION("a link to nothing") {
    fs::create_symlink("../build/gone.so", folder.path() / "link.so");
    REQUIRE(problem("link") ==
            "is a link to '../build/gone.so', which does not exist; remove it, or build what it "
            "points to");
  }
  SECTION("a link to a library is as good as the library") {
    fs::create_symlink(fs::path(TEMPO_BAD_PLUGINS) / "bad_prior.so",
                       folder.path() / "bad_prior.so");
    REQUIRE(problem("bad_prior").empty());
  }
  SECTION("a file that may not be read") {
    fs::permissions(folder.path(), static_cast<fs::perms>(0755));
    fs::permissions(copy("secret"), fs::perms::none);
    const Nobody somebody_else;
    REQUIRE(
        problem("secret") ==
        "cannot be read (Permission denied); check the permissions of the file and its folders");
  }
}

TEST_CASE("a library is tried also where children end unseen", "[registry]") {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const auto library = fs::path(TEMPO_BAD_PLUGINS) / "fine.so";
  REQUIRE_NOTHROW(load_descriptor(library, /*on_trial=*/true));
  std::signal(SIGCHLD, before);
}

TEST_CASE("a library exports its entry point and nothing else", "[registry]") {
  REQUIRE(run("nm -D --defined-only -j bad_hypothesis.so", TEMPO_BAD_PLUGINS).output ==
          "tempo_plugin\n");
}

}  // namespace tempo::test
