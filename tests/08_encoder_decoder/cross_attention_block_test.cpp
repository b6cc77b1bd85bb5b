// tests/08_encoder_decoder/cross_attention_block_test.cpp · step cross_attention_block: PyTorch, properties, diagnosis
#include "tests/08_encoder_decoder/cross_attention_block_suspects.hpp"
#include "tests/08_encoder_decoder/pass_in_parts.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Where the scores have as many keys as queries, the padding of a longer source does not fit.
std::optional<AttentionOutput> across_or_cause(const AttentionSublayer& s, const Tensor& x,
                                               const Tensor& memory, const Padding& real) {
    return result_or_failure([&] { return cross_attention(s, x, s.keys_values(memory), real, with_weights); },
                             [](const ShapeError& error) {
                                 return cause_of_shape(
                                     error, "(5, 3, 6, 6)",
                                     "the keys are those of x: attend gets the memory as it is");
                             });
}

TEST(cross_attention_block, cross_attention_equals_pytorch) {
    for (const std::string& form : forms) {
        Rng none = Rng::zeros();
        AttentionSublayer sublayer(small(form), none);
        const Loaded part = load("decoder.blocks.0.cross.", sublayer.parameters());
        const Tensor x = leaf("target"), memory = leaf("memory");
        const Padding real = padding("source_padding");
        const std::optional<AttentionOutput> result = across_or_cause(sublayer, x, memory, real);
        if (!result) return;
        ASSERT_NE(result->weights.size(), 0U)
            << "the weights have no entries"
            << likely_if(
                   true,
                   "sublayer.attend does not get the pass, which asks for the weights: hand it on as it is");
        expect_golden(form + ".cross_attention.", part, result->output,
                      layers("cross_weights", {result->weights}), {{"target", x}, {"memory", memory}}, 1e-5,
                      cross_suspects(sublayer, x, memory, real));
        if (HasFailure()) return;  // one form tells it
    }
}

TEST(cross_attention_block, in_cross_attention_queries_are_of_the_decoder_keys_and_values_of_the_encoder) {
    for (const std::string& form : forms) {
        Rng rng(2);
        const AttentionSublayer s(small(form), rng);
        const Tensor x = normal({2, 5, width}, 9), memory = normal({2, 5, width}, 10) * 2.0f;
        const KeysValues kept = s.keys_values(memory);
        const AttentionOutput result = cross_attention(s, x, kept, short_source, with_weights);
        EXPECT_TRUE(close_named(form, result.output, attended(s, x, memory, short_source), {1e-5, 2e-6},
                                cross_suspects(s, x, memory, short_source)));
        if (HasFailure()) return;  // wrong weights would only say it again
        const auto weights = [&](const Tensor& t) {
            return s.attend(t, kept, short_source, with_weights).weights;
        };
        EXPECT_TRUE(close_named(
            form + ", weights", result.weights, weights(form == "pre" ? s.norm(x) : x), {1e-5, 2e-6},
            {{"the weights are those of x without its norm: the call that gives the output gives them",
              [&] { return weights(x); }}}));
        if (HasFailure()) return;
        const Tensor one = slice(x, 1, 0, 1);
        EXPECT_TRUE(close_named(form + ", a target of one position",
                                cross_attention(s, one, kept, short_source).output,
                                attended(s, one, memory, short_source), {1e-5, 2e-6},
                                {{"source_padding is not passed on where the target has one position",
                                  [&] { return attended(s, one, memory, std::nullopt); }}}));
        if (HasFailure()) return;
    }
}

TEST(cross_attention_block, cross_attention_works_with_one_head) {
    BlockConfig config = small("pre");
    config.num_heads = 1;
    Rng rng(6);
    const AttentionSublayer s(config, rng);
    const Tensor x = normal({2, 3, width}, 14), memory = normal({2, 5, width}, 15);
    EXPECT_TRUE(close(cross_attention(s, x, s.keys_values(memory)).output,
                      attended(s, x, memory, std::nullopt), {1e-5, 2e-6},
                      cross_suspects(s, x, memory, std::nullopt)));
}

