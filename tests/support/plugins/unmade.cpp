// A method that infers under a hypothesis and cannot be made: a fault of its own, no misfit.

#include <stdexcept>

#include "tempo/inference_method.hpp"
#include "tempo/plugin.hpp"

namespace tempo::test {
namespace {

class Unmade final : public InferenceMethod {
 public:
  Unmade(const NoSettings&, const AssumptionContext&) { throw std::runtime_error("out of order"); }

 private:
  Inference do_fit(const Cohort&, RandomStream&) const override { return {}; }
};

}  // namespace
}  // namespace tempo::test

TEMPO_PLUGIN(tempo::InferenceMethod, tempo::test::Unmade, tempo::NoSettings,
             ({.id = "unmade",
               .version = "1.0.0",
               .licence = "MIT",
               .summary = "a test",
               .source = "none"}));
