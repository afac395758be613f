// Help for people, pages, manuals and shells.

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "program.hpp"

namespace tempo::test {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

constexpr const char* kCommands[] = {
    "run",     "validate", "plan",   "train",          "infer",
    "stage",   "compare",  "merge",  "plausibility",   "simulate",
    "results", "report",   "import", "fit-parameters", "synthesize-adnimerge",
    "plugins", "help"};

/// The calls that end a command's help.
std::vector<std::string> examples(const std::string& help) {
  std::vector<std::string> out;
  std::istringstream lines(help.substr(help.find("\nexamples:\n") + 1));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  tempo ")) out.push_back(line.substr(std::string("  tempo ").size()));
  return out;
}

/// Whether a program of this name can be called; says so where a check is left out without it.
bool is_there(const Program& program, const std::string& name) {
  const bool found = program.shell("command -v " + name).code == 0;
  if (!found) WARN(name << " is not there, a check is left out: scripts/install-packages --tests");
  return found;
}

/// Types a line and a tab into a zsh of its own, and prints what it offers, a line each.
constexpr const char* kZsh = R"zsh(zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'source ./setup.zsh'
zpty -w -n z "$1"$'\t'
while zpty -r z line; do
  line=${line%%$'\r\n'}
  [[ $line == *BEGIN ]] && shown=1 && continue
  [[ $line == *END ]] && break
  ((${shown:-0})) && print -r -- $line
done
zpty -d z
)zsh";

/// What that zsh begins with: what would be offered is printed between two marks.
constexpr const char* kZshSetup = R"zsh(PROMPT=
fpath=($PWD $fpath)
autoload -Uz compinit && compinit -u -d $PWD/dump
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
begin() { print -r -- BEGIN }
finish() { print -r -- END; exit }
compprefuncs=(begin)
comppostfuncs=(finish)
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  typeset -a hits
  builtin compadd -A hits "$@"
  ((${#hits})) && print -rl -- $hits
  builtin compadd "$@"
}
)zsh";

/// What zsh offers for the end of a line, sorted. @param tempo  the program, or what is none
std::string offered_by_zsh(const Program& program, const std::string& tempo,
                           const std::string& line) {
  program.write("type.zsh", kZsh);
  program.write("setup.zsh", kZshSetup);
  const auto outcome = program.shell("tempo help --format zsh > _tempo && ln -sf '" + tempo +
                                     "' bin-tempo && sed -i '1s/.*/#compdef tempo bin-tempo/' "
                                     "_tempo && timeout 60 zsh -f type.zsh './bin-tempo " +
                                     line + "' | sort -u | paste -s -d ' '");
  INFO(line << "\n" << outcome.errors);
  REQUIRE(outcome.code == 0);
  return outcome.output;
}

/// What bash offers for the last of some words, sorted.
std::string completed(const Program& program, const std::string& words) {
  const auto outcome = program.shell(
      "tempo help --format bash > tempo.bash && bash -c 'set -u; source ./tempo.bash; COMP_WORDS=(" +
      words +
      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tempo; printf \"%s\\n\" "
      "\"${COMPREPLY[@]}\" | sort | paste -s -d \" \"'");
  INFO(words << "\n" << outcome.errors);
  REQUIRE(outcome.code == 0);
  REQUIRE(outcome.errors.empty());
  return outcome.output;
}

}  // namespace

TEST_CASE("help of a command is its --help, with two examples", "[cli][help]") {
  const Program program;
  for (const std::string command : kCommands) {
    const auto help = program.tempo("help " + command);
    INFO(command << "\n" << help.output << help.errors);
    REQUIRE(help.code == 0);
    REQUIRE(help.output == program.tempo(command + " --help").output);
    const auto usage = help.output.substr(0, help.output.find("\n\n"));
    for (const auto& line : split(usage, '\n')) REQUIRE(line.size() <= 120);
    const auto calls = examples(help.output);
    REQUIRE(calls.size() == 2);
    for (auto call : calls) {
      INFO(call);
      REQUIRE_THAT(call, StartsWith(command + " "));
      // Where a call goes on to a file --help has its place before.
      call.insert(std::min(call.find(" > "), call.size()), " --help");
      REQUIRE(program.tempo(call).code == 0);  // its options are there
    }
  }
}

TEST_CASE("tempo alone says what to try first", "[cli][help]") {
  const auto outcome = Program().tempo("");
  REQUIRE(outcome.code == 2);
  REQUIRE(outcome.output.empty());
  REQUIRE_THAT(outcome.errors, Contains("\nTry first:\n  tempo run experiments/quickstart.toml "));
}

