// tempo synthesize-adnimerge: a table of ADNIMERGE's shape with a known truth.

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/command.hpp"
#include "data/biomarker_file.hpp"
#include "data/names.hpp"
#include "data/synthetic_adnimerge.hpp"
#include "data/text_file.hpp"
#include "study/plugin_examples.hpp"
#include "tempo/process_law.hpp"

namespace tempo::cli {
namespace fs = std::filesystem;
namespace {

constexpr auto kHypothesis = InterfaceKind::generative_process;

void add_options(Options& options) {
  options.text("out", "FILE", "the table to write; the truth goes to FILE.truth.json (required)");
  options.text("hypothesis", "H",
               "how the disease goes (default: the first installed one with continuous stages and "
               "normal measurements)");
  options.number<std::int64_t>("participants", "J",
                               "complete cases; the table has twice as many participants", 726);
  options.number<double>("healthy-ratio", "R", "share of controls", 0.21);
  options.number<std::int64_t>("seed", "N", "of all random streams", 1);
  add_registry_options(options);
}

/// Where the truth of a table goes.
fs::path truth_file(const fs::path& table) { return table.string() + ".truth.json"; }

/// @throws InputError with all faults of the options
void check(const Options& options) {
  Problems problems;
  expect_given(options, "out", "FILE", problems);
  if (const auto out = options.path("out"); !out.empty())
    for (const auto& file : {out, truth_file(out)}) expect_new_file(file, "out", problems);
  expect_between<std::int64_t>(options, "participants", 1, 1'000'000, problems);
  const auto ratio = options.get<double>("healthy-ratio");
  if (!(ratio >= 0.0 && ratio < 1.0))
    problems.add({"--healthy-ratio"}, fmt::format("must be in [0, 1), not {}", ratio));
  const auto seed = options.get<std::int64_t>("seed");
  if (seed < 0) problems.add({"--seed"}, fmt::format("must be >= 0, not {}", seed));
  problems.throw_if_any();
}

/// Whether a hypothesis is of the kind that ADNI's participants are taken for.
bool has_continuous_stages_and_normals(const GenerativeProcess& process) {
  const auto* law = process.law();
  return law != nullptr && law->stage_prior().scale() == StageScale::continuous &&
         measures_normals(*law);
}

/// A hypothesis and what it is called.
struct NamedProcess {
  std::string id;
  std::unique_ptr<GenerativeProcess> process;
};

NamedProcess make_process(const std::string& id, const BiomarkerTable& biomarkers,
                          const Registry& registry) {
  Problems problems;
  if (registry.find(kHypothesis, id) == nullptr)
    problems.add({"--hypothesis"}, registry.why_missing(kHypothesis, id));
  problems.throw_if_any();
  const auto part = registry.resolve(kHypothesis, {id, {}, Place{"--hypothesis"}},
                                     fmt::format("hypothesis '{}'", id), problems);
  problems.throw_if_any();
  return {id, registry.hypothesis(part, biomarkers)};
}

/// The hypothesis of --hypothesis or the one that stands for it. @throws InputError
NamedProcess hypothesis_of(const Options& options, const BiomarkerTable& biomarkers,
                           const Registry& registry) {
  if (options.has("hypothesis"))
    return make_process(options.get_text("hypothesis"), biomarkers, registry);
  for (const auto& id : ids_without_settings(registry, kHypothesis))
    if (auto made = make_process(id, biomarkers, registry);
        has_continuous_stages_and_normals(*made.process))
      return made;
  Problems problems;
  problems.add({"--hypothesis"},
               "is missing, and none is installed that has continuous stages and normal "
               "measurements (tempo plugins list shows what there is)");
  throw InputError(problems);
}

int synthesize(const Options& options) {
  check(options);
  const auto registry = open_registry(options);
  Problems problems;
  const auto biomarkers = find_biomarkers("adni-12", {}, {}, problems);
  problems.throw_if_any();
  const auto [id, process] = hypothesis_of(options, biomarkers, registry);

  const auto complete = static_cast<std::size_t>(options.get<std::int64_t>("participants"));
  const auto ratio = options.get<double>("healthy-ratio");
  const auto seed = static_cast<std::uint64_t>(options.get<std::int64_t>("seed"));
  RandomStream stream(seed, "synthetic adnimerge", id);
  const auto cohort = process->simulate({2 * complete, ratio}, stream);
  const auto made = synthesize_adnimerge(cohort, complete, ratio, stream);
  const auto out = options.path("out");
  write_text_file(truth_file(out), made.truth);
  write_text_file(out, made.csv);
  std::cout << fmt::format(
      "{}: {} of {}, by {}; {} complete at baseline, {} of them controls\ntruth: {}\n",
      out.string(), counted(made.rows, "visit"),
      counted(cohort.cohort.participant_count(), "participant"), id, made.complete, made.controls,
      truth_file(out).string());
  return kOk;
}

}  // namespace

const Command synthesize_adnimerge_command{
    "synthesize-adnimerge",
    "--out FILE [options]",
    "make a table of the shape of ADNIMERGE, with its truth",
    {{"tempo synthesize-adnimerge --out ADNIMERGE.csv",
      "726 complete cases; the truth goes to ADNIMERGE.csv.truth.json"},
     {"tempo synthesize-adnimerge --out small.csv --participants 100 --seed 7",
      "a smaller table, drawn anew"}},
    add_options,
    synthesize};

}  // namespace tempo::cli
