#include "study/faults_in_order.hpp"

#include "support.hpp"

namespace tempo::test {

TEST_CASE("a builder's faults stand where its questions were read", "[study][faults]") {
  Problems of_reader;
  for (const auto* message : {"r0", "r1"}) of_reader.add({"e.toml"}, message);
  FaultsInOrder of_builder;
  const auto messages = [&] {
    std::string text;
    const auto all = of_builder.among(of_reader);
    for (const auto& [place, message] : all.all()) text += message + " ";
    return text;
  };
  REQUIRE(messages() == "r0 r1 ");
  of_builder.at({{"e.toml"}, 2}).add({"e.toml"}, "last");
  of_builder.at({{"e.toml"}, 1}).add({"e.toml"}, "between");
  of_builder.at({{"e.toml"}, 0}).add({"e.toml"}, "first");
  of_builder.at({{"e.toml"}, 1}).add({"e.toml"}, "again");
  REQUIRE(messages() == "first r0 between again r1 last ");
}

}  // namespace tempo::test
