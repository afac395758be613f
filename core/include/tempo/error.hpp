#pragma once

#include <stdexcept>
#include <string>

#include "tempo/export.hpp"

namespace tempo {

/// Everything tempo throws on purpose. The message is complete: it can be shown to a user as it is.
class TEMPO_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

/// A plugin failed: the message begins with `plugin ID, while DOING:`.
class TEMPO_API PluginError : public Error {
 public:
  using Error::Error;
  ~PluginError() override;
};

/// Matrices or vectors whose sizes do not belong together; names both sizes.
class TEMPO_API ShapeError : public Error {
 public:
  using Error::Error;
  ~ShapeError() override;
};

/// A value outside its domain (NaN from a plugin, a stage above B, ...).
class TEMPO_API NumericError : public Error {
 public:
  using Error::Error;
  ~NumericError() override;
};

/// A method cannot infer under the hypothesis that it is made for: thrown by its constructor, with
/// the reason (`it is not composed of parts`). tempo leaves its fits under that hypothesis out and
/// says why. Whatever else a constructor throws is a failure.
class TEMPO_API CannotInfer : public Error {
 public:
  using Error::Error;
  ~CannotInfer() override;
};

}  // namespace tempo
