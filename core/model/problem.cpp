#include "tempo/problem.hpp"

#include <algorithm>
#include <numeric>

#include "look_alike.hpp"
#include "lower_case.hpp"
#include "printable.hpp"

namespace tempo {
namespace {

/// A message that quotes a whole file tells nothing: of a longer one the beginning and the end are
/// kept.
std::string without_middle(std::string text) {
  constexpr std::size_t kMost = 3000, kBegin = 2000, kEnd = 500;  // bytes
  if (text.size() <= kMost) return text;
  const auto begin_of_character = [&](std::size_t at) {
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return at;
  };
  const auto from = begin_of_character(kBegin);
  const auto to = begin_of_character(text.size() - kEnd);
  return text.substr(0, from) + " [... " + std::to_string(to - from) + " bytes ...] " +
         text.substr(to);
}

}  // namespace

std::string to_string(const Place& place) {
  std::string text = place.file;
  if (place.line > 0) text += ":" + std::to_string(place.line);
  if (place.line > 0 && place.column > 0) text += ":" + std::to_string(place.column);
  return text;
}

void Problems::add(const Place& place, std::string message) {
  problems_.push_back({place, std::move(message)});
}

void Problems::append(const Problems& others) {
  problems_.insert(problems_.end(), others.problems_.begin(), others.problems_.end());
}

std::string Problems::report() const {
  constexpr std::size_t kMostShown = 1000;  // a file with more has one fault, over and over
  std::string text;
  const auto shown = std::min(problems_.size(), kMostShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [place, message] = problems_[i];
    const auto where = to_string(place);
    if (!text.empty()) text += "\n";
    text += without_middle(printable(where.empty() ? message : where + ": " + message));
  }
  if (shown < problems_.size())
    text += "\nand " + std::to_string(problems_.size() - shown) + " more";
  return text;
}

void Problems::throw_if_any() const {
  if (!empty()) throw InputError(*this);
}

InputError::InputError(Problems problems)
    : Error(problems.report()), problems_(std::move(problems)) {}

InputError::~InputError() = default;

namespace {

/// Edit distance in which exchanging two neighbours costs one, as any other slip does.
std::size_t edit_distance(const std::u32string& a, const std::u32string& b) {
  // Rows i - 2, i - 1 and i of the table of costs.
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), here(b.size() + 1);
  std::iota(here.begin(), here.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(here);
    here[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      here[k] =
          std::min({above[k] + 1, here[k - 1] + 1, above[k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1)});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        here[k] = std::min(here[k], before[k - 2] + 1);
    }
  }
  return here[b.size()];
}

/// The only candidate that begins most as the word does, if they share three letters and half of
/// the word; empty if there is none.
std::string alike_from_the_beginning(std::string_view word,
                                     const std::vector<std::string>& candidates) {
  std::string best;
  auto most = std::max<std::size_t>(3, (word.size() + 1) / 2) - 1;
  for (const auto& candidate : candidates) {
    const auto shared = static_cast<std::size_t>(
        std::mismatch(word.begin(), word.end(), candidate.begin(), candidate.end()).first -
        word.begin());
    if (shared < most || candidate == best) continue;
    best = shared > most ? candidate : std::string();
    most = shared;
  }
  return best;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 200;  // characters; whoever misspells a longer one sees it
  const auto plain = in_lower_case(without_hidden(word));
  const auto characters = characters_of(word);
  std::string best;
  auto best_cost = std::max<std::size_t>(1, characters.size() / 3) + 1;
  const auto cost_of = [&](const std::string& candidate) {
    // Another case is the likeliest slip, and what nobody sees is none of the writer's.
    if (plain == in_lower_case(without_hidden(candidate))) return std::size_t{0};
    if (candidate.size() > 4 * kLongest) return best_cost;
    const auto others = characters_of(candidate);
    // No fewer slips than one text is longer than the other.
    const auto longer = std::max(others.size(), characters.size());
    const bool is_hopeless =
        longer > kLongest || longer - std::min(others.size(), characters.size()) >= best_cost;
    return is_hopeless ? best_cost : edit_distance(characters, others);
  };
  for (const auto& candidate : candidates) {
    const auto cost = cost_of(candidate);
    if (cost < best_cost) {
      best = candidate;
      best_cost = cost;
    }
  }
  return best.empty() ? alike_from_the_beginning(word, candidates) : best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const auto name = nearest(word, candidates);
  if (name.empty()) return "";
  const auto here = told_from(word, name);
  return "; did you mean '" + told_from(name, word) + "'?" +
         (here == word ? "" : " (here it is '" + here + "')");
}

std::string one_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "'" + names[i] + "'";
  }
  return text;
}

}  // namespace tempo
