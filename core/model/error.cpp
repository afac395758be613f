#include "tempo/error.hpp"

namespace tempo {

Error::~Error() = default;
PluginError::~PluginError() = default;
ShapeError::~ShapeError() = default;
NumericError::~NumericError() = default;
CannotInfer::~CannotInfer() = default;
FitFailure::~FitFailure() = default;
Stopped::~Stopped() = default;

}  // namespace tempo
