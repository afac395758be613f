// tempo compare: which hypothesis a cohort supports.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <map>
#include <thread>

#include "cli/command.hpp"
#include "data/biomarker_file.hpp"
#include "data/cohort_csv.hpp"
#include "data/text_file.hpp"
#include "report/evidence.hpp"
#include "tempo/error.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

constexpr const char* kMethod = "bayes";

/// A cohort and the table that its hypotheses are made with, in its column order.
struct Compared {
  std::string file;
  Cohort cohort;
  BiomarkerTable biomarkers;
};

/// The parts of `h1,h3`; complains about what is empty, given twice, no hypothesis, or lacks
/// settings.
std::vector<PartSpec> hypotheses(const std::string& text, const Registry& registry,
                                 Problems& problems) {
  constexpr auto kKind = InterfaceKind::generative_process;
  std::vector<PartSpec> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto id = text.substr(begin, end - begin);
    begin = end + 1;
    if (id.empty())
      problems.add({"--hypotheses"}, "an empty name in '" + text + "'; expected such as h1,h3");
    else if (std::any_of(out.begin(), out.end(),
                         [&](const PartSpec& part) { return part.plugin == id; }))
      problems.add({"--hypotheses"}, "'" + id + "' is given twice");
    else if (registry.find(kKind, id) == nullptr)
      problems.add({"--hypotheses"}, registry.why_missing(kKind, id));
    else
      out.push_back(registry.resolve(kKind, {id, {}, Place{"--hypotheses"}},
                                     fmt::format("hypothesis '{}'", id), problems));
  }
  return out;
}

/// The settings of `--set`, every default filled in.
PartSpec method_part(const Options& options, const Registry& registry, Problems& problems) {
  PartSpec part{kMethod, {}, Place{"--set"}};
  const auto kind = InterfaceKind::inference_method;
  if (registry.find(kind, kMethod) == nullptr) {
    problems.add({"tempo compare"}, registry.why_missing(kind, kMethod));
    return part;
  }
  for (const auto& argument : options.list("set")) {
    const auto setting = parse_override(argument, problems);
    if (!setting.path.empty()) part.settings.set(setting.path, setting.value);
  }
  const auto* parameters = part.settings.find("parameters");
  if (!options.has("biomarkers")) {
    const auto* text =
        parameters == nullptr ? nullptr : std::get_if<std::string>(&parameters->value);
    if (parameters == nullptr)
      part.settings.set("parameters", {Place{"tempo compare"}, std::string("estimate")});
    else if (text != nullptr && *text == "known")
      problems.add(parameters->place,
                   "parameters that are known come from --biomarkers, which is missing");
  }
  return registry.resolve(kind, part, fmt::format("method '{}'", kMethod), problems);
}

/// The biomarkers of the cohort as the table has them.
BiomarkerTable for_cohort(const BiomarkerTable& table, const Cohort& cohort,
                          const std::string& file, Problems& problems) {
  std::vector<Biomarker> out;
  std::vector<std::string> unknown;
  for (const auto& name : cohort.biomarkers) {
    const auto at = std::find_if(table.begin(), table.end(),
                                 [&](const Biomarker& known) { return known.name == name; });
    if (at == table.end())
      unknown.push_back(name);
    else
      out.push_back(*at);
  }
  if (!unknown.empty())
    problems.add({file},
                 fmt::format("has biomarkers that the table of --biomarkers lacks: {}; without "
                             "--biomarkers their distributions are estimated",
                             fmt::join(unknown, ", ")));
  return BiomarkerTable(std::move(out));
}

/// Names with distributions that nobody looks at, where they are estimated.
BiomarkerTable to_be_estimated(const Cohort& cohort) {
  std::vector<Biomarker> out;
  for (const auto& name : cohort.biomarkers) out.push_back({name, {0.0, 1.0}, {1.0, 1.0}});
  return BiomarkerTable(std::move(out));
}

std::vector<Compared> read_cohorts(const Options& options, Problems& problems) {
  BiomarkerTable table;
  const auto found = problems.size();
  if (options.has("biomarkers"))
    table = find_biomarkers(options.get<std::string>("biomarkers"), "", Place{"--biomarkers"},
                            problems);
  const bool has_table = options.has("biomarkers") && problems.size() == found;
  std::vector<Compared> out;
  for (const auto& file : options.list("COHORT")) {
    const auto before = problems.size();
    auto read = read_cohort_csv(file, problems);
    if (problems.size() > before) continue;
    auto known =
        has_table ? for_cohort(table, read.cohort, file, problems) : to_be_estimated(read.cohort);
    out.push_back({file, std::move(read.cohort), std::move(known)});
  }
  return out;
}

/// A fit of one cohort under one hypothesis.
struct Fit {
  Inference found;
  std::string error;
};

Fit fit_under(const PartSpec& hypothesis, const Compared& compared, const PartSpec& part,
              std::uint64_t seed, const Registry& registry) {
  Fit out;
  try {
    const auto process = registry.hypothesis(hypothesis, compared.biomarkers);
    const auto method = registry.method(part, &compared.biomarkers, process.get());
    RandomStream stream(seed, "compare", hypothesis.plugin);
    out.found = method->fit(compared.cohort, stream);
    if (!out.found.log_scores) out.error = "the method gave no log scores";
  } catch (const std::exception& error) {
    out.error = error.what();
  }
  return out;
}

