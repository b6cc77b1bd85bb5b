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
    std::size_t worst = 1;  // NaN is the worst
    for (std::size_t i = 2; i < positions; ++i)
        if (!(weights(i, i - 1) >= weights(worst, worst - 1))) worst = i;
    const float* const row = weights.data() + worst * positions;
    const auto most = static_cast<std::size_t>(std::max_element(row, row + positions) - row);
    EXPECT_GE(row[worst - 1], 0.9f) << fmt::format(
                                           "position {} attends to position {} with {:.3f}; at least 0.9 is "
                                           "wanted at each of the positions 1 to 64. It looks most at "
                                           "position {}, with {:.3f}",
                                           worst, worst - 1, row[worst - 1], most, row[most])
                                    << came(weights, {});
}

}  // namespace
}  // namespace tfs::test
