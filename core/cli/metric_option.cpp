#include "cli/metric_option.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/study_options.hpp"
#include "data/names.hpp"

namespace tempo::cli {
namespace {

constexpr auto kMetric = InterfaceKind::metric;

/// Those that runs keep.
std::vector<std::string> kept_metrics() {
  std::vector<std::string> names;
  for (const auto& metric : all_metrics()) names.push_back(metric.name);
  return names;
}

std::optional<AskedMetric> metric_of_tempo(const std::string& name) {
  if (const auto* kept = find_metric(name)) return AskedMetric{*kept, {}};
  for (const auto& score : further_scores())
    if (score.metric.name == name) return AskedMetric{score.metric, score};
  return std::nullopt;
}

/// `name(key=value)`: scores with different settings are different scores.
std::string with_settings(const std::string& name, const ParameterTable& settings) {
  std::vector<std::string> all;
  for (const auto& [key, place, value] : settings.entries)
    all.push_back(fmt::format("{}={}", key, canonical_json(value)));
  std::sort(all.begin(), all.end());
  return all.empty() ? name : fmt::format("{}({})", name, fmt::join(all, ";"));
}

std::optional<AskedMetric> metric_of_plugin(const std::string& name, const Options& options,
                                            Problems& problems) {
  const auto registry = open_registry(options);
  PartSpec part{name, {}, Place{"--metric"}};
  take_settings(options, part, problems);
  const auto shown = with_settings(name, part.settings);
  if (registry.find(kMetric, name) == nullptr) {
    auto known = known_metrics();
    for (auto& id : registry.usable_ids(kMetric)) known.push_back(std::move(id));
    auto meant = did_you_mean(name, kept_metrics());  // before others that begin alike
    if (meant.empty()) meant = did_you_mean(name, known);
    problems.add(part.place, registry.deciding(name) != nullptr
                                 ? registry.why_missing(kMetric, name)
                                 : fmt::format("unknown metric '{}'; expected {}{}", name,
                                               one_of(known), meant));
    return std::nullopt;
  }
  const auto before = problems.size();
  part = registry.resolve(kMetric, part, fmt::format("metric '{}'", name), problems);
  if (problems.size() > before) return std::nullopt;
  auto score = score_by(registry.metric(part), shown);
  return AskedMetric{score.metric, score, /*is_of_plugin=*/true};
}

}  // namespace

std::vector<std::string> known_metrics() {
  auto names = kept_metrics();
  for (const auto& score : further_scores()) names.push_back(score.metric.name);
  return names;
}

void add_metric_options(Options& options, const std::string& help) {
  const auto known = known_metrics();
  options.choice("metric", "M", known,
                 fmt::format("{}: {}, or the id of a plugin", help, one_of(known)));
  options.texts("set", "KEY=VALUE", "change a setting of a metric that is a plugin (repeatable)");
  add_registry_options(options);
}

std::optional<AskedMetric> asked_metric(const Options& options, const std::string& fallback,
                                        Problems& problems) {
  const auto name = options.has("metric") ? options.get_text("metric") : fallback;
  auto out = metric_of_tempo(name);
  if (!out) return metric_of_plugin(name, options, problems);
  if (options.has("set"))
    problems.add({"--set"},
                 options.has("metric")
                     ? fmt::format("is for a metric that is a plugin; '{}' is tempo's own", name)
                     : "is for a metric that is a plugin: name it with --metric");
  if (options.has("metric") && open_registry(options).find(kMetric, name) != nullptr)
    problems.add({"--metric"},
                 fmt::format("'{}' is a metric of tempo, and a plugin is called like it: build the "
                             "plugin under another name",
                             name));
  return out;
}

}  // namespace tempo::cli
