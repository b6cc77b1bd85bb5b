// tests/03_positional_encoding/alibi_bias_test.cpp · alibi_bias, given: PyTorch's values, offsets, refusals
#include "tests/03_positional_encoding/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(alibi_bias, equals_pytorch) {
    const Tensor bias = alibi_bias(4, 5, 5);  // keys in the future get 0
    EXPECT_TRUE(close(bias, golden()["alibi.bias.output"], {1e-5, 0}));
    EXPECT_TRUE(close(alibi_bias(3, 2, 6, 4), golden()["alibi.bias.offset.output"], {1e-5, 0}));
    EXPECT_FALSE(bias.requires_grad());
}

TEST(alibi_bias, queries_may_stand_anywhere_among_the_keys_or_behind_them) {
    struct Case {
        std::size_t queries, keys, offset;
    };
    for (const auto& [queries, keys, offset] : {Case{2, 6, 1}, Case{5, 4, 2}, Case{1, 6, 3}}) {
        const auto first = static_cast<double>(offset);
        const Tensor distance =
            table_of(queries, keys, [=](double i, double j) { return std::max(i + first - j, 0.0); });
        const Tensor slopes = reshape(golden()["alibi.bias.slopes.3"], {1, 3, 1, 1});
        EXPECT_TRUE(
            close_named(fmt::format("{} queries from position {} on, over {} keys", queries, offset, keys),
                        alibi_bias(3, queries, keys, offset), -slopes * distance, {1e-5, 0}));
    }
}

TEST(alibi_bias, is_refused_by_the_scores_of_another_number_of_heads) {
    const Tensor bias = alibi_bias(4, 5, 3);
    EXPECT_TRUE(has_shape(alibi_bias(1, 5, 3), {1, 1, 5, 3}));
    EXPECT_TRUE(has_shape(normal({2, 4, 5, 3}, 5) + bias, {2, 4, 5, 3}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            (void)(normal({2, 6, 5, 3}, 6) + bias);
        },
        {}, "scores of 6 heads + a bias of 4"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_bias(0, 5, 3); }, {}, "0 heads"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_bias(4, 0, 3); }, {}, "0 queries"));
    EXPECT_TRUE(refuses<ValueError>([] { (void)alibi_bias(4, 5, 0); }, {}, "0 keys"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)alibi_bias(4, 1ull << 32, 1ull << 32); }, {},
                                    "a bias larger than any memory"));
}

}  // namespace
}  // namespace tfs::test
