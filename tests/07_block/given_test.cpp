// tests/07_block/given_test.cpp · what is given: repeated heads, configs, kept rows, costs
#include "tests/07_block/checklist.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "chapters/07_block/cost.hpp"
#include "common/measure.hpp"
#include "tests/support/close.hpp"
#include "tests/support/earlier.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// The libraries of earlier chapters are made of our fast steps.
TEST(given_attention_with_dropout, of_a_long_text_keeps_no_square) {
    constexpr std::size_t length = 1024, heads = 8;
    const Tensor x = normal({1, heads, length, 8}, 25);
    Rng rng(1);
    const auto memory = peak_memory(
        [&] { (void)attention_with_dropout(x, x, x, std::nullopt, 0.5, &rng, std::nullopt, Weights::none); });
    EXPECT_LT(memory.value_or(0.0), 4.0 * heads * length * length / 2);
}

// Three heads of five positions, d = 7, in each of two sequences. No number of copies is one of these.
TEST(repeat_heads, repeats_each_head_beside_itself_and_collects_its_gradient) {
    for (const std::size_t times : {1u, 4u, 6u}) {
        const Tensor x(normal({2, 3, 5, 7}, 4).array(), true), same(x.array(), true);
        std::vector<Tensor> heads;
        for (std::size_t i = 0; i < 3 * times; ++i) heads.push_back(slice(same, 1, i / times, i / times + 1));
        const Tensor repeated = repeat_heads(x, times), expected = concat(heads, 1);
        EXPECT_TRUE(close_named(fmt::format("{} times", times), repeated, expected, {0, 0}));
        const Tensor upstream = normal({2, 3 * times, 5, 7}, 5);
        ASSERT_TRUE(send_back(repeated, upstream));
        ASSERT_TRUE(send_back(expected, upstream));
        EXPECT_TRUE(gradient_close("x", x, Tensor(same.grad())));
    }
    EXPECT_TRUE(refuses<ShapeError>([] { (void)repeat_heads(Tensor::ones({2, 3, 5, 7}), 0); }, {"0"}));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)repeat_heads(Tensor::ones({2, 3}), 2); }, {"(2, 3)"}));
}

TEST(block_configs, fit_or_say_all_that_does_not) {
    BlockConfig same = small(), many = small_llama(), odd = small_llama(), added = grouped_config(2);
    same.num_kv_heads = same.num_heads;  // as many heads need no rotary positions
    many.num_heads = 3, many.d_ff = 0, many.dropout = 1.5, many.norm_eps = -0.5f, many.max_len = 0;
    odd.d_model = 6;
    added.positions = NoPositions{};
    for (const BlockConfig& config :
         {small(), small_llama(), bert_block(), qwen_block(), same, grouped_config(2)})
        EXPECT_EQ(problems(config).size(), 0U);
    using Named = std::vector<std::string>;
    for (const auto& [config, named] :
         {std::pair<BlockConfig, Named>{grouped_config(0), {"is 0"}},
          {grouped_config(4), {"4", "don't divide 6 heads"}},
          {added, {"2", "6", "rotary positions only"}},
          {odd, {"6 / 2 = 3"}},
          {many, {"3 heads don't divide d_model = 8", "d_ff is 0", "1.5", "-0.5", "max_len is 0"}}}) {
        EXPECT_EQ(problems(config).size(), named.size() > 3 ? 5U : 1U);
        Rng rng(1);
        EXPECT_TRUE(refuses<ValueError>([&, &wrong = config] { TransformerBlock(wrong, rng); }, named));
    }
}

