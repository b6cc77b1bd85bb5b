// tests/08_encoder_decoder/cross_attention_block_test.cpp · step cross_attention_block: PyTorch's values, properties
#include <gtest/gtest.h>

#include "tests/08_encoder_decoder/checklist.hpp"
#include "tests/08_encoder_decoder/pass_in_parts.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"

namespace tfs::test {
namespace {

AttentionSublayer sublayer_of(const BlockConfig& config, std::uint64_t seed) {
    Rng rng(seed);
    AttentionSublayer sublayer(config, rng);
    tell_norms_apart(sublayer.parameters());
    return sublayer;
}

TEST(cross_attention_block, cross_attention_equals_pytorch) {
    for (const std::string& form : forms) {
        const AttentionSublayer sublayer = sublayer_of(small(form), 1);
        const Tensor x = leaf("target"), memory = leaf("memory");
        const Parameters leaves =
            load("decoder.blocks.0.cross.", sublayer.parameters(), {{"target", x}, {"memory", memory}});
        const AttentionOutput result = cross_attention(sublayer, x, sublayer.keys_values(memory),
                                                       padding("source_padding"), with_weights);
        expect_golden(form + ".cross_attention.", result.output, {{"cross_weights", {result.weights}}},
                      leaves, 1e-5);
    }
}

// A target that is as long as its source, and one of one position.
TEST(cross_attention_block, in_cross_attention_queries_are_of_the_decoder_keys_and_values_of_the_encoder) {
    const Tensor x = normal({2, 5, width}, 9), memory = normal({2, 5, width}, 10, 0.5, 2.0);
    for (const std::string& form : forms)
        for (const std::size_t heads : {3u, 1u}) {
            BlockConfig config = small(form);
            config.num_heads = heads;
            const AttentionSublayer s = sublayer_of(config, 2);
            const KeysValues kept = s.keys_values(memory);
            for (const auto& [target, real] :
                 {std::pair<Tensor, Padding>{x, short_source}, {x, {}}, {slice(x, 1, 0, 1), short_source}}) {
                const AttentionOutput result = cross_attention(s, target, kept, real, with_weights);
                const std::string what = form + ", heads: " + std::to_string(heads) +
                                         ", positions: " + std::to_string(target.size(1)) +
                                         (real ? ", padding" : "");
                EXPECT_TRUE(
                    close_named(what, result.output, attended(s, target, memory, real), by_reference));
                const Tensor asking = form == "pre" ? s.norm(target) : target;
                EXPECT_TRUE(close_named("weights, " + what, result.weights,
                                        s.attend(asking, kept, real, with_weights).weights, by_reference));
            }
        }
}

TEST(cross_attention_block, cross_attention_drops_weights_and_output_in_training) {
    for (const std::string& form : forms) {
        const AttentionSublayer sublayer = sublayer_of(small(form, 0.3), 4);
        const Tensor x = golden()["target"], memory = golden()["memory"];
        const KeysValues kept = sublayer.keys_values(memory);
        expect_training(
            [&](Rng* r) { return cross_attention(sublayer, x, kept, std::nullopt, {.rng = r}).output; },
            [&](Rng* r) { return attended(sublayer, x, memory, std::nullopt, r); });
        Rng drawn(3), same(3);
        const Tensor asking = form == "pre" ? sublayer.norm(x) : x;
        EXPECT_TRUE(close_named(
            "the dropped weights",
            cross_attention(sublayer, x, kept, {}, {.rng = &drawn, .keep_weights = Weights::keep}).weights,
            sublayer.attend(asking, kept, {}, {.rng = &same, .keep_weights = Weights::keep}).weights,
            by_reference));
    }
}

// --- the block ------------------------------------------------------------------------------------------------

EncoderDecoderBlock block_of(const BlockConfig& config, std::uint64_t seed) {
    Rng rng(seed);
    EncoderDecoderBlock block(config, rng);
    tell_norms_apart(block.parameters());
    return block;
}

// The three sublayers, one after the other.
Tensor reference(const EncoderDecoderBlock& block, const Tensor& x, const Tensor& memory,
                 const Padding& source, const Padding& target, Rng* rng = nullptr) {
    const Mask causal = causal_mask(x.size(1));
    const Tensor back = block.self_attention(x, target ? causal & *target : causal, {.rng = rng}).output;
    return block.feed_forward(attended(block.cross, back, memory, source, rng), {.rng = rng});
}

TEST(cross_attention_block, the_block_equals_a_layer_of_pytorchs_decoder) {
    for (const std::string& form : forms) {
        const EncoderDecoderBlock block = block_of(small(form), 1);
        const Tensor x = leaf("target"), memory = leaf("memory");
        const Parameters leaves =
            load("decoder.blocks.0.", block.parameters(), {{"target", x}, {"memory", memory}});
        const CrossBlockOutput result = block(x, block.cross.keys_values(memory), padding("source_padding"),
                                              padding("target_padding"), with_weights);
        expect_golden(form + ".encoder_decoder_block.", result.output,
                      {{"self_weights", {result.self_weights}}, {"cross_weights", {result.cross_weights}}},
                      leaves, 1e-5);
    }
}

// A target that is as long as its source: each padding, both, and none.
TEST(cross_attention_block, the_block_has_three_sublayers_in_their_order) {
    const Tensor x = normal({2, 5, width}, 9), memory = normal({2, 5, width}, 10, 0.5, 2.0);
    for (const std::string& form : forms) {
        const EncoderDecoderBlock block = block_of(small(form), 2);
        const KeysValues kept = block.cross.keys_values(memory);
        for (const Padding& source : {Padding(), short_source})
            for (const Padding& target : {Padding(), short_target}) {
                const CrossBlockOutput result = block(x, kept, source, target, with_weights);
                const std::string what =
                    form + (source ? ", source_padding" : "") + (target ? ", target_padding" : "");
                EXPECT_TRUE(close_named(what, result.output, reference(block, x, memory, source, target),
                                        by_reference));
                const auto self = self_attention_mask(StackKind::decoder, 5, target);
                const AttentionOutput back = block.self_attention(x, self, with_weights);
                EXPECT_TRUE(
                    close_named("self_weights, " + what, result.self_weights, back.weights, by_reference));
                const Tensor asking = form == "pre" ? block.cross.norm(back.output) : back.output;
                EXPECT_TRUE(close_named("cross_weights, " + what, result.cross_weights,
                                        block.cross.attend(asking, kept, source, with_weights).weights,
                                        by_reference));
            }
    }
}

TEST(cross_attention_block, in_the_block_the_target_is_causal_and_the_source_is_not) {
    const EncoderDecoderBlock block = block_of(small("post"), 3);
    const Tensor memory = normal({1, 7, width}, 11), x = normal({1, 6, width}, 12);
    const KeysValues kept = block.cross.keys_values(memory);
    expect_seen(
        Sees::earlier, [&](const Tensor& target) { return block(target, kept).output; }, x, 6);
    expect_seen(
        Sees::all, [&](const Tensor& source) { return block(x, block.cross.keys_values(source)).output; },
        memory, 6);
}

TEST(cross_attention_block, the_block_sends_a_gradient_through_both_weights_as_well) {
    const EncoderDecoderBlock block = block_of(small("pre"), 8);
    const KeysValues kept = block.cross.keys_values(normal({1, 7, width}, 20));
    const Tensor x = normal({1, 6, width}, 19);
    expect_gradient_through_weights("the weights of self-attention", x, [&](const Tensor& t) {
        return block(t, kept, {}, {}, with_weights).self_weights;
    });
    expect_gradient_through_weights("the weights of cross-attention", x, [&](const Tensor& t) {
        return block(t, kept, {}, {}, with_weights).cross_weights;
    });
}

TEST(cross_attention_block, the_block_drops_in_training_in_every_sublayer) {
    for (const std::string& form : forms) {
        const EncoderDecoderBlock block = block_of(small(form, 0.3), 4);
        const Tensor x = golden()["target"], memory = golden()["memory"];
        expect_training(
            [&](Rng* r) { return block(x, block.cross.keys_values(memory), {}, {}, {.rng = r}).output; },
            [&](Rng* r) { return reference(block, x, memory, {}, {}, r); });
    }
}

// Rotary positions are for self-attention alone, and so are the earlier keys; the memory is longer than the table of positions.
TEST(cross_attention_block, the_block_passes_the_position_of_x_on_to_self_attention_alone) {
    const EncoderDecoderBlock block = block_of(rotary_stack("pre", 7).block, 7);
    const Tensor x = normal({1, 7, width}, 17), memory = normal({1, 8, width}, 18);
    const KeysValues kept = block.cross.keys_values(memory);
    for (const auto& [source, real] : {std::pair<Padding, Padding>{},
                                       {Mask::from({1, 1, 1, 8}, {1, 1, 1, 1, 0, 1, 0, 0}),
                                        Mask::from({1, 1, 1, 7}, {1, 0, 1, 1, 1, 1, 1})}}) {
        const Padding mask = self_attention_mask(StackKind::decoder, 7, real);
        const Tensor back = block.self_attention(x, mask).output;
        expect_parts_give_the_whole(
            [&, &source = source, &real = real](std::size_t begin, std::size_t end, const Pass& pass) {
                const Padding target = of_keys(real, begin, end, pass);
                return block(slice(x, 1, begin, end), kept, source, target, pass).output;
            },
            block.feed_forward(attended(block.cross, back, memory, source)), 5, by_reference);
    }
}

TEST(cross_attention_block, the_block_asks_for_earlier_keys_and_values_once) {
    const EncoderDecoderBlock block = block_of(small("pre"), 9);
    SameEarlier earlier;
    (void)block(normal({1, 6, width}, 22), block.cross.keys_values(normal({1, 7, width}, 21)), {}, {},
                {.earlier = &earlier, .layer = 7});
    EXPECT_EQ(earlier.asked, std::vector<std::size_t>{7})
        << "the number under which earlier keys are asked for";
}

}  // namespace
}  // namespace tfs::test
