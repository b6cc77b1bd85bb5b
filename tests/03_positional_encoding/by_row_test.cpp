// tests/03_positional_encoding/by_row_test.cpp · given: positions where each row of the batch begins at its own
#include "chapters/03_positional_encoding/positional_encoding.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/close.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const std::size_t offsets[] = {3, 0, 5};

using Positioned = std::function<Tensor(const Tensor& x, std::size_t offset)>;

// All rows at once, and each of them alone.
void expect_rows(const Tensor& together, const Tensor& x, const Positioned& alone) {
    for (std::size_t row = 0; row < 3; ++row)
        EXPECT_TRUE(
            close(slice(together, 0, row, row + 1), alone(slice(x, 0, row, row + 1), offsets[row]), {0, 0}))
            << row;
}

TEST(given_by_row, sinusoids_learned_rows_and_rotations_begin_where_each_row_does) {
    const Offset each({3, 0, 5});
    Rng rng(1);
    const SinusoidalPositionalEncoding sinusoids(8, 9);
    const LearnedPositionalEmbedding learned(8, 9, rng);
    const RotaryEmbedding rotary(6, 9);
    const Tensor x = normal({3, 4, 8}, 2), heads = normal({3, 2, 4, 6}, 3);
    expect_rows(sinusoids(x, each), x, [&](const Tensor& t, std::size_t at) { return sinusoids(t, at); });
    expect_rows(learned(x, each), x, [&](const Tensor& t, std::size_t at) { return learned(t, at); });
    for (const RotaryLayout layout : {RotaryLayout::interleaved, RotaryLayout::half_split})
        expect_rows(apply_rotary(heads, rotary, layout, each), heads,
                    [&](const Tensor& t, std::size_t at) { return apply_rotary(t, rotary, layout, at); });
    EXPECT_TRUE(refuses<ValueError>([&] { (void)sinusoids(x, Offset({3, 0, 6})); }, {"4 positions from 6"}));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)learned(x, Offset({3, 0})); }, {"2 numbers", "batch of 3"}));
}

TEST(given_by_row, the_bias_of_alibi_counts_from_where_each_row_begins) {
    const Tensor together = alibi_bias(4, 3, 8, Offset({3, 0, 5}));
    ASSERT_EQ(together.shape(), (Shape{3, 4, 3, 8}));
    for (std::size_t row = 0; row < 3; ++row)
        EXPECT_TRUE(close(slice(together, 0, row, row + 1), alibi_bias(4, 3, 8, offsets[row]), {0, 0}));
}

}  // namespace
}  // namespace tfs::test
