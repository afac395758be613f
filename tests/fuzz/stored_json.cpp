// Each text that a store keeps as JSON.

#include <optional>
#include <string>

#include "results/codec.hpp"
#include "target.hpp"
#include "tempo/error.hpp"

namespace tempo::fuzz {
namespace {

/// Reads, which may be refused, writes and reads again, which may not.
template <class Read>
void there_and_back(const std::string& text, const Read& read) {
  std::optional<std::string> written;
  try {
    written = codec::to_text(read(text));
  } catch (const Error&) {
    return;
  }
  expect_no_error("what a store keeps is read", [&] {
    expect(codec::to_text(read(*written)) == *written, "what a store keeps reads back equal");
  });
}

void read_codec_input(std::string_view input) {
  const std::string text(input);
  there_and_back(text,
                 [](const std::string& t) { return codec::details_from(t, DetailParts::all()); });
  there_and_back(text, codec::record_from);
  there_and_back(text, codec::warnings_from);
  there_and_back(text, codec::texts_from);
  there_and_back(text, codec::flags_from);
  there_and_back(text, codec::integers_from);
  there_and_back(text, codec::adjustment_from);
  there_and_back(text, codec::biomarkers_from);
  there_and_back(text, codec::libraries_from);
  there_and_back(text, [](const std::string& t) {
    return codec::description_from(t).value_or(RunDescription());
  });
  codec::recipe_of_version_1(text);
}

const Added kCodecTarget("stored_json", read_codec_input);

}  // namespace
}  // namespace tempo::fuzz
