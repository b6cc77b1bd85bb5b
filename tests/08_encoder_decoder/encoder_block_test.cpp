// tests/08_encoder_decoder/encoder_block_test.cpp · step encoder_block: PyTorch's values, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"

#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"

namespace tfs::test {
namespace {

TEST(encoder_block, equals_a_layer_of_pytorchs_encoder) {
    for (const std::string& form : forms) {
        Rng rng(1);
        const EncoderBlock block(small(form), rng);
        const Loaded part = load("encoder.blocks.0.", block.parameters());
        const Tensor x = leaf("source");
        const AttentionOutput result = block(x, padding("source_padding"));
        expect_golden(form + ".encoder_block.", part, result.output,
                      layers("encoder_weights", {result.weights}), {{"source", x}}, 1e-5,
                      {{"the padding is not passed on: every position sees the padded ones",
                        [&] { return block.block(x).output; }},
                       {causal_encoder,
                        [&] { return block.block(x, *padding("source_padding") & causal_mask(5)).output; }},
                       {"an encoder has no causal mask, and the padding is lost",
                        [&] { return block.block(x, causal_mask(5)).output; }}});
    }
}

TEST(encoder_block, every_position_sees_every_other) {
    Rng rng(2);
    const EncoderBlock block(small("pre"), rng);
    expect_all_seen([&](const Tensor& x) { return block(x).output; }, normal({1, 4, width}, 6), 4,
                    causal_encoder, "the block is not asked");
}

TEST(encoder_block, padding_behind_a_sentence_has_no_effect) {
    Rng rng(3);
    const EncoderBlock block(small("post"), rng);
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return block(x, p).output; });
}

TEST(encoder_block, drops_in_training_what_the_block_of_chapter_07_drops) {
    Rng rng(4);
    const EncoderBlock block(small("pre", 0.3), rng);
    const Tensor x = golden()["source"];
    expect_training([&](Rng* r) { return block(x, padding("source_padding"), r).output; },
                    [&](Rng* r) { return block.block(x, padding("source_padding"), r).output; });
}

TEST(encoder_block, refuses_what_does_not_fit) {
    Rng rng(5);
    const EncoderBlock block(small("pre"), rng);
    expect_paddings_refused("padding", 5, [&](const Padding& p) { block(golden()["source"], p); });
    expect_shapes_refused("x", {2, 5, width}, [&](const Tensor& x) { block(x); });
    expect_config_refused([&](const StackConfig& c) { EncoderBlock(c.block, rng)(golden()["source"]); },
                          false);
}

}  // namespace
}  // namespace tfs::test
