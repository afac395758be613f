#include "study/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/toml_table.hpp"
#include "data/unicode.hpp"

namespace tempo {
namespace {

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> steps;
  std::size_t start = 0;
  while (start <= path.size()) {
    const auto end = std::min(path.find('.', start), path.size());
    steps.push_back(path.substr(start, end - start));
    start = end + 1;
  }
  return steps;
}

/// The id of an entry of [[hypothesis]] or [[method]]: its `id`, or else its `plugin`.
std::string entry_id(const ParameterTable& entry) {
  for (const auto* key : {"id", "plugin"})
    if (const auto* value = entry.find(key))
      if (const auto* text = std::get_if<std::string>(&value->value)) return *text;
  return {};
}

/// A text in the place of a table with settings (`stage_prior = "ID"`) names a plugin, unless the
/// setting is a name of another sort (`event_times = "KIND"`).
void make_table(ParameterValue& value, const std::string& to_set) {
  if (const auto* name = std::get_if<std::string>(&value.value)) {
    ParameterTable table{value.place, {}};
    table.set(to_set == "kind" ? "kind" : "plugin", ParameterValue{value.place, *name});
    value.value = std::move(table);
  }
}

constexpr std::string_view kSweepPrefix = "sweep.";

/// The path without the quotes of a key of [sweep] as the file spells it:
/// sweep."cohorts.participants".
std::string unquoted(const std::string& path) {
  const auto is_quoted = path.starts_with(kSweepPrefix) && path.size() > kSweepPrefix.size() + 1 &&
                         path[kSweepPrefix.size()] == '"' && path.back() == '"';
  if (!is_quoted) return path;
  return std::string(kSweepPrefix) +
         path.substr(kSweepPrefix.size() + 1, path.size() - kSweepPrefix.size() - 2);
}

/// A value of TOML, or else a text that needs no quotes. What begins as a list, a table or a quoted
/// text is meant as TOML.
ParameterValue value_of(const std::string& text, const Place& place, Problems& problems) {
  Problems no_toml;
  const auto table = read_toml_text("value = " + text, place.file, no_toml);
  if (const auto* parsed = table.find("value"); no_toml.empty() && parsed != nullptr)
    return {place, parsed->value};
  if (!text.empty() && std::string_view("[{\"'").find(text.front()) != std::string_view::npos)
    problems.add(place,
                 "is no TOML value; in a list or table, texts and integers above "
                 "9223372036854775807 need quotes, as in 'PATH=[\"a\", \"b\"]'");
  return {place, text};
}

/// Puts a list in its place in [sweep], where its path may be one key or several nested ones.
void set_list(ParameterTable& sweep, const std::string& path, const Override& override) {
  for (auto& [key, place, value] : sweep.entries) {
    if (key == path) {
      place = override.place;
      value = override.value;
      return;
    }
    auto* nested = std::get_if<ParameterTable>(&value.value);
    if (nested != nullptr && path.starts_with(key + "."))
      return set_list(*nested, path.substr(key.size() + 1), override);
  }
  sweep.entries.push_back({path, override.place, override.value});
}

/// A list of values that take turns; several paths where they are zipped.
struct Axis {
  struct List {
    std::string path;
    Place place;  // of the path
    const ParameterValue::Array* values;
  };
  std::vector<List> lists;  // all of one length

