#pragma once

namespace tempo {

/// Whether a file has to say which participants are diseased.
enum class Labels {
  needed,
  optional,  ///< read where the file has them; of a long CSV, not of tables
  ignored,   ///< the reader does not look at them: a cohort that is read so has none
};

}  // namespace tempo
