#include "order_centre.hpp"

#include <algorithm>
#include <cmath>

#include "tempo/toolkit/draw_index.hpp"

namespace tempo::bayes {
namespace {

constexpr std::size_t kDispersions = 64;  // of the grid

double log_normaliser(double dispersion, std::size_t biomarkers) {
  double sum = 0.0;
  for (std::size_t i = 1; i <= biomarkers; ++i)
    sum += std::log1p(-std::exp(-static_cast<double>(i) * dispersion)) -
           std::log1p(-std::exp(-dispersion));
  return sum;
}

}  // namespace

OrderCentre::OrderCentre(std::size_t biomarkers, double least, double most, RandomStream& stream)
    : least_(least),
      most_(most),
      dispersion_(value(stream.index(kDispersions))),
      centre_(stream.permutation(biomarkers)),
      place_(biomarkers) {
  set_places();
}

double OrderCentre::value(std::size_t i) const {
  return least_ + (most_ - least_) * (static_cast<double>(i) + 0.5) / kDispersions;
}

void OrderCentre::set_places() {
  for (std::size_t i = 0; i < centre_.size(); ++i) place_[centre_[i]] = i;
}

void OrderCentre::add_log_priors(std::span<const std::size_t> others, std::size_t event,
                                 std::span<double> of_places) const {
  double pairs = 0.0;  // with the event before all others
  for (const auto other : others) pairs += place_[other] < place_[event] ? 1.0 : 0.0;
  for (std::size_t p = 0; p < of_places.size(); ++p) {
    of_places[p] -= dispersion_ * pairs;
    if (p < others.size()) pairs += place_[others[p]] < place_[event] ? -1.0 : 1.0;
  }
}

void OrderCentre::sweep(const toolkit::OrderSet& orders, RandomStream& stream) {
  for (const auto event : stream.permutation(centre_.size())) place(event, orders, stream);
  draw_dispersion(orders, stream);
}

void OrderCentre::place(std::size_t event, const toolkit::OrderSet& orders, RandomStream& stream) {
  std::erase(centre_, event);
  std::vector<double> logs(centre_.size() + 1, 0.0);
  std::vector<std::size_t> at(place_.size());
  for (const auto& order : orders) {
    for (std::size_t i = 0; i < order.size(); ++i) at[order[i]] = i;
    double pairs = 0.0;
    for (const auto other : centre_) pairs += at[other] < at[event] ? 1.0 : 0.0;
    for (std::size_t p = 0; p < logs.size(); ++p) {
      logs[p] -= dispersion_ * pairs;
      if (p < centre_.size()) pairs += at[centre_[p]] < at[event] ? -1.0 : 1.0;
    }
  }
  const auto drawn = toolkit::draw_index(logs, 1.0, stream);
  centre_.insert(centre_.begin() + static_cast<std::ptrdiff_t>(drawn), event);
  set_places();
}

std::vector<std::size_t> OrderCentre::draw_order(RandomStream& stream) const {
  std::vector<std::size_t> out;
  for (const auto event : centre_) {  // repeated insertion
    std::vector<double> logs(out.size() + 1, 0.0);
    add_log_priors(out, event, logs);
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(toolkit::draw_index(logs, 1.0, stream)),
               event);
  }
  return out;
}

double OrderCentre::log_probability(const toolkit::OrderSet& orders) const {
  return -dispersion_ * discordant_pairs(orders) -
         static_cast<double>(orders.size()) * log_normaliser(dispersion_, centre_.size());
}

double OrderCentre::discordant_pairs(const toolkit::OrderSet& orders) const {
  double pairs = 0.0;
  for (const auto& order : orders)
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t k = i + 1; k < order.size(); ++k)
        pairs += place_[order[i]] > place_[order[k]] ? 1.0 : 0.0;
  return pairs;
}

void OrderCentre::draw_dispersion(const toolkit::OrderSet& orders, RandomStream& stream) {
  const double pairs = discordant_pairs(orders);
  std::vector<double> logs;
  for (std::size_t i = 0; i < kDispersions; ++i)
    logs.push_back(-value(i) * pairs -
                   static_cast<double>(orders.size()) * log_normaliser(value(i), centre_.size()));
  dispersion_ = value(toolkit::draw_index(logs, 1.0, stream));
}

}  // namespace tempo::bayes
