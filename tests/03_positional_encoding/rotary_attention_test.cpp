// tests/03_positional_encoding/rotary_attention_test.cpp · step rotary_attention: PyTorch's values, properties, diagnosis
#include "tests/03_positional_encoding/checklist.hpp"

#include <fmt/format.h>

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

Mask causal() {  // 3 queries from position 3 on, 6 keys
    return Mask::from({3, 6}, {1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1});
}

const std::string same_start =
    "queries and keys begin at the same position: `offset` is where the queries begin, the keys begin at 0";

const std::string backwards =
    "queries or keys are turned backwards; both are turned by the positive angle of their position";

Tensor turned_back(const Tensor& x, RotaryLayout layout, std::size_t offset) {
    return reference_rotary(x, layout, offset,
                            [](const Tensor& a, const Tensor& b, const Tensor& cos, const Tensor& sin) {
                                return right_turn(a, b, cos, -sin);
                            });
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
                suspect("the values are turned too: positions belong in the scores only, values are summed "
                        "as they are",
                        [=] { return attend(turn(q, 3), turn(k, 0), turn(v, 0)); }),
                suspect("only the queries are turned: the scores then depend on the query's position alone",
                        [=] { return attend(turn(q, 3), k, v); }),
                suspect("only the keys are turned: the scores then depend on the key's position alone",
                        [=] { return attend(q, turn(k, 0), v); }),
                suspect(same_start, [=] { return attend(turn(q, 0), turn(k, 0), v); }),
                suspect(backwards, [=] { return attend(turn(q, 3), turned_back(k, layout, 0), v); }),
                suspect(backwards, [=] { return attend(turned_back(q, layout, 3), turn(k, 0), v); }),
                suspect(backwards,
                        [=] { return attend(turned_back(q, layout, 3), turned_back(k, layout, 0), v); }),
                suspect("`offset` is given to the keys; it is where the queries begin",
                        [=] { return attend(turn(q, 0), turn(k, 3), v); }),
                suspect("the output is turned; only queries and keys are",
                        [=] {
                            const AttentionOutput right = attend(turn(q, 3), turn(k, 0), v);
                            return AttentionOutput{turn(right.output, 3), right.weights};
                        }),
                suspect("the scores are not divided by sqrt(d_k): attend as in chapter 01",
                        [=] { return attend(turn(q, 3) * std::sqrt(8.0f), turn(k, 0), v); }),
                suspect("the scores are divided by sqrt(d_k) twice: the attention of chapter 01 does it",
                        [=] { return attend(turn(q, 3) / std::sqrt(8.0f), turn(k, 0), v); }),
                suspect("the queries are turned twice",
                        [=] { return attend(turn(turn(q, 3), 3), turn(k, 0), v); }),
                suspect("the keys are turned twice",
                        [=] { return attend(turn(q, 3), turn(turn(k, 0), 0), v); }),
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

TEST(rotary_attention, queries_may_stand_before_the_last_keys_or_behind_them) {
    const Tensor three = golden()["rotary_attention.q"], six = golden()["rotary_attention.k"],
                 six_values = golden()["rotary_attention.v"];  // 3 queries, 6 keys
    const auto layout = RotaryLayout::interleaved;
    const auto compare = [&](std::size_t queries, std::size_t keys, std::size_t offset, std::size_t wrong,
                             const std::string& message) {
        const Tensor q = slice(three, -2, 0, queries);
        const Tensor k = slice(six, -2, 0, keys), v = slice(six_values, -2, 0, keys);
        const auto weights = [&](std::size_t from) {
            return attend(reference_rotary(q, layout, from), reference_rotary(k, layout), v).weights;
        };
        const AttentionOutput result =
            rotary_attention(q, k, v, golden_rotary(), std::nullopt, layout, offset);
        const std::string what =
            fmt::format("weights of {} queries from position {} on, over {} keys", queries, offset, keys);
        return close_named(what, result.weights, weights(offset), {1e-5, 1e-6},
                           {{message, [&] { return weights(wrong); }}});
    };
    ASSERT_TRUE(compare(3, 6, 3, 0, same_start));
    ASSERT_TRUE(compare(3, 6, 0, 3, guessed_offset));
    EXPECT_TRUE(compare(3, 3, 3, 0, dropped_offset));
    EXPECT_TRUE(compare(1, 6, 3, 0, dropped_for_one));
}

TEST(rotary_attention, takes_its_angles_from_the_table) {
    const Tensor q = golden()["rotary_attention.q"], k = golden()["rotary_attention.k"],
                 v = golden()["rotary_attention.v"];
    const auto layout = RotaryLayout::interleaved;
    const Tensor turned_q = turned_back(q, layout, 3), turned_k = turned_back(k, layout, 0);
    ASSERT_TRUE(close_named("weights, tables of positive angles",
                            rotary_attention(q, k, v, golden_rotary(), std::nullopt, layout, 3).weights,
                            attend(reference_rotary(q, layout, 3), reference_rotary(k, layout), v).weights,
                            {1e-5, 1e-6}));
    EXPECT_TRUE(close_named(
        "weights, tables of negative angles",
        rotary_attention(q, k, v, backward_rotary(), std::nullopt, layout, 3).weights,
        attend(turned_q, turned_k, v).weights, {1e-5, 1e-6},
        {{own_angles,
          [&] { return attend(reference_rotary(q, layout, 3), reference_rotary(k, layout), v).weights; }},
         {own_angles, [&] { return attend(reference_rotary(q, layout, 3), turned_k, v).weights; }},
         {own_angles, [&] { return attend(turned_q, reference_rotary(k, layout), v).weights; }}}));
}

TEST(rotary_attention, passes_the_mask_on) {
    const std::string no_mask = "the mask is not passed on to the attention";
    const Tensor q = golden()["rotary_attention.q"], k = golden()["rotary_attention.k"],
                 wide = golden()["rotary_attention.v"], v = slice(wide, -1, 0, 5);  // d_v is not d_k
    ASSERT_TRUE(close_named(
        "output, without a mask",
        rotary_attention(q, k, wide, golden_rotary(), std::nullopt, RotaryLayout::interleaved, 3).output,
        golden()["rotary_attention.output"], {1e-5, 1e-6}));
    for (const auto layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
        for (const std::size_t offset : {3u, 0u}) {
            const auto right = [&](const std::optional<Mask>& mask) {
                return scaled_dot_product_attention(reference_rotary(q, layout, offset),
                                                    reference_rotary(k, layout), v, mask);
            };
            const AttentionOutput result =
                rotary_attention(q, k, v, golden_rotary(), causal(), layout, offset);
            EXPECT_TRUE(close_named("weights", result.weights, right(causal()).weights, {1e-5, 1e-6},
                                    {{no_mask, [&] { return right(std::nullopt).weights; }}}));
            EXPECT_TRUE(close_named("output", result.output, right(causal()).output, {1e-5, 1e-6},
                                    {{no_mask, [&] { return right(std::nullopt).output; }}}));
        }
    }
}

TEST(rotary_attention, sends_the_gradients_of_pytorch_under_a_mask) {
    const Tensor q = leaf("rotary_attention.q"), k = leaf("rotary_attention.k"),
                 v = leaf("rotary_attention.v");
    const auto result = rotary_attention(q, k, v, golden_rotary(), causal(), RotaryLayout::interleaved, 3);
    EXPECT_TRUE(close(result.output, golden()["rotary_attention.masked.output"], {1e-5, 1e-6}));
    ASSERT_TRUE(send_back(result.output, golden()["rotary_attention.masked.grad_weights"]));
    for (const auto& [name, input] : {std::pair("q", q), std::pair("k", k), std::pair("v", v)}) {
        EXPECT_TRUE(gradient_close(name, input, golden()[std::string("rotary_attention.masked.grad_") + name],
                                   {1e-4, 1e-6}));
    }
}

}  // namespace
}  // namespace tfs::test
