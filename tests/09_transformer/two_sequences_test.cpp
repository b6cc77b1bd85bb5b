// tests/09_transformer/two_sequences_test.cpp · step two_sequences: PyTorch's values, properties, diagnosis
#include "tests/09_transformer/checklist.hpp"

#include "tests/08_encoder_decoder/kept.hpp"
#include "tests/09_transformer/wrong_runs.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/memory.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

const Ids source_rows{{3, 1, 4, 0, 0}, {9, 2, 6, 5, 3}};

TEST(two_sequences, equals_pytorch) {
    const Transformer m = golden_model("original");
    const Ids source = golden_ids("original.source"), target = golden_ids("original.target");
    EXPECT_TRUE(close(m(source, target).logits, golden()["original.logits"], whole_model,
                      two_sequence_suspects(m, source, target)));
}

TEST(two_sequences, sends_the_gradients_of_pytorch_to_every_parameter) {
    const Transformer m = golden_model("original");
    const TransformerOutput result = m(golden_ids("original.source"), golden_ids("original.target"));
    expect_golden_gradients("original", m, {result.logits});
}

TEST(two_sequences, each_padding_hides_its_own_keys) {
    const Transformer m = golden_model("original");
    const Tensor hidden = reference_decoded(m, right_run(m, source_rows, target_rows));
    const TransformerOutput result = m(source_rows, target_rows);
    ASSERT_TRUE(close_named("logits", result.logits, reference_logits(m, hidden), whole_model,
                            two_sequence_suspects(m, source_rows, target_rows)));
    EXPECT_TRUE(close_named("hidden", result.hidden, hidden, whole_model,
                            two_sequence_suspects(m, source_rows, target_rows, true)));
    const auto s = padding_of(m.config, source_rows);
    const auto memory = std::get<EncoderDecoder>(m.stack).encode(embedded(m, source_rows), s).output;
    EXPECT_TRUE(close_named("encode", m.encode(source_rows).output, memory, whole_model));
    Transformer unpadded = m;
    unpadded.config.pad_id.reset();
    EXPECT_TRUE(close_named("without pad_id", unpadded(source_rows, target_rows).hidden,
                            reference_decoded(unpadded, right_run(unpadded, source_rows, target_rows)),
                            whole_model, {{zero_is_no_padding, [&] { return hidden; }}}));
}

TEST(two_sequences, one_memory_serves_any_number_of_targets) {
    const Transformer m = golden_model("original");
    const Memory memory = m.encode(source_rows);
    EXPECT_TRUE(close(m.decode(target_rows, memory).logits, m(source_rows, target_rows).logits, {0, 0}));
    const auto& stack = std::get<EncoderDecoder>(m.stack);
    const auto t = padding_of(m.config, target_rows);
    const Memory doubled = stack.memory_of(memory.output * 2.0f, memory.padding);
    EXPECT_TRUE(close_named("another memory", m.decode(target_rows, doubled).hidden,
                            stack.decode(embedded(m, target_rows), doubled, t).output, whole_model));
    const Ids beginning{{1, 7, 7}, {1, 3, 10}};
    const Tensor shorter = m.decode(beginning, memory).logits;
    const Tensor whole = m.decode(target_rows, memory).logits;
    ASSERT_TRUE(has_shape(whole, {2, 5, 11}));
    EXPECT_TRUE(close_named("the first three of five", slice(whole, 1, 0, 3), shorter, whole_model));
}

// Sinusoidal, learned and rotary positions; the source is encoded once for both parts.
TEST(two_sequences, a_target_in_two_parts_gives_what_it_gives_in_one) {
    for (const Positions positions : {Positions::sinusoidal, Positions::learned, Positions::rotary}) {
        TransformerConfig c = small_config(Architecture::encoder_decoder);
        c.positions = positions;
        if (positions == Positions::rotary) c.block.rotary = RotaryConfig{.max_len = c.max_len};
        const Transformer m = made(c);
        const Memory memory = m.encode(two_rows);
        const Tensor whole = m.decode(target_rows, memory).logits;
        const Tensor hidden = reference_decoded(m, right_run(m, two_rows, target_rows));
        const bool right = bool(close(whole, reference_logits(m, hidden), whole_model));
        expect_parts_give_the_whole(
            [&](std::size_t begin, std::size_t end, const Pass& pass) {
                return m.decode(part_of(target_rows, begin, end), memory, pass).logits;
            },
            whole, 2, whole_model,
            right ? "the pass does not reach embed: its positions begin at pass.offset" : "");
        if (HasFailure()) return;
    }
}

