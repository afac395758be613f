#pragma once

// Programs that tests give the plugin `external`: in the shell, which is there everywhere.

#include <string>

namespace tempo::test {

/// Shell functions. `answer` prints a sound answer: the biomarkers as they stand in the file,
/// everybody at stage 0.
inline constexpr const char* kAnswer = R"(
answer() {
  awk -F, '
    NR == 1 { for (b = 2; b <= NF; ++b) if ($b != "diseased") { order = order between "\"" $b "\""; between = ", " } }
    NR > 1 { stages = stages comma "\"" $1 "\": 0"; comma = ", " }
    END { print "{\"order\": [" order "], \"stages\": {" stages "}}" }' "${1:-cohort.csv}"
}
)";

}  // namespace tempo::test
