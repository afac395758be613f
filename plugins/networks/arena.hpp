#pragma once

// Memory for a pass over a network.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "kernels.hpp"

namespace tempo::amortised {

/// Memory that one pass takes piece by piece, and the next pass takes again: pages that the system
/// has just cleared would cost more than what is computed in them. One user at a time.
template <class Real>
class Arena {
 public:
  /// Everything taken before is free.
  void begin() {
    if (blocks_.size() > 1) {  // one block of what all of them hold, unless that is a lot to keep
      std::size_t total = 0;
      for (const auto& block : blocks_) total += block.size;
      blocks_.clear();
      if (total <= kMostKept) add_block(total);
    }
    place_ = {};
  }

  /// What is taken now.
  struct Mark {
    std::size_t block = 0, used = 0;
  };
  Mark mark() const { return place_; }
  /// What was taken since is free.
  void release(Mark mark) { place_ = mark; }

  /// So many numbers, whatever they are, from the start of a line of the cache.
  Real* take_any(std::size_t count) {
    count = (count + kBlock - 1) / kBlock * kBlock;
    while (place_.block < blocks_.size() && place_.used + count > blocks_[place_.block].size)
      place_ = {place_.block + 1, 0};
    if (place_.block == blocks_.size()) add_block(std::max(count, kLeastBlock));
    Real* const place = blocks_[place_.block].numbers.get() + place_.used;
    place_.used += count;
    return place;
  }
  /// So many numbers, all 0.
  Real* take(std::size_t count) {
    Real* const place = take_any(count);
    std::memset(place, 0, count * sizeof(Real));
    return place;
  }
  /// A matrix of zeros.
  View<Real> matrix(std::size_t features, std::size_t length) {
    const auto stride = stride_for(length);
    return {take(features * stride), stride};
  }
  /// A matrix to be written as a whole, its padding too, by one of the kernels.
  View<Real> unwritten(std::size_t features, std::size_t length) {
    const auto stride = stride_for(length);
    return {take_any(features * stride), stride};
  }

 private:
  static constexpr std::size_t kLeastBlock = std::size_t{1} << 20;
  static constexpr std::size_t kMostKept = std::size_t{1} << 26;
  static constexpr std::align_val_t kAlignment{64};

  struct Free {
    void operator()(Real* numbers) const { ::operator delete[](numbers, kAlignment); }
  };
  struct Block {
    std::unique_ptr<Real[], Free> numbers;
    std::size_t size;
  };
  void add_block(std::size_t size) {
    auto* const numbers = static_cast<Real*>(::operator new[](size * sizeof(Real), kAlignment));
    blocks_.push_back({std::unique_ptr<Real[], Free>(numbers), size});
  }

  std::vector<Block> blocks_;
  Mark place_;
};

}  // namespace tempo::amortised
