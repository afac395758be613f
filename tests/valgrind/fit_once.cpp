// Fits one method once to a small cohort of h3: `fit_once PLUGIN_FOLDER METHOD [KEY=NUMBER...]`.
// For valgrind, so it links nothing but the core and the registry.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

#include "registry.hpp"
#include "tempo/random_stream.hpp"

namespace {

using namespace tempo;

BiomarkerTable six_biomarkers() {
  std::vector<Biomarker> out;
  for (int b = 0; b < 6; ++b)
    out.push_back({"b" + std::to_string(b), {1.0 * b, 1.0}, {1.0 * b + 3.0, 1.0}});
  return BiomarkerTable(out);
}

void fit_once(const Registry& registry, const PartSpec& method) {
  RandomStream stream(7, "valgrind");
  const auto process = registry.hypothesis({"h3", {}, {}}, six_biomarkers());
  const auto cohort = process->simulate({.participants = 60, .healthy_ratio = 0.25}, stream).cohort;
  const auto found = registry.assumes_process(method.plugin)
                         ? registry.method_under(method, *process)->fit(cohort, stream)
                         : registry.method(method)->fit(cohort, stream);
  check(found, cohort);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  PartSpec method{arguments[2], {}, {}};
  for (int i = 3; i < count; ++i) {
    const std::string setting = arguments[i];
    const auto equals = setting.find('=');
    method.settings.set(setting.substr(0, equals),
                        {{}, std::int64_t{std::stoi(setting.substr(equals + 1))}});
  }
  try {
    fit_once(Registry({{arguments[1], "valgrind", true, true}}), method);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
