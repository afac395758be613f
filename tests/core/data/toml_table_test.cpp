#include "data/toml_table.hpp"

#include "faulty_input.hpp"
#include "support.hpp"

namespace tempo::test {
namespace {

using namespace std::string_literals;

ParameterTable read_toml(const std::string& text) {
  Problems problems;
  auto table = read_toml_text(text, "t.toml", problems);
  REQUIRE(problems.report() == "");
  return table;
}

const std::vector<FaultyInput> kFaultyToml{
    {"an empty file", "", "t.toml: is empty: it sets no key"},
    {"comments only",
     "# nothing\n"
     "\n",
     "t.toml: is empty: it sets no key"},
    {"a key twice",
     "seed = 1\n"
     "seed = 2\n",
     "t.toml:2:8: a key or [table] may be given only once, but there is an earlier integer 'seed'"},
    {"a table twice",
     "[x]\n"
     "y = 1\n"
     "[x]\n"
     "z = 2\n",
     "t.toml:3:1: a key or [table] may be given only once, but there is an earlier table 'x'"},
    {"a key that is a table as well",
     "a = 1\n"
     "[a]\n"
     "b = 2\n",
     "t.toml:2:1: a key or [table] may be given only once, but there is an earlier integer 'a'"},
    {"a dotted key below a number",
     "a.b = 1\n"
     "a.b.c = 2\n",
     "t.toml:2:3: a key or [table] may be given only once, but there is an earlier integer"},
    {"a list of tables that is a table as well",
     "[[a]]\n"
     "[a]\n",
     "t.toml:2:1: a key or [table] may be given only once, but there is an earlier array 'a'"},
    {"no value", "seed =\n",
     "t.toml:1:7: not valid TOML (in: key-value pair): expected value, saw '\\n'"},
    {"text without quotes", "plugin = debm\n",
     R"(t.toml:1:10: not valid TOML (in: value): could not determine value type; text needs quotes: "debm")"},
    {"True", "flag = True\n",
     "t.toml:1:8: not valid TOML (in: boolean): expected 'true', saw 'T'; write true or false in "
     "small letters"},
    {"text without quotes that begins like nan", "x = nope\n",
     R"(t.toml:1:6: not valid TOML (in: floating-point): expected 'nan', saw 'no'; text needs quotes: "nope")"},
    {"an unclosed string",
     R"(x = "abc
)",
     "t.toml:1:9: not valid TOML: text on one line needs a closing quote, and holds no control "
     "characters"},
    {"an unclosed list",
     "x = [1, 2\n"
     "y = 3\n",
     "t.toml:2:1: not valid TOML (in: array): expected comma or closing ']', saw 'y'"},
    {"two keys on a line", "a = 1 b = 2\n",
     "t.toml:1:7: not valid TOML (in: key-value pair): expected a comment or whitespace, saw 'b'"},
    {"an unclosed header", "[cohorts\n",
     "t.toml:1:9: not valid TOML (in: table header): expected ']', saw '\\n'"},
    {"no key", "= 3\n",
     "t.toml:1:1: not valid TOML (in: root table): expected keys, tables, whitespace or comments, "
     "saw '='"},
    {"an integer beyond 64 bits", "n = 99999999999999999999\n",
     "t.toml:1:25: not valid TOML (in: decimal integer): '99999999999999999999' is not "
     "representable in 64 bits"},
    {"a number beyond double", "n = 1e999\n",
     "t.toml:1:10: not valid TOML (in: floating-point): '1e999' could not be interpreted as a "
     "value"},
    {"a leading zero", "n = 01\n",
     "t.toml:1:7: not valid TOML (in: decimal integer): leading zeroes are prohibited"},
    {"an integer of more than 63 bits", "seed = 18446744073709551615\n",
     "t.toml:1:28: not valid TOML (in: decimal integer): '18446744073709551615' is not representable "
     "in 64 bits; a seed of this size needs quotes: \"18446744073709551615\""},
    {"a comma too many", "a = { b = 1, }\n",
     "t.toml:1:14: not valid TOML (in: inline table): expected key-value pair, saw closing '}' "
     "(dangling comma)"},
    {"a Windows path",
     R"(p = "C:\data"
)",
     R"(t.toml:1:9: not valid TOML: unknown escape sequence '\d'; a backslash in "..." is written \\, in '...' as it is)"},
    {"dates",
     "when = 1979-05-27\n"
     "t = [07:32:00]\n",
     R"(t.toml:1:8: no setting is a date or time; write text in quotes: "1979-05-27"
t.toml:2:6: no setting is a date or time; write text in quotes: "07:32:00")"},
    {"Latin-1",
     "# caf\351\n"
     "n = 1\n",
     "t.toml:1:6: byte 0xE9 is not UTF-8; save the file as UTF-8"},
    {"a colon for an equals sign", "seed: 1\n",
     "t.toml:1:5: not valid TOML (in: key-value pair): expected '=', saw ':'"},
    {"a NUL byte", "a = 1\000\n"s, "t.toml: is a binary file; expected text in UTF-8"},
    {"UTF-16",
     "\377\376a\000 \000=\000 \0001\000\n"
     "\000"s,
     "t.toml: is UTF-16 text; save it as UTF-8"},
    {"no digit before the point", "n = .5\n",
     "t.toml:1:5: not valid TOML (in: floating-point): expected decimal digit, saw '.'"},
    {"a decimal comma", "x = 3,14\n",
     "t.toml:1:6: not valid TOML (in: key-value pair): expected a comment or whitespace, saw ','"},
    {"a broken UTF-8 character", "x = '\342\202'\n",
     "t.toml:1:6: byte 0xE2 is not UTF-8; save the file as UTF-8"},
    {"half of a UTF-16 pair in UTF-8", "x = '\355\240\200'\n",
     "t.toml:1:6: byte 0xED is not UTF-8; save the file as UTF-8"},
    {"a path without quotes that begins like true", "path = tables/x.toml\n",
     R"(t.toml:1:9: not valid TOML (in: boolean): expected 'true', saw 'ta'; text needs quotes: "tables/x.toml")"},
    {"lines that end in CR", "a = 1\rb = 2\n",
     "t.toml:1:7: not valid TOML (in: key-value pair): expected '\\n' after '\\r', saw 'b'"},
};

}  // namespace

