#include "tempo/parameters.hpp"

#include "support.hpp"

namespace tempo::test {
namespace {

using Array = ParameterValue::Array;

/// A value on line 3 of study.toml; anything the variant takes.
template <class T>
ParameterValue value(T content) {
  ParameterValue out;
  out.place = {"study.toml", 3, 8};
  out.value = std::move(content);
  return out;
}

ParameterTable table(std::initializer_list<std::pair<const char*, ParameterValue>> entries) {
  ParameterTable out;
  out.place = {"study.toml", 1, 1};
  for (const auto& [key, entry] : entries) out.set(key, entry);
  return out;
}

/// What a reader says about `{ x = given }`; empty if nothing.
template <class Read>
std::string complaint(const ParameterTable& settings, Read&& read) {
  Problems problems;
  Parameters keys(settings, "[[method]] 'debm'", problems);
  read(keys);
  return problems.report();
}
template <class Read>
std::string complaint(ParameterValue given, Read&& read) {
  return complaint(table({{"x", std::move(given)}}), read);
}

const auto text_value = [](const char* text) { return value(std::string(text)); };
const auto whole_value = [](std::int64_t number) { return value(number); };

/// A factory that knows one stage prior, `beta`, with one key, `alpha`.
class OnePrior final : public PartFactory {
 public:
  PartSpec resolve(InterfaceKind kind, const PartSpec& part, const std::string& where,
                   Problems& problems) const override {
    if (kind != InterfaceKind::stage_prior || part.plugin != "beta")
      problems.add(part.place, "unknown plugin '" + part.plugin + "'");
    Parameters keys(part.settings, where, problems);
    keys.number("alpha", 5.0, positive, "first shape");
    keys.report_unread();
    return {part.plugin, keys.resolved(), part.place};
  }
  std::unique_ptr<StagePrior> stage_prior(const PartSpec&) const override { return nullptr; }
  std::unique_ptr<MeasurementModel> measurement_model(const PartSpec&,
                                                      const BiomarkerTable&) const override {
    return nullptr;
  }
  std::unique_ptr<GenerativeProcess> hypothesis(const PartSpec&,
                                                const BiomarkerTable&) const override {
    return nullptr;
  }
};

}  // namespace

TEST_CASE("a required key that is missing is reported at its table", "[model][parameters]") {
  const auto none = table({});
  const auto missing = [&](const std::string& expected, auto&& read) {
    REQUIRE(complaint(none, read) ==
            "study.toml:1:1: missing key 'x' in [[method]] 'debm'; expected " + expected);
  };
  missing("a number > 0",
          [](Parameters& keys) { keys.number("x", std::nullopt, positive, "help"); });
  missing("a finite number",
          [](Parameters& keys) { keys.number("x", std::nullopt, any_number, "help"); });
  missing("an integer >= 1",
          [](Parameters& keys) { keys.integer("x", std::nullopt, at_least_one, "help"); });
  missing("true or false", [](Parameters& keys) { keys.flag("x", std::nullopt, "help"); });
  missing("'a' or 'b'", [](Parameters& keys) {
    keys.choice("x", std::nullopt, {"a", "b"}, "help");
  });
  missing("a string", [](Parameters& keys) { keys.text("x", std::nullopt, "help"); });
  missing("a list of strings", [](Parameters& keys) { keys.texts("x", std::nullopt, "help"); });
  missing("the id of a stage_prior or a table with plugin = \"...\"", [](Parameters& keys) {
    keys.part("x", InterfaceKind::stage_prior, std::nullopt, "help");
  });
}

TEST_CASE("a number", "[model][parameters]") {
  double read = 0.0;
  const auto number = [&](Bounds bounds) {
    return [&read, bounds](Parameters& keys) { read = keys.number("x", 0.5, bounds, "help"); };
  };
  const std::string at = "study.toml:3:8: 'x' must be ";

  SECTION("may be written as an integer") {
    REQUIRE(complaint(whole_value(2), number(positive)).empty());
    REQUIRE(read == 2.0);
  }
  SECTION("of another type or out of range is refused, and reading goes on with the default") {
    REQUIRE(complaint(text_value("2"), number(any_number)) == at + "a finite number, not a string");
    REQUIRE(complaint(value(true), number(positive)) == at + "a number > 0, not a boolean");
    REQUIRE(complaint(value(0.0), number(positive)) == at + "a number > 0, not 0");
    REQUIRE(complaint(value(-0.25), number(non_negative)) == at + "a number >= 0, not -0.25");
    REQUIRE(complaint(value(1.5), number(unit_interval)) == at + "a number in [0, 1], not 1.5");
    REQUIRE(complaint(value(1.0), number({.low = 0.0, .high = 1.0, .high_open = true})) ==
            at + "a number in [0, 1), not 1");
    REQUIRE(complaint(value(0.0), number({.low = 0.0, .high = 1.0, .low_open = true})) ==
            at + "a number in (0, 1], not 0");
    REQUIRE(complaint(whole_value(4), number({.high = 3.0})) == at + "a number <= 3, not 4");
    REQUIRE(complaint(whole_value(3), number({.high = 3.0, .high_open = true})) ==
            at + "a number < 3, not 3");
    REQUIRE(read == 0.5);
  }
  SECTION("that is not finite is refused, whatever the bounds") {
    REQUIRE(complaint(value(std::numeric_limits<double>::infinity()), number(positive)) ==
            at + "a number > 0, not inf");
    REQUIRE(complaint(value(std::numeric_limits<double>::quiet_NaN()), number(any_number)) ==
            at + "a finite number, not nan");
  }
}

TEST_CASE("an integer", "[model][parameters]") {
  std::int64_t read = 0;
  const auto integer = [&](Parameters& keys) { read = keys.integer("x", 7, at_least_one, "help"); };
  const std::string at = "study.toml:3:8: 'x' must be an integer >= 1, not ";

  REQUIRE(complaint(whole_value(20'000), integer).empty());
  REQUIRE(read == 20'000);
  REQUIRE(complaint(value(2.0), integer) == at + "2.0");
  REQUIRE(complaint(value(1e300), integer) == at + "1e+300");
  REQUIRE(complaint(whole_value(0), integer) == at + "0");
  REQUIRE(complaint(text_value("many"), integer) == at + "a string");
  REQUIRE(read == 7);
}

TEST_CASE("a flag", "[model][parameters]") {
  bool read = false;
  const auto flag = [&](Parameters& keys) { read = keys.flag("x", true, "help"); };
  REQUIRE(complaint(value(false), flag).empty());
  REQUIRE(!read);
  REQUIRE(complaint(whole_value(1), flag) ==
          "study.toml:3:8: 'x' must be true or false, not an integer");
  REQUIRE(read);
}

TEST_CASE("a choice", "[model][parameters]") {
  std::string read;
  const auto choice = [&](Parameters& keys) {
    read = keys.choice("x", "paper", {"paper", "repaired"}, "help");
  };
  const std::string at = "study.toml:3:8: 'x' must be 'paper' or 'repaired', not ";

  REQUIRE(complaint(text_value("repaired"), choice).empty());
  REQUIRE(read == "repaired");
  REQUIRE(complaint(text_value("papre"), choice) == at + "'papre'; did you mean 'paper'?");
  REQUIRE(complaint(text_value("none"), choice) == at + "'none'");
  REQUIRE(complaint(value(1.5), choice) == at + "a number");
  REQUIRE(read == "paper");
}

TEST_CASE("a text", "[model][parameters]") {
  std::string read;
  const auto text = [&](Parameters& keys) { read = keys.text("x", "default", "help"); };
  REQUIRE(complaint(text_value("mine"), text).empty());
  REQUIRE(read == "mine");
  REQUIRE(complaint(value(Array{}), text) == "study.toml:3:8: 'x' must be a string, not a list");
  REQUIRE(complaint(text_value(""), text) == "study.toml:3:8: 'x' must not be empty");
  REQUIRE(read == "default");
  // Settings that were resolved are read again when the plugin's object is made.
  const auto empty = [&](Parameters& keys) { read = keys.text("x", "", "help"); };
  REQUIRE(complaint(text_value(""), empty).empty());
  REQUIRE(read.empty());
}

TEST_CASE("a key that is read twice is one key", "[model][parameters]") {
  ParameterTable table;
  table.set("n", ParameterValue{{}, std::int64_t{2}});
  Problems problems;
  Parameters keys(table, "x", problems);
  REQUIRE(keys.raw("n", "integer", "help", "1") != nullptr);
  REQUIRE(keys.integer("n", 1, positive, "help") == 2);
  REQUIRE(keys.declared().size() == 1);
  REQUIRE(keys.declared().front().type == "integer");
}

TEST_CASE("files are texts with a role, and what results do not depend on is set aside",
          "[model][parameters]") {
  const ParameterTable none;
  Problems problems;
  Parameters keys(none, "x", problems);
  REQUIRE(keys.files("command", {{"python3", "lab.py"}}, "help") ==
          std::vector<std::string>{"python3", "lab.py"});
  REQUIRE(keys.declared().back().role == ParameterRole::files);
  REQUIRE(keys.declared().back().type == "list of texts");
  keys.number("limit", 1.0, positive, "help");
  REQUIRE(keys.declared().back().role == ParameterRole::plain);
  keys.set_aside("limit");
  REQUIRE(keys.declared().back().role == ParameterRole::aside);
  REQUIRE(keys.declared().front().role == ParameterRole::files);
}

TEST_CASE("a device is a text with a role", "[model][parameters]") {
  std::string read;
  const auto device = [&](Parameters& keys) {
    read = keys.device("x", "auto", "help");
    REQUIRE(keys.declared().back().type == "text");
    REQUIRE(keys.declared().back().fallback == "\"auto\"");
    REQUIRE(keys.declared().back().role == ParameterRole::device);
  };
  REQUIRE(complaint(text_value("cuda:1"), device).empty());
  REQUIRE(read == "cuda:1");
  REQUIRE(complaint(value(true), device) == "study.toml:3:8: 'x' must be a string, not a boolean");
}

TEST_CASE("where distributions come from is a choice with a role", "[model][parameters]") {
  auto read = Distributions::known;
  const auto distributions = [&](Parameters& keys) {
    read = keys.distributions("x", Distributions::sampled, "help");
    REQUIRE(keys.declared().back().type == "choice");
    REQUIRE(keys.declared().back().fallback == "\"sample\"");
    REQUIRE(keys.declared().back().allowed == "'known', 'estimate' or 'sample'");
    REQUIRE(keys.declared().back().role == ParameterRole::distributions);
  };
  REQUIRE(complaint(text_value("estimate"), distributions).empty());
  REQUIRE(read == Distributions::estimated);
  REQUIRE(complaint(table({}), distributions).empty());
  REQUIRE(read == Distributions::sampled);
  REQUIRE(complaint(text_value("estimated"), distributions) ==
          "study.toml:3:8: 'x' must be 'known', 'estimate' or 'sample', not 'estimated'; did you "
          "mean 'estimate'?");
  REQUIRE(distributions_from("known") == Distributions::known);
  REQUIRE(distributions_from("guessed") == std::nullopt);
}

TEST_CASE("of keys that nobody knows a hundred are told, the others counted",
          "[model][parameters]") {
  ParameterTable settings;
  settings.place = {"study.toml", 1, 1};
  for (int i = 0; i < 150; ++i) settings.set("key" + std::to_string(i), whole_value(i));
  Problems problems;
  Parameters(settings, "[[method]] 'debm'", problems).report_unread();
  REQUIRE(problems.size() == 101);
  REQUIRE(problems.all().back().message == "and 50 more unknown keys in [[method]] 'debm'");
}

TEST_CASE("of more faults than anybody reads a thousand are told", "[model]") {
  Problems problems;
  for (std::size_t i = 0; i < 1500; ++i) problems.add({"a.csv", i + 1, 1}, "is no number");
  REQUIRE_THAT(problems.report(), Catch::EndsWith("\na.csv:1000:1: is no number\nand 500 more"));
}

TEST_CASE("a list of texts", "[model][parameters]") {
  std::vector<std::string> read;
  const auto texts = [&](Parameters& keys) {
    read = keys.texts("x", std::vector<std::string>{"h1"}, "help");
  };

  SECTION("replaces the default") {
    REQUIRE(complaint(value(Array{text_value("h2"), text_value("h3")}), texts).empty());
    REQUIRE(read == std::vector<std::string>{"h2", "h3"});
    REQUIRE(complaint(value(Array{}), texts).empty());
    REQUIRE(read.empty());
  }
  SECTION("of another type is refused") {
    REQUIRE(complaint(text_value("h2"), texts) ==
            "study.toml:3:8: 'x' must be a list of strings, not a string");
    REQUIRE(read == std::vector<std::string>{"h1"});
  }
  SECTION("is refused item by item, each at its place") {
    auto second = whole_value(2);
    second.place.column = 14;
    REQUIRE(complaint(value(Array{text_value(""), second, text_value("h3")}), texts) ==
            "study.toml:3:8: 'x' must hold non-empty strings, not an empty one\n"
            "study.toml:3:14: 'x' must hold non-empty strings, not an integer");
  }
}

TEST_CASE("a part", "[model][parameters]") {
  const OnePrior parts;
  PartSpec read;
  const auto faults = [&](const ParameterValue& given) {
    const auto settings = table({{"x", given}});
    Problems problems;
    Parameters keys(settings, "[[hypothesis]] 'mine'", problems, &parts);
    read = keys.part("x", InterfaceKind::stage_prior, "beta", "help");
    return problems.report();
  };
  const std::string expected =
      "study.toml:3:8: 'x' must be the id of a stage_prior or a table with plugin = \"...\", not ";

  SECTION("by its id, defaults filled in") {
    REQUIRE(faults(text_value("beta")).empty());
    REQUIRE(read.plugin == "beta");
    REQUIRE(canonical_json(read.settings) == R"({"alpha":5})");
  }
  SECTION("with settings") {
    REQUIRE(faults(value(table({{"plugin", text_value("beta")}, {"alpha", value(8.0)}}))).empty());
    REQUIRE(read.plugin == "beta");
    REQUIRE(canonical_json(read.settings) == R"({"alpha":8})");
  }
  SECTION("whose settings have faults: the message says which part of what") {
    REQUIRE(faults(value(table({{"plugin", text_value("beta")}, {"alhpa", value(8.0)}}))) ==
            "study.toml:3:8: unknown key 'alhpa' in [[hypothesis]] 'mine' x; expected 'alpha'; did "
            "you mean 'alpha'?");
  }
  SECTION("that does not exist, at the place of its id") {
    auto id = text_value("gamma");
    id.place.column = 20;
    REQUIRE(faults(value(table({{"plugin", id}}))) == "study.toml:3:20: unknown plugin 'gamma'");
  }
  SECTION("that is not named") {
    REQUIRE(faults(whole_value(5)) == expected + "an integer");
    REQUIRE(faults(text_value("")) == expected + "an empty id");
    REQUIRE(faults(value(table({{"alpha", value(8.0)}}))) == expected + "a table without an id");
    REQUIRE(faults(value(table({{"plugin", whole_value(5)}}))) ==
            expected + "a table without an id");
    REQUIRE(read.plugin.empty());
  }
}

TEST_CASE("keys that nobody read are reported with the nearest name", "[model][parameters]") {
  const auto read = [](Parameters& keys) {
    keys.number("noise_scale", 1.0, positive, "help");
    keys.flag("verbose", false, "help");
    keys.report_unread();
  };
  const std::string at = "study.toml:3:8: unknown key ";
  const std::string expected = " in [[method]] 'debm'; expected 'noise_scale' or 'verbose'";

  REQUIRE(complaint(table({{"noise_scale", value(2.0)}}), read).empty());
  REQUIRE(complaint(table({{"noise_scal", value(2.0)}, {"seed", whole_value(1)}}), read) ==
          at + "'noise_scal'" + expected + "; did you mean 'noise_scale'?\n" + at + "'seed'" +
              expected);
  REQUIRE(complaint(table({{"seed", whole_value(1)}}), [](Parameters& keys) {
            keys.report_unread();
          }) == at + "'seed' in [[method]] 'debm'; expected no keys");
}

TEST_CASE("reading declares: what is resolved and shown", "[model][parameters]") {
  const auto settings = table({{"iterations", whole_value(50)}, {"extra", text_value("as is")}});
  Problems problems;
  Parameters keys(settings, "[[method]] 'debm'", problems);
  keys.number("noise_sd", 0.05, unit_interval, "noise of event times", "B");
  keys.integer("iterations", 100, at_least_one, "sweeps");
  keys.flag("shuffle", true, "start anywhere");
  keys.choice("fidelity", "paper", {"paper", "repaired"}, "which version");
  keys.text("name", "plain", "a name");
  keys.texts("train_on", std::vector<std::string>{"h1", "h2"}, "hypotheses");
  keys.part("prior", InterfaceKind::stage_prior, "beta", "law of stages");
  keys.raw("extra", "anything", "as it stands");
  keys.raw("absent", "anything", "as it stands");

  SECTION("every key with the value in force") {
    REQUIRE(problems.empty());
    REQUIRE(canonical_json(keys.resolved()) ==
            R"({"extra":"as is","fidelity":"paper","iterations":50,"name":"plain","noise_sd":0.05,)"
            R"("prior":{"plugin":"beta"},"shuffle":true,"train_on":["h1","h2"]})");
  }
  SECTION("every key with type, default, range and unit") {
    std::string shown;
    for (const auto& spec : keys.declared())
      shown += spec.key + "|" + spec.type + "|" + spec.fallback + "|" + spec.allowed + "|" +
               spec.unit + "|" + spec.help + "\n";
    REQUIRE(shown ==
            "noise_sd|number|0.05|in [0, 1]|B|noise of event times\n"
            "iterations|integer|100|>= 1||sweeps\n"
            "shuffle|boolean|true|||start anywhere\n"
            "fidelity|choice|\"paper\"|'paper' or 'repaired'||which version\n"
            "name|text|\"plain\"|||a name\n"
            "train_on|list of texts|[\"h1\",\"h2\"]|||hypotheses\n"
            "prior|plugin|\"beta\"|of kind stage_prior||law of stages\n"
            "extra|anything||||as it stands\n"
            "absent|anything||||as it stands\n");
  }
}

TEST_CASE("canonical JSON: equal settings, equal text", "[model][parameters]") {
  SECTION("whatever the order of the keys, at every depth") {
    const auto one = table(
        {{"b", whole_value(1)}, {"a", value(table({{"d", value(0.5)}, {"c", value(false)}}))}});
    const auto other = table(
        {{"a", value(table({{"c", value(false)}, {"d", value(0.5)}}))}, {"b", whole_value(1)}});
    REQUIRE(canonical_json(one) == R"({"a":{"c":false,"d":0.5},"b":1})");
    REQUIRE(canonical_json(one) == canonical_json(other));
  }
  SECTION("the order of a list counts") {
    REQUIRE(canonical_json(value(Array{whole_value(2), whole_value(1)})) == "[2,1]");
  }
  SECTION("numbers are the shortest text that gives them back, however they were written") {
    REQUIRE(canonical_json(value(0.1)) == "0.1");
    REQUIRE(canonical_json(value(0.1 + 0.2)) == "0.30000000000000004");
    REQUIRE(canonical_json(value(2.0)) == canonical_json(whole_value(2)));
    REQUIRE(canonical_json(value(-0.0)) == "0");
    REQUIRE(canonical_json(whole_value(std::numeric_limits<std::int64_t>::min())) ==
            "-9223372036854775808");
    REQUIRE(canonical_json(value(std::numeric_limits<double>::infinity())) == "\"inf\"");
  }
  SECTION("texts are escaped") {
    REQUIRE(canonical_json(text_value("a \"b\" \\ \n \xCE\xBE")) ==
            "\"a \\\"b\\\" \\\\ \\u000a \xCE\xBE\"");
  }
}

TEST_CASE("a table keeps the order written; setting a key again replaces it",
          "[model][parameters]") {
  auto settings = table({{"b", whole_value(1)}, {"a", whole_value(2)}});
  auto given = whole_value(9);
  given.place = {"--set", 0, 0};
  settings.set("b", given);
  REQUIRE(settings.entries.size() == 2);
  REQUIRE(settings.entries[0].key == "b");
  REQUIRE(settings.entries[0].place.file == "--set");
  REQUIRE(std::get<std::int64_t>(settings.find("b")->value) == 9);
  REQUIRE(settings.find("c") == nullptr);
}

}  // namespace tempo::test
