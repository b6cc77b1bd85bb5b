// tests/10_training/insides_test.cpp · blocks, heads, shares and units of a model are what they are said to be
#include "chapters/10_training/models/insides.hpp"

#include <algorithm>

#include "chapters/10_training/models/character_task.hpp"
#include "common/io/weights.hpp"
#include "tests/10_training/shipped_text.hpp"
#include "tests/support/close.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {

namespace {

struct Shipped {
    TextTransformer model = load_network<TextTransformer>(weights_file("characters"), character_kind());
    const Corpus& corpus = shakespeare();
};

Tensor projection(const TextTransformer& model, std::size_t layer) {
    return std::get<Stack>(model.model.stack).blocks[layer].attention.attention.w_o.weight;
}

}  // namespace

TEST(insides, the_last_block_guesses_as_the_model) {
    const Shipped shipped;
    const std::vector<double> bits = bits_after_each_block(shipped.model, shipped.corpus, 500);
    ASSERT_EQ(bits.size(), shipped.model.config.layers + 1);
    EXPECT_NEAR(bits.back(), bits_per_character(shipped.model, shipped.corpus, 500), 1e-4);
    for (std::size_t i = 1; i < bits.size(); ++i) EXPECT_LT(bits[i], bits[i - 1]) << "each block helps";
}

TEST(insides, a_head_that_hands_on_nothing_costs_nothing_and_the_others_cost_something) {
    const Shipped shipped;
    const std::size_t width = shipped.model.config.d_model / shipped.model.config.heads;
    Tensor projection_of_2 = projection(shipped.model, 2);
    Array& columns = projection_of_2.mutable_array();
    for (std::size_t row = 0; row < columns.shape()[0]; ++row)
        std::fill(&columns(row, width), &columns(row, width) + width, 0.0f);
    const Array before = columns, other = projection(shipped.model, 0).array();
    const auto costs = cost_of_each_head(shipped.model, shipped.corpus, 200);
    ASSERT_EQ(costs.size(), 4U);
    ASSERT_EQ(costs[2].size(), 4U);
    EXPECT_EQ(costs[2][1], 0.0);
    EXPECT_GT(costs[0][0], 0.1) << "the head that looks one back";
    EXPECT_TRUE(close(projection(shipped.model, 2).array(), before, {0.0, 0.0}))
        << "the weights are as before";
    EXPECT_TRUE(close(projection(shipped.model, 0).array(), other, {0.0, 0.0}));
}

TEST(insides, the_shares_add_up_to_the_logit) {
    const Shipped shipped;
    const Ids ids = shipped.model.tokenizer.encode("To be, or not to be");
    const Tensor logits = shipped.model.model(ids).logits;
    const Reading reading = read_through(shipped.model.model, ids, Weights::none);
    for (const std::int64_t token : {0, 20, 64}) {
        const std::vector<LogitShare> shares = logit_shares(shipped.model.model, reading, token);
        ASSERT_EQ(shares.size(), 1 + 2 * 4 + 1U);
        EXPECT_EQ(shares[2].name, "block 1, feed-forward");
        double sum = 0.0;
        for (const LogitShare& one : shares) sum += one.share;
        EXPECT_NEAR(sum, logits.at({0, ids.size() - 1, static_cast<std::size_t>(token)}), 1e-3);
    }
    Rng rng(1);
    TransformerConfig config = preset("tiny-llama");
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            const Transformer other(config, rng);
            (void)logit_shares(other, read_through(other, Ids{{1, 2}}), 0);
        },
        {"no final LayerNorm"}));
}

TEST(insides, a_unit_is_read_by_the_contexts_that_it_is_strongest_in) {
    const Shipped shipped;
    const Batch windows = make_batch(some_held_out_windows(shipped.corpus, 256, 8), 0);
    const std::vector<HiddenUnit> units = readable_units(shipped.model, windows.inputs, 12);
    ASSERT_FALSE(units.empty());
    const NoGrad no_grad;
    const Stack& stack = std::get<Stack>(shipped.model.model.stack);
    for (const HiddenUnit& unit : units) {
        ASSERT_EQ(unit.contexts.size(), 20U);
        std::size_t agree = 0;
        for (const std::string& context : unit.contexts) agree += context.ends_with(unit.ending) ? 1 : 0;
        EXPECT_EQ(agree, unit.agree);
        EXPECT_GE(agree, 12U);
        if (unit.layer > 0) continue;
        // In the first block its strength on the strongest context alone is that of the window, or near it.
        const FeedForwardSublayer& sublayer = stack.blocks[0].feed_forward;
        const auto strength = [&](const std::string& text) {
            const Ids ids = shipped.model.tokenizer.encode(text);
            const Tensor x =
                stack.blocks[0].attention(shipped.model.model.embed(ids), causal_mask(ids.size())).output;
            return sublayer.network.hidden(sublayer.norm(x)).at({0, ids.size() - 1, unit.unit});
        };
        EXPECT_GT(strength(unit.contexts.front()), strength("What is the matter") - 1.0f) << unit.ending;
    }
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            (void)readable_units(shipped.model, Ids{{1, 2, 3}, {4, 5, 6}}, 12);
        },
        {"fewer than 20 places"}));
}

}  // namespace tfs::test
