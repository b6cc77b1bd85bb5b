// tests/11_generation/chosen_draws.hpp · random generators whose next draws a test chooses
#pragma once

#include <vector>

#include "common/base/rng.hpp"

namespace tfs::test {

// An Rng whose next uniform() are these, each a multiple of 2^-53 in [0, 1): 312 at most.
Rng rng_that_draws(const std::vector<double>& us);

// The largest number that uniform() gives.
inline constexpr double just_below_1 = 1.0 - 0x1.0p-53;

// How many draws lie between the two, `most` + 1 if it is more than that.
std::size_t draws_between(Rng before, const Rng& after, std::size_t most = 100);

}  // namespace tfs::test