TEST_CASE("help suggests what may be meant", "[cli][help]") {
  const Program program;
  const auto complaint = [&](const std::string& arguments) {
    const auto outcome = program.tempo(arguments);
    REQUIRE(outcome.code == 2);
    return outcome.errors.substr(0, outcome.errors.find('\n'));
  };
  REQUIRE_THAT(complaint("help rum"), StartsWith("tempo help: unknown command 'rum'; expected"));
  REQUIRE_THAT(complaint("help rum"), EndsWith("did you mean 'run'?"));
  REQUIRE_THAT(complaint("hlep"), EndsWith("did you mean 'help'? (see tempo help)"));
  REQUIRE_THAT(complaint("--hlep"), StartsWith("tempo: unknown option '--hlep'"));
  REQUIRE_THAT(complaint("--hlep"), EndsWith("did you mean '--help'? (see tempo help)"));
  REQUIRE_THAT(complaint("help --fromat man"), Contains("did you mean '--format'?"));
  REQUIRE_THAT(complaint("help --format bsh"), EndsWith("did you mean 'bash'?"));
  REQUIRE_THAT(complaint("help run --format bash"),
               EndsWith("unknown format 'bash'; expected 'text', 'markdown' or 'man'"));
  REQUIRE_THAT(complaint("plugins info --al h3"), Contains("did you mean '--all'?"));
}

TEST_CASE("help of a command as part of a page", "[cli][help]") {
  const Program program;
  const auto page = program.tempo("help run --format markdown").output;
  REQUIRE_THAT(page, StartsWith("```text\ntempo run EXPERIMENT.toml [options]\n```\n\n"
                                "| Option | Meaning | Default |\n|---|---|---|\n"));
  REQUIRE_THAT(page, Contains("\n| `--jobs N`, `-j N` | fits at a time, "));
  REQUIRE_THAT(page, EndsWith("--out runs/small\n```\n"));
  REQUIRE_THAT(
      program.tempo("help results --format markdown").output,
      Contains("| `--format F` | 'table', 'csv', 'json', 'latex' or 'markdown' | `table` |"));
  // A bar within a cell would end it.
  REQUIRE_THAT(program.tempo("help --format markdown").output,
               StartsWith("| Command | What it does |\n|---|---|\n| `tempo run` | simulate or "));
}

TEST_CASE("manual pages are troff without a warning", "[cli][help]") {
  const Program program;
  const bool has_groff = is_there(program, "groff");
  for (std::string page : kCommands) {
    page = page == "help" ? "" : page;
    const auto made = program.tempo("help " + page + " --format man");
    INFO(page << made.errors);
    REQUIRE(made.code == 0);
    REQUIRE_THAT(made.output, StartsWith(page.empty() ? ".TH tempo 1 " : ".TH tempo\\-"));
    for (const auto* section : {"NAME", "SYNOPSIS", "EXAMPLES", "EXIT STATUS"})
      REQUIRE_THAT(made.output, Contains(fmt::format("\n.SH {}\n", section)));
    if (!has_groff) continue;
    const auto checked =
        program.shell("tempo help " + page + " --format man | groff -man -Tutf8 -ww -z");
    REQUIRE(checked.code == 0);
    REQUIRE(checked.output + checked.errors == "");
  }
}

TEST_CASE("bash completes command lines", "[cli][help]") {
  const Program program;
  program.write("e.toml", "");
  program.write("c.csv", "");
  std::filesystem::create_directory(program.path() / "runs");
  REQUIRE(completed(program, "tempo va") == "validate\n");
  REQUIRE(completed(program, "tempo --v") == "--version\n");
  REQUIRE(completed(program, "tempo run --fa") == "--fail-fast\n");
  REQUIRE(completed(program, "tempo run \"\"") == "e.toml five.toml runs\n");
  REQUIRE(completed(program, "tempo run e.toml --out \"\"") == "runs\n");
  REQUIRE(completed(program, "tempo compare c") == "c.csv\n");
  REQUIRE(completed(program, "tempo results --format j") == "json\n");
  REQUIRE(completed(program, "tempo results --format = la") == "latex\n");  // --format=la
  REQUIRE(completed(program, "tempo plugins \"\"") == "check info list new\n");
  REQUIRE(completed(program, "tempo help fit") == "fit-parameters\n");
  REQUIRE(completed(program, "tempo help --format \"\"") == "bash man markdown text zsh\n");
  REQUIRE(completed(program, "tempo rum \"\"") == "\n");
  SECTION("each argument in its place, whatever options stand before") {
    REQUIRE(completed(program, "tempo plugins list \"\"") ==
            "\n");  // tempo is in no folder of PATH
    REQUIRE(completed(program, "tempo plugins --format json \"\"") == "check info list new\n");
    REQUIRE(completed(program, "tempo plugins --format = json \"\"") == "check info list new\n");
    REQUIRE(completed(program, "tempo run e.toml \"\"") == "\n");
    REQUIRE(completed(program, "tempo merge runs ru") == "runs\n");  // a list goes on
  }
  SECTION("plugins that are there") {
    const std::string there = "\"" TEMPO_TEST_PROGRAM "\" ";
    REQUIRE(completed(program, there + "plugins info dirichlet") == "dirichlet_multinomial\n");
    REQUIRE(completed(program, there + "plugins --format json info unif") == "uniform\n");
    REQUIRE(completed(program, there + "compare c.csv --method baye") == "bayes\n");
    REQUIRE(completed(program, there + "train --hypothesis h3") == "h3\n");
    REQUIRE(completed(program, there + "compare c.csv --hypotheses h3,h1") == "h3,h1\n");
    REQUIRE(completed(program, there + "train --hypothesis dirichlet") == "\n");  // none it is
  }
}

