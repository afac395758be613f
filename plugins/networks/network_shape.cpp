#include "network_shape.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace tempo::amortised {
namespace {

constexpr std::size_t kExchanges = 5;  // after which scores and stages are read off once more

}  // namespace

std::vector<std::int64_t> NetworkShape::dimensions(std::initializer_list<std::size_t> sizes) {
  return {sizes.begin(), sizes.end()};
}

std::size_t NetworkShape::declare(WeightSpec weight) {
  const auto place = count_;
  count_ += value_count(weight);
  layout.push_back(std::move(weight));
  return place;
}

void NetworkShape::take_place(LinearPlace& place, std::size_t in, std::size_t out) {
  place = {count_, count_ + in * out, in, out};
  count_ += in * out + out;
}

void NetworkShape::take_place(NormPlace& place) {
  place = {count_, count_ + kWidth};
  count_ += 2 * kWidth;
}

LinearPlace NetworkShape::linear(const std::string& name, std::size_t in, std::size_t out) {
  declare_linear(layout, name, static_cast<std::int64_t>(in), static_cast<std::int64_t>(out));
  LinearPlace place;
  take_place(place, in, out);
  return place;
}

NormPlace NetworkShape::norm(const std::string& name) {
  declare_norm(layout, name, kWidth);
  NormPlace place;
  take_place(place);
  return place;
}

EncoderPlace NetworkShape::encoder(const std::string& name) {
  declare_encoder_layer(layout, name, kWidth, kHidden);
  EncoderPlace place;  // in the order of declare_encoder_layer
  take_place(place.norm1);
  take_place(place.projections, kWidth, 3 * kWidth);
  take_place(place.out, kWidth, kWidth);
  take_place(place.norm2);
  take_place(place.linear1, kWidth, kHidden);
  take_place(place.linear2, kHidden, kWidth);
  return place;
}

void NetworkShape::declare_rounds() {
  for (std::size_t r = 0; r <= kExchanges; ++r) {
    const auto part = [r](const char* name) { return fmt::format("rounds.{}.{}", r, name); };
    RoundPlace round;
    round.norm = norm(part("norm"));
    round.score = linear(part("score"), kWidth, 2);
    round.evidence = linear(part("evidence"), kWidth, C * slots);
    round.prior = linear(part("prior"), kWidth, slots);
    if (r < kExchanges) {
      round.statistics = linear(part("statistics"), C * slots, kWidth);
      round.occupancy = linear(part("occupancy"), slots + 1, kWidth);
      round.layer = encoder(part("layer"));
    }
    rounds.push_back(round);
  }
  sharpness = declare({"sharpness", {1}, {Initial::Law::constant, 2.5}});
  if (count_ != value_count(layout)) throw std::logic_error("weights without a place");
}

}  // namespace tempo::amortised
