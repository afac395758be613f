#pragma once

#include "tempo/export.hpp"
#include "tempo/method_abilities.hpp"
#include "tempo/plugin_object.hpp"

namespace tempo {

/// What methods have in common, whether or not they are trained: the abilities that the plugin's
/// descriptor declares, unless settings decide.
class TEMPO_API Method : public PluginObject {
 public:
  ~Method() override;

  LabelUse label_use() const { return label_use_; }
  MissingData missing_data() const { return missing_data_; }
  /// Called by the registry before first use, with what the descriptor declares.
  void set_abilities(LabelUse labels, MissingData missing);

 protected:
  /// In the constructor of a method whose settings decide: what this object does. The descriptor
  /// says what its plugin is able to.
  void decide_abilities(LabelUse labels, MissingData missing);

 private:
  LabelUse label_use_ = LabelUse::infer;
  MissingData missing_data_ = MissingData::refused;
  bool are_decided_ = false;
};

}  // namespace tempo
