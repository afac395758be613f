// Biomarker tables.

#include "data/biomarker_file.hpp"
#include "data/toml_table.hpp"
#include "target.hpp"

namespace tempo::fuzz {
namespace {

BiomarkerTable biomarkers_of(std::string_view text, Problems& problems) {
  const auto table = read_toml_text(text, "biomarkers.toml", problems);
  if (!problems.empty()) return {};
  return biomarkers_from(table, problems);
}

void read_biomarkers_input(std::string_view text) {
  Problems problems;
  const auto table = biomarkers_of(text, problems);
  expect_clear(problems);
  if (!problems.empty()) return;
  expect(biomarkers_of(biomarkers_to_toml(table, "again"), problems) == table && problems.empty(),
         "a biomarker table that is written reads back equal");
}

const Added kBiomarkersTarget("biomarkers", read_biomarkers_input);

}  // namespace
}  // namespace tempo::fuzz
