#pragma once

#include <c10/util/Exception.h>

#include "tempo/error.hpp"

namespace tempo::amortised {

/// Does what uses LibTorch, whose exceptions say on which addresses they were thrown: no text for
/// users.
template <class Work>
auto with_plain_faults(Work&& work) {
  try {
    return work();
  } catch (const c10::Error& fault) {
    throw Error(fault.what_without_backtrace());
  }
}

}  // namespace tempo::amortised