TEST(two_sequences, the_pass_is_the_targets) {
    const Transformer m = golden_model("original");
    const Pass late(nullptr, 2);
    EXPECT_TRUE(close(m(source_rows, target_rows, late).logits,
                      m.decode(target_rows, m.encode(source_rows), late).logits, {0, 0},
                      {{"decode does not get the pass: its offset is lost",
                        [&] { return m.decode(target_rows, m.encode(source_rows)).logits; }},
                       {"the source is embedded at pass.offset; the pass is the target's", [&] {
                            const Tensor x = m.embed(source_rows, late);
                            const auto padding = padding_of(m.config, source_rows);
                            const Memory memory = std::get<EncoderDecoder>(m.stack).encode(x, padding);
                            return m.decode(target_rows, memory, late).logits;
                        }}}));
}

TEST(two_sequences, padding_of_earlier_parts_comes_with_the_pass) {
    const Transformer m = golden_model("original");  // 0 is padding
    const Memory memory = m.encode(source_rows);
    const Ids target{{0, 7, 7, 2, 8}, {1, 3, 10, 4, 6}};
    const Tensor whole = m.decode(target, memory).logits;
    Kept kept;
    Pass first = kept.next(2), second = kept.next(3);
    first.padding = padding_of(m.config, part_of(target, 0, 2));
    second.padding = padding_of(m.config, target);
    try {
        (void)m.decode(part_of(target, 0, 2), memory, first);
        EXPECT_TRUE(close(m.decode(part_of(target, 2, 5), memory, second).logits, slice(whole, 1, 2, 5),
                          whole_model));
    } catch (const ShapeError& error) {
        EXPECT_TRUE(padding_misfits(error.what()));
    }
}

TEST(two_sequences, gives_both_kinds_of_weights_of_every_layer) {
    const Transformer m = golden_model("original");
    const TransformerOutput result = m(golden_ids("original.source"), golden_ids("original.target"));
    const auto &self = result.self_weights, &cross = result.cross_weights;
    ASSERT_EQ(self.size(), 2u) << likely_if(self.empty(),
                                            "the self-weights of the decoder's result are not handed on");
    ASSERT_EQ(cross.size(), 2u) << likely_if(cross.empty(),
                                             "the cross-weights of the decoder's result are not handed on");
    const Shape own{2, 2, 5, 5}, of_source{2, 2, 5, 6};
    ASSERT_EQ(self[0].shape(), own)
        << likely_if(self[0].shape() == of_source && cross[0].shape() == own,
                     "self- and cross-weights are exchanged")
        << likely_if(self[0].shape() == Shape({2, 2, 6, 6}) && cross[0].shape() == of_source,
                     "these are the weights of the encoder; self_weights are the decoder's");
    ASSERT_EQ(cross[1].shape(), of_source)
        << likely_if(bool(close(cross[1], self[1])), "the self-weights stand in cross_weights as well")
        << likely_if(cross[1].shape() == Shape({2, 2, 6, 6}),
                     "these are the weights of the encoder; cross_weights are the decoder's");
    const auto& stack = std::get<EncoderDecoder>(m.stack);
    const Ids source = golden_ids("original.source"), target = golden_ids("original.target");
    const CrossStackOutput run =
        stack.decode(embedded(m, target), stack.encode(embedded(m, source), padding_of(m.config, source)),
                     padding_of(m.config, target));
    const std::string reversed = "the layers are in reverse order";
    for (std::size_t layer = 0; layer < 2; ++layer) {
        ASSERT_TRUE(close_named("self-weights", self[layer], run.self_weights[layer], whole_model,
                                {{reversed, [&] { return run.self_weights[1 - layer]; }}}));
        ASSERT_TRUE(close_named("cross-weights", cross[layer], run.cross_weights[layer], whole_model,
                                {{reversed, [&] { return run.cross_weights[1 - layer]; }}}));
    }
}

// Where rng is passed on in training. The target may be embedded before the encoder runs: that is as right, but the
// random draws are others.
struct Reach {
    bool source_embed = true, encoder = true, target_embed = true, decoder = true;
};
constexpr Reach everywhere{}, nowhere{false, false, false, false};

