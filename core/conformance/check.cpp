#include "conformance/check.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <thread>
#include <utility>

#include "model/fault_text.hpp"
#include "registry.hpp"
#include "tempo/plugin_call.hpp"

namespace tempo::conformance {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::crashed:
      return "crashed";
    case Outcome::timed_out:
      return "timed out";
    case Outcome::not_applicable:
      return "not applicable";
  }
  return "unknown";
}

Finding passed() { return {}; }

Finding failed(std::string text, std::optional<Cohort> cohort) {
  return {Outcome::failed, std::move(text), std::move(cohort)};
}

Finding not_applicable(std::string why) { return {Outcome::not_applicable, std::move(why)}; }

Finding in_threads(std::size_t count, const std::function<std::string(std::size_t)>& work) {
  std::vector<std::string> faults(count);
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      try {
        faults[t] = work(t);
      } catch (const std::exception& error) {
        faults[t] = fault_text(error);
      }
    });
  threads.clear();  // joins them
  for (const auto& fault : faults)
    if (!fault.empty())
      return failed(fault + "; const calls have to be thread-safe: keep no mutable members");
  return passed();
}

bool Check::is_about(InterfaceKind kind) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

const std::vector<Check>& all_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> joined;
    for (auto part :
         {plugin_checks(), drawing_checks(), hypothesis_checks(), law_checks(), training_checks(),
          method_checks(), hard_cohort_checks(), calibration_checks(), metric_checks()})
      std::move(part.begin(), part.end(), std::back_inserter(joined));
    return joined;
  }();
  return all;
}

const Check* find_check(std::string_view id) {
  for (const auto& check : all_checks())
    if (check.id == id) return &check;
  return nullptr;
}

Finding run(const Check& check, const Subject& subject) {
  PluginCall::leave_changes();  // one of the checks looks for them
  try {
    return check.run(subject);
  } catch (const NotApplicable& refusal) {
    return not_applicable("cannot infer under the hypothesis of the checks: " + refusal.why());
  } catch (const std::exception& error) {
    return failed(fault_text(error));
  }
}

}  // namespace tempo::conformance
