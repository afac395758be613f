#include "analysis/traces.hpp"

#include <utility>

namespace tempo {

std::vector<FitTrace> traces_of_fits(Store& store) {
  std::vector<FitTrace> out;
  store.visit([&](const StoredFit& fit) {
    auto trace = fit.details({DetailPart::trace}).log_likelihood_trace;
    if (trace) out.push_back({fit.id(), std::move(*trace)});
  });
  return out;
}

}  // namespace tempo