TEST(cross_attention_block, cross_attention_sends_a_gradient_through_the_weights_as_well) {
    for (const std::string& form : forms) {
        Rng rng(7);
        const AttentionSublayer s(small(form), rng);
        const KeysValues memory = s.keys_values(normal({1, 7, width}, 16));
        expect_gradient_through_weights("the weights", normal({1, 6, width}, 19), [&](const Tensor& x) {
            return cross_attention(s, x, memory, {}, with_weights).weights;
        });
        if (HasFailure()) return;
    }
}

TEST(cross_attention_block, in_cross_attention_every_target_sees_every_source) {
    Rng rng(3);
    const AttentionSublayer sublayer(small("pre"), rng);
    const Tensor x = normal({1, 6, width}, 11);
    expect_all_seen(
        [&](const Tensor& memory) {
            return cross_attention(sublayer, x, sublayer.keys_values(memory)).output;
        },
        normal({1, 7, width}, 12), 6, causal_across, not_asked);
}

TEST(cross_attention_block, cross_attention_drops_weights_and_output_in_training) {
    Rng rng(4);
    const AttentionSublayer sublayer(small("pre", 0.3), rng);
    const Tensor x = golden()["target"], memory = golden()["memory"];
    const KeysValues kept = sublayer.keys_values(memory);
    const bool right = expect_training(
        [&](Rng* r) { return cross_attention(sublayer, x, kept, std::nullopt, {.rng = r}).output; },
        [&](Rng* r) { return attended(sublayer, x, memory, std::nullopt, r); },
        {{"the weights are not dropped: sublayer.attend takes the pass",
          [&](Rng* r) {
              const Tensor q = sublayer.norm(x);
              return x + dropout(multi_head(sublayer.attention)(q, memory, memory).output, 0.3, r);
          }},
         {"what attention gave is not dropped before it is added",
          [&](Rng* r) {
              return x + attention_with_dropout(multi_head(sublayer.attention), sublayer.norm(x), memory,
                                                memory, std::nullopt, 0.3, r)
                             .output;
          }},
         {"what is added is dropped twice: norm_and_add drops it already", [&](Rng* r) {
              const Tensor found = attention_with_dropout(multi_head(sublayer.attention), sublayer.norm(x),
                                                          memory, memory, std::nullopt, 0.3, r)
                                       .output;
              return x + dropout(dropout(found, 0.3, r), 0.3, r);
          }}});
    if (!right) return;
    Rng drawn(3), same(3), again(3);
    const Tensor input = sublayer.norm(x),
                 used =
                     sublayer.attend(input, kept, std::nullopt, {.rng = &same, .keep_weights = Weights::keep})
                         .weights;
    const std::string other_call =
        "the weights come from a second call: attention ran twice, and these were not used";
    EXPECT_TRUE(close_named(
        "the weights",
        cross_attention(sublayer, x, kept, std::nullopt, {.rng = &drawn, .keep_weights = Weights::keep})
            .weights,
        used, {1e-5, 1e-6},
        {{other_call, [&] { return sublayer.attend(input, kept, {}, with_weights).weights; }},
         {other_call, [&] { return sublayer.attend(x, kept, {}, with_weights).weights; }},
         {other_call, [&] {
              const AttentionOutput first = sublayer.attend(input, kept, std::nullopt, {.rng = &again});
              (void)dropout(first.output, 0.3, &again);  // what norm_and_add draws
              return sublayer
                  .attend(input, kept, std::nullopt, {.rng = &again, .keep_weights = Weights::keep})
                  .weights;
          }}}));
}

