// tests/common/no_weights_test.cpp · the guard under which attention keeps no weights
#include "common/nn/no_weights.hpp"

#include <gtest/gtest.h>

#include "common/tensor/ops.hpp"
#include "tests/support/refusal.hpp"

namespace {

using namespace tfs;
using test::refuses;

TEST(no_weights, holds_in_its_scope_and_ends_with_it) {
    EXPECT_TRUE(weights_are_kept());
    {
        const NoWeights outer;
        EXPECT_FALSE(weights_are_kept());
        {
            const NoWeights inner;
            EXPECT_FALSE(weights_are_kept());
        }
        EXPECT_FALSE(weights_are_kept());
    }
    EXPECT_TRUE(weights_are_kept());
}

TEST(no_weights, reading_what_was_not_kept_is_told_in_a_sentence) {
    const Tensor weights = weights_not_kept();
    EXPECT_EQ(weights.size(), 0u);
    EXPECT_FALSE(weights.requires_grad());
    for (const std::function<void()>& read : std::initializer_list<std::function<void()>>{
             [&] { (void)weights.shape(); }, [&] { (void)weights.size(-1); }, [&] { (void)weights.array(); },
             [&] { (void)weights.values(); }, [&] { (void)(weights * 2.0f); },
             [&] { (void)weights.detach(); }, [&] { (void)sum(weights, 0); },
             [&] { (void)slice(weights, 1, 0, 1); }})
        EXPECT_TRUE(refuses<ValueError>(read, {"NoWeights"}));
}

}  // namespace
