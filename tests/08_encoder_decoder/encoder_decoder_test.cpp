// tests/08_encoder_decoder/encoder_decoder_test.cpp · step encoder_decoder: PyTorch's values, properties
#include <gtest/gtest.h>

#include "tests/08_encoder_decoder/checklist.hpp"
#include "tests/08_encoder_decoder/pass_in_parts.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"

namespace tfs::test {
namespace {

EncoderDecoder model_of(const StackConfig& config, std::uint64_t seed) {
    Rng rng(seed);
    EncoderDecoder model(config, rng);
    tell_norms_apart(model.parameters());
    return model;
}

// What the decoder makes of an encoder's output: its blocks, one after the other, then its norm.
Tensor decoded(const EncoderDecoder& model, Tensor x, const Tensor& memory, const Padding& source = {},
               const Padding& target = {}, Rng* rng = nullptr) {
    for (const EncoderDecoderBlock& block : model.blocks)
        x = block(x, block.cross.keys_values(memory), source, target, {.rng = rng}).output;
    return model.final_norm ? (*model.final_norm)(x) : x;
}

TEST(encoder_decoder, equals_pytorchs_transformer) {
    for (const std::string& form : forms) {
        const EncoderDecoder model = model_of(stack(form), 1);
        const Tensor source = leaf("source"), target = leaf("target");
        const Parameters leaves = load("", model.parameters(), {{"source", source}, {"target", target}});
        const CrossStackOutput result =
            model(source, target, padding("source_padding"), padding("target_padding"), with_weights);
        expect_golden(form + ".encoder_decoder.", result.output,
                      {{"self_weights", result.self_weights}, {"cross_weights", result.cross_weights}},
                      leaves, 1e-4);
    }
}

// Under each of the three padding masks by itself, and under none. The causal mask is in all, for a decoder has no other way.
TEST(encoder_decoder, equals_pytorchs_transformer_under_each_mask_alone) {
    const Padding s = padding("source_padding"), t = padding("target_padding"), none;
    struct Case {
        std::string name;
        Padding in_encoder, across, in_decoder;
    };
    for (const std::string& form : forms) {
        const EncoderDecoder model = model_of(stack(form), 1);
        load("", model.parameters());
        const Tensor source = golden()["source"], target = golden()["target"];
        for (const Case& c : {Case{"causal", none, none, none}, Case{"source", s, none, none},
                              Case{"memory", none, s, none}, Case{"target", none, none, t}}) {
            const std::string name = form + ".encoder_decoder." + c.name + "_alone";
            Memory memory = model.encode(source, c.in_encoder);
            memory.padding = c.across;
            EXPECT_TRUE(close_named(name, model.decode(target, memory, c.in_decoder).output, golden()[name],
                                    {1e-4, 2e-6}));
        }
    }
}

// The encoder's output and weights, the source's padding, and the keys and values of each block.
TEST(encoder_decoder, encode_keeps_what_a_decoder_needs_of_the_source) {
    for (const std::string& form : forms) {
        const EncoderDecoder model = model_of(stack(form), 1);
        load("", model.parameters());
        const Tensor source = leaf("source"), of_encoder = golden()[form + ".encoder.output"];
        const Padding real = padding("source_padding");
        const Memory encoded = model.encode(source, real, with_weights);
        expect_golden_weights(form + ".encoder.", {{"encoder_weights", encoded.weights}});
        for (const auto& [name, memory] :
             {std::pair("encode", encoded), std::pair("memory_of", model.memory_of(of_encoder, real))}) {
            const std::string what = form + ", " + name + ": ";
            EXPECT_TRUE(close_named(what + "output", memory.output, of_encoder, {1e-4, 2e-6}));
            EXPECT_EQ(memory.padding.has_value(), true) << what << "whether the padding is kept";
            ASSERT_EQ(memory.layers.size(), 2u) << what << "the number of blocks with keys and values";
            for (const std::size_t i : {0u, 1u}) {
                const KeysValues expected = model.blocks[i].cross.keys_values(of_encoder);
                const std::string layer = what + "layer " + std::to_string(i);
                EXPECT_TRUE(close_named(layer + ", keys", Tensor(memory.layers[i].keys),
                                        Tensor(expected.keys), {1e-4, 1e-5}));
                EXPECT_TRUE(close_named(layer + ", values", Tensor(memory.layers[i].values),
                                        Tensor(expected.values), {1e-4, 1e-5}));
            }
        }
        ASSERT_TRUE(send_back(encoded.output, golden()[form + ".encoder.grad_weights"]));
        EXPECT_TRUE(gradient_close("source", source, golden()[form + ".encoder.grad_source"], {1e-3, 1e-5}));
    }
}

// A target that is as long as its source; as many layers as there may be; each padding, both, and none.
TEST(encoder_decoder, every_block_reads_the_memory_that_the_encoder_made_of_the_source) {
    const Tensor source = normal({2, 5, width}, 9), target = normal({2, 5, width}, 10);
    for (const std::string& form : forms)
        for (const std::size_t layers : {1u, 2u, 3u}) {
            const EncoderDecoder model = model_of({small(form), layers, true}, 10);
            for (const Padding& s : {Padding(), short_source})
                for (const Padding& t : {Padding(), short_target}) {
                    const CrossStackOutput result = model(source, target, s, t);
                    EXPECT_TRUE(close_named(form + ", layers: " + std::to_string(layers) +
                                                (s ? ", source_padding" : "") + (t ? ", target_padding" : ""),
                                            result.output,
                                            decoded(model, target, model.encoder(source, s).output, s, t),
                                            by_reference));
                    EXPECT_EQ(result.self_weights.size(), layers) << "the number of self_weights";
                    EXPECT_EQ(result.cross_weights.size(), layers) << "the number of cross_weights";
                }
        }
}

TEST(encoder_decoder, sends_a_gradient_through_all_weights_as_well) {
    const EncoderDecoder model = model_of(stack("pre"), 11);
    const Tensor source = normal({1, 7, width}, 24), target = normal({1, 6, width}, 25),
                 x = normal({1, 2, width}, 19);
    for (const std::size_t i : {0u, 1u}) {
        expect_gradient_through_weights("the weights of self-attention", x, [&](const Tensor& t) {
            return model(source, t, {}, {}, with_weights).self_weights.at(i);
        });
        expect_gradient_through_weights("the weights of cross-attention", x, [&](const Tensor& s) {
            return model(s, target, {}, {}, with_weights).cross_weights.at(i);
        });
        expect_gradient_through_weights("the encoder's weights", x, [&](const Tensor& s) {
            return model.encode(s, {}, with_weights).weights.at(i);
        });
    }
}

TEST(encoder_decoder, a_target_is_causal_and_sees_all_of_the_source) {
    const EncoderDecoder model = model_of(stack("pre"), 3);
    const Tensor source = normal({1, 7, width}, 11), target = normal({1, 6, width}, 12);
    const Memory memory = model.encode(source);
    expect_seen(
        Sees::earlier, [&](const Tensor& t) { return model.decode(t, memory).output; }, target, 6);
    expect_seen(
        Sees::all, [&](const Tensor& s) { return model(s, target).output; }, source, 6);
}

// Each decoding leaves on the tape what it makes itself, and no keys and values of the memory.
TEST(encoder_decoder, keys_and_values_of_the_memory_are_made_once_for_all_targets) {
    const EncoderDecoder model = model_of(stack("pre"), 7);
    const Memory memory = model.encode(normal({1, 7, width}, 16));
    const Tensor target = normal({1, 6, width}, 17);
    Tensor x = target;  // through the blocks, to keys and values that are no part of the tape
    for (std::size_t i = 0; i < model.blocks.size(); ++i) {
        const KeysValues& layer = memory.layers.at(i);
        x = model.blocks[i](x, {Tensor(layer.keys).detach(), Tensor(layer.values).detach()}).output;
    }
    const Tensor first = model.decode(target, memory).output, second = model.decode(target, memory).output;
    const std::size_t their_sum = sizeof(float) * first.size();
    EXPECT_EQ(tape_bytes(first + second) - tape_bytes(first) - their_sum, tape_bytes((*model.final_norm)(x)))
        << "bytes on the tape for one more target of the same source";
}

TEST(encoder_decoder, a_target_in_two_parts_gives_what_it_gives_in_one) {
    for (const std::string& form : forms) {
        const EncoderDecoder model = model_of(rotary_stack(form, 8), 8);
        const Tensor source = normal({1, 6, width}, 18), target = normal({1, 7, width}, 19);
        for (const auto& [of_source, of_target] : {std::pair<Padding, Padding>{},
                                                   {Mask::from({1, 1, 1, 6}, {1, 1, 1, 0, 1, 0}),
                                                    Mask::from({1, 1, 1, 7}, {1, 0, 1, 1, 1, 1, 1})}}) {
            const Memory memory = model.encode(source, of_source);
            expect_parts_give_the_whole(
                [&, &of_target = of_target](std::size_t begin, std::size_t end, const Pass& pass) {
                    const Padding real = of_keys(of_target, begin, end, pass);
                    return model.decode(slice(target, 1, begin, end), memory, real, pass).output;
                },
                decoded(model, target, memory.output, of_source, of_target), 5, by_reference);
        }
    }
}

// Its position and its earlier keys are no matter of the source's, and the numbers of the blocks begin at 0.
TEST(encoder_decoder, the_pass_is_the_targets) {
    const EncoderDecoder model = model_of(rotary_stack("pre", 12), 9);
    const Tensor source = normal({1, 7, width}, 20), target = normal({1, 6, width}, 21);
    SameEarlier earlier;
    const Tensor output =
        model(source, target, {}, {}, {.offset = 4, .earlier = &earlier, .layer = 7}).output;
    EXPECT_EQ(earlier.asked, (std::vector<std::size_t>{0, 1}))
        << "the numbers of the blocks that asked for earlier keys";
    EXPECT_TRUE(close(output, decoded(model, target, model.encoder(source).output), {1e-4, 1e-5}));
}

TEST(encoder_decoder, drops_in_training_on_both_sides) {
    const EncoderDecoder model = model_of({small("pre", 0.3), 2, false}, 5);
    const Tensor source = golden()["source"], target = golden()["target"];
    expect_training([&](Rng* r) { return model.encode(source, {}, {.rng = r}).output; },
                    [&](Rng* r) { return model.encoder(source, {}, {.rng = r}).output; });
    expect_training([&](Rng* r) { return model(source, target, {}, {}, {.rng = r}).output; },
                    [&](Rng* r) {
                        const Tensor memory = model.encoder(source, {}, {.rng = r}).output;
                        return decoded(model, target, memory, {}, {}, r);
                    });
}

}  // namespace
}  // namespace tfs::test
