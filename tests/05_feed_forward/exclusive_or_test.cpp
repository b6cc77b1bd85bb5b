// tests/05_feed_forward/exclusive_or_test.cpp · puzzle exclusive_or: what the network answers
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "tests/support/close.hpp"

namespace tfs::test {
namespace {

TEST(exclusive_or, is_right_on_all_four_inputs) {
    const FeedForward network = exclusive_or();
    ASSERT_TRUE(has_shape(network.up.weight, {network.up.weight.size(0), 2}));
    EXPECT_LE(network.up.weight.size(0), 2u) << "hidden units";
    const Tensor inputs = Tensor::from({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1});
    const Tensor result = network(inputs), hidden = network.hidden(inputs);
    ASSERT_TRUE(has_shape(result, {4, 2}));
    std::string told;
    bool right = true;
    for (std::size_t i = 0; i < 4; ++i) {
        const float wanted = i == 1 || i == 2 ? 1.0f : 0.0f, answer = result.at({i, 0});
        const Tensor units = slice(hidden, 0, i, i + 1);
        right = right && std::abs(answer - wanted) <= 0.1f;
        told +=
            fmt::format("({}, {}) gives {:.3g}, wanted {}; the hidden units give {:.3g}\n", inputs.at({i, 0}),
                        inputs.at({i, 1}), answer, wanted, fmt::join(units.values(), ", "));
    }
    EXPECT_EQ(right, true) << told << came(result.array(), {});
}

}  // namespace
}  // namespace tfs::test
