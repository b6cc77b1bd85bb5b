// tests/10_training/wrong_orders.hpp · the golden orders of shuffled_batches, and the classic wrong ones
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chapters/10_training/training.hpp"

namespace tfs::test {

using Sizes = std::vector<std::size_t>;
using Order = std::vector<Sizes>;

// All batches one after the other.
Sizes numbers_of(const Order& batches);

inline const std::vector<std::uint64_t> golden_seeds{3, 4, 5};

// Of 10 numbers; time: "first" or "second" call with one Rng.
Sizes golden_order(std::uint64_t seed, const std::string& time);

struct WrongOrder {
    std::string message;
    std::function<Sizes(Rng& rng)> order;  // of 10 numbers in batches of 4
};
std::vector<WrongOrder> wrong_orders();

// Whether shuffled_batches gives this wrong order for every golden seed, in both calls.
bool explains(const WrongOrder& wrong);

}  // namespace tfs::test