TEST(cross_attention_block, cross_attention_refuses_another_batch_and_what_does_not_fit) {
    Rng rng(5);
    const AttentionSublayer sublayer(small("pre"), rng);
    const Tensor x = golden()["target"], memory = golden()["memory"];
    const KeysValues kept = sublayer.keys_values(memory);
    expect_shapes_refused("x", {5, 6, width}, [&](const Tensor& t) { cross_attention(sublayer, t, kept); });
    expect_paddings_refused("source_padding", 7,
                            [&](const Padding& p) { cross_attention(sublayer, x, kept, p); });
    for (const std::size_t batch : {1u, 4u})
        EXPECT_TRUE(refuses<ShapeError>(
            [&] {
                cross_attention(sublayer, x, sublayer.keys_values(normal({batch, 7, width}, 13)));
            },
            {"x", "memory", "5", std::to_string(batch)}, "another batch"));
}

// --- the block ------------------------------------------------------------------------------------------------

// Else the checks of cross_attention say why not: each form, under the source's padding, and in training.
testing::AssertionResult cross_attention_works() {
    for (const std::string& form : forms) {
        Rng rng(2);
        const AttentionSublayer s(small(form, 0.3), rng);
        const Tensor x = normal({2, 6, width}, 9), memory = normal({2, 5, width}, 10);
        const KeysValues kept = s.keys_values(memory);
        for (const bool training : {false, true}) {
            Rng drawn(3), same(3);
            const Tensor output =
                cross_attention(s, x, kept, short_source, {.rng = training ? &drawn : nullptr}).output;
            if (!close(output, attended(s, x, memory, short_source, training ? &same : nullptr),
                       {1e-5, 2e-6}))
                return testing::AssertionFailure()
                       << "the block can be checked when cross_attention is right";
        }
    }
    return testing::AssertionSuccess();
}

// As short_source, for the target.
const Padding short_target = Mask::from({2, 1, 1, 5}, {1, 1, 0, 1, 1, 1, 0, 1, 1, 1});

// Whether the first position of a target without padding is kept from seeing the second one.
bool hides_later(const CrossBlockOutput& without_padding) {
    const Tensor& weights = without_padding.self_weights;
    return weights.rank() == 4 && weights.size(-1) > 1 && weights.values()[1] == 0.0f;
}

// As block(…), but for an error of a mask for 6 target positions of as many keys as the source has.
std::optional<CrossBlockOutput> output_or_cause(const EncoderDecoderBlock& block, const Tensor& x,
                                                const KeysValues& memory, const Padding& source,
                                                const Padding& target) {
    return result_or_failure(
        [&] { return block(x, memory, source, target, with_weights); },
        [](const ShapeError& error) {
            return cause_of_shape(
                error, "(1, 1, 6, 7)",
                "the causal mask has as many keys as the source: the keys of self-attention are those "
                "of the target");
        });
}

TEST(cross_attention_block, the_block_equals_a_layer_of_pytorchs_decoder) {
    ASSERT_TRUE(cross_attention_works());
    for (const std::string& form : forms) {
        Rng none = Rng::zeros();
        EncoderDecoderBlock block(small(form), none);
        const Loaded part = load("decoder.blocks.0.", block.parameters());
        const Tensor x = leaf("target"), memory = leaf("memory");
        const Padding source = padding("source_padding"), target = padding("target_padding");
        const KeysValues kept = block.cross.keys_values(memory);
        const std::optional<CrossBlockOutput> given = output_or_cause(block, x, kept, source, target);
        if (!given) return;
        const CrossBlockOutput& result = *given;
        const Parameters weights{{"self_weights.0", result.self_weights},
                                 {"cross_weights.0", result.cross_weights}};
        expect_golden(form + ".encoder_decoder_block.", part, result.output, weights,
                      {{"target", x}, {"memory", memory}}, 1e-5,
                      block_suspects(block, x, memory, source, target,
                                     hides_later(block(x, kept, {}, {}, with_weights))));
        if (HasFailure()) return;  // one form tells it
    }
}

