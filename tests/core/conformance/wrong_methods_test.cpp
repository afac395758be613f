// Wrong methods: each fault is found by the check that is meant for it, and by those others that
// have to see it, too.

#include "wrong_plugins.hpp"

namespace tempo::test {
namespace {

using FoundBy = std::set<std::string>;

}  // namespace

TEST_CASE("a wrong method", "[conformance]") {
  const auto [fault, found_by] = GENERATE(table<std::string, FoundBy>({
      {"none", {}},
      {"rows_count", {"M01"}},
      {"column_order", {"M35"}},
      {"reads_names", {"M03"}},
      {"a_tolerance", {"M04"}},
      {"a_direction", {"M05"}},
      {"own_label", {"M06"}},
      {"reads_diagnoses", {"M07"}},
      {"inverse_posterior", {"M08", "M09", "M19"}},
      {"sure_of_noise", {"M09"}},
      {"large_cohorts", {"M10"}},
      {"nan_spreads", {"M11", "M26"}},
      {"constant", {"M12", "M27", "M28"}},
      {"one_healthy", {"M13"}},
      {"far_value", {"M14"}},
      {"counts_all_fits", {"M15", "M16", "M23", "M35"}},
      {"race", {"M16"}},
      {"one_biomarker", {"M18"}},
      {"mixes_batches", {"M21"}},
      {"changes_input", {"M22"}},
      {"counts_fits", {"M16", "M23", "M35"}},
      {"leak", {"M24"}},
      {"two_values", {"M27"}},
      {"ties", {"M28"}},
      {"an_offset", {"M04", "M29"}},
      {"cube", {"M30"}},
      {"backwards", {"M32"}},
      {"nobody", {"M34"}},
  }));
  CAPTURE(fault);
#ifdef __SANITIZE_ADDRESS__
  if (fault == "leak") {
    SUCCEED("the sanitizer's allocator does not tell the check what is held");
    return;
  }
#endif
  REQUIRE(failing("wrong_method", fault) == found_by);
}

TEST_CASE("a method that is trained, and wrong", "[conformance]") {
  const auto [fault, found_by] = GENERATE(table<std::string, FoundBy>({
      {"none", {}},
      {"never_done", {"P07", "T01", "T03", "T04", "T05"}},
      {"counts_trainings", {"T02", "T03"}},
      {"slow_to_stop", {"T03"}},
      {"forgets", {"T03"}},
      {"trusting", {"T04"}},
      {"any_name", {"T05"}},
  }));
  CAPTURE(fault);
  REQUIRE(failing("wrong_learner", fault) == found_by);
}

}  // namespace tempo::test
