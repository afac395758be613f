#include "results/joined_runs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tempo {
namespace {

/// Numbers things in the order in which they are first seen.
template <class Thing>
class FirstSeen {
 public:
  std::size_t operator()(const Thing& thing) {
    return places_.emplace(thing, places_.size()).first->second;
  }

 private:
  std::map<Thing, std::size_t> places_;
};

/// Appends what `same` finds nothing like in the list.
template <class Item, class Same>
void append_new(std::vector<Item>& to, const std::vector<Item>& from, const Same& same) {
  for (const auto& item : from)
    if (std::none_of(to.begin(), to.end(), [&](const Item& known) { return same(known, item); }))
      to.push_back(item);
}

/// Gives entries without a name for people that of their like in the other list.
template <class Entry>
void take_names(std::vector<Entry>& to, const std::vector<Entry>& from) {
  for (auto& entry : to)
    for (const auto& other : from)
      if (entry.id == other.id && entry.name.empty()) entry.name = other.name;
}

}  // namespace

std::vector<PlannedFit> united(std::vector<PlannedFit> first, std::vector<PlannedFit> second) {
  std::set<std::string> slots;
  for (const auto& fit : first) slots.insert(fit.slot);
  for (auto& fit : second)
    if (slots.insert(fit.slot).second) first.push_back(std::move(fit));

  using Point = std::vector<std::string>;
  using Position = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t>;
  FirstSeen<Point> points;
  FirstSeen<std::string> hypotheses, methods, bases;
  std::vector<std::pair<Position, std::size_t>> order;
  for (const auto& fit : first) {
    const auto& id = fit.id;
    order.emplace_back(Position(points(id.axis_values), hypotheses(generated_by(id)), id.cohort,
                                methods(id.method), bases(rests_on(id))),
                       order.size());
  }
  std::sort(order.begin(), order.end());
  std::vector<PlannedFit> out;
  out.reserve(first.size());
  for (const auto& [place, at] : order) out.push_back(std::move(first[at]));
  return out;
}

RunDescription united(RunDescription first, const RunDescription& second) {
  const auto same_id = [](const auto& a, const auto& b) { return a.id == b.id; };
  take_names(first.hypotheses, second.hypotheses);
  take_names(first.methods, second.methods);
  append_new(first.hypotheses, second.hypotheses, same_id);
  append_new(first.methods, second.methods, same_id);
  using Run = RunDescription;
  append_new(first.plugins, second.plugins, [](const Run::Plugin& a, const Run::Plugin& b) {
    return a.kind == b.kind && a.id == b.id && a.version == b.version && a.content == b.content;
  });
  append_new(first.misfits, second.misfits, [](const Run::Misfit& a, const Run::Misfit& b) {
    return a.method == b.method && a.hypothesis == b.hypothesis;
  });
  append_new(first.joined, second.joined,
             [](const Run::Joined& a, const Run::Joined& b) { return a.plan == b.plan; });
  if (first.limit.empty()) first.limit = second.limit;
  return first;
}

}  // namespace tempo
