// tests/09_transformer/one_sequence_test.cpp · step one_sequence: PyTorch's values, properties, diagnosis

#include <fmt/format.h>

#include "tests/08_encoder_decoder/pass_in_parts.hpp"
#include "tests/09_transformer/one_sequence_suspects.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(one_sequence, equals_pytorch) {
    for (const std::string name : {"gpt2", "bert", "llama"}) {
        const Transformer m = golden_model(name);
        const Ids ids = golden_ids(name + ".ids");
        const auto kinds = m.segments ? std::optional(golden_ids(name + ".segment_ids")) : std::nullopt;
        const TransformerOutput result = m(ids, {}, kinds);
        EXPECT_TRUE(close_named(name + ": logits", result.logits, golden()[name + ".logits"], whole_model,
                                one_sequence_suspects(m, ids, kinds, false)));
        EXPECT_TRUE(close_named(name + ": hidden", result.hidden, reference_hidden(m, ids, kinds),
                                whole_model, one_sequence_suspects(m, ids, kinds, true)));
        if (!m.pooler || result.hidden.shape() != Shape{3, 6, 8}) continue;
        EXPECT_TRUE(close_named("pooled", m.pooled(result.hidden), golden()["bert.pooled"], whole_model));
    }
}

TEST(one_sequence, sends_the_gradients_of_pytorch_to_every_parameter) {
    for (const std::string name : {"gpt2", "bert", "llama"}) {
        const Transformer m = golden_model(name);
        const auto kinds = m.segments ? std::optional(golden_ids("bert.segment_ids")) : std::nullopt;
        const TransformerOutput result = m(golden_ids(name + ".ids"), {}, kinds);
        ASSERT_TRUE(has_shape(result.hidden, {3, result.logits.size(1), 8}));
        std::vector<Tensor> results{result.logits};
        if (m.pooler) results.push_back(m.pooled(result.hidden));
        expect_golden_gradients(name, m, results);
        if (HasFailure()) return;
    }
}

TEST(one_sequence, gives_the_weights_of_every_layer) {
    const Transformer m = golden_model("gpt2");
    const TransformerOutput result = m(three_rows, with_weights);
    const StackOutput run = std::get<Stack>(m.stack)(embedded(m, three_rows), {}, with_weights);
    const bool empty = result.self_weights.empty();
    ASSERT_EQ(result.self_weights.size(), 2u)
        << "one for each layer: those of the stack's result"
        << likely_if(empty && result.cross_weights.size() == 2,
                     "the weights are in cross_weights; they are those of self-attention")
        << likely_if(empty && result.cross_weights.empty(),
                     "the weights of the stack's result are not handed on")
        << likely_if(result.self_weights.size() == 1,
                     "the weights of one layer are handed on; there is one for each");
    ASSERT_GT(result.self_weights[0].size(), 0u)
        << "the weights have no entries"
        << likely_if(true, "pass.keep_weights does not reach the stack: hand the whole pass on");
    for (std::size_t layer = 0; layer < 2; ++layer)
        ASSERT_TRUE(close_named(
            fmt::format("weights of layer {}", layer), result.self_weights[layer], run.weights[layer],
            {1e-5, 1e-6}, {{"the layers are in reverse order", [&] { return run.weights[1 - layer]; }}}));
    EXPECT_TRUE(result.cross_weights.empty())
        << likely_if(true, "a model of one sequence has no cross-attention: cross_weights stay empty");
}

TEST(one_sequence, logits_of_a_decoder_do_not_depend_on_later_tokens) {
    const Transformer decoder = golden_model("gpt2"), encoder = golden_model("bert");
    Ids changed = three_rows;
    changed(0, 3) = 7;
    const auto head = [](const Tensor& x) { return slice(slice(x, 0, 0, 1), 1, 0, 3); };  // before position 3
    ASSERT_TRUE(has_shape(decoder(three_rows).logits, {3, 7, 11}));
    EXPECT_TRUE(close(head(decoder(changed).logits), head(decoder(three_rows).logits), {0, 0}));
    EXPECT_FALSE(close(head(encoder(changed).logits), head(encoder(three_rows).logits)))
        << "an encoder's positions look ahead";
}

TEST(one_sequence, a_padded_sentence_gives_what_it_gives_alone) {
    const Transformer m = golden_model("bert");
    const Tensor together = m({{3, 1, 4, 1, 5, 9, 2}, {9, 2, 6, 5, 3, 0, 0}, {2, 7, 1, 8, 3, 6, 0}}).logits,
                 alone = m({{9, 2, 6, 5, 3}}).logits;
    ASSERT_TRUE(has_shape(together, {3, 7, 11}));
    EXPECT_TRUE(close(slice(slice(together, 0, 1, 2), 1, 0, 5), alone, whole_model));
}

TEST(one_sequence, hides_padding_in_a_decoder_too) {
    TransformerConfig c = small_config();
    c.pad_id = 0;
    const Transformer m = made(c);
    const Ids ids{{0, 3, 1, 0, 4}};  // before the text, so that the causal mask does not hide it anyway
    EXPECT_TRUE(close(
        m(ids).hidden, reference_hidden(m, ids), whole_model,
        {{"the padding is not hidden from the decoder: it matters where padding stands before real tokens",
          [&] { return reference_hidden(m, ids, {}, Wrong::no_padding); }}}));
}

