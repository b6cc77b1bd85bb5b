// tests/support/memory.hpp · whether work that is done again and again keeps the resident size flat
#pragma once

#include <gtest/gtest.h>

#include <functional>

namespace tfs::test {

// Runs step(i) for i = 0 … warm_up - 1 (threads start, the allocator takes what it will need), then `steps` times more, and
// fails where the resident size grew by more than `allowed` bytes meanwhile. One step and success where that can't be
// measured: the system doesn't tell, or the address sanitizer keeps what is freed (it finds leaks by itself).
testing::AssertionResult resident_size_stays_flat(const std::function<void(std::size_t)>& step,
                                                  std::size_t warm_up, std::size_t steps,
                                                  long allowed = 2L << 20);

}  // namespace tfs::test
