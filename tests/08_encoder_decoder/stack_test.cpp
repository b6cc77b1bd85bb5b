// tests/08_encoder_decoder/stack_test.cpp · step stack: PyTorch's values, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"
#include "tests/08_encoder_decoder/pass_in_parts.hpp"
#include "tests/08_encoder_decoder/stack_suspects.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

struct Kind {
    std::string name;
    StackKind kind;
};
const Kind kinds[] = {{"encoder", StackKind::encoder}, {"decoder", StackKind::decoder}};

Stack made(const Kind& kind, const StackConfig& config, std::uint64_t seed = 1) {
    Rng rng(seed);
    return Stack(kind.kind, config, rng);
}

// One block of a stack under a mask.
Layer under(const Stack& stack, const Padding& mask) {
    return [&stack, mask](std::size_t i, const Tensor& t) { return stack.blocks[i](t, mask).output; };
}

TEST(stack, equals_pytorchs_encoder_also_under_a_causal_mask) {
    for (const std::string& form : forms) {
        for (const Kind& kind : kinds) {
            const Stack tested = made(kind, stack(form));
            const Loaded part = load("encoder.", tested.parameters());  // one set of weights serves both
            const Tensor x = leaf("source");
            const Padding real = padding("source_padding");
            const StackOutput result = tested(x, real, with_weights);
            const Padding right = self_attention_mask(kind.kind, 7, real),
                          bare = self_attention_mask(kind.kind, 7);
            std::vector<Suspect> suspects = stack_suspects(x, *tested.final_norm, under(tested, right),
                                                           under(tested, bare), result.weights.size());
            const Padding others = kind.kind == StackKind::encoder ? *real & causal_mask(7) : *real;
            suspects.push_back(
                {kind.kind == StackKind::encoder
                     ? causal_encoder
                     : "the blocks are called without the causal mask: take self_attention_mask of `kind`",
                 [&, others] { return (*tested.final_norm)(twice(under(tested, others), x)); }});
            if (kind.kind == StackKind::decoder)  // an encoder's padding is tested before
                suspects.insert(suspects.begin(),
                                {"the padding reaches no block of a decoder, where it joins the "
                                 "causal mask: self_attention_mask makes one of both",
                                 [&, bare] { return (*tested.final_norm)(twice(under(tested, bare), x)); }});
            // Rows of padded positions, set to zero after every block or at the end.
            const Tensor rows = reshape(golden()["source_padding"], {5, 7, 1});
            const Layer zeroed = [&](std::size_t i, const Tensor& t) {
                return tested.blocks[i](t, right).output * rows;
            };
            const std::string own_rows =
                "the rows of padded positions are set to zero: padding hides keys, and rows stay as they are";
            suspects.push_back({own_rows, [&] { return (*tested.final_norm)(twice(zeroed, x)); }});
            suspects.push_back(
                {own_rows, [&] { return (*tested.final_norm)(twice(under(tested, right), x)) * rows; }});
            const bool as_many = result.weights.size() == 2;
            expect_golden(form + "." + kind.name + ".", part, result.output,
                          layers("encoder_weights", as_many ? result.weights : std::vector<Tensor>()),
                          {{"source", x}}, 1e-4, suspects);
            if (HasFailure()) return;  // one case tells it
            ASSERT_EQ(result.weights.size(), 2u)
                << "the number of layers whose weights are returned"
                << likely_if(true, "weights are returned for every layer, one after the other, by push_back");
        }
    }
}

TEST(stack, of_any_number_of_blocks_runs_all_of_them) {
    const Tensor x = normal({5, 6, width}, 9);
    for (const std::size_t layers : {3u, 1u}) {
        const Stack tested = made(kinds[1], {small("pre"), layers, true}, 6);
        const Layer layer = under(tested, self_attention_mask(StackKind::decoder, 6));
        const StackOutput result = tested(x);
        EXPECT_TRUE(close_named(std::to_string(layers) + (layers == 1 ? " block" : " blocks"), result.output,
                                (*tested.final_norm)(in_turn(layer, layers, x)), {1e-5, 2e-6},
                                without_a_block(x, *tested.final_norm, layer, layers)));
        EXPECT_EQ(result.weights.size(), layers) << "the number of layers whose weights are returned";
        if (HasFailure()) return;
    }
}

TEST(stack, sends_a_gradient_through_the_weights_as_well) {
    const Stack tested = made(kinds[1], stack("pre"), 7);
    ASSERT_EQ(tested(normal({1, 5, width}, 19)).weights.size(), 2u);
    for (const std::size_t i : {0u, 1u}) {
        const auto weights_of = [&](const Tensor& x) { return tested(x, {}, with_weights).weights.at(i); };
        expect_gradient_through_weights("the weights of a layer", normal({1, 5, width}, 19), weights_of);
        if (HasFailure()) return;
    }
}

TEST(stack, an_encoder_sees_everything_but_padding_and_a_decoder_nothing_later) {
    const Stack encoder = made(kinds[0], stack("pre"), 2), decoder = made(kinds[1], stack("pre"), 2);
    expect_all_seen([&](const Tensor& x) { return encoder(x).output; }, normal({1, 6, width}, 6), 6,
                    causal_encoder, "no block is called");
    expect_causal([&](const Tensor& x) { return decoder(x).output; }, 5);
    for (const Stack* tested : {&encoder, &decoder})
        expect_padding_without_effect(
            [&](const Tensor& x, const Padding& p) { return (*tested)(x, p).output; });
}

