// tests/08_encoder_decoder/self_attention_mask_test.cpp · self_attention_mask, which is given: PyTorch's values, and earlier keys
#include "tests/08_encoder_decoder/checklist.hpp"

#include <string>

#include "tests/08_encoder_decoder/pass_in_parts.hpp"

#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

TEST(self_attention_mask, makes_an_encoder_or_a_decoder_of_the_block_as_in_pytorch) {
    for (const StackKind kind : {StackKind::encoder, StackKind::decoder})
        for (const std::string& form : forms) {
            Rng rng(1);
            TransformerBlock block(small(form), rng);
            const Loaded part = load("encoder.blocks.0.", block.parameters());
            const Tensor x = leaf("source");
            const AttentionOutput result =
                block(x, self_attention_mask(kind, x.size(1), padding("source_padding")), with_weights);
            expect_golden(form + (kind == StackKind::encoder ? ".encoder_block." : ".decoder_block."), part,
                          result.output, layers("encoder_weights", {result.weights}), {{"source", x}}, 1e-5,
                          {});
        }
}

TEST(self_attention_mask, of_an_encoder_hides_nothing_but_padding) {
    const Padding real = Mask::from({1, 1, 1, 5}, {1, 0, 1, 1, 1});
    EXPECT_FALSE(self_attention_mask(StackKind::encoder, 5).has_value());
    EXPECT_TRUE(self_attention_mask(StackKind::encoder, 5, real)->array() == real->array());
}

// Alone, a sequence that begins later counts its own keys; behind two positions, the last three rows of the mask for all five.
TEST(self_attention_mask, of_queries_that_begin_later_than_the_keys) {
    EXPECT_TRUE(self_attention_mask(StackKind::decoder, 3, std::nullopt, Pass{.offset = 2})->array() ==
                causal_mask(3).array());
    const Tensor two_positions = Tensor::zeros({1, 1, 2, 1});
    SameEarlier earlier(KeysValues{two_positions, two_positions});
    const Pass late{.offset = 2, .earlier = &earlier};
    const Padding real = Mask::from({1, 1, 1, 5}, {1, 0, 1, 1, 1});
    const Padding of_two = Mask::from({2, 1, 1, 5}, {1, 0, 1, 1, 1, 1, 1, 0, 1, 1});
    const Mask causal = causal_mask(3, 5, 2);
    for (const Padding& p : {Padding(), real, of_two})
        EXPECT_TRUE(self_attention_mask(StackKind::decoder, 3, p, late)->array() ==
                    (p ? causal & *p : causal).array());
    EXPECT_TRUE(self_attention_mask(StackKind::encoder, 3, real, late)->array() == real->array());
}

}  // namespace
}  // namespace tfs::test
