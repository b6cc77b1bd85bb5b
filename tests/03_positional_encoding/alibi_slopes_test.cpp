// tests/03_positional_encoding/alibi_slopes_test.cpp · alibi_slopes, given: the slopes of the paper and of its published code
#include <fmt/format.h>

#include "chapters/03_positional_encoding/positional_encoding.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(alibi_slopes, equal_the_published_ones_for_any_number_of_heads) {
    for (const std::size_t heads : {1u, 2u, 3u, 8u, 12u, 16u}) {
        EXPECT_TRUE(close_named(fmt::format("{} heads", heads), alibi_slopes(heads),
                                golden()[fmt::format("alibi.slopes.{}", heads)], {1e-5, 0}));
    }
    EXPECT_FALSE(alibi_slopes(2).requires_grad());
}

TEST(alibi_slopes, refuse_no_heads_and_more_than_fit_any_memory) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_slopes(0); }, {}, "0 heads"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)alibi_slopes(1ull << 62); }, {"4611686018427387904"},
                                    "1 << 62 heads"));
}

}  // namespace
}  // namespace tfs::test
