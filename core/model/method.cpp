#include "tempo/method.hpp"

namespace tempo {

Method::~Method() = default;

void Method::set_abilities(LabelUse labels, MissingData missing) {
  if (are_decided_) return;
  label_use_ = labels;
  missing_data_ = missing;
}

void Method::decide_abilities(LabelUse labels, MissingData missing) {
  label_use_ = labels;
  missing_data_ = missing;
  are_decided_ = true;
}

std::string_view to_string(LabelUse use) {
  switch (use) {
    case LabelUse::none:
      return "none";
    case LabelUse::fit:
      return "fit";
    case LabelUse::infer:
      return "infer";
    case LabelUse::optional:
      return "optional";
  }
  return "unknown";
}

std::string_view to_string(MissingData ability) {
  switch (ability) {
    case MissingData::refused:
      return "refused";
    case MissingData::marginal:
      return "marginal";
    case MissingData::imputed:
      return "imputed";
  }
  return "unknown";
}

}  // namespace tempo
