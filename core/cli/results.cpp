// tempo results: the tables of a run, again and in other formats.

#include <algorithm>
#include <iostream>

#include "cli/command.hpp"
#include "engine/run_folder.hpp"
#include "report/tables.hpp"

namespace tempo::cli {
namespace po = boost::program_options;
namespace {

int results(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command);
  std::vector<std::string> names;
  for (const auto& metric : metrics()) names.emplace_back(metric.name);
  options.add()("metric", po::value<std::string>()->value_name("M")->default_value("tau_distance"),
                one_of(names).c_str())(
      "format", po::value<std::string>()->value_name("F")->default_value("table"),
      one_of(summary_formats()).c_str())(
      "table", po::value<std::string>()->value_name("T")->default_value("summary"),
      "'summary': methods by hypothesis; 'cross': each trained model on each hypothesis");
  options.positional("RUN");
  options.parse(arguments);

  Problems problems;
  const auto& metric_name = options.get<std::string>("metric");
  const auto& format = options.get<std::string>("format");
  const auto* metric = find_metric(metric_name);
  if (metric == nullptr)
    problems.add(command_line(command), "unknown metric '" + metric_name + "'; expected " +
                                            one_of(names) + did_you_mean(metric_name, names));
  const auto& formats = summary_formats();
  if (std::find(formats.begin(), formats.end(), format) == formats.end())
    problems.add(command_line(command), "unknown format '" + format + "'; expected " +
                                            one_of(formats) + did_you_mean(format, formats));
  const auto& table = options.get<std::string>("table");
  const std::vector<std::string> tables{"summary", "cross"};
  if (std::find(tables.begin(), tables.end(), table) == tables.end())
    problems.add(command_line(command), "unknown table '" + table + "'; expected " +
                                            one_of(tables) + did_you_mean(table, tables));
  const std::filesystem::path folder = options.list("RUN").front();
  const auto file = RunFolder::store_in(folder);
  if (!std::filesystem::exists(file))
    problems.add({folder.string()}, "is no run folder: it has no results.sqlite");
  problems.throw_if_any();

  const auto found = Store(file, Database::Mode::read).results();
  if (table == "summary") {
    std::cout << render(summarise(found, *metric), *metric, format);
    return kOk;
  }
  const auto cross = cross_tables(found, *metric);
  if (cross.empty())
    problems.add({folder.string()}, "has no cross table: none of its methods is trained");
  problems.throw_if_any();
  std::cout << render(cross, found.axes, *metric, format);
  return kOk;
}

}  // namespace

const Command results_command{"results", "RUN [--table T] [--metric M] [--format F]",
                              "show a run's results as table, CSV, JSON, LaTeX or Markdown",
                              results};

}  // namespace tempo::cli