TEST(two_sequences, drops_on_both_sides_in_training) {
    TransformerConfig c = small_config(Architecture::encoder_decoder);
    c.block.dropout = 0.3;
    const Transformer m = made(c);
    const auto& stack = std::get<EncoderDecoder>(m.stack);
    const auto expected = [&](Reach reach, bool embedded_first = false) {
        Rng rng(8);
        const auto where = [&](bool reached) { return reached ? &rng : nullptr; };
        const Tensor x = dropout(embedded(m, two_rows), 0.3, where(reach.source_embed));
        Memory memory;
        if (!embedded_first) memory = stack.encode(x, {}, where(reach.encoder));
        const Tensor y = dropout(embedded(m, target_rows), 0.3, where(reach.target_embed));
        if (embedded_first) memory = stack.encode(x, {}, where(reach.encoder));
        return stack.decode(y, memory, {}, where(reach.decoder));
    };
    Rng rng(8);
    const TransformerOutput result = m(two_rows, target_rows, &rng);
    const bool embedded_first = bool(close(result.hidden, expected(everywhere, true).output, whole_model));
    std::vector<Suspect> suspects;
    const std::vector<std::pair<Reach, std::string>> lost{
        {nowhere, "either side"},
        {{.source_embed = false, .encoder = false}, "encode"},
        {{.source_embed = false}, "the embed of encode"},
        {{.encoder = false}, "the encoder"},
        {{.target_embed = false, .decoder = false}, "decode"},
        {{.target_embed = false}, "the embed of decode"},
        {{.decoder = false}, "the decoder"}};
    for (const auto& [reach, where] : lost) {
        suspects.push_back(
            {"rng is not passed on to " + where, [&expected, r = reach] { return expected(r).output; }});
    }
    ASSERT_TRUE(close(result.hidden, expected(everywhere, embedded_first).output, whole_model, suspects));
    EXPECT_TRUE(logits_of_hidden(m, result, m(two_rows, target_rows)));
    ASSERT_EQ(result.cross_weights.size(), 2u);
    EXPECT_TRUE(
        close_named("cross weights in training", result.cross_weights[1],
                    expected(everywhere, embedded_first).cross_weights[1], whole_model,
                    {{"these are of another run, in evaluation: take those of the run that gave the logits",
                      [&] { return expected(nowhere).cross_weights[1]; }}}));
}

TEST(two_sequences, a_thousand_training_steps_keep_the_resident_size_flat) {
    TransformerConfig c = small_config(Architecture::encoder_decoder);
    c.num_layers = 1;
    c.pad_id = 0;
    c.block.dropout = 0.1;
    Rng rng(1);
    Transformer m(c, rng);
    const Parameters parameters = m.parameters();
    const auto step = [&](std::size_t i) {  // of several lengths, so that arrays of several sizes come and go
        const Tensor logits = m(all_ones(2, 2 + i % 9), all_ones(2, 2 + i % 7), &rng).logits;
        gradient_step(mean(logits * logits), parameters, 0.01f);
    };
    EXPECT_TRUE(resident_size_stays_flat(step, 200, 1000));
}

TEST(two_sequences, refuses_what_does_not_belong_together) {
    const Transformer m = golden_model("original"), decoder = golden_model("gpt2");
    const Memory memory = m.encode(source_rows);
    ASSERT_EQ(m.decode(target_rows, memory).logits.shape(), (Shape{2, 5, 11}));
    const Ids three{{1, 2}, {3, 4}, {5, 6}};
    EXPECT_TRUE(refuses<ShapeError>([&] { m(source_rows, three); }, {"(2, 5)", "(3, 2)"},
                                    "two sources, three targets"));
    EXPECT_TRUE(refuses<ShapeError>([&] { m.decode(three, memory); }, {"(2, 5, 8)", "(3, 2)"}));
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            m.decode(target_rows, Memory{Tensor::zeros({2, 5, 6})});
        },
        {"(2, 5, 6)", "d_model = 8"}, "a memory of another width"));
    EXPECT_TRUE(refuses<ValueError>([&] { m(all_ones(2, 12), target_rows); }, {"source", "12", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { m.encode({{1, 11}}); }, {"source", "11"}));
    EXPECT_TRUE(refuses<ValueError>([&] { m.decode(all_ones(2, 12), memory); }, {"target", "12", "10"}));
    EXPECT_TRUE(refuses<ValueError>([&] { decoder.encode(two_rows); }, {"a decoder"}));
    EXPECT_TRUE(refuses<ValueError>([&] { decoder(two_rows, two_rows); }, {"a decoder"}));
}

}  // namespace
}  // namespace tfs::test
