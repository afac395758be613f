// A lock file that moves with its run.

#include "study/lock_file.hpp"

#include <filesystem>

#include "support.hpp"

namespace tempo::test {

TEST_CASE("a lock file is moved from the folder that a link stands for", "[study][lock]") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const auto root = fs::canonical(folder.path());
  for (const auto* name : {"disk/here/run", "lab/out"}) fs::create_directories(root / name);
  fs::create_directory_symlink(root / "disk/here/run", root / "lab/run");
  const std::string text = "[experiment]\nfolder = \"..\"\n";  // disk/here
  REQUIRE_THAT(moved_lock_file(text, root / "lab/run", root / "lab/out"),
               Catch::Matchers::Contains("folder = \"../../disk/here\""));
}

}  // namespace tempo::test
