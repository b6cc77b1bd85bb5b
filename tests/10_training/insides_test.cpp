// tests/10_training/insides_test.cpp · blocks and heads of a model are what they are said to be
#include "chapters/10_training/models/insides.hpp"

#include <algorithm>

#include "chapters/10_training/models/character_task.hpp"
#include "common/io/weights.hpp"
#include "tests/10_training/shipped_text.hpp"
#include "tests/support/close.hpp"

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

}  // namespace tfs::test
