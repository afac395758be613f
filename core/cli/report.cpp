// tempo report: the page that shows a run, and its figures as files.

#include "cli/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "cli/command.hpp"
#include "cli/outside.hpp"
#include "cli/program_call.hpp"
#include "data/text_file.hpp"
#include "model/fault_text.hpp"
#include "report/report_page.hpp"
#include "run/run_folder.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

const std::vector<std::string> kFigureFormats{"svg", "png", "pdf"};

void add_report_options(Options& options) {
  options.text("out", "FILE", "where the page goes (default: report.html in the run folder)");
  options.text("figures", "FOLDER",
               "write every figure as a file of its own into this folder, and no page");
  options.choice("format", "F", kFigureFormats, "of the figures: " + one_of(kFigureFormats), "svg");
  options.flag("participants", "also say what names participants of a real cohort: notes on them");
  add_outside_option(options);
  options.positional("RUN");
}

/// A page takes the place of a page, and of no other file.
void expect_page(const fs::path& out, Problems& problems) {
  const auto there = fs::is_regular_file(out) ? text_if_there(out) : std::nullopt;
  if (there && !there->empty() && there->find("<html") == std::string::npos)
    problems.add(
        {"--out"},
        fmt::format("'{}' exists and is no page; remove it, or choose another name", out.string()));
}

/// @throws InputError with all faults of the options; Error where the page was not built
void check_report(const Options& options) {
  Problems problems;
  expect_format(options, problems);
  const auto place = command_line(options.command());
  if (options.has("figures") && options.has("out"))
    problems.add(place, "give --out or --figures, not both");
  if (!options.has("figures") && !options.is_default("format"))
    problems.add(place, "--format is for --figures FOLDER");
  if (options.has("figures") && options.has("participants"))
    problems.add(place, "--participants is for the page, not for --figures");
  RunFolder::expect_store(options.argument("RUN"), problems);
  if (options.has("out")) {
    const auto inputs = options.list("with");
    refuse_overwriting(options, "out", {inputs.begin(), inputs.end()}, problems);
    expect_page(options.path("out"), problems);
  }
  problems.throw_if_any();
  if (!report_files().are_there()) throw Error(kHowToGetReport);
}

/// A file that is removed when this is destroyed.
class TemporaryPage {
 public:
  TemporaryPage()
      : path_(fs::temp_directory_path() / fmt::format("tempo-report-{}.html", getpid())) {}
  ~TemporaryPage() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryPage(const TemporaryPage&) = delete;
  TemporaryPage& operator=(const TemporaryPage&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Writes every figure into a folder. @return an exit code
int write_figures(Store& store, const RunResults& results, const fs::path& run,
                  const fs::path& folder, const std::string& format) {
  const TemporaryPage page;
  write_report(store, run, page.path(), results);
  fs::create_directories(folder);
  const std::vector<std::string> arguments{report_files().figure_files.string(),
                                           page.path().string(), folder.string(), format};
  for (const auto* node : {"node", "nodejs"}) {
    std::vector<std::string> call{node};
    call.insert(call.end(), arguments.begin(), arguments.end());
    if (const auto status = run_program(call)) return *status == 0 ? kOk : kFailed;
  }
  throw Error(
      "figures are drawn into files by Node.js, which is not here (Debian: apt install nodejs)");
}

int report(const Options& options) {
  check_report(options);
  const fs::path run = options.argument("RUN");
  Store store(RunFolder::store_in(run), Database::Mode::read);
  RunFolder::expect_plan(run, store);
  auto results = store.results();
  add_outside(options, store, results);
  if (options.has("figures"))
    return write_figures(store, results, run, options.path("figures"), options.get_text("format"));
  const auto out = options.has("out") ? options.path("out") : run / "report.html";
  write_report(store, run, out, std::move(results),
               options.has("participants") ? People::named : People::withheld);
  std::cout << "report: " << out.string() << "\n";
  return kOk;
}

}  // namespace

void show_report(Store& store, const fs::path& run_folder, const RunResults& results) {
  if (!report_files().are_there()) {
    std::cout << "report: none, tempo report says why\n";
    return;
  }
  const auto file = run_folder / "report.html";
  try {
    write_report(store, run_folder, file, results);
    std::cout << "report: " << file.string() << "\n";
  } catch (const std::exception& error) {
    warn("no report was written: " + fault_text(error));
  }
}

const Command report_command{
    "report",
    "RUN [--out FILE | --figures FOLDER [--format F]] [--participants] [--with FILE]",
    "write a run as a page to look at, or its figures as files",
    {{"tempo report runs/quickstart", "write runs/quickstart/report.html"},
     {"tempo report runs/quickstart --figures figures --format pdf",
      "write each figure as a file"}},
    add_report_options,
    report};

}  // namespace tempo::cli
