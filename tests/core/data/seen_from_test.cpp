#include "data/seen_from.hpp"

#include "support.hpp"

namespace tempo::test {

TEST_CASE("a path is seen from a folder by steps up and down", "[data][privacy]") {
  const TemporaryFolder folder;
  const auto& home = folder.path();
  REQUIRE(seen_from(home / "study/runs/a", home / "study/data") == "../../data");
  REQUIRE(seen_from(home / "study", home / "study") == ".");
  REQUIRE(seen_from(home / "study/", home / "study/./data/../table.csv") == "table.csv");
}

TEST_CASE("a path from the root is kept where steps would lead elsewhere", "[data][privacy]") {
  const TemporaryFolder folder;
  const auto& home = folder.path();
  REQUIRE(seen_from("/somewhere/else", home / "data") == home / "data");
  REQUIRE(seen_from("/", home / "data") == home / "data");
  SECTION("since a folder on the way is a link") {
    std::filesystem::create_directories(home / "far/away/run");
    std::filesystem::create_directory_symlink(home / "far/away/run", home / "run");
    REQUIRE(seen_from(home / "run", home / "data") == home / "data");
  }
}

}  // namespace tempo::test
