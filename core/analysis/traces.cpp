#include "analysis/traces.hpp"

#include <utility>

namespace tempo {

std::vector<FitTrace> traces_of_fits(Store& store) {
  std::vector<FitTrace> out;
  store.visit([&](const StoredFit& fit) {
    auto details = fit.details({DetailPart::trace});
    if (auto& trace = details.log_likelihood_trace) out.push_back({fit.id(), std::move(*trace)});
  });
  return out;
}

}  // namespace tempo