/// Calls work(i) for each i < count on `jobs` threads.
template <class Work>
void in_parallel(std::size_t count, std::size_t jobs, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < std::min(jobs, count); ++t)
    threads.emplace_back([&] {
      for (std::size_t i; (i = next++) < count;) work(i);
    });
}

double diagnostic(const Inference& found, const char* name) {
  const auto at = found.diagnostics.find(name);
  return at == found.diagnostics.end() ? 0.0 : at->second;
}

/// What a reader of the verdict has to know.
std::vector<std::string> caveats(const CohortRanking& ranking,
                                 const std::vector<std::string>& not_ranked, bool is_estimated) {
  std::vector<std::string> out;
  if (!not_ranked.empty())
    out.push_back(fmt::format("Not ranked, because the fit failed: {}.", fmt::join(not_ranked, ", ")));
  for (const auto& found : ranking.hypotheses)
    if (found.tied && found.pareto_k_high > 0)
      out.push_back(fmt::format("Under {} the scores of {} of {} participants are not to be trusted "
                                "(Pareto k > 0.7).",
                                found.assumed, found.pareto_k_high, ranking.participants));
  if (is_estimated)
    out.emplace_back(
        "Distributions were estimated from the cohort, under every hypothesis anew, and the scores do not "
        "count what that cost: hypotheses that differ only in the law of stages (h1, h3, h6; h2, h4, h7) "
        "are often mistaken for each other.");
  return out;
}

int compare(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  options.add()(
      "hypotheses",
      po::value<std::string>()->value_name("H,H,...")->default_value("h1,h2,h3,h4,h5,h6,h7,h8,h9"),
      "those that are compared")("biomarkers", po::value<std::string>()->value_name("T"),
                                 "a shipped table, or a file: their distributions are known "
                                 "(default: estimated from each cohort)")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "a setting of method bayes (repeatable)")(
      "seed", po::value<std::uint64_t>()->value_name("N")->default_value(1),
      "of all random streams")(
      "format", po::value<std::string>()->value_name("F")->default_value("table"),
      one_of(ranking_formats()).c_str())("out", po::value<std::string>()->value_name("FILE"),
                                         "where to write (default: standard output)");
  add_jobs_option(options, "fits at a time (default: one per core)");
  add_registry_options(options);
  options.positional_list("COHORT");
  options.parse(arguments);
  const auto threads = jobs(command, options);

  Problems problems;
  const auto& format = options.get<std::string>("format");
  if (const auto& formats = ranking_formats();
      std::find(formats.begin(), formats.end(), format) == formats.end())
    problems.add(command_line(command), "unknown format '" + format + "'; expected " +
                                            one_of(formats) + did_you_mean(format, formats));
  const fs::path out = options.has("out") ? options.get<std::string>("out") : "";
  std::error_code ignored;
  for (const auto& input : options.list("COHORT"))
    if (!out.empty() && fs::equivalent(out, input, ignored))
      problems.add({"--out"}, fmt::format("'{}' is read, and would be overwritten", input));
  const auto registry = open_registry(options);
  const auto parts = hypotheses(options.get<std::string>("hypotheses"), registry, problems);
  const auto part = method_part(options, registry, problems);
  const auto cohorts = read_cohorts(options, problems);
  problems.throw_if_any();

  const auto seed = options.get<std::uint64_t>("seed");
  std::vector<Fit> fits(cohorts.size() * parts.size());
  in_parallel(fits.size(), threads, [&](std::size_t i) {
    fits[i] = fit_under(parts[i % parts.size()], cohorts[i / parts.size()], part, seed, registry);
  });

  bool any_failed = false;
  std::vector<CohortRanking> rankings;
  for (std::size_t c = 0; c < cohorts.size(); ++c) {
    std::vector<AssumedFit> assumed;
    std::map<std::string, std::vector<std::string>> remarks;  // text -> hypotheses
    std::vector<std::string> not_ranked;
    for (std::size_t h = 0; h < parts.size(); ++h) {
      const auto& [found, error] = fits[c * parts.size() + h];
      if (!error.empty()) {
        std::cerr << fmt::format("{}, under {}: {}: not in the ranking\n", cohorts[c].file,
                                 parts[h].plugin, error);
        any_failed = true;
        not_ranked.push_back(parts[h].plugin);
        continue;
      }
      for (const auto& warning : found.warnings) remarks[warning].push_back(parts[h].plugin);
      assumed.push_back({parts[h].plugin, *found.log_scores, diagnostic(found, "elpd_waic"),
                         static_cast<std::size_t>(diagnostic(found, "pareto_k_high"))});
    }
    for (const auto& [text, under] : remarks)
      std::cerr << fmt::format("warning: {}, under {}: {}\n", cohorts[c].file,
                               fmt::join(under, ", "), text);
    if (assumed.empty()) continue;
    rankings.push_back({cohorts[c].file, cohorts[c].cohort.participant_count(),
                        cohorts[c].cohort.biomarker_count(), rank_by_evidence(assumed), {}});
    rankings.back().caveats =
        caveats(rankings.back(), not_ranked, !options.has("biomarkers"));
  }
  if (rankings.empty()) return kFailed;
  const auto text = render(rankings, format);
  if (out.empty())
    std::cout << text;
  else
    write_text_file(out, text);
  return any_failed ? kFailed : kOk;
}

}  // namespace

const Command compare_command{
    "compare", "COHORT.csv... [options]",
    "rank hypotheses by how well each predicts the participants of a cohort", compare};

}  // namespace tempo::cli
