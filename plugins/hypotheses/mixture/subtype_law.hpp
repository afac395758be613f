#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tempo/order.hpp"
#include "tempo/parameters.hpp"
#include "tempo/random_stream.hpp"

namespace tempo::mixture {

/// How the subtypes of a cohort come about: README.md.
struct SubtypeLaw {
  enum class Orders {
    mallows,     ///< about a common centre
    independent  ///< nothing in common
  };

  std::int64_t least_number = 3, most_number = 3;  ///< K is uniform between them
  Orders orders = Orders::mallows;
  double least_dispersion = 0.01, most_dispersion = 0.5;  ///< T is uniform between them
  bool equal_sizes = false;
  std::vector<double> concentrations{2.0, 5.0, 20.0};  ///< of shares; one is drawn by cohort
  std::int64_t least_size = 10;                        ///< wherever there are enough diseased
};

/// Reads the table `subtypes`.
SubtypeLaw read_subtypes(Parameters& keys);

/// A draw from the Mallows law about an order in the Kendall distance d, the number of pairs in
/// another order: P(sigma) = exp(-dispersion d) / Z. By repeated insertion: event i of the centre
/// goes before v of the i - 1 that are there with probability proportional to exp(-dispersion v).
/// O(B^2).
///
/// Source: Doignon, Pekec & Regenwetter 2004, Psychometrika 69(1), 33-54.
/// @param dispersion  >= 0; 0: every order is equally likely
std::vector<std::size_t> draw_mallows(const std::vector<std::size_t>& centre, double dispersion,
                                      RandomStream& stream);

/// The numbers of diseased by subtype, [K].
/// @throws Error if none of many draws has enough in each
std::vector<std::size_t> draw_sizes(const SubtypeLaw& law, std::size_t subtypes,
                                    std::size_t diseased, RandomStream& stream);

}  // namespace tempo::mixture
