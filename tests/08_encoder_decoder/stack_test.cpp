// tests/08_encoder_decoder/stack_test.cpp · step stack: PyTorch's values, properties
#include <gtest/gtest.h>

#include "tests/08_encoder_decoder/checklist.hpp"
#include "tests/08_encoder_decoder/pass_in_parts.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/gradient.hpp"

namespace tfs::test {
namespace {

struct Kind {
    std::string name;
    StackKind kind;
};
const Kind kinds[] = {{"encoder", StackKind::encoder}, {"decoder", StackKind::decoder}};

Stack made(const Kind& kind, const StackConfig& config, std::uint64_t seed = 1) {
    Rng rng(seed);
    Stack stack(kind.kind, config, rng);
    tell_norms_apart(stack.parameters());
    return stack;
}

// All blocks, one after the other, under a mask; then the norm.
Tensor in_turn(const Stack& stack, Tensor x, const Padding& mask, Rng* rng = nullptr) {
    for (const TransformerBlock& block : stack.blocks) x = block(x, mask, {.rng = rng}).output;
    return stack.final_norm ? (*stack.final_norm)(x) : x;
}

TEST(stack, equals_pytorchs_encoder_also_under_a_causal_mask) {
    for (const std::string& form : forms)
        for (const Kind& kind : kinds) {
            const Stack tested = made(kind, stack(form));
            const Tensor x = leaf("source");
            const Parameters leaves =
                load("encoder.", tested.parameters(), {{"source", x}});  // one set of weights serves both
            const StackOutput result = tested(x, padding("source_padding"), with_weights);
            expect_golden(form + "." + kind.name + ".", result.output, {{"encoder_weights", result.weights}},
                          leaves, 1e-4);
        }
}

TEST(stack, of_any_number_of_blocks_runs_all_of_them) {
    const Tensor x = normal({2, 5, width}, 9);
    for (const std::size_t layers : {3u, 1u})
        for (const Kind& kind : kinds) {
            const Stack tested = made(kind, {small("pre"), layers, true}, 6);
            for (const Padding& real : {Padding(), short_target}) {
                const StackOutput result = tested(x, real);
                EXPECT_TRUE(close_named(
                    kind.name + (real ? " under padding, layers: " : ", layers: ") + std::to_string(layers),
                    result.output, in_turn(tested, x, self_attention_mask(kind.kind, 5, real)),
                    by_reference));
                EXPECT_EQ(result.weights.size(), layers) << "the number of layers with weights";
            }
        }
}

TEST(stack, sends_a_gradient_through_the_weights_as_well) {
    const Stack tested = made(kinds[1], stack("pre"), 7);
    const Tensor x = normal({1, 5, width}, 19);
    for (const std::size_t i : {0u, 1u})
        expect_gradient_through_weights("the weights of a layer", x, [&](const Tensor& t) {
            return tested(t, {}, with_weights).weights.at(i);
        });
}

TEST(stack, an_encoder_sees_everything_and_a_decoder_nothing_later) {
    for (const Kind& kind : kinds) {
        const Stack tested = made(kind, stack("pre"), 2);
        expect_seen(
            kind.kind == StackKind::encoder ? Sees::all : Sees::earlier,
            [&](const Tensor& x) { return tested(x).output; }, normal({1, 6, width}, 6), 6);
    }
}

TEST(stack, works_without_a_final_norm_and_drops_in_training) {
    for (const Kind& kind : kinds) {
        const Stack tested = made(kind, {small("post", 0.3), 2, false}, 3);
        const Tensor x = golden()["source"];
        expect_training([&](Rng* r) { return tested(x, std::nullopt, {.rng = r}).output; },
                        [&](Rng* r) { return in_turn(tested, x, self_attention_mask(kind.kind, 7), r); });
    }
}

// Also where the pass that comes in has the number of another block.
TEST(stack, numbers_its_blocks_from_0) {
    for (const Kind& kind : kinds) {
        SameEarlier earlier;
        made(kind, {small("pre"), 3, true})(normal({1, 6, width}, 7), {}, {.earlier = &earlier, .layer = 7});
        EXPECT_EQ(earlier.asked, (std::vector<std::size_t>{0, 1, 2}))
            << "the numbers of blocks that asked for earlier keys, in this " << kind.name;
    }
}

// Rotary positions and none, and padding; the keys and values of the first part are kept, layer by layer.
TEST(stack, a_sequence_of_a_decoder_in_two_parts_gives_what_it_gives_in_one) {
    for (const auto& [rotary, real] : {std::pair<bool, Padding>{false, {}},
                                       {true, {}},
                                       {true, Mask::from({1, 1, 1, 8}, {1, 0, 1, 1, 1, 1, 1, 1})}}) {
        const Stack decoder = made(kinds[1], rotary ? rotary_stack("pre", 9) : stack("pre"), 4);
        // No row of this input is close to constant at a norm, which would divide by its small deviation and let a rounding of the
        // input move the output by more than the tolerance (of seed 7, one row by 6.5e-6; of this one, by 3.3e-6 at most).
        const Tensor x = normal({5, 8, width}, 18);
        expect_parts_give_the_whole(
            [&, &real = real](std::size_t begin, std::size_t end, const Pass& pass) {
                return decoder(slice(x, 1, begin, end), of_keys(real, begin, end, pass), pass).output;
            },
            in_turn(decoder, x, self_attention_mask(StackKind::decoder, 8, real)), 6, by_reference);
    }
}

}  // namespace
}  // namespace tfs::test
