#pragma once

namespace tempo {

/// Whether a file has to say which participants are diseased.
enum class Labels {
  needed,
  ignored,  ///< the reader does not look at them: a cohort that is read so has none
};

}  // namespace tempo
