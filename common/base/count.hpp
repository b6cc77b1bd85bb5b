// common/base/count.hpp · counting what may be more than 64 bits can hold
#pragma once

#include <cstddef>
#include <initializer_list>

namespace tfs {

// The product, the sum of these numbers. ValueError, which names them, where it is more than std::size_t holds.
[[nodiscard]] std::size_t checked_product(std::initializer_list<std::size_t> factors);
[[nodiscard]] std::size_t checked_sum(std::initializer_list<std::size_t> terms);

}  // namespace tfs
