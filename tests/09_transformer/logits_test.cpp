// tests/09_transformer/logits_test.cpp · step logits: PyTorch's values, properties, diagnosis
#include "tests/09_transformer/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

TEST(logits, tied_logits_are_products_with_the_table_of_the_tokens) {
    const Transformer m = golden_model("gpt2"), notes = made(notes_config());
    EXPECT_TRUE(close_named("gpt2", m.logits(golden()["gpt2.hidden"]), golden()["gpt2.logits"]));
    const Tensor hidden = normal({2, 3, 16}, 3), right = matmul(hidden, notes.embedding.weight, Transpose::b);
    EXPECT_TRUE(
        close_named("scaled embedding", notes.logits(hidden), right, {1e-5, 1e-6},
                    {{"the logits are scaled by sqrt(d_model) as well; only what enters the first block is",
                      [&] { return right * 4.0f; }},
                     {"the logits are divided by sqrt(d_model)", [&] { return right / 4.0f; }},
                     {"the logits are scores, before any softmax", [&] { return softmax(right); }}}));
}

TEST(logits, an_untied_model_uses_the_table_of_its_output) {
    const Transformer m = golden_model("llama");
    const Tensor hidden = normal({2, 3, 8}, 3);
    EXPECT_TRUE(close(m.logits(hidden), matmul(hidden, m.output->weight, Transpose::b), {1e-5, 1e-6},
                      {{"the table of the embedding is used although the model has one for its output",
                        [&] { return matmul(hidden, m.embedding.weight, Transpose::b); }}}));
}

TEST(logits, send_the_gradient_to_hidden_and_table) {
    const Tensor hidden(normal({1, 3, 8}, 4).array(), true), weights = normal({1, 3, 11}, 5);
    for (const std::string name : {"gpt2", "llama"}) {
        const Transformer m = golden_model(name);
        const Tensor table = m.output ? m.output->weight : m.embedding.weight;
        Parameters both{{"hidden", hidden}, {"table", table}};
        clear_grads(both);
        ASSERT_TRUE(send_back(m.logits(hidden), weights));
        EXPECT_TRUE(gradient_close("the table", table,
                                   matmul(reshape(weights, {3, 11}), reshape(hidden, {3, 8}), Transpose::a)));
        EXPECT_TRUE(gradient_close("hidden", hidden, matmul(weights, table)));
    }
}

}  // namespace
}  // namespace tfs::test
