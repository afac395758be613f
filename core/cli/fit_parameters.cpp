// tempo fit-parameters: the distributions before and after events, from a cohort.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "data/biomarker_file.hpp"
#include "data/estimated_biomarkers.hpp"
#include "data/real_cohort.hpp"
#include "data/text_file.hpp"
#include "report/mixture_plot.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

/// The distributions and how well they are known, for other programs.
std::string as_json(const std::vector<EstimatedBiomarker>& estimated, const std::string& healthy) {
  nlohmann::ordered_json out;
  out["healthy"] = healthy;
  for (const auto& found : estimated) {
    const auto& [pre, post, share, evidence] = found.mixture;
    auto warning =
        found.warning.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(found.warning);
    out["biomarkers"].push_back({{"name", found.name},
                                 {"pre_event", {{"mean", pre.mean}, {"sd", pre.sd}}},
                                 {"post_event", {{"mean", post.mean}, {"sd", post.sd}}},
                                 {"post_share", share},
                                 {"distance", found.distance},
                                 {"evidence", evidence},
                                 {"healthy", found.healthy},
                                 {"diseased", found.diseased},
                                 {"warning", warning}});
  }
  return out.dump(2) + "\n";
}

/// Complains of an output that is no such file or would overwrite what is read.
void check_output(const Options& options, const std::string& option,
                  const std::vector<std::string>& endings, const RealCohort& cohort,
                  Problems& problems) {
  if (!options.has(option)) return;
  const fs::path out = options.get<std::string>(option);
  const Place place{"--" + option};
  if (std::find(endings.begin(), endings.end(), out.extension().string()) == endings.end())
    problems.add(place, fmt::format("'{}' must end in {}", out.string(), one_of(endings)));
  refuse_overwriting(options, option, cohort.files, problems);
}

int fit_parameters(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  const std::vector<std::string> choices{"free", "fixed"};
  options.add()(
      "healthy", po::value<std::string>()->value_name("H")->default_value("free"),
      "'fixed': the healthy alone say what is before an event; 'free': so do the diseased "
      "whose event has not happened")("out", po::value<std::string>()->value_name("FILE"),
                                      "the table of biomarkers: .toml as experiments read it, or "
                                      ".json with all that is known of it")(
      "densities", po::value<std::string>()->value_name("FILE"),
      "fitted densities and histograms for plotting, .csv or .json")(
      "width", po::value<int>()->value_name("N")->default_value(80), "columns of the plots")(
      "ascii", "plots without signs beyond ASCII")("no-plots", "the table and the warnings only");
  options.positional("COHORT");
  options.parse(arguments);

  Problems problems;
  const auto& healthy = options.get<std::string>("healthy");
  if (std::find(choices.begin(), choices.end(), healthy) == choices.end())
    problems.add({"--healthy"}, fmt::format("must be {}, not '{}'{}", one_of(choices), healthy,
                                            did_you_mean(healthy, choices)));
  constexpr int kLeastWidth = static_cast<int>(PlotStyle::kLeastWidth);
  const int width = options.get<int>("width");
  if (width < kLeastWidth || width > 1000)
    problems.add({"--width"},
                 fmt::format("must be between {} and 1000, not {}", kLeastWidth, width));
  const auto file = options.list("COHORT").front();
  const auto cohort = read_real_cohort(file, problems);
  check_output(options, "out", {".toml", ".json"}, cohort, problems);
  check_output(options, "densities", {".csv", ".json"}, cohort, problems);
  problems.throw_if_any();
  std::vector<std::string> faults;
  const auto estimated = estimate_biomarkers(
      cohort.table.cohort, healthy == "fixed" ? HealthyAre::fixed : HealthyAre::free, faults);
  for (const auto& fault : faults) problems.add({file}, fault);
  problems.throw_if_any();

  std::cout << cohort.table.report() << "\n";
  if (!options.has("no-plots"))
    std::cout << plot(estimated, cohort.table.cohort,
                      {static_cast<std::size_t>(width), options.has("ascii")})
              << "\n";
  std::cout << report(estimated);
  if (options.has("out")) {
    const fs::path out = options.get<std::string>("out");
    const auto text =
        out.extension() == ".json"
            ? as_json(estimated, healthy)
            : biomarkers_to_toml(table_of(estimated), fs::path(file).stem().string(),
                                 fmt::format("estimated by tempo fit-parameters from '{}', "
                                             "healthy {}",
                                             file, healthy));
    write_text_file(out, text);
    std::cout << out.string() << ": " << counted(estimated.size(), "biomarker") << "\n";
  }
  if (options.has("densities")) {
    const fs::path out = options.get<std::string>("densities");
    const auto points = densities(estimated, cohort.table.cohort);
    write_text_file(out,
                    out.extension() == ".json" ? densities_json(points) : densities_csv(points));
    std::cout << out.string() << ": densities of " << counted(estimated.size(), "biomarker")
              << "\n";
  }
  return kOk;
}

}  // namespace

const Command fit_parameters_command{
    "fit-parameters", "COHORT [options]",
    "estimate biomarkers before and after their events from a cohort (.csv, or a table's .toml)",
    fit_parameters};

}  // namespace tempo::cli
