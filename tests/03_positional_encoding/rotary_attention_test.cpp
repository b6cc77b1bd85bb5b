// tests/03_positional_encoding/rotary_attention_test.cpp · rotary_attention, given: PyTorch's values and gradients, offsets
#include "tests/03_positional_encoding/checklist.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

Mask causal() {  // 3 queries from position 3 on, 6 keys
    return Mask::from({3, 6}, {1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1});
}

TEST(rotary_attention, equals_pytorch_in_both_layouts) {
    const Tensor q = golden()["rotary_attention.q"], k = golden()["rotary_attention.k"],
                 v = golden()["rotary_attention.v"];
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const std::string prefix =
            layout == RotaryLayout::half_split ? "rotary_attention.half_split." : "rotary_attention.";
        const auto result = rotary_attention(q, k, v, golden_rotary(), std::nullopt, layout, 3);
        EXPECT_TRUE(close_named("weights", result.weights, golden()[prefix + "weights"], {1e-5, 1e-6}));
        EXPECT_TRUE(close_named("output", result.output, golden()[prefix + "output"], {1e-5, 1e-6}));
    }
}

TEST(rotary_attention, queries_may_stand_anywhere_among_the_keys_or_behind_them) {
    struct Case {
        std::size_t queries, keys, offset;
    };
    const auto layout = RotaryLayout::interleaved;
    for (const auto& [queries, keys, offset] : {Case{3, 6, 0}, Case{9, 6, 3}, Case{1, 6, 3}}) {
        const Tensor q = normal({2, 5, queries, 8}, 11), k = normal({2, 5, keys, 8}, 12),
                     v = normal({2, 5, keys, 7}, 13);
        const auto result = rotary_attention(q, k, v, golden_rotary(), std::nullopt, layout, offset);
        const auto expected =
            scaled_dot_product_attention(reference_rotary(q, layout, offset), reference_rotary(k, layout), v);
        const std::string what =
            fmt::format(" of {} queries from position {} on, over {} keys", queries, offset, keys);
        EXPECT_TRUE(close_named("weights" + what, result.weights, expected.weights, {1e-5, 1e-6}));
        EXPECT_TRUE(close_named("output" + what, result.output, expected.output, {1e-5, 1e-6}));
    }
}

TEST(rotary_attention, sends_the_gradients_of_pytorch_under_a_mask) {
    const Tensor q = leaf("rotary_attention.q"), k = leaf("rotary_attention.k"),
                 v = leaf("rotary_attention.v");
    const auto result = rotary_attention(q, k, v, golden_rotary(), causal(), RotaryLayout::interleaved, 3);
    EXPECT_TRUE(
        close_named("weights", result.weights, golden()["rotary_attention.masked.weights"], {1e-5, 1e-6}));
    ASSERT_TRUE(
        close_named("output", result.output, golden()["rotary_attention.masked.output"], {1e-5, 1e-6}));
    ASSERT_TRUE(send_back(result.output, golden()["rotary_attention.masked.grad_weights"]));
    for (const auto& [name, input] : {std::pair("q", q), std::pair("k", k), std::pair("v", v)}) {
        EXPECT_TRUE(gradient_close(name, input, golden()[std::string("rotary_attention.masked.grad_") + name],
                                   {1e-4, 1e-6}));
    }
}

}  // namespace
}  // namespace tfs::test
