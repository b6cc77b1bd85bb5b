// tests/03_positional_encoding/rotary_attention_test.cpp · step rotary_attention: PyTorch's values, properties, diagnosis
#include "tests/03_positional_encoding/checklist.hpp"

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

// Attention of turned queries, keys and values, by the tensor layer and chapter 01.
AttentionOutput attend(const Tensor& q, const Tensor& k, const Tensor& v) {
    return scaled_dot_product_attention(q, k, v);
}

TEST(rotary_attention, equals_pytorch_with_an_offset) {
    const Tensor q = golden()["rotary_attention.q"], k = golden()["rotary_attention.k"],
                 v = golden()["rotary_attention.v"];
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        const bool half = layout == RotaryLayout::half_split;
        const std::string prefix = half ? "rotary_attention.half_split." : "rotary_attention.";
        const auto turn = [&](const Tensor& x, std::size_t offset) {
            return reference_rotary(x, layout, offset);
        };
        const auto suspects = [&](bool weights) {
            const auto suspect = [=](const std::string& message,
                                     const std::function<AttentionOutput()>& wrong) {
                return Suspect{message, [=] { return weights ? wrong().weights : wrong().output; }};
            };
            return std::vector<Suspect>{
                suspect("the values are turned too: positions belong into the scores only, values are summed "
                        "as they are",
                        [=] { return attend(turn(q, 3), turn(k, 0), turn(v, 0)); }),
                suspect("only the queries are turned: the scores then depend on the query's position alone",
                        [=] { return attend(turn(q, 3), k, v); }),
                suspect("only the keys are turned: the scores then depend on the key's position alone",
                        [=] { return attend(q, turn(k, 0), v); }),
                suspect(
                    "queries and keys begin at the same position: `offset` is where the queries begin, the "
                    "keys begin at 0",
                    [=] { return attend(turn(q, 0), turn(k, 0), v); }),
                suspect("`offset` is given to the keys; it is where the queries begin",
                        [=] { return attend(turn(q, 0), turn(k, 3), v); }),
                suspect("the output is turned; only queries and keys are",
                        [=] {
                            const AttentionOutput right = attend(turn(q, 3), turn(k, 0), v);
                            return AttentionOutput{turn(right.output, 3), right.weights};
                        }),
                suspect("the scores are not divided by sqrt(d_k): attend as in chapter 01",
                        [=] { return attend(turn(q, 3) * std::sqrt(8.0f), turn(k, 0), v); }),
                suspect("nothing is turned", [=] { return attend(q, k, v); }),
                suspect(
                    "`layout` is passed on for the queries only",
                    [=] { return attend(turn(q, 3), reference_rotary(k, RotaryLayout::interleaved), v); }),
                suspect(
                    "`layout` is passed on for the keys only",
                    [=] { return attend(reference_rotary(q, RotaryLayout::interleaved, 3), turn(k, 0), v); }),
                suspect("`layout` is not passed on", [=] {
                    const auto other = half ? RotaryLayout::interleaved : RotaryLayout::half_split;
                    return attend(reference_rotary(q, other, 3), reference_rotary(k, other), v);
                })};
        };
        const AttentionOutput result = rotary_attention(q, k, v, golden_rotary(), std::nullopt, layout, 3);
        EXPECT_TRUE(close_named("weights", result.weights, golden()[prefix + "weights"], {1e-5, 1e-6},
                                suspects(true)));
        EXPECT_TRUE(
            close_named("output", result.output, golden()[prefix + "output"], {1e-5, 1e-6}, suspects(false)));
    }
}

TEST(rotary_attention, queries_may_stand_before_the_last_keys) {
    const Tensor q = golden()["rotary_attention.q"], k = golden()["rotary_attention.k"],
                 v = golden()["rotary_attention.v"];  // 3 queries, 6 keys
    const auto layout = RotaryLayout::interleaved;
    const auto weights = [&](std::size_t offset) {
        return attend(reference_rotary(q, layout, offset), reference_rotary(k, layout), v).weights;
    };
    const AttentionOutput result = rotary_attention(q, k, v, golden_rotary(), std::nullopt, layout, 1);
    EXPECT_TRUE(close_named("weights of 3 queries from position 1 on, over 6 keys", result.weights,
                            weights(1), {1e-5, 1e-6}, {{guessed_offset, [&] { return weights(3); }}}));
}

TEST(rotary_attention, passes_the_mask_on_and_sends_the_gradients_of_pytorch) {
    const Tensor q = leaf("rotary_attention.q"), k = leaf("rotary_attention.k"),
                 v = leaf("rotary_attention.v");
    const Mask causal = Mask::from({3, 6}, {1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1});
    const auto result = rotary_attention(q, k, v, golden_rotary(), causal, RotaryLayout::interleaved, 3);
    EXPECT_TRUE(close(result.output, golden()["rotary_attention.masked.output"], {1e-5, 1e-6},
                      {{"the mask is not passed on to the attention",
                        [] { return golden()["rotary_attention.output"]; }}}));
    ASSERT_TRUE(send_back(result.output, golden()["rotary_attention.masked.grad_weights"]));
    for (const auto& [name, input] : {std::pair("q", q), std::pair("k", k), std::pair("v", v)}) {
        EXPECT_TRUE(gradient_close(name, input, golden()[std::string("rotary_attention.masked.grad_") + name],
                                   {1e-4, 1e-6}));
    }
}

}  // namespace
}  // namespace tfs::test