  const std::string& name() const { return lists.front().path; }
  std::size_t length() const { return lists.front().values->size(); }
};

/// Whether a sweep may change the setting at `path` to these values; complains if not.
bool may_vary(const std::string& path, const Place& place, const ParameterValue::Array& values,
              Problems& problems) {
  const auto steps = split_path(path);
  const auto& last = steps.back();
  const bool is_of_entry = steps.size() > 2;
  if (steps.front() == "schema" || steps.front() == "experiment" ||
      (steps.size() == 3 && last == "name") || (is_of_entry && last == "id")) {
    problems.add(place, fmt::format("[sweep] '{}' says what things are called; it is no setting to "
                                    "vary",
                                    path));
    return false;
  }
  if (steps.front() == "cluster") {
    problems.add(place,
                 fmt::format("[sweep] '{}' changes no result; give tempo submit another value "
                             "instead",
                             path));
    return false;
  }
  if (is_of_entry && last == "plugin") {
    const auto table = path.substr(0, path.size() - last.size() - 1);
    const auto* id = std::get_if<std::string>(&values.front().value);
    problems.add(
        place, steps.size() > 3
                   ? fmt::format("[sweep] '{}' would leave one plugin's settings to another; vary "
                                 "'{}' instead, with values such as {{ plugin = \"{}\" }}",
                                 path, table, id == nullptr ? "..." : *id)
                   : fmt::format("[sweep] '{}' would leave one plugin's settings to another; list "
                                 "each plugin as a [[{}]] of its own",
                                 path, steps.front()));
    return false;
  }
  return true;
}

void collect_lists(const ParameterTable& table, const std::string& prefix, std::vector<Axis>& axes,
                   Problems& problems) {
  for (const auto& [key, place, value] : table.entries) {
    if (prefix.empty() && key == "zip") continue;
    const auto path = prefix.empty() ? key : prefix + "." + key;
    if (const auto* nested = std::get_if<ParameterTable>(&value.value)) {
      collect_lists(*nested, path, axes, problems);
      continue;
    }
    const auto* list = std::get_if<ParameterValue::Array>(&value.value);
    if (list == nullptr) {
      problems.add(value.place, fmt::format("[sweep] '{}' must be a list of values, not {}", path,
                                            kind_of(value)));
      continue;
    }
    if (list->empty()) {
      problems.add(value.place, fmt::format("[sweep] '{}' must list at least one value", path));
      continue;
    }
    if (!may_vary(path, place, *list, problems)) continue;
    if (std::any_of(axes.begin(), axes.end(),
                    [&](const Axis& axis) { return axis.name() == path; }))
      problems.add(place, fmt::format("[sweep] '{}' is given twice", path));
    else
      axes.push_back({{{path, place, list}}});
  }
}

/// Complains of combinations that occur twice: every mean would count them twice.
void expect_distinct(const Axis& axis, Problems& problems) {
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < axis.length(); ++i) {
    std::string values;
    for (const auto& list : axis.lists)
      values += (values.empty() ? "" : ", ") + canonical_json((*list.values)[i]);
    const auto is_new = first.emplace(values, i).second;
    if (!is_new)
      problems.add((*axis.lists.front().values)[i].place,
                   fmt::format("[sweep] '{}' takes the value {} twice", axis.name(), values));
  }
}

/// Joins the axes that `zip` names together into one.
void zip_axes(const ParameterValue& zip, std::vector<Axis>& axes, Problems& problems) {
  const auto* groups = std::get_if<ParameterValue::Array>(&zip.value);
  if (groups == nullptr) {
    problems.add(zip.place, fmt::format("[sweep] 'zip' must be a list of lists of keys, not {}",
                                        kind_of(zip)));
    return;
  }
  std::vector<std::string> known;
  for (const auto& axis : axes) known.push_back(axis.name());
  for (const auto& group : *groups) {
    const auto* keys = std::get_if<ParameterValue::Array>(&group.value);
    if (keys == nullptr || keys->size() < 2) {
      problems.add(group.place, "[sweep] each entry of 'zip' must be a list of two or more keys");
      continue;
    }
    Axis* first = nullptr;
    std::set<std::string> merged;
    for (const auto& key : *keys) {
      const auto* path = std::get_if<std::string>(&key.value);
      const auto axis = std::find_if(axes.begin(), axes.end(), [&](const Axis& candidate) {
        return path != nullptr && &candidate != first && candidate.lists.size() == 1 &&
               candidate.name() == *path && !merged.contains(*path);
      });
      if (axis == axes.end()) {
        const auto name = path == nullptr ? std::string(kind_of(key)) : *path;
        problems.add(
            key.place,
            fmt::format("[sweep] 'zip' names '{}', expected a key of [sweep] that is in no "
                        "other group: {}{}",
                        name, one_of(known), did_you_mean(name, known)));
        continue;
      }
      if (first == nullptr) {
        first = &*axis;
        continue;
      }
      if (axis->length() != first->length()) {
        problems.add(key.place,
                     fmt::format("[sweep] zipped lists must have one length: '{}' has {} "
                                 "values, '{}' has {}",
                                 first->name(), first->length(), *path, axis->length()));
        continue;
      }
      first->lists.push_back(axis->lists.front());
      merged.insert(*path);  // erased below, when no pointer into the list is in use
    }
    std::erase_if(axes, [&](const Axis& axis) {
      return axis.lists.size() == 1 && merged.contains(axis.name());
    });
  }
}

}  // namespace

ParameterTable* find_entry(ParameterTable& experiment, const std::string& path) {
  const auto steps = split_path(path);
  auto* value = experiment.find(steps.front());
  if (value == nullptr || steps.size() < 2) return nullptr;
  auto* list = std::get_if<ParameterValue::Array>(&value->value);
  if (list == nullptr) return nullptr;
  for (auto& item : *list)
    if (auto* entry = std::get_if<ParameterTable>(&item.value);
        entry != nullptr && entry_id(*entry) == steps[1])
      return entry;
  return nullptr;
}

Override parse_override(const std::string& argument, Problems& problems) {
  const Place place{fmt::format("--set {}", well_formed(argument))};
  if (well_formed(argument) != argument) {
    problems.add(place, "is not UTF-8");
    return {};
  }
  const auto equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    problems.add(place, "expected key=value, as in --set cohorts.participants=300");
    return {};
  }
  const auto text = argument.substr(equals + 1);
  return {unquoted(argument.substr(0, equals)), place, value_of(text, place, problems)};
}

