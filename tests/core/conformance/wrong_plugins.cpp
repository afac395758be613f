#include "wrong_plugins.hpp"

#include "conformance/check.hpp"
#include "conformance/measured.hpp"
#include "conformance/subject.hpp"

namespace tempo::test {

const Registry& wrong_plugins() {
  static const Registry all(
      {{TEMPO_WRONG_PLUGINS, "test", true}, {TEMPO_TEST_PLUGINS, "build", true}});
  return all;
}

std::set<std::string> failing(const std::string& plugin, const std::string& fault) {
  const double start = conformance::processor_seconds();
  const auto* record = wrong_plugins().deciding(plugin);
  const double load_seconds = conformance::processor_seconds() - start;
  REQUIRE(record->problem.empty());
  ParameterTable settings;
  if (!fault.empty()) settings.set("fault", {{}, fault});
  const TemporaryFolder scratch;
  conformance::Subject subject(wrong_plugins(), *record, settings, scratch.path());
  subject.load_seconds = load_seconds;
  std::set<std::string> out;
  bool has_model = true;
  for (const auto& check : conformance::all_checks()) {
    if (!check.is_about(record->kind()) || check.is_thorough) continue;
    if (!has_model && check.kinds == conformance::kMethods) continue;  // as run_in_children does
    const auto found = conformance::run(check, subject);
    if (found.outcome == conformance::Outcome::failed) out.insert(check.id);
    if (check.makes_model) has_model = found.outcome == conformance::Outcome::passed;
    UNSCOPED_INFO(check.id << " " << to_string(found.outcome) << " " << found.text);
  }
  return out;
}

}  // namespace tempo::test
