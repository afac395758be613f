#include "model/fault_text.hpp"

#include <filesystem>
#include <new>
#include <system_error>

#include "support.hpp"
#include "tempo/error.hpp"

namespace tempo::test {

TEST_CASE("what the standard library throws is said in words", "[model]") {
  REQUIRE(fault_text(std::bad_alloc()) == "there is not enough memory");
  REQUIRE(fault_text(std::filesystem::filesystem_error(
              "cannot rename", "a/b", std::make_error_code(std::errc::no_space_on_device))) ==
          "'a/b': No space left on device");
  REQUIRE(fault_text(
              std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again))) ==
          "cannot start a thread: Resource temporarily unavailable");
  REQUIRE(fault_text(Error("it is too late")) == "it is too late");
}

}  // namespace tempo::test
