// tests/support/memory.hpp · whether work that is done again and again keeps the resident size flat
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "common/measure.hpp"

namespace tfs::test {

// Runs step(i) for i = 0 … warm_up - 1 (threads start, the allocator takes what it will need), then `steps` times more, and
// fails where the resident size grew by more than `allowed` bytes meanwhile. One step and success where that can't be
// measured: the system doesn't tell, or the address sanitizer keeps what is freed (it finds leaks by itself).
inline testing::AssertionResult resident_size_stays_flat(const std::function<void(std::size_t)>& step,
                                                         std::size_t warm_up, std::size_t steps,
                                                         double allowed = 2 << 20) {
    if (resident_bytes() == 0.0) return step(0), testing::AssertionSuccess() << "not measured";
    for (std::size_t i = 0; i < warm_up; ++i) step(i);
    const double before = resident_bytes();
    for (std::size_t i = 0; i < steps; ++i) step(warm_up + i);
    const double grown = resident_bytes() - before;
    if (grown <= allowed) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "the resident size grew by " << grown << " bytes in " << steps << " steps";
}

}  // namespace tfs::test