TEST_CASE("zsh takes its completion for a program", "[cli][help]") {
  const Program program;
  const auto script = program.tempo("help --format zsh");
  REQUIRE(script.code == 0);
  REQUIRE_THAT(script.output, StartsWith("#compdef tempo\n"));
  REQUIRE_THAT(
      script.output,
      Contains("'--format=['\\''table'\\'', '\\''csv'\\'', '\\''json'\\'', '\\''latex'\\'' "
               "or '\\''markdown'\\'']:F:(table csv json latex markdown)'"));
  REQUIRE_THAT(script.output, Contains("'1:EXPERIMENT:_files -g \"*.toml\"'"));
  if (is_there(program, "zsh")) {
    const auto checked = program.shell("tempo help --format zsh > _tempo && zsh -n _tempo");
    INFO(checked.errors);
    REQUIRE(checked.code == 0);
  }
}

TEST_CASE("zsh completes command lines", "[cli][help]") {
  const Program program;
  if (!is_there(program, "zsh")) return;
  const auto offered = [&](const std::string& line) {
    return offered_by_zsh(program, TEMPO_TEST_PROGRAM, line);
  };
  REQUIRE(offered("va") == "validate\n");
  REQUIRE(offered("--") == "--help --version\n");
  REQUIRE(offered("plugins ") == "check info list new\n");
  REQUIRE(offered("plugins info dirichlet") == "dirichlet_multinomial\n");
  REQUIRE(offered("compare c.csv --method baye") == "bayes\n");
  REQUIRE(offered("compare c.csv --hypotheses h3,h1") == "h1\n");
  REQUIRE(offered_by_zsh(program, "/nowhere/tempo", "plugins info ") == "\n");
}

TEST_CASE("the list of plugins has columns as wide as its widest names", "[cli][plugins]") {
  const auto list = Program().tempo("plugins list").output;
  std::set<std::size_t> columns;  // where the versions begin
  for (const auto& line : split(list, '\n'))
    if (const auto id = line.find_first_not_of(' '); id == 2)
      if (const auto gap = line.find("  ", id); gap != std::string::npos)
        columns.insert(line.find_first_not_of(' ', gap));
  INFO(list);
  REQUIRE_THAT(list, Contains("\n  dirichlet_multinomial  "));
  REQUIRE(columns.size() == 1);
}

TEST_CASE("plugins as parts of pages", "[cli][plugins][help]") {
  const Program program;
  const auto all = program.tempo("plugins list --format markdown");
  REQUIRE(all.code == 0);
  REQUIRE_THAT(all.output, StartsWith("| Plugin | Kind | What it is |\n|---|---|---|\n"));
  REQUIRE_THAT(all.output, Contains("\n| `probe` | method | "));
  const auto one = program.tempo("plugins info beta --format markdown");
  REQUIRE(one.code == 0);
  REQUIRE_THAT(one.output, StartsWith("| Key | Type | Default | Range or choices | Meaning |\n"
                                      "|---|---|---|---|---|\n| `alpha` | number | "));
  REQUIRE(program.tempo("plugins info chance --format markdown").output ==
          "This plugin takes no settings.\n");
  REQUIRE(program.tempo("plugins info beta --format json").output ==
          program.tempo("plugins info beta --json").output);
  REQUIRE(program.tempo("plugins info beta --format json --json").code == 2);
}

}  // namespace tempo::test
