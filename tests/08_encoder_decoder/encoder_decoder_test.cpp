// tests/08_encoder_decoder/encoder_decoder_test.cpp · step encoder_decoder: PyTorch's values, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"
#include "tests/08_encoder_decoder/encoder_decoder_suspects.hpp"
#include "tests/08_encoder_decoder/pass_in_parts.hpp"
#include "tests/08_encoder_decoder/stack_suspects.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// What encode keeps of "source", beside what decode makes of it.
void expect_encoded(const Memory& memory, const std::string& form, const Tensor& source) {
    EXPECT_TRUE(
        close_named("the memory's output", memory.output, golden()[form + ".encoder.output"], {1e-4, 2e-6},
                    {{"memory.output is the source: it is the encoder's output", [=] { return source; }}}));
    const bool recorded = memory.output.requires_grad();
    EXPECT_TRUE(recorded) << "a gradient goes back through memory.output"
                          << likely_if(!recorded,
                                       "memory.output is detached, made of raw values or under NoGrad: it is "
                                       "the encoder's output as it is");
    ASSERT_EQ(memory.weights.size(), 2u)
        << "the number of layers of the encoder whose weights encode keeps"
        << likely_if(memory.weights.empty(),
                     "encode keeps no weights: memory.weights are those of the encoder");
    const auto of_layer = [&](std::size_t i) {
        return golden()[form + ".encoder.encoder_weights." + std::to_string(i)];
    };
    for (const std::size_t i : {0u, 1u}) {
        const auto right = close_named(
            "memory.weights, layer " + std::to_string(i), memory.weights[i], of_layer(i), {1e-4, 2e-6},
            {{"memory.weights are not in the order of the layers", [&] { return of_layer(1 - i); }}});
        EXPECT_TRUE(right);
        if (!right) return;
    }
}

// As model(…), but for an error of the padding of 7 source positions, where that of 6 target positions belongs.
std::optional<CrossStackOutput> output_or_cause(const EncoderDecoder& model, const Tensor& source,
                                                const Tensor& target, const Padding& s, const Padding& t) {
    return result_or_failure(
        [&] { return model(source, target, s, t, with_weights); },
        [](const ShapeError& error) {
            const std::string of_target =
                                  "padding must be (5, 1, 1, 6), as padding_mask gives it, not (5, 1, 1, 7)",
                              of_source =
                                  "padding must be (5, 1, 1, 7), as padding_mask gives it, not (5, 1, 1, 6)";
            return cause_of_shape(error, of_target, "the source's padding is passed on as the target's") +
                   cause_of_shape(error, of_source, "the target's padding is passed on as the source's");
        });
}