TEST(cross_attention_block, the_block_sends_a_gradient_through_both_weights_as_well) {
    Rng rng(8);
    const EncoderDecoderBlock block(small("pre"), rng);
    const Tensor memory = normal({1, 7, width}, 20);
    const auto run = [&](const Tensor& x) {
        return block(x, block.cross.keys_values(memory), {}, {}, with_weights);
    };
    expect_gradient_through_weights("the weights of self-attention", normal({1, 6, width}, 19),
                                    [&](const Tensor& x) { return run(x).self_weights; });
    expect_gradient_through_weights("the weights of cross-attention", normal({1, 6, width}, 19),
                                    [&](const Tensor& x) { return run(x).cross_weights; });
}

TEST(cross_attention_block, the_block_has_three_sublayers_in_their_order) {
    ASSERT_TRUE(cross_attention_works());
    for (const std::string& form : forms) {
        Rng rng(2);
        EncoderDecoderBlock block(small(form), rng);
        Array gamma = rng.normal_array({width}, 1.0, 0.5);  // else all norms would be equal
        block.cross.norm.parameters()[0].tensor.mutable_array() = gamma;
        const Tensor x = normal({2, 5, width}, 9), memory = normal({2, 5, width}, 10);
        const Tensor back = block.self_attention(x, causal_mask(5) & *short_target).output;
        EXPECT_TRUE(close_named(
            form, block(x, block.cross.keys_values(memory), short_source, short_target).output,
            block.feed_forward(attended(block.cross, back, memory, short_source)), {1e-5, 2e-6},
            block_suspects(block, x, memory, short_source, short_target,
                           hides_later(block(x, block.cross.keys_values(memory), {}, {}, with_weights)))));
    }
}

TEST(cross_attention_block, in_the_block_the_target_is_causal_and_the_source_is_not) {
    ASSERT_TRUE(cross_attention_works());
    Rng rng(3);
    const EncoderDecoderBlock block(small("post"), rng);
    const Tensor memory = normal({1, 7, width}, 11), x = normal({1, 6, width}, 12);
    expect_causal([&](const Tensor& target) { return block(target, block.cross.keys_values(memory)).output; },
                  6);
    expect_all_seen([&](const Tensor& source) { return block(x, block.cross.keys_values(source)).output; },
                    memory, 6, causal_across, not_asked);
}

TEST(cross_attention_block, in_the_block_rotary_positions_are_for_self_attention_alone) {
    ASSERT_TRUE(cross_attention_works());
    BlockConfig config = small("pre");
    config.positions = Rotary{};
    config.max_len = 6;
    Rng rng(6);
    const EncoderDecoderBlock block(config, rng);
    const Tensor x = normal({1, 5, width}, 15), memory = normal({1, 7, width}, 16);  // longer than the table
    const Tensor back = block.self_attention(x, causal_mask(5)).output;
    EXPECT_TRUE(close(block(x, block.cross.keys_values(memory)).output,
                      block.feed_forward(attended(block.cross, back, memory, std::nullopt)), {1e-5, 2e-6}));
}

TEST(cross_attention_block, the_block_drops_in_training_in_every_sublayer) {
    ASSERT_TRUE(cross_attention_works());
    Rng rng(4);
    const EncoderDecoderBlock block(small("pre", 0.3), rng);
    const Tensor x = golden()["target"], memory = golden()["memory"];
    const auto run = [&](Rng* self, Rng* cross, Rng* feed_forward) {
        const Tensor back = block.self_attention(x, causal_mask(6), {.rng = self}).output;
        return block.feed_forward(attended(block.cross, back, memory, std::nullopt, cross),
                                  {.rng = feed_forward});
    };
    expect_training(
        [&](Rng* r) {
            return block(x, block.cross.keys_values(memory), std::nullopt, std::nullopt, {.rng = r}).output;
        },
        [&](Rng* r) { return run(r, r, r); },
        {{"rng does not reach self-attention", [&](Rng* r) { return run(nullptr, r, r); }},
         {"rng does not reach cross-attention", [&](Rng* r) { return run(r, nullptr, r); }},
         {"rng does not reach the feed-forward network", [&](Rng* r) { return run(r, r, nullptr); }}});
}

