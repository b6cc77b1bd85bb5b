// tests/09_transformer/reading_test.cpp · looking into a model: every part is what the model itself computes
#include "chapters/09_transformer/models/reading.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

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

// The heads' outputs, made of scores and values alone, through w_o and added to the stream, are the attention sublayer.
TEST(reading, softmax_of_the_scores_times_values_is_what_attention_adds) {
    const std::size_t last = text.size() - 1;
    for (const char* name : {"tiny-decoder", "tiny-llama"}) {
        Rng rng(5);
        const Transformer model(small(name), rng);
        const NoGrad no_grad;
        const Reading reading = read_through(model, text);
        for (std::size_t layer = 0; layer < reading.weights.size(); ++layer) {
            const TransformerBlock& block = std::get<Stack>(model.stack).blocks[layer];
            const Tensor x = reading.streams[layer];
            Array row = Array::from_shape({1, 1, x.size(2)});
            float* out = row.data();
            for (std::size_t head = 0; head < block.config.num_heads; ++head) {
                const WeightParts first = weight_parts(block, x, head, last, 0);
                ASSERT_EQ(first.scores.size(), last + 1);
                double sum = 0.0;
                for (const double score : first.scores) sum += std::exp(score);
                std::fill_n(out, first.value.size(), 0.0f);
                for (std::size_t key = 0; key <= last; ++key) {
                    const auto weight = static_cast<float>(std::exp(first.scores[key]) / sum);
                    const WeightParts parts = weight_parts(block, x, head, last, key);
                    for (std::size_t i = 0; i < parts.value.size(); ++i) out[i] += weight * parts.value[i];
                }
                out += first.value.size();
            }
            const Tensor output = block.attention(x, causal_mask(text.size())).output;
            EXPECT_TRUE(close_named(name, slice(output - x, 1, last, last + 1),
                                    block.attention.attention.w_o(Tensor(row)), Tolerance{0.0, 1e-5}));
        }
    }
}

TEST(reading, refuses_what_is_not_there) {
    Rng rng(5);
    const Transformer model(small("tiny-decoder"), rng);
    const Reading reading = read_through(model, text);
    const TransformerBlock& block = std::get<Stack>(model.stack).blocks[0];
    EXPECT_THROW((void)weight_parts(block, reading.streams[0], 99, 0, 0), ValueError);
    EXPECT_THROW((void)weight_parts(block, reading.streams[0], 0, 7, 0), ValueError);
    EXPECT_THROW((void)weight_parts(block, reading.streams[0], 0, 3, 4), ValueError) << "a later key";
    EXPECT_THROW((void)read_through(golden_model("original"), text), ValueError);
    EXPECT_THROW((void)read_through(model, Ids{{4, 30}}), ValueError) << "no token";
}

}  // namespace
}  // namespace tfs::test