TEST(encoder_decoder, equals_pytorchs_transformer) {
    for (const std::string& form : forms) {
        Rng none = Rng::zeros();
        EncoderDecoder model(stack(form), none);
        const Loaded part = load("", model.parameters());
        const Tensor source = leaf("source"), target = leaf("target");
        const Padding s = padding("source_padding"), t = padding("target_padding");
        const std::optional<CrossStackOutput> given = output_or_cause(model, source, target, s, t);
        if (!given) return;
        const CrossStackOutput& result = *given;
        const auto wrong = [&](const Padding& encoder, const Padding& cross, const Padding& self) {
            return [&, encoder, cross, self] {
                return model
                    .decode(target, model.memory_of(model.encoder(source, encoder).output, cross), self)
                    .output;
            };
        };
        const std::size_t ran = result.self_weights.size();
        Parameters weights;
        if (ran == 2 && result.cross_weights.size() == 2) {
            weights = layers("self_weights", result.self_weights);
            for (const NamedTensor& layer : layers("cross_weights", result.cross_weights))
                weights.push_back(layer);
        }
        const Norm& norm = *model.final_norm;
        const Tensor memory = model.encoder(source, s).output;
        std::vector<Suspect> suspects =
            stack_suspects(target, norm, on(model, memory, s, t), on(model, memory, {}, {}), ran);
        for (const Suspect& suspect : memory_suspects(model, source, s, target, t))
            suspects.push_back(suspect);
        suspects.push_back(
            {"the source's padding is not hidden from cross-attention", wrong(s, std::nullopt, t)});
        suspects.push_back({"the source's padding is not hidden in the encoder", wrong(std::nullopt, s, t)});
        suspects.push_back({"the source's padding is hidden nowhere", wrong(std::nullopt, std::nullopt, t)});
        suspects.push_back({"the target's padding is lost", wrong(s, s, std::nullopt)});
        expect_golden(form + ".encoder_decoder.", part, result.output, weights,
                      {{"source", source}, {"target", target}}, 1e-4, suspects);
        if (HasFailure()) return;  // one form tells it
        ASSERT_TRUE(ran == 2 && result.cross_weights.size() == 2)
            << "there are " << ran << " self_weights and " << result.cross_weights.size()
            << " cross_weights, expected 2 of each"
            << likely_if(true, "both kinds of weights are returned for every layer, by push_back");
        expect_encoded(model.encode(source, s, with_weights), form, source);
        if (HasFailure()) return;
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
        Rng zeros = Rng::zeros();
        EncoderDecoder model(stack(form), zeros);
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

TEST(encoder_decoder, every_block_reads_the_memory_that_the_encoder_made_of_the_source) {
    for (const std::string& form : forms) {
        Rng none = Rng::zeros();
        EncoderDecoder model(stack(form), none);
        load("", model.parameters());
        const Tensor source = normal({5, 6, width}, 9), target = normal({5, 6, width}, 10);
        const Norm& norm = *model.final_norm;
        const Tensor memory = model.encoder(source).output;
        std::vector<Suspect> suspects = stack_suspects(target, norm, on(model, memory), on(model, memory));
        for (const Suspect& suspect : memory_suspects(model, source, {}, target, {}))
            suspects.push_back(suspect);
        for (const Suspect& suspect : exchange_suspects(model, source, target)) suspects.push_back(suspect);
        EXPECT_TRUE(close_named(form, model(source, target).output, norm(twice(on(model, memory), target)),
                                {1e-5, 2e-6}, suspects));
        EXPECT_TRUE(close_named(form + ", decode", model.decode(target, model.memory_of(memory)).output,
                                norm(twice(on(model, memory), target)), {1e-5, 2e-6}, suspects));
    }
}

TEST(encoder_decoder, of_any_number_of_layers_runs_all_of_them) {
    const Tensor source = normal({5, 7, width}, 22), target = normal({5, 6, width}, 23);
    for (const std::size_t layers : {3u, 1u}) {
        Rng rng(10);
        const EncoderDecoder model({small("pre"), layers, true}, rng);
        const Tensor memory = model.encoder(source).output;
        const Layer layer = on(model, memory);
        const CrossStackOutput result = model(source, target);
        EXPECT_TRUE(close_named(std::to_string(layers) + (layers == 1 ? " layer" : " layers"), result.output,
                                (*model.final_norm)(in_turn(layer, layers, target)), {1e-5, 2e-6},
                                without_a_block(target, *model.final_norm, layer, layers)));
        EXPECT_EQ(result.cross_weights.size(), layers) << "the number of layers whose weights are returned";
        if (HasFailure()) return;
    }
}

TEST(encoder_decoder, sends_a_gradient_through_all_weights_as_well) {
    Rng rng(11);
    const EncoderDecoder model(stack("pre"), rng);
    const Tensor source = normal({1, 7, width}, 24), target = normal({1, 6, width}, 25);
    const CrossStackOutput shapes = model(source, target, {}, {}, with_weights);
    ASSERT_EQ(shapes.self_weights.size(), 2u);
    ASSERT_EQ(shapes.cross_weights.size(), 2u);
    ASSERT_EQ(model.encode(source).weights.size(), 2u);
    for (const std::size_t i : {0u, 1u}) {
        expect_gradient_through_weights(
            "the weights of self-attention", normal({1, 5, width}, 19),
            [&](const Tensor& x) { return model(source, x, {}, {}, with_weights).self_weights.at(i); });
        expect_gradient_through_weights(
            "the weights of cross-attention", normal({1, 5, width}, 19),
            [&](const Tensor& x) { return model(x, target, {}, {}, with_weights).cross_weights.at(i); });
        expect_gradient_through_weights(
            "the encoder's weights", normal({1, 5, width}, 19),
            [&](const Tensor& x) { return model.encode(x, {}, with_weights).weights.at(i); });
        if (HasFailure()) return;
    }
}

TEST(encoder_decoder, a_memory_serves_any_number_of_targets) {
    Rng rng(3);
    const EncoderDecoder model(stack("pre"), rng);
    const Tensor source = normal({1, 7, width}, 11), target = normal({1, 6, width}, 12);
    const Memory memory = model.encode(source);
    const Tensor whole = model.decode(target, memory).output;
    EXPECT_TRUE(close_named("operator() against decode(target, encode(source))", model(source, target).output,
                            whole, {0, 0}));
    for (std::size_t n = 1; n < 6; ++n)
        EXPECT_TRUE(close_named("the first " + std::to_string(n) + " positions alone",
                                model.decode(slice(target, 1, 0, n), memory).output, slice(whole, 1, 0, n),
                                {1e-5, 2e-6}));
    expect_causal([&](const Tensor& t) { return model.decode(t, memory).output; }, 6);
    expect_all_seen([&](const Tensor& s) { return model(s, target).output; }, source, 6, causal_across,
                    not_asked);
}

// Each decoding leaves on the tape what it makes itself, and no keys and values of the memory.
TEST(encoder_decoder, keys_and_values_of_the_memory_are_made_once_for_all_targets) {
    Rng rng(7);
    const EncoderDecoder model(stack("pre"), rng);
    const Memory memory = model.encode(normal({1, 7, width}, 16));
    const Tensor target = normal({1, 6, width}, 17);
    Tensor x = target;  // through the blocks, to keys and values that are no part of the tape
    for (std::size_t i = 0; i < model.blocks.size(); ++i) {
        const KeysValues& layer = memory.layers.at(i);
        x = model.blocks[i](x, {Tensor(layer.keys).detach(), Tensor(layer.values).detach()}).output;
    }
    const Tensor expected = (*model.final_norm)(x);
    const std::size_t alone = tape_bytes(expected);
    const Tensor first = model.decode(target, memory).output, second = model.decode(target, memory).output;
    const std::size_t sum_of_both = sizeof(float) * first.size();
    const std::size_t more = tape_bytes(first + second) - tape_bytes(first) - sum_of_both;
    const std::size_t keys_and_values = model.blocks.size() * 2 * memory.output.size() * sizeof(float);
    EXPECT_EQ(more, alone) << "bytes on the tape for one more target of the same source"
                           << likely_if(more >= alone + keys_and_values && close(first, expected),
                                        "decode makes keys and values of the memory anew: take those in "
                                        "memory.layers");
}

TEST(encoder_decoder, a_target_in_two_halves_gives_what_it_gives_in_one) {
    for (const std::string& form : forms) {
        StackConfig config = stack(form);
        config.block.positions = Rotary{};
        config.block.max_len = 8;
        Rng rng(8);
        const EncoderDecoder model(config, rng);
        const Tensor source = normal({1, 6, width}, 18), target = normal({1, 7, width}, 19);
        for (const auto& [of_source, of_target] : {std::pair<Padding, Padding>{},
                                                   {Mask::from({1, 1, 1, 6}, {1, 1, 1, 0, 0, 0}),
                                                    Mask::from({1, 1, 1, 7}, {1, 0, 1, 1, 1, 1, 1})}}) {
            const Memory memory = model.encode(source, of_source);
            expect_parts_give_the_whole(
                [&, &of_target = of_target](std::size_t begin, std::size_t end, const Pass& pass) {
                    const Padding real = of_keys(of_target, begin, end, pass);
                    return model.decode(slice(target, 1, begin, end), memory, real, pass).output;
                },
                model.decode(target, memory, of_target).output, 5, {1e-5, 2e-6}, "",
                of_target ? "a padding is lost where the pass keeps keys" : "");
            if (HasFailure()) return;
        }
    }
}

TEST(encoder_decoder, the_pass_is_the_targets) {
    Rng rng(9);
    const EncoderDecoder model(stack("pre"), rng);
    SameEarlier earlier;
    model(normal({1, 7, width}, 20), normal({1, 6, width}, 21), {}, {}, {.earlier = &earlier, .layer = 7});
    const std::vector<std::size_t>& layers = earlier.asked;
    EXPECT_EQ(layers, (std::vector<std::size_t>{0, 1}))
        << "the layers of the decoder that requested earlier keys"
        << likely_if(layers.empty(), "the pass does not reach decode as it is")
        << likely_if(layers == std::vector<std::size_t>{7, 8},
                     "pass.layer is added to the number of the block: give block i pass.in_layer(i)")
        << likely_if(layers.size() == 4, "the encoder gets the target's pass: it needs pass.of_source()");
}

TEST(encoder_decoder, padding_behind_the_source_has_no_effect) {
    Rng rng(4);
    const EncoderDecoder model(stack("post"), rng);
    const Tensor source = normal({1, 7, width}, 13), target = normal({1, 6, width}, 14);
    EXPECT_TRUE(close(model(source, target, Mask::from({1, 1, 1, 7}, {1, 1, 1, 1, 1, 0, 0})).output,
                      model(slice(source, 1, 0, 5), target).output, {1e-5, 2e-6}));
}

TEST(encoder_decoder, drops_in_training_on_both_sides) {
    Rng rng(5);
    const EncoderDecoder model({small("pre", 0.3), 2, false}, rng);
    const Tensor source = golden()["source"], target = golden()["target"];
    const Padding none;
    expect_none_needed([&] { (void)model(source, target); });
    if (HasFailure()) return;
    const auto decoded = [&](const Tensor& memory, Rng* decoder) {
        const KeysValues low = model.blocks[0].cross.keys_values(memory),
                         high = model.blocks[1].cross.keys_values(memory);
        const Tensor first = model.blocks[0](target, low, none, none, {.rng = decoder}).output;
        return model.blocks[1](first, high, none, none, {.rng = decoder}).output;
    };
    const auto run = [&](Rng* encoder, Rng* decoder) {
        return decoded(model.encoder(source, none, {.rng = encoder}).output, decoder);
    };
    expect_training(
        [&](Rng* r) { return model(source, target, none, none, {.rng = r}).output; },
        [&](Rng* r) { return run(r, r); },
        {{"rng does not reach the encoder", [&](Rng* r) { return run(nullptr, r); }},
         {"rng does not reach the decoder", [&](Rng* r) { return run(r, nullptr); }},
         {"the encoder runs twice in one pass: it runs once, and gives output and weights",
          [&](Rng* r) {
              (void)model.encoder(source, none, {.rng = r});
              return run(r, r);
          }},
         {"the encoder runs twice in one pass: it runs once, and gives output and weights", [&](Rng* r) {
              const Tensor memory = model.encoder(source, none, {.rng = r}).output;
              (void)model.encoder(source, none, {.rng = r});
              return decoded(memory, r);
          }}});
}

TEST(encoder_decoder, refuses_what_does_not_fit) {
    Rng rng(6);
    const EncoderDecoder model(stack("pre"), rng);
    const Tensor source = golden()["source"], target = golden()["target"];
    model(source, target);
    for (const std::size_t batch : {1u, 4u})
        EXPECT_TRUE(refuses<ShapeError>(
            [&] {
                model(normal({batch, 7, width}, 15), target);
            },
            {"EncoderDecoder", "source", "target", "5", std::to_string(batch)},
            "sources and targets of different number"));
    EXPECT_TRUE(refuses<ValueError>([&] { model.decode(target, Memory{golden()["memory"]}); }, {"0", "2"},
                                    "a memory without keys and values"));
    expect_config_refused([&](const StackConfig& c) { EncoderDecoder(c, rng)(source, target); }, true);
}

}  // namespace
}  // namespace tfs::test
