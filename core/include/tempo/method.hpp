#pragma once

#include "tempo/export.hpp"
#include "tempo/method_abilities.hpp"
#include "tempo/plugin_object.hpp"

namespace tempo {

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
