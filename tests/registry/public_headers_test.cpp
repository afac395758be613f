// What a plugin author gets to see. That each header compiles alone is checked by the build.

#include <regex>
#include <sstream>

#include "support.hpp"

namespace tempo::test {

TEST_CASE("public headers include the C++ standard library and each other only",
          "[registry][headers]") {
  const std::regex allowed(R"(#include (<[a-z_0-9]+>|"tempo/[a-z_]+\.hpp").*)");
  std::size_t headers = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source("core/include/tempo"))) {
    ++headers;
    std::istringstream lines(read_text(entry.path()));
    for (std::string line; std::getline(lines, line);) {
      INFO(entry.path() << ": " << line);
      REQUIRE((!line.starts_with("#include") || std::regex_match(line, allowed)));
    }
  }
  REQUIRE(headers > 0);
}

}  // namespace tempo::test