TEST(one_sequence, drops_in_the_embedding_and_in_every_block) {
    TransformerConfig c = small_config();
    c.block.dropout = 0.3;
    const Transformer m = made(c);
    const auto run = [&](bool in_embedding, bool in_blocks) {
        Rng rng(6);
        const Tensor x = dropout(embedded(m, three_rows), 0.3, in_embedding ? &rng : nullptr);
        return std::get<Stack>(m.stack)(x, std::nullopt,
                                        {.rng = in_blocks ? &rng : nullptr, .keep_weights = Weights::keep});
    };
    Rng rng(6);
    const TransformerOutput result = m(three_rows, {.rng = &rng, .keep_weights = Weights::keep});
    const std::string lost = "rng is not passed on to ";
    ASSERT_TRUE(close_named("training", result.hidden, run(true, true).output, whole_model,
                            {{lost + "embed and the stack", [&] { return run(false, false).output; }},
                             {lost + "embed", [&] { return run(false, true).output; }},
                             {lost + "the stack", [&] { return run(true, false).output; }}}));
    EXPECT_TRUE(logits_of_hidden(m, result, m(three_rows)));
    ASSERT_EQ(result.self_weights.size(), 2u);
    EXPECT_TRUE(
        close_named("weights in training", result.self_weights[1], run(true, true).weights[1], whole_model,
                    {{"these are of another run, in evaluation: take those of the run that gave the logits",
                      [&] { return run(false, false).weights[1]; }}}));
}

// Learned, sinusoidal and rotary positions: a text in two parts, the keys and values of the first one kept.
TEST(one_sequence, a_text_of_a_decoder_in_two_parts_gives_what_it_gives_in_one) {
    for (const Transformer& m : {golden_model("gpt2"), golden_model("llama"), made(small_config())}) {
        const Tensor whole = m(three_rows).logits;
        const bool right =
            bool(close(whole, reference_logits(m, reference_hidden(m, three_rows)), whole_model));
        expect_parts_give_the_whole(
            [&](std::size_t begin, std::size_t end, const Pass& pass) {
                return m(part_of(three_rows, begin, end), pass).logits;
            },
            whole, 2, whole_model,
            right ? "the pass does not reach embed: its positions begin at pass.offset" : "");
        if (HasFailure()) return;
    }
}

TEST(one_sequence, padding_of_earlier_parts_comes_with_the_pass) {
    TransformerConfig c = small_config();
    c.pad_id = 0;
    const Transformer m = made(c);
    const Ids ids{{0, 3, 1, 6, 4}};
    const Tensor whole = m(ids).logits;
    const auto rest = [&](bool padded) {
        PassInParts kept;
        Pass first = kept.next(2), second = kept.next(3);
        if (padded) first.padding = padding_of(c, {{0, 3}});
        if (padded) second.padding = padding_of(c, ids);
        (void)m({{0, 3}}, first);
        return m({{1, 6, 4}}, second).logits;
    };
    try {
        EXPECT_TRUE(close(rest(true), slice(whole, 1, 2, 5), whole_model,
                          {{padding_not_of_the_pass, [&] { return rest(false); }}}));
    } catch (const ShapeError& error) {
        EXPECT_TRUE(padding_misfits(error.what()));
    }
}

TEST(one_sequence, refuses_a_model_of_two_sequences) {
    ASSERT_EQ(golden_model("gpt2")(three_rows).logits.shape(), (Shape{3, 7, 11}));
    EXPECT_TRUE(refuses<ValueError>([] { golden_model("original")(three_rows); }, {"encoder-decoder"}));
    EXPECT_TRUE(
        refuses<ValueError>([] { golden_model("gpt2")(three_rows, {}, all_in_segment_0(three_rows)); },
                            {"no segments"}, "segment_ids for a model without segments",
                            "segment_ids are not passed on to embed, which refuses them"));
}

// --- logits ------------------------------------------------------------------------------------------------

TEST(one_sequence, tied_logits_are_products_with_the_table_of_the_tokens) {
    const Transformer m = golden_model("gpt2"), scaled = made(small_config());
    EXPECT_TRUE(close_named("gpt2", m.logits(golden()["gpt2.hidden"]), golden()["gpt2.logits"]));
    const Tensor hidden = normal({2, 3, 16}, 3),
                 right = matmul(hidden, scaled.embedding.weight, Transpose::b);
    EXPECT_TRUE(close_named("scaled embedding", scaled.logits(hidden), right, {1e-5, 1e-6},
                            logits_suspects(scaled, [&] { return right; })));
}

TEST(one_sequence, logits_of_an_untied_model_use_the_table_of_its_output) {
    const Transformer m = golden_model("llama");
    const Tensor hidden = normal({2, 3, 8}, 3);
    EXPECT_TRUE(close(m.logits(hidden), matmul(hidden, m.output->weight, Transpose::b), {1e-5, 1e-6},
                      {{always_tied, [&] { return matmul(hidden, m.embedding.weight, Transpose::b); }}}));
}

TEST(one_sequence, logits_send_the_gradient_to_hidden_and_table) {
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
