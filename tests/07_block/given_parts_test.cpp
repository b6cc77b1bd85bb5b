// tests/07_block/given_parts_test.cpp · what is given: repeated heads, configs, published models, kept rows, trained maps
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/models/it_maps.hpp"
#include "chapters/07_block/models/published_models.hpp"
#include "common/program/weights.hpp"
#include "common/text/tokenizer.hpp"
#include "tests/07_block/checklist.hpp"
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

}  // namespace
}  // namespace tfs::test