void apply(const Override& override, ParameterTable& experiment, Problems& problems) {
  const auto steps = split_path(override.path);
  const auto& place = override.place;
  if (std::any_of(steps.begin(), steps.end(), [](const auto& step) { return step.empty(); })) {
    problems.add(place,
                 fmt::format("'{}' is no path; expected names with dots between them, such as "
                             "cohorts.participants",
                             override.path));
    return;
  }
  auto* table = &experiment;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    auto* value = table->find(steps[i]);
    if (value == nullptr) {
      table->entries.push_back({steps[i], place, {place, ParameterTable{place, {}}}});
      value = &table->entries.back().value;
    }
    if (auto* list = std::get_if<ParameterValue::Array>(&value->value)) {
      ++i;
      std::vector<std::string> known;
      ParameterTable* entry = nullptr;
      for (auto& item : *list) {
        auto* candidate = std::get_if<ParameterTable>(&item.value);
        if (candidate == nullptr) continue;
        known.push_back(entry_id(*candidate));
        if (known.back() == steps[i]) entry = candidate;
      }
      if (entry == nullptr || i + 1 == steps.size()) {
        problems.add(
            place, fmt::format("'{}' leads nowhere: expected {}.ID.KEY with ID {}{}", override.path,
                               steps[i - 1], known.empty() ? "of an entry" : one_of(known),
                               entry == nullptr ? did_you_mean(steps[i], known) : ""));
        return;
      }
      table = entry;
      continue;
    }
    make_table(*value, steps[i + 1]);
    table = std::get_if<ParameterTable>(&value->value);
    if (table == nullptr) {
      problems.add(place, fmt::format("'{}' leads nowhere: '{}' is {}, not a table", override.path,
                                      steps[i], kind_of(*value)));
      return;
    }
  }
  table->set(steps.back(), override.value);
  std::find_if(table->entries.begin(), table->entries.end(), [&](const auto& entry) {
    return entry.key == steps.back();
  })->place = place;
}

void apply_all(const std::vector<Override>& overrides, ParameterTable& experiment,
               Problems& problems) {
  for (const auto& override : overrides) {
    if (!override.path.starts_with(kSweepPrefix)) {
      apply(override, experiment, problems);
      continue;
    }
    if (experiment.find("sweep") == nullptr)
      experiment.set("sweep", {override.place, ParameterTable{override.place, {}}});
    // A sweep that is no table is complained of by the one who reads it.
    if (auto* sweep = std::get_if<ParameterTable>(&experiment.find("sweep")->value))
      set_list(*sweep, override.path.substr(kSweepPrefix.size()), override);
  }
}

void refuse_swept(const std::vector<Override>& overrides, const std::vector<Override>& point,
                  Problems& problems) {
  for (const auto& override : overrides)
    for (const auto& axis : point)
      if (override.path == axis.path || override.path.starts_with(axis.path + "."))
        problems.add(override.place,
                     fmt::format("[sweep] gives '{}' its values ({}), so that no point would keep "
                                 "this one; set the list instead: --set '{}{}=[...]'",
                                 axis.path, to_string(axis.place), kSweepPrefix, axis.path));
}

std::vector<std::vector<Override>> sweep_points(const ParameterTable& experiment,
                                                Problems& problems) {
  std::vector<std::vector<Override>> points(1);
  const auto* sweep = experiment.find("sweep");
  if (sweep == nullptr) return points;
  const auto* table = std::get_if<ParameterTable>(&sweep->value);
  if (table == nullptr) {
    problems.add(sweep->place, fmt::format("'sweep' must be a table, not {}", kind_of(*sweep)));
    return points;
  }
  std::vector<Axis> axes;
  collect_lists(*table, "", axes, problems);
  if (const auto* zip = table->find("zip")) zip_axes(*zip, axes, problems);
  std::size_t count = 1;
  for (const auto& axis : axes) {
    expect_distinct(axis, problems);
    if (__builtin_mul_overflow(count, axis.length(), &count) || count > kMostPoints) {
      problems.add(sweep->place,
                   fmt::format("[sweep] makes more than {} combinations; shorten its lists, join "
                               "some with 'zip', or make several experiments of it",
                               kMostPoints));
      return points;
    }
  }
  for (const auto& axis : axes) {
    std::vector<std::vector<Override>> longer;
    for (const auto& point : points)
      for (std::size_t i = 0; i < axis.length(); ++i) {
        longer.push_back(point);
        for (const auto& [path, place, values] : axis.lists)
          longer.back().push_back({path, place, (*values)[i]});
      }
    points = std::move(longer);
  }
  return points;
}

}  // namespace tempo
