#include "cli/isolation.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <utility>

#include "cli/interrupt.hpp"
#include "run/run_folder.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::pair<const char*, Isolate>, 3> kIsolations{
    {{"guests", Isolate::guests}, {"all", Isolate::all}, {"none", Isolate::none}}};

}  // namespace

void add_isolation_options(Options& options) {
  std::vector<std::string> words;
  for (const auto& [word, which] : kIsolations) words.emplace_back(word);
  options.choice("isolate", "WHICH", words,
                 "fits in processes of their own: those with plugins that do not come with tempo "
                 "(guests) or with a limit, all, or none",
                 words.front());
  options.hidden_flag("serve-fits");  // what --isolate starts
}

Isolate isolate_of(const Options& options, Problems& problems) {
  expect_choice(options, "isolate", problems);
  const auto given = options.get_text("isolate");
  for (const auto& [word, which] : kIsolations)
    if (given == word) return which;
  return Isolate::guests;
}

Isolation isolation_of(const Options& options, Isolate which, const Study& study, const Plan& plan,
                       const Registry& registry, const fs::path& folder) {
  Isolation out{.which = which};
  out.fits = isolated_fits(study, plan, registry, which);
  out.server.command = {process::kThisProgram, "run",   RunFolder::lock_file_in(folder).string(),
                        "--serve-fits",        "--out", folder.string()};
  for (const auto& path : options.list("plugin-path"))
    out.server.command.insert(out.server.command.end(), {"--plugin-path", path});
  return out;
}

int serve_fits_of(const Study& study, const Plan& plan, const fs::path& folder) {
  leave_on_interrupt();
  Models models(study, plan, folder, RunFolder::earlier_store(folder).get());
  FitMaker fits(study, plan, models, 1);
  serve_fits(plan, fits, std::cin);
  return kOk;
}

}  // namespace tempo::cli
