// tests/09_transformer/large_arrays.hpp · how often a call makes large arrays, to see how often something runs in it
#pragma once

#include <cstddef>
#include <functional>

namespace tfs::test {

// The number of allocations of at least so many bytes while call() runs. The library is not asked: the program of the checks
// replaces `operator new` (large_arrays.cpp).
[[nodiscard]] std::size_t large_arrays_made(std::size_t bytes, const std::function<void()>& call);

}  // namespace tfs::test