TEST(cross_attention_block, the_block_passes_the_position_of_x_on_to_self_attention_alone) {
    ASSERT_TRUE(cross_attention_works());
    BlockConfig config = small("pre");
    config.positions = Rotary{};
    config.max_len = 8;
    Rng rng(7);
    const EncoderDecoderBlock block(config, rng);
    const Tensor x = normal({1, 7, width}, 17);
    const Tensor output = normal({1, 6, width}, 18);
    const KeysValues memory = block.cross.keys_values(output);
    for (const auto& [source, real] :
         {std::pair<Padding, Padding>{},
          {Mask::from({1, 1, 1, 6}, {1, 1, 1, 1, 0, 0}), Mask::from({1, 1, 1, 7}, {1, 0, 1, 1, 1, 1, 1})}}) {
        const Tensor whole = block(x, memory, source, real).output;
        const Padding mask = real ? causal_mask(7) & *real : causal_mask(7);
        const Tensor back = block.self_attention(x, mask).output;
        ASSERT_TRUE(close_named("the whole", whole,
                                block.feed_forward(attended(block.cross, back, output, source)),
                                {1e-5, 2e-6}));
        expect_parts_give_the_whole(
            [&, &source = source, &real = real](std::size_t begin, std::size_t end, const Pass& pass) {
                const Padding target = of_keys(real, begin, end, pass);
                return block(slice(x, 1, begin, end), memory, source, target, pass).output;
            },
            whole, 5, {1e-5, 2e-6}, "", real ? "a padding is lost where the pass keeps keys" : "");
        if (HasFailure()) return;
    }
}

TEST(cross_attention_block, the_block_asks_for_earlier_keys_and_values_once) {
    Rng rng(9);
    const EncoderDecoderBlock block(small("pre"), rng);
    const KeysValues memory = block.cross.keys_values(normal({1, 7, width}, 21));
    SameEarlier earlier;
    (void)block(normal({1, 6, width}, 22), memory, {}, {}, {.earlier = &earlier, .layer = 7});
    const std::vector<std::size_t>& asked = earlier.asked;
    EXPECT_EQ(asked, std::vector<std::size_t>{7})
        << "the layer number for which earlier keys are requested"
        << likely_if(asked.empty(), "self-attention does not get the pass as it is")
        << likely_if(asked.size() == 1, "pass.layer is lost: self-attention gets the pass as it is")
        << likely_if(asked.size() > 1, "self-attention is called more than once in one pass");
}

TEST(cross_attention_block, the_block_refuses_what_does_not_fit) {
    Rng rng(5);
    const EncoderDecoderBlock block(small("pre"), rng);
    const Tensor x = golden()["target"], output = golden()["memory"];
    const KeysValues memory = block.cross.keys_values(output);
    expect_shapes_refused("x", {5, 6, width}, [&](const Tensor& t) { block(t, memory); });
    expect_paddings_refused("source_padding", 7, [&](const Padding& p) { block(x, memory, p); });
    expect_paddings_refused("target_padding", 6, [&](const Padding& p) { block(x, memory, {}, p); });
    EXPECT_TRUE(refuses<ShapeError>(
        [&] {
            block(x, block.cross.keys_values(normal({4, 7, width}, 13)));
        },
        {"5", "4"}, "another batch"));
    expect_config_refused(
        [&](const StackConfig& c) {
            const EncoderDecoderBlock made(c.block, rng);
            made(x, made.cross.keys_values(output));
        },
        false);
}

}  // namespace
}  // namespace tfs::test
