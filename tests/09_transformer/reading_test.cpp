// tests/09_transformer/reading_test.cpp · looking into a model: every part is what the model itself computes
#include "chapters/09_transformer/models/reading.hpp"

#include <cmath>

#include "tests/09_transformer/checklist.hpp"

namespace tfs::test {

namespace {

// Grouped queries, rotary positions, pre-norm, a final norm; and one without all of them.
TransformerConfig small(const std::string& name) {
    TransformerConfig config = preset(name);
    config.vocab_size = 30;
    if (name == "tiny-llama") config.block.num_kv_heads = 2;
    return config;
}

const Ids text{{4, 17, 4, 9, 22, 17, 1}};

}  // namespace

TEST(reading, ends_where_the_model_ends) {
    for (const char* name : {"tiny-decoder", "tiny-llama", "tiny-encoder"}) {
        SCOPED_TRACE(name);
        Rng rng(5);
        const Transformer model(small(name), rng);
        const NoGrad no_grad;
        const TransformerOutput output = model(text, with_weights);
        const Reading reading = read_through(model, text);
        ASSERT_EQ(reading.streams.size(), model.config.num_layers + 1);
        ASSERT_EQ(reading.weights.size(), model.config.num_layers);
        for (std::size_t i = 0; i < reading.weights.size(); ++i)
            EXPECT_TRUE(close(reading.weights[i], output.self_weights[i], Tolerance{0.0, 1e-6}));
        EXPECT_TRUE(close(lens(model, reading.streams.back()), output.logits, Tolerance{0.0, 1e-5}));
        EXPECT_TRUE(close(reading.streams.front(), model.embed(text), Tolerance{0.0, 1e-6}));
    }
}

TEST(reading, softmax_of_the_scores_is_the_row_of_weights) {
    for (const char* name : {"tiny-decoder", "tiny-llama"}) {
        Rng rng(5);
        const Transformer model(small(name), rng);
        const NoGrad no_grad;
        const Reading reading = read_through(model, text);
        for (std::size_t layer = 0; layer < reading.weights.size(); ++layer) {
            const TransformerBlock& block = std::get<Stack>(model.stack).blocks[layer];
            for (std::size_t head = 0; head < block.config.num_heads; ++head)
                for (std::size_t query = 0; query < text.size(); ++query) {
                    double sum = 0.0;
                    const auto parts = weight_parts(block, reading.streams[layer], head, query, query);
                    ASSERT_EQ(parts.scores.size(), query + 1);
                    for (const double score : parts.scores) sum += std::exp(score);
                    for (std::size_t key = 0; key <= query; ++key)
                        EXPECT_NEAR(std::exp(parts.scores[key]) / sum,
                                    reading.weights[layer].at({0, head, query, key}), 1e-5)
                            << name << ", layer " << layer << ", head " << head;
                }
        }
    }
}

// The heads' outputs, made of weights and values alone, through w_o and added to the stream, are the attention sublayer.
TEST(reading, weights_times_values_are_what_attention_adds) {
    Rng rng(5);
    const Transformer model(small("tiny-decoder"), rng);
    const NoGrad no_grad;
    const Tensor x = read_through(model, text).streams[0];
    const TransformerBlock& block = std::get<Stack>(model.stack).blocks[0];
    const std::size_t last = text.size() - 1, heads = block.config.num_heads;
    Array row = Array::from_shape({1, 1, x.size(2)});
    for (std::size_t head = 0; head < heads; ++head) {
        const auto first = weight_parts(block, x, head, last, 0);
        double sum = 0.0;
        for (const double score : first.scores) sum += std::exp(score);
        for (std::size_t i = 0; i < first.value.size(); ++i) {
            double value = 0.0;
            for (std::size_t key = 0; key <= last; ++key)
                value += std::exp(first.scores[key]) / sum *
                         static_cast<double>(weight_parts(block, x, head, last, key).value[i]);
            row(0, 0, head * first.value.size() + i) = static_cast<float>(value);
        }
    }
    const Tensor added = block.attention.attention.w_o(Tensor(row));
    const Tensor output = block.attention(x, causal_mask(text.size())).output;
    EXPECT_TRUE(close(slice(output - x, 1, last, last + 1), added, Tolerance{0.0, 1e-5}));
}

TEST(reading, refuses_what_is_not_there) {
    Rng rng(5);
    const Transformer model(small("tiny-decoder"), rng);
    const Reading reading = read_through(model, text);
    const TransformerBlock& block = std::get<Stack>(model.stack).blocks[0];
    EXPECT_THROW((void)weight_parts(block, reading.streams[0], 99, 0, 0), ValueError);
    EXPECT_THROW((void)weight_parts(block, reading.streams[0], 0, 7, 0), ValueError);
    EXPECT_THROW((void)weight_parts(block, reading.streams[0], 0, 3, 4), ValueError) << "a later key";
    Rng other(5);
    EXPECT_THROW((void)read_through(Transformer(preset("tiny-encoder-decoder"), other), text), ValueError);
    EXPECT_THROW((void)read_through(model, Ids{{4, 30}}), ValueError) << "no token";
}

}  // namespace tfs::test
