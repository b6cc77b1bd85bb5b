// common/base/count.hpp · counting what may be more than 64 bits can hold
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>

namespace tfs {

// The product of those that are not 0; nothing where it is more than std::size_t holds.
[[nodiscard]] std::optional<std::size_t> product_of_nonzero(std::span<const std::size_t> numbers);

// The product, the sum of these numbers. ValueError, which names them, where it is more than std::size_t holds.
[[nodiscard]] std::size_t checked_product(std::initializer_list<std::size_t> factors);
[[nodiscard]] std::size_t checked_sum(std::initializer_list<std::size_t> terms);

}  // namespace tfs
