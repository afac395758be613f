#include "results/fit_id.hpp"

namespace tempo {

std::string generated_by(const FitId& id) { return id.is_real() ? kRealCohort : id.hypothesis; }

const std::string& rests_on(const FitId& id) {
  return id.trained_on.empty() ? id.assumed : id.trained_on;
}

}  // namespace tempo
