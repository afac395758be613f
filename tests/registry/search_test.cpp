// Where plugins are looked for.

#include <cstdlib>
#include <optional>

#include "bad_plugins.hpp"

namespace tempo::test {
namespace fs = std::filesystem;
namespace {

/// An environment variable with another value for as long as it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), /*overwrite=*/1);
  }
  ~Environment() {
    if (before_)
      setenv(name_, before_->c_str(), /*overwrite=*/1);
    else
      unsetenv(name_);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

std::vector<std::string> in_words(const std::vector<SearchFolder>& folders) {
  std::vector<std::string> lines;
  for (const auto& folder : folders) lines.push_back(folder.origin + ": " + folder.path.string());
  return lines;
}

}  // namespace

TEST_CASE("folders are searched in a fixed order, each once", "[registry][search]") {
  const auto of_program =
      "program: " +
      (fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib" / "tempo" / "plugins")
          .string();

  SECTION("--plugin-path, TEMPO_PLUGIN_PATH, the user's, the program's") {
    const Environment path("TEMPO_PLUGIN_PATH", "/c::/d:/a");
    const Environment data("XDG_DATA_HOME", "/home/data");
    REQUIRE(in_words(default_search_folders({"/a", "/b"})) ==
            std::vector<std::string>{"--plugin-path: /a", "--plugin-path: /b",
                                     "TEMPO_PLUGIN_PATH: /c", "TEMPO_PLUGIN_PATH: /d",
                                     "user folder: /home/data/tempo/plugins", of_program});
  }
  SECTION("without XDG_DATA_HOME the user's folder is below the home folder") {
    const Environment path("TEMPO_PLUGIN_PATH", "");
    const Environment data("XDG_DATA_HOME", "");
    const Environment home("HOME", "/home/ada");
    REQUIRE(
        in_words(default_search_folders({})) ==
        std::vector<std::string>{"user folder: /home/ada/.local/share/tempo/plugins", of_program});
  }
  SECTION("two names of one folder are one folder") {
    const TemporaryFolder folder;
    fs::create_directory(folder.path() / "real");
    fs::create_directory_symlink("real", folder.path() / "link");
    const Environment path("TEMPO_PLUGIN_PATH", (folder.path() / "link").string());
    REQUIRE(default_search_folders({folder.path() / "real" / "."}).size() == 3);
  }
}

TEST_CASE("a folder that cannot be searched is a warning, unless it is absent and nobody named it",
          "[registry][search]") {
  const TemporaryFolder folder;
  const auto warnings = [](const fs::path& path, bool must_exist) {
    return Registry({{path, "--plugin-path", must_exist}}).warnings();
  };
  const auto absent = folder.path() / "absent";
  const auto file = copy_plugin("fine", folder.path(), "fine.so");

  REQUIRE(warnings(absent, /*must_exist=*/true) ==
          std::vector<std::string>{"--plugin-path: cannot search '" + absent.string() +
                                   "': No such file or directory"});
  REQUIRE(warnings(absent, /*must_exist=*/false).empty());
  REQUIRE(warnings(file, /*must_exist=*/true) ==
          std::vector<std::string>{"--plugin-path: '" + file.string() +
                                   "' is not a folder; name the folder that holds the plugin"});

  fs::permissions(folder.path(), fs::perms::none);
  const auto forbidden = [&] {
    const Nobody somebody_else;
    return warnings(folder.path(), /*must_exist=*/false);
  }();
  fs::permissions(folder.path(), fs::perms::owner_all);
  REQUIRE(forbidden == std::vector<std::string>{"--plugin-path: cannot search '" +
                                                folder.path().string() + "': Permission denied"});
}

}  // namespace tempo::test