TEST_CASE("TOML as tables of settings", "[data][toml]") {
  SECTION("keys keep their order, keys and values their places") {
    const auto table =
        read_toml("z = 1\na = [2, { k = 'v' }]\n\n[m.n]\nx = true\n[[list]]\n[[list]]\ny = 2.5\n");
    const auto place = [](const Place& at) { return to_string(at); };
    REQUIRE(place(table.place) == "t.toml:1:1");
    REQUIRE(table.entries.size() == 4);
    REQUIRE(table.entries[0].key == "z");
    REQUIRE(place(table.entries[0].place) == "t.toml:1:1");
    REQUIRE(place(table.entries[0].value.place) == "t.toml:1:5");
    const auto& list = std::get<ParameterValue::Array>(table.find("a")->value);
    REQUIRE(place(list[1].place) == "t.toml:2:9");
    const auto& inner = std::get<ParameterTable>(list[1].value);
    REQUIRE(place(inner.entries[0].place) == "t.toml:2:11");
    REQUIRE(place(inner.entries[0].value.place) == "t.toml:2:15");
    const auto& m = std::get<ParameterTable>(table.find("m")->value);
    const auto& n = std::get<ParameterTable>(m.find("n")->value);
    REQUIRE(place(n.place) == "t.toml:4:1");
    REQUIRE(place(n.entries[0].place) == "t.toml:5:1");
    const auto& tables = std::get<ParameterValue::Array>(table.find("list")->value);
    REQUIRE(place(std::get<ParameterTable>(tables[1].value).place) == "t.toml:7:1");
  }
  SECTION("kinds of values") {
    REQUIRE(canonical_json(read_toml(
                "b = true\ni = -7\nx = 0x10\nf = 2.5\nt = 'text'\n\"odd key\" = inf\n")) ==
            R"({"b":true,"f":2.5,"i":-7,"odd key":"inf","t":"text","x":16})");
  }
  SECTION("a byte order mark and CRLF do not count") {
    REQUIRE(canonical_json(read_toml("\357\273\277a = 1\r\nb = 2\r\n")) == R"({"a":1,"b":2})");
  }
  SECTION("a file is named as the user named it") {
    const TemporaryFolder folder;
    Problems problems;
    read_toml(folder.path() / "none.toml", problems);
    read_toml(folder.write("sub/bad.toml", "x =\n"), problems);
    REQUIRE(problems.report() ==
            (folder.path() / "none.toml").string() + ": no such file\n" +
                (folder.path() / "sub/bad.toml").string() +
                ":1:4: not valid TOML (in: key-value pair): expected value, saw '\\n'");
  }
}