TEST(stack, works_without_a_final_norm_and_drops_in_training) {
    for (const Kind& kind : kinds) {
        const Stack tested = made(kind, {small("post", 0.3), 2, false}, 3);
        ASSERT_FALSE(tested.final_norm.has_value());
        const Tensor x = golden()["source"];
        const Padding mask = self_attention_mask(kind.kind, 7);
        expect_none_needed([&] { (void)tested(x); });
        if (HasFailure()) return;
        expect_training([&](Rng* r) { return tested(x, std::nullopt, {.rng = r}).output; },
                        [&](Rng* r) {
                            const Tensor first = tested.blocks[0](x, mask, {.rng = r}).output;
                            return tested.blocks[1](first, mask, {.rng = r}).output;
                        },
                        {{"a block is called twice, for its weights and for its output: one call gives both",
                          [&](Rng* r) {
                              Tensor result = x;
                              for (const TransformerBlock& block : tested.blocks) {
                                  (void)block(result, mask, {.rng = r});
                                  result = block(result, mask, {.rng = r}).output;
                              }
                              return result;
                          }},
                         {"dropout falls on x: the blocks drop what they add themselves", [&](Rng* r) {
                              const Tensor input = dropout(x, 0.3, r);
                              const Tensor first = tested.blocks[0](input, mask, {.rng = r}).output;
                              return tested.blocks[1](first, mask, {.rng = r}).output;
                          }}});
    }
}

// Also where the pass that comes in has the number of another block.
TEST(stack, numbers_its_blocks_from_0) {
    for (const Kind& kind : kinds) {
        const Stack tested = made(kind, {small("pre"), 3, true});
        SameEarlier earlier;
        tested(normal({1, 6, width}, 7), std::nullopt, {.earlier = &earlier, .layer = 7});
        const std::string cause = cause_of_numbers(earlier.asked);
        EXPECT_EQ(earlier.asked, (std::vector<std::size_t>{0, 1, 2}))
            << "the numbers that the blocks of " << (kind.name == "encoder" ? "an encoder" : "a decoder")
            << " are told" << likely_if(!cause.empty(), cause);
        if (HasFailure()) return;
    }
}

// Rotary positions and none, and padding; the keys and values of the first part are kept, layer by layer.
TEST(stack, a_sequence_of_a_decoder_in_two_halves_gives_what_it_gives_in_one) {
    for (const auto& [rotary, real] : {std::pair<bool, Padding>{false, {}},
                                       {true, {}},
                                       {true, Mask::from({1, 1, 1, 8}, {1, 0, 1, 1, 1, 1, 1, 1})}}) {
        StackConfig config = stack("pre");
        config.block.max_len = 9;
        if (rotary) config.block.positions = Rotary{};
        const Stack decoder = made(kinds[1], config, 4);
        const Tensor x = normal({5, 8, width}, 7), whole = decoder(x, real).output;
        const Layer layer = under(decoder, self_attention_mask(StackKind::decoder, 8, real));
        ASSERT_TRUE(close_named("the whole", whole, (*decoder.final_norm)(twice(layer, x)), {1e-5, 2e-6}));
        expect_parts_give_the_whole(
            [&, &real = real](std::size_t begin, std::size_t end, const Pass& pass) {
                return decoder(slice(x, 1, begin, end), of_keys(real, begin, end, pass), pass).output;
            },
            whole, 6, {1e-5, 2e-6}, "", real ? "the padding is lost where the pass keeps keys" : "");
        if (HasFailure()) return;
    }
}

// Each half attends to the keys and values of both, which are made block by block.
TEST(stack, a_sequence_of_an_encoder_in_two_halves_gives_what_it_gives_in_one) {
    StackConfig config = stack("post");
    config.block.positions = Rotary{};
    config.block.max_len = 9;
    const Stack encoder = made(kinds[0], config, 5);
    const Tensor x = normal({5, 8, width}, 8);
    std::vector<Tensor> halves{slice(x, 1, 0, 6), slice(x, 1, 6, 8)};
    for (const TransformerBlock& block : encoder.blocks) {
        const KeysValues all =
            joined(block.attention.keys_values(halves[0], 0), block.attention.keys_values(halves[1], 6));
        for (std::size_t half : {0u, 1u}) {
            struct AllThere : SameEarlier {  // what each half asks for: the keys of both
                using SameEarlier::SameEarlier;
                KeysValues append(std::size_t, const KeysValues&) override { return *before; }
            } there(all);
            halves[half] = block(halves[half], std::nullopt, {.offset = 6 * half, .earlier = &there}).output;
        }
    }
    EXPECT_TRUE(close((*encoder.final_norm)(concat(halves, 1)), encoder(x).output, {1e-5, 2e-6}));
}

TEST(stack, refuses_what_does_not_fit) {
    Rng rng(4);
    for (const Kind& kind : kinds) {
        const Stack tested = made(kind, stack("pre"));
        expect_paddings_refused("padding", 7, [&](const Padding& p) { tested(golden()["source"], p); });
        expect_shapes_refused("x", {5, 7, width}, [&](const Tensor& x) { tested(x); });
        expect_config_refused([&](const StackConfig& c) { Stack(kind.kind, c, rng)(golden()["source"]); },
                              true);
    }
}

}  // namespace
}  // namespace tfs::test
