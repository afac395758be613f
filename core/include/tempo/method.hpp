#pragma once

#include <cstdint>
#include <string_view>

#include "tempo/export.hpp"
#include "tempo/plugin_object.hpp"

namespace tempo {

/// What a method does with the diagnosis (diseased or not). Printed in every table of results.
enum class LabelUse : std::uint32_t {
  none = 1,   ///< never sees it: the cohort it gets has no labels
  fit = 2,    ///< to fit (mixtures, initial values); staging does not look at it
  infer = 3,  ///< also when stages are inferred
};
TEMPO_API std::string_view to_string(LabelUse use);

/// What a method does with missing cells (NaN).
enum class MissingData : std::uint32_t {
  refused = 1,   ///< a cohort with missing cells is an error that counts them
  marginal = 2,  ///< a missing cell adds nothing to the likelihood
  imputed = 3,   ///< a missing cell takes a value that stands for it; the method's page says which
};
TEMPO_API std::string_view to_string(MissingData ability);

/// What methods have in common, whether or not they are trained: the abilities that the plugin's
/// descriptor declares.
class TEMPO_API Method : public PluginObject {
 public:
  ~Method() override;

  LabelUse label_use() const { return label_use_; }
  MissingData missing_data() const { return missing_data_; }
  /// Called by the registry before first use.
  void set_abilities(LabelUse labels, MissingData missing);

 private:
  LabelUse label_use_ = LabelUse::infer;
  MissingData missing_data_ = MissingData::refused;
};

}  // namespace tempo