TEST_CASE("TOML that goes too deep is refused before it is parsed", "[data][toml]") {
  const auto many = [](const std::string& part, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += part;
    return out;
  };
  const auto fault_of = [](const std::string& text) {
    Problems problems;
    read_toml_text(text, "t.toml", problems);
    REQUIRE(problems.size() == 1);
    return problems.all().front().message;
  };
  const std::string parts = "a key has more than 32 parts";
  const std::string levels = "lists and tables lie more than 32 deep in each other";
  REQUIRE(fault_of(many("a.", 8'000) + "a = 1\n") == parts);
  REQUIRE(fault_of("[" + many("a . ", 8'000) + "a]\n") == parts);
  REQUIRE(fault_of("x = {" + many("'a'.", 8'000) + "b = 1}\n") == parts);
  REQUIRE(fault_of("x = " + many("[", 100'000)) == levels);
  REQUIRE(fault_of("x = " + many("{a=", 100'000)) == levels);
  SECTION("dots count as brackets do: what is read can be written, and is read again") {
    REQUIRE(fault_of("[a.b]\nx." + many("c.", 30) + "d = 1\n") == levels);
    REQUIRE(fault_of("[[a.b]]\nx." + many("c.", 20) + "d = " + many("[", 10) + many("]", 10)) ==
            levels);
    const auto deepest =
        read_toml("[a.b]\nx." + many("c.", 28) + "d = 1\nx.d = " + many("[", 29) + many("]", 29));
    REQUIRE(canonical_json(read_toml(to_toml(deepest))) == canonical_json(deepest));
  }
  SECTION("what only looks deep is read") {
    read_toml("x = '" + many("[.", 100) + "'\n");
    read_toml("x = \"\\\"" + many("[.", 100) + "\"\n");
    read_toml("x = '''\n'" + many("[.\n", 100) + "'''\n");
    read_toml("x = 1 # don't " + many("[.", 100) + "\ny = \"\"\n" + many("z.", 20) + "z = 2\n");
    read_toml("x = [" + many("1.5, ", 100) + "2.5]\n");
    read_toml("x = " + many("[", 32) + many("]", 32) + "\n");
  }
}

TEST_CASE("TOML with faults", "[data][toml]") {
  for (const auto& [what, text, report] : kFaultyToml) {
    DYNAMIC_SECTION(what) {
      Problems problems;
      read_toml_text(text, "t.toml", problems);
      REQUIRE(problems.report() == report);
    }
  }
}

TEST_CASE("tables of settings as TOML", "[data][toml]") {
  SECTION("plain keys first, then tables, then what is nested deeper on one line") {
    const auto table = read_toml(
        "[cohorts]\ntest = 50\nshare = 2.0\n[sweep]\n\"cohorts.test\" = [1, 2]\n[[method]]\nplugin "
        "= 'x'\n"
        "[method.prior]\nalpha = 1e-5\n[[method]]\n[empty]\n");
    auto with_seed = table;
    ParameterValue seed;
    seed.value = std::int64_t{7};
    with_seed.set("seed", seed);
    REQUIRE(to_toml(with_seed) ==
            "seed = 7\n"
            "\n[cohorts]\ntest = 50\nshare = 2.0\n"
            "\n[sweep]\n\"cohorts.test\" = [1, 2]\n"
            "\n[[method]]\nplugin = \"x\"\nprior = { alpha = 1e-05 }\n"
            "\n[[method]]\n"
            "\n[empty]\n");
  }
  SECTION("it reads back equal") {
    for (const std::string text :
         {"a = 1\n", "[only.tables.deep]\nx = [[1, 2], [], [{}, { y = 'z' }]]\n",
          "a = []\nb = {}\nc = [{}, 1]\n",
          "t = \"quote \\\" slash \\\\ tab \\t line \\n del \\u007F bell \\u0007 caf\\u00E9\"\n",
          "\"\" = 1\n\"a b\" = 2\n\"\\n\" = 3\n\"caf\\u00E9\" = 4\nA-b_9 = 5\n",
          "x = [0.1, 1e300, -1e-300, 5e-324, -0.0, inf, -inf, 1e22, 123456789012345680.0]\n",
          "n = [9223372036854775807, -9223372036854775808]\nf = true\n"}) {
      const auto table = read_toml(text);
      REQUIRE(canonical_json(read_toml(to_toml(table))) == canonical_json(table));
      REQUIRE(to_toml(read_toml(to_toml(table))) == to_toml(table));
    }
  }
  SECTION("a double stays a double") {
    REQUIRE(to_toml(read_toml("a = 2.0\nb = 2\nc = 1e22\nd = nan\n")) ==
            "a = 2.0\nb = 2\nc = 1e+22\nd = nan\n");
  }
}

}  // namespace tempo::test
