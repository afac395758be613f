// The history of a training: as a model keeps it, and as a store does.

#include "results/training_history.hpp"

#include <optional>
#include <string>

#include "history_json.hpp"
#include "target.hpp"
#include "tempo/error.hpp"

namespace tempo::fuzz {
namespace {

void read_history_input(std::string_view text) {
  std::optional<std::string> written;
  try {
    written = amortised::history_to_json(amortised::history_from_json(std::string(text)));
  } catch (const Error&) {
  }
  if (written)
    expect_no_error("a history that is written is read", [&] {
      expect(amortised::history_to_json(amortised::history_from_json(*written)) == *written,
             "a history of epochs that is written reads back equal");
    });
  const auto history = training_history_from(text);
  for (const auto& epoch : history.epochs)
    expect(epoch.size() == history.columns.size(), "a history has a number in each column");
}

const Added kHistoryTarget("training_history", read_history_input);

}  // namespace
}  // namespace tempo::fuzz
