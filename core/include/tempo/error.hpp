#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "tempo/export.hpp"

namespace tempo {

/// What tempo says for std::bad_alloc, which names itself only.
inline constexpr const char* kNoMemory = "there is not enough memory";

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

/// Failures of a fit that have a name of their own: tables count and show each apart.
enum class FailureKind : std::uint32_t {
  timed_out = 1,       ///< took longer than it may
  out_of_memory = 2,   ///< held more memory than it may
  not_applicable = 3,  ///< the method says that it is not made for such a cohort
  bad_answer = 4,      ///< whoever was asked answered, but not as agreed
};

/// A fit failed, and the failure has a name. Whatever else a fit throws is a failure without one.
class TEMPO_API FitFailure : public Error {
 public:
  FitFailure(FailureKind kind, const std::string& what) : Error(what), kind_(kind) {}
  ~FitFailure() override;

  FailureKind kind() const { return kind_; }

 private:
  FailureKind kind_;
};

/// A fit gave up since tempo was asked to stop (tempo/stop.hpp). It is no failure: the fit is still
/// to be made.
class TEMPO_API Stopped : public Error {
 public:
  using Error::Error;
  ~Stopped() override;
};

}  // namespace tempo
