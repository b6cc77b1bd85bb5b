// tests/08_encoder_decoder/decoder_block_test.cpp · step decoder_block: PyTorch's values, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"

#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

TEST(decoder_block, equals_a_causal_layer_of_pytorchs_encoder) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const DecoderBlock block(small(form), rng);
        const Loaded part = load("encoder.blocks.0.", block.parameters());
        const Tensor x = leaf("source");
        const AttentionOutput result = block(x, padding("source_padding"));
        const auto wrong = [&](const Padding& mask) {
            return [&, mask] { return block.block(x, mask).output; };
        };
        Array strict = Array::from_shape({1, 1, 5, 5});
        for (std::size_t i = 0; i < strict.size(); ++i) strict.data()[i] = i % 5 < i / 5 ? 1.0f : 0.0f;
        const Mask back_alone(xt::xarray<bool>(xt::cast<bool>(strict)));
        expect_golden(form + ".decoder_block.", part, result.output,
                      layers("encoder_weights", {result.weights}), {{"source", x}}, 1e-5,
                      {{"the padding replaces the causal mask; both must hold: causal & padding",
                        wrong(padding("source_padding"))},
                       {"the padding is lost: the causal mask alone", wrong(causal_mask(5))},
                       {"a position does not see itself: the causal mask allows j <= i",
                        wrong(*padding("source_padding") & back_alone)},
                       {"no mask at all", wrong(std::nullopt)}});
    }
}

TEST(decoder_block, no_position_sees_a_later_one) {
    Rng rng(2);
    const DecoderBlock block(small("post"), rng);
    for (const std::size_t seq : {1u, 2u, 6u})
        expect_causal([&](const Tensor& x) { return block(x).output; }, seq);
    expect_causal(
        [&](const Tensor& x) {
            return block(x, Mask::from({1, 1, 1, 4}, {1, 1, 1, 1})).output;
        },
        4);
}

TEST(decoder_block, padding_behind_a_sentence_has_no_effect) {
    Rng rng(3);
    const DecoderBlock block(small("pre"), rng);
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return block(x, p).output; });
}

TEST(decoder_block, drops_in_training_what_the_block_of_chapter_07_drops) {
    Rng rng(4);
    const DecoderBlock block(small("pre", 0.3), rng);
    const Tensor x = golden()["source"];
    expect_training([&](Rng* r) { return block(x, std::nullopt, r).output; },
                    [&](Rng* r) { return block.block(x, causal_mask(5), r).output; });
}

TEST(decoder_block, refuses_what_does_not_fit) {
    Rng rng(5);
    const DecoderBlock block(small("pre"), rng);
    expect_paddings_refused("padding", 5, [&](const Padding& p) { block(golden()["source"], p); });
    expect_shapes_refused("x", {2, 5, width}, [&](const Tensor& x) { block(x); });
}

}  // namespace
}  // namespace tfs::test
