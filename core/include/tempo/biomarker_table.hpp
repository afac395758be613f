#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tempo/export.hpp"

namespace tempo {

/// A normal distribution in the units of its biomarker; sd > 0.
struct Normal {
  double mean = 0.0;
  double sd = 1.0;
  bool operator==(const Normal&) const = default;
};

/// One biomarker's distributions before (phi) and after (theta) its event.
struct Biomarker {
  std::string name;  ///< opaque: any non-empty text
  Normal phi;        ///< pre-event
  Normal theta;      ///< post-event
  bool operator==(const Biomarker&) const = default;
};

/// The biomarkers of a study, in column order.
class TEMPO_API BiomarkerTable {
 public:
  BiomarkerTable() = default;
  /// @throws NumericError if a name is empty or occurs twice, a mean is not finite or an sd not
  ///   finite and positive.
  explicit BiomarkerTable(std::vector<Biomarker> biomarkers);
  const Biomarker& operator[](std::size_t index) const { return biomarkers_[index]; }
  std::size_t size() const { return biomarkers_.size(); }
  auto begin() const { return biomarkers_.begin(); }
  auto end() const { return biomarkers_.end(); }
  std::vector<std::string> names() const;
  bool operator==(const BiomarkerTable&) const = default;

 private:
  std::vector<Biomarker> biomarkers_;
};

}  // namespace tempo
