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

TEST(reading, refuses_what_is_not_there) {
    Rng rng(5);
    const Transformer model(small("tiny-decoder"), rng);
    EXPECT_THROW((void)read_through(golden_model("original"), text), ValueError);
    EXPECT_THROW((void)read_through(model, Ids{{4, 30}}), ValueError) << "no token";
}

}  // namespace
}  // namespace tfs::test
