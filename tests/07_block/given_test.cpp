// tests/07_block/given_test.cpp · what is given: repeated heads, configs, published models, kept rows, trained maps, costs
#include "tests/07_block/checklist.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/models/it_maps.hpp"
#include "chapters/07_block/models/published_models.hpp"
#include "common/io/weights.hpp"
#include "common/text/tokenizer.hpp"
#include "tests/support/close.hpp"
#include "tests/support/earlier.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

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

TEST(published_models, projections_of_grouped_queries_are_narrow) {
    Rng rng(1);
    const Projections attention = Projections(grouped_config(2), rng);
    EXPECT_EQ(attention.w_q.weight.shape(), (Shape{24, 24}));
    EXPECT_EQ(attention.w_k.weight.shape(), (Shape{8, 24}));
    EXPECT_EQ(attention.w_v.weight.shape(), (Shape{8, 24}));
    EXPECT_EQ(attention.w_o.weight.shape(), (Shape{24, 24}));
}

TEST(published_models, have_their_published_parameters) {
    Counts counts;
    for (const PublishedModel& model : published_models())
        counts.add(model.name, total_parameters(model), model.published);
    EXPECT_TRUE(counts.right());
    EXPECT_EQ(published_model("tinyllama-1.1b").block.kv_heads(), 4U);
    EXPECT_TRUE(refuses<ValueError>([] { (void)published_model("gpt5"); }, {"gpt5", "llama3-8b"}));
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

ItMaps maps_of_trained(const std::string& text) {
    return it_maps(load_network<ItReader>(weights_file("it"), it_reader_kind()), split_words(text));
}

TEST(it_maps, the_second_trained_block_finds_what_the_first_one_prepared) {
    for (const auto& [adjective, noun] : {std::pair("hungry", "dog"), std::pair("weak", "cat")}) {
        const ItMaps maps =
            maps_of_trained(fmt::format("the dog chased the cat because it was {}", adjective));
        EXPECT_EQ(maps.word(0), "chased");
        EXPECT_EQ(maps.word(1), noun);
        EXPECT_GT(std::min(maps.weight(0), maps.weight(1)), 0.99f);
    }
    const ItMaps passive = maps_of_trained("the dog was chased by the cat because it was hungry");
    EXPECT_EQ(passive.word(1), "cat") << "who chases is hungry";
}

TEST(it_maps, trained_blocks_refuse_what_they_dont_know) {
    EXPECT_TRUE(refuses<ValueError>([] { (void)maps_of_trained("the cat sat"); }, {"\"sat\""}));
    EXPECT_TRUE(refuses<ValueError>([] { (void)maps_of_trained("the dog"); }, {"\"it\""}));
}

// GPT-2's block at many positions: counts beyond 2^32.
constexpr std::size_t many_sequences = 8, many_positions = 65536;

TEST(block_costs, flops_of_attention_are_the_sum_over_its_products) {
    Counts counts;
    const BlockConfig wide = gpt2_block(), narrow{.d_model = 20, .num_heads = 4, .d_ff = 28};
    for (const auto& [c, batch, q, k] :
         {std::tuple<BlockConfig, std::size_t, std::size_t, std::size_t>{narrow, 3, 6, 6},
          {narrow, 3, 6, 7},
          {tinyllama_block(), 3, 6, 7},
          {wide, many_sequences, many_positions, many_positions}}) {
        const AttentionFlops flops = attention_flops(c, batch, q, k);
        const std::size_t d = c.d_model, heads = c.num_heads;
        const std::size_t by_head = 2 * q * (d / heads) * k;  // (query, d_k) x (d_k, key)
        const std::size_t d_kv = d / heads * c.kv_heads();
        const std::string sizes = fmt::format("{} queries, {} keys: ", q, k);
        counts.add(sizes + "projections", flops.projections, 2 * batch * d * (2 * q * d + 2 * k * d_kv));
        counts.add(sizes + "scores", flops.scores, batch * heads * by_head);
        counts.add(sizes + "weighted sum", flops.weighted_sum, batch * heads * by_head);
    }
    EXPECT_TRUE(counts.right());
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

TEST(block_costs, flops_of_the_network_count_every_matrix) {
    Counts counts;
    for (const auto& [c, batch, seq] : {std::tuple<BlockConfig, std::size_t, std::size_t>{small(), 3, 5},
                                        {small_llama(), 3, 5},
                                        {gpt2_block(), many_sequences, many_positions}})
        counts.add(gated(c) ? "SwiGLU" : "FeedForward", feed_forward_flops(c, batch, seq),
                   (gated(c) ? 3 : 2) * 2 * batch * seq * c.d_model * c.d_ff);
    EXPECT_TRUE(counts.right());
}

TEST(block_costs, activations_are_the_results_of_the_operations) {
    Counts counts;
    const auto add = [&](const BlockConfig& c, std::size_t batch, std::size_t seq) {
        const BlockActivations count = block_activations(c, batch, seq);
        const std::size_t tokens = batch * seq, one = tokens * c.d_model, narrow = tokens * c.d_kv();
        const std::size_t turned = c.rotary() ? one + narrow : 0, repeated = c.grouped() ? 2 * one : 0;
        // norm, q, k v, all three by head, [turned q k], [repeated k v], heads, merged, projected, sum
        counts.add(described(c) + ": attention", count.attention,
                   one * (1 + 1 + 1) + narrow * (2 + 2) + turned + repeated + one * (1 + 1 + 1 + 1));
        counts.add(described(c) + ": weights", count.weights, batch * seq * seq * c.num_heads);
        counts.add(described(c) + ": network", count.feed_forward,  // norm, hidden layers, output, sum
                   3 * one + (gated(c) ? 3 : 2) * tokens * c.d_ff);
    };
    for (const BlockConfig& c : all_configs()) add(c, 5, 7);
    add(gpt2_block(), many_sequences, many_positions);
    EXPECT_TRUE(counts.right());
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
