// What tempo reads of a model's header, and what it says about other files.

#include "data/model_file.hpp"

#include <fmt/format.h>

#include "support.hpp"

namespace tempo::test {
namespace {

using Names = std::vector<std::string>;

/// A safetensors file with this header, and `tail` behind it.
std::string model(const std::string& header, const std::string& tail = "") {
  std::string bytes;
  for (std::size_t i = 0, length = header.size(); i < 8; ++i, length >>= 8)
    bytes += static_cast<char>(length & 0xff);
  return bytes + header + tail;
}

std::string complaint(const std::string& bytes) {
  const TemporaryFolder folder;
  const auto file = folder.write("m", bytes);
  Problems problems;
  REQUIRE(!read_model_metadata(file, problems));
  REQUIRE(problems.size() == 1);
  REQUIRE(problems.all()[0].place.file == file.string());
  return problems.all()[0].message;
}

}  // namespace

TEST_CASE("a model says its plugin and its biomarkers", "[data][model_file]") {
  const TemporaryFolder folder;
  Problems problems;
  SECTION("both, beside tensors") {
    const auto file = folder.write(
        "m", model(R"({"__metadata__":{"biomarkers":"[\"a\",\"b\"]","plugin":"tempo","x":"y"},)"
                   R"("w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                   "1234"));
    const auto found = read_model_metadata(file, problems);
    REQUIRE(problems.empty());
    REQUIRE(found->plugin == "tempo");
    REQUIRE(found->biomarkers == Names{"a", "b"});
  }
  SECTION("the plugin alone") {
    const auto file = folder.write("m", model(R"({"__metadata__":{"plugin":"tempo"}})"));
    const auto found = read_model_metadata(file, problems);
    REQUIRE(problems.empty());
    REQUIRE(found->biomarkers.empty());
    REQUIRE(found->warnings.empty());
  }
  SECTION("what its training warned of") {
    const auto file = folder.write(
        "m", model(R"({"__metadata__":{"plugin":"tempo","warnings":"[\"broke off\"]"}})"));
    REQUIRE(read_model_metadata(file, problems)->warnings == Names{"broke off"});
  }
}

TEST_CASE("what is no model is refused with the reason", "[data][model_file]") {
  const std::string no_plugin =
      "does not say which plugin made it: there is no text 'plugin' in the '__metadata__' of its "
      "header; expected a model from tempo train or tempo run";
  const std::string no_object =
      "is no model: its header is no JSON object; expected a safetensors file";
  const std::string no_names =
      "is faulty: 'biomarkers' in its '__metadata__' is no JSON list of texts";
  const auto [bytes, message] = GENERATE_COPY(table<std::string, std::string>({
      {"1234567", "is no model: it has 7 bytes; expected a safetensors file"},
      {"schema = 1",
       "is no model, or cut short: its header would be 4404627558049014643 bytes long in a file of "
       "10; expected a safetensors file"},
      {model("{}").substr(0, 9),
       "is no model, or cut short: its header would be 2 bytes long in a file of 9; expected a "
       "safetensors file"},
      {model("[]"), no_object},
      {model(R"({"__metadata__":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}"),
       "is no model: in its header lists and objects lie more than 64 deep in each other"},
      {model("{\"__meta"), no_object},
      {model("{}"), no_plugin},
      {model(R"({"__metadata__":[]})"), no_plugin},
      {model(R"({"__metadata__":{"plugin":1}})"), no_plugin},
      {model(R"({"__metadata__":{"plugin":"a","biomarkers":"a, b"}})"), no_names},
      {model(R"({"__metadata__":{"plugin":"a","biomarkers":"[1]"}})"), no_names},
      {model(R"({"__metadata__":{"plugin":"a","biomarkers":["b"]}})"), no_names},
  }));
  REQUIRE(complaint(bytes) == message);
}

TEST_CASE("what is no file is no model", "[data][model_file]") {
  const TemporaryFolder folder;
  Problems problems;
  read_model_metadata(folder.path() / "nothing", problems);
  read_model_metadata(folder.path(), problems);
  REQUIRE(problems.size() == 2);
  REQUIRE(problems.all()[0].message == "does not exist");
  REQUIRE(problems.all()[1].message == "is no file; expected a model (safetensors)");
}

}  // namespace tempo::test
