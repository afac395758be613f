#define CATCH_CONFIG_RUNNER
#include <cstdlib>
#include <iostream>

#include "support.hpp"

// Skips (exit code 77, which CTest knows) when the tests need public cohorts that are not there.
// Tests that are a library (tempo_add_tests(... MODULE)) are entered here.
extern "C" [[gnu::visibility("default")]] int tempo_module_main(int argc, char* argv[]) {
  if (std::getenv("TEMPO_TEST_NEEDS_SHARED_DATA") != nullptr &&
      tempo::test::shared_data().empty()) {
    std::cout << "skipped: no public cohorts; set TEMPO_SHARED_DATA to their folder\n";
    return 77;
  }
  return Catch::Session().run(argc, argv);
}

int main(int argc, char* argv[]) { return tempo_module_main(argc, argv); }