// Rotary positions and grouped queries, and ALiBi; with the weights of attention.
TEST(kept_rows, a_sequence_in_parts_gives_what_it_gives_in_one) {
    const NoGrad no_grad;
    BlockConfig alibi = grouped_config(6);
    alibi.positions = Alibi{};
    const Tensor x = normal({2, 11, 24}, 3);
    for (const BlockConfig& config : {grouped_config(2), alibi}) {
        Rng rng(4);
        const TransformerBlock block(config, rng);
        const AttentionOutput whole = block(x, causal_mask(11), with_weights);
        KeptRows store(16);
        std::size_t begin = 0;
        for (const std::size_t end : {4u, 5u, 11u}) {
            const Pass pass{.offset = begin, .keep_weights = Weights::keep, .earlier = &store, .layer = 0};
            const AttentionOutput part =
                block(slice(x, 1, begin, end), causal_mask(end - begin, end, begin), pass);
            EXPECT_TRUE(close(part.output, slice(whole.output, 1, begin, end), {1e-4, 1e-5}));
            EXPECT_TRUE(
                close(part.weights, slice(slice(whole.weights, 2, begin, end), 3, 0, end), {1e-4, 1e-6}));
            begin = end;
        }
    }
}

// Without NoGrad its keys need a gradient that the store can't send back: also where dropout is on.
TEST(kept_rows, have_no_tape) {
    BlockConfig config = small();
    config.dropout = 0.25;
    Rng rng(4);
    const TransformerBlock block(config, rng);
    for (Rng* const training : {static_cast<Rng*>(nullptr), &rng}) {
        KeptRows store(16);
        const Pass pass{.rng = training, .earlier = &store};
        EXPECT_TRUE(refuses<ValueError>(
            [&] {
                (void)block(normal({2, 5, 8}, 3), causal_mask(5), pass);
            },
            {"without a tape", "NoGrad"}));
    }
}

TEST(block_costs, counts_beyond_64_bits_say_so) {
    const BlockConfig c = gpt2_block();
    const std::size_t many = 1ull << 31;
    const std::vector<std::string> named{"2147483648", "768", "too large to be counted"};
    EXPECT_TRUE(refuses<ValueError>([&] { (void)attention_flops(c, 1, many, many); }, named));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)feed_forward_flops(c, many, many); }, named));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)block_activations(c, many, many); }, named));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)feed_forward_costs(c, "", 1ull << 20, 1ull << 26); },
                                    {"3072", "too large to be counted"}));
    const PartCost part{.part = "a", .flops = 1ull << 63};
    EXPECT_TRUE(refuses<ValueError>([&] { (void)total({part, part}); }, {"9223372036854775808"}));
}

TEST(block_costs, activations_are_the_tape_of_a_block_but_for_copies) {
    const Tensor x = leaf("x");
    Counts counts;
    for (const BlockConfig& c : {small(), small(NormPosition::post), small_llama()})
        counts.add(described(c) + ": bytes",
                   sizeof(float) * block_activations(c, 3, 5).total() + copies_of_reshape(c, 3, 5, 5),
                   tape_bytes(made<TransformerBlock>(c)(x).output));
    BlockConfig grouped = llama_block(24, 6, 10, 16);
    grouped.num_kv_heads = 2;
    Rng rng(3);
    const Tensor wide(rng.normal_array({5, 7, 24}), true);
    counts.add("grouped: bytes",
               sizeof(float) * block_activations(grouped, 5, 7).total() + copies_of_reshape(grouped, 5, 7, 7),
               tape_bytes(TransformerBlock(grouped, rng)(wide).output));
    EXPECT_TRUE(counts.right());
}

TEST(block_costs, the_lines_of_the_summary_add_up) {
    Counts counts;
    for (const BlockConfig& c : all_configs()) {
        const TotalCost lines = total(block_costs(c, "", 5, 7));
        counts.add(described(c) + ": FLOPs",
                   attention_flops(c, 5, 7, 7).total() + feed_forward_flops(c, 5, 7), lines.flops);
        counts.add(described(c) + ": bytes", sizeof(float) * block_activations(c, 5, 7).total(), lines.bytes);
        counts.add(described(c) + ": parameters", block_parameters(c).total(), lines.parameters);
    }
    counts.add("3 queries, 7 keys", attention_flops(small(), 5, 3, 7).total(),
               total(attention_costs(small(), "cross", 5, 3, 7)).flops);
    EXPECT_TRUE(counts.right());
}

}  // namespace
}  // namespace tfs::test
