// tempo synthesize-adnimerge: a table of ADNIMERGE's shape with a known truth.

#include <fmt/format.h>

#include <iostream>

#include "cli/command.hpp"
#include "data/biomarker_file.hpp"
#include "data/synthetic_adnimerge.hpp"
#include "data/text_file.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;
namespace {

int synthesize(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  options.add()("out", po::value<std::string>()->value_name("FILE"),
                "the table to write; the truth goes to FILE.truth.json (required)")(
      "hypothesis", po::value<std::string>()->value_name("H")->default_value("h6"),
      "how the disease goes")("participants",
                              po::value<std::int64_t>()->value_name("J")->default_value(726),
                              "complete cases; the table has twice as many participants")(
      "healthy-ratio", po::value<double>()->value_name("R")->default_value(0.21, "0.21"),
      "share of controls")("seed", po::value<std::int64_t>()->value_name("N")->default_value(1),
                           "of all random streams");
  add_registry_options(options);
  options.parse(arguments);

  Problems problems;
  const fs::path out = options.has("out") ? options.get<std::string>("out") : "";
  const fs::path truth = out.string() + ".truth.json";
  if (out.empty())
    problems.add(command_line(command),
                 "--out FILE is missing (see tempo synthesize-adnimerge --help)");
  else
    for (const auto& file : {out, truth})
      if (fs::exists(file))
        problems.add({"--out"},
                     fmt::format("'{}' exists; remove it, or choose another name", file.string()));
  const auto participants = options.get<std::int64_t>("participants");
  if (participants < 1 || participants > 1'000'000)
    problems.add({"--participants"},
                 fmt::format("must be between 1 and 1000000, not {}", participants));
  const auto ratio = options.get<double>("healthy-ratio");
  if (!(ratio >= 0.0 && ratio < 1.0))
    problems.add({"--healthy-ratio"}, fmt::format("must be in [0, 1), not {}", ratio));
  const auto seed = options.get<std::int64_t>("seed");
  if (seed < 0) problems.add({"--seed"}, fmt::format("must be >= 0, not {}", seed));
  problems.throw_if_any();

  const auto registry = open_registry(options);
  const auto& id = options.get<std::string>("hypothesis");
  const auto kind = InterfaceKind::generative_process;
  if (registry.find(kind, id) == nullptr)
    problems.add({"--hypothesis"}, registry.why_missing(kind, id));
  problems.throw_if_any();
  const auto part = registry.resolve(kind, {id, {}, Place{"--hypothesis"}},
                                     fmt::format("hypothesis '{}'", id), problems);
  const auto biomarkers = find_biomarkers("adni-12", {}, {}, problems);
  problems.throw_if_any();
  const auto process = registry.hypothesis(part, biomarkers);

  const auto complete = static_cast<std::size_t>(participants);
  RandomStream stream(static_cast<std::uint64_t>(seed), "synthetic adnimerge", id);
  const auto cohort = process->simulate({2 * complete, ratio}, stream);
  const auto made = synthesize_adnimerge(cohort, complete, ratio, stream);
  write_text_file(truth, made.truth);
  write_text_file(out, made.csv);
  std::cout << fmt::format(
      "{}: {} of {}, by {}; {} complete at baseline, {} of them controls\ntruth: {}\n",
      out.string(), counted(made.rows, "visit"),
      counted(cohort.cohort.participant_count(), "participant"), id, made.complete, made.controls,
      truth.string());
  return kOk;
}

}  // namespace

const Command synthesize_adnimerge_command{"synthesize-adnimerge", "--out FILE [options]",
                                           "make a table of the shape of ADNIMERGE, with its truth",
                                           synthesize};

}  // namespace tempo::cli
