#include "switch_traits.hpp"

#include <utility>

namespace tempo::bayes {

SwitchTraits::SwitchTraits(const SwitchEvidence& evidence,
                           std::optional<ParameterSampler> parameters)
    : own_evidence_(parameters ? std::optional(evidence) : std::nullopt),
      evidence_(own_evidence_ ? *own_evidence_ : evidence),
      parameters_(std::move(parameters)),
      trait_(evidence.size()) {}

double SwitchTraits::log_before() const {
  double sum = 0.0;
  for (std::size_t b = 0; b < size(); ++b) sum += log_before(trait_[b], b);
  return sum;
}

double SwitchTraits::log_weight() const {
  double sum = 0.0;
  for (std::size_t b = 0; b < size(); ++b) sum += log_weight(trait_[b], b);
  return sum;
}

std::vector<Biomarker> SwitchTraits::distributions() const {
  std::vector<Biomarker> out;
  for (std::size_t b = 0; parameters_ && b < size(); ++b)
    out.push_back(parameters_->biomarker(trait_[b], b));
  return out;
}

}  // namespace tempo::bayes
