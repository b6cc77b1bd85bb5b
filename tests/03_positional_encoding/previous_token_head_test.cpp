// tests/03_positional_encoding/previous_token_head_test.cpp · puzzle previous_token_head: what the head looks at
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

TEST(previous_token_head, gives_nine_tenths_to_the_previous_token_at_every_position_to_64) {
    constexpr std::size_t positions = 65;
    const Array weights = weights_among_positions(previous_token_head(), positions);
    ASSERT_TRUE(has_shape(Tensor(weights), {positions, positions}));
    const auto most_of = [&](std::size_t i) {
        const float* const row = weights.data() + i * positions;
        return static_cast<std::size_t>(std::max_element(row, row + positions) - row);
    };
    std::size_t worst = 1, next = 0;  // NaN is the worst
    for (std::size_t i = 1; i < positions; ++i) {
        if (!(weights(i, i - 1) >= weights(worst, worst - 1))) worst = i;
        next += most_of(i) == i + 1;
    }
    const std::size_t most = most_of(worst);
    EXPECT_GE(weights(worst, worst - 1), 0.9f)
        << fmt::format(
               "position {} attends to position {} with {:.3f}; at least 0.9 is "
               "wanted at each of the positions 1 to 64. It looks most at "
               "position {}, with {:.3f}",
               worst, worst - 1, weights(worst, worst - 1), most, weights(worst, most))
        << (next == positions - 2 ? came("all look at the next, however strongly") : came(weights, {}));
}

}  // namespace
}  // namespace tfs::test
