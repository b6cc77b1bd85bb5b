// tests/08_encoder_decoder/self_attention_mask_test.cpp · step self_attention_mask: PyTorch's values, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"

#include <fmt/format.h>

#include "common/tensor/print.hpp"
#include "tests/08_encoder_decoder/kept.hpp"

#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

// A block of the golden weights, under the mask of its kind.
struct MaskedBlock {
    TransformerBlock block;
    StackKind kind;
    Loaded part;

    MaskedBlock(StackKind kind_, const std::string& form)
        : block(make(form)), kind(kind_), part(load("encoder.blocks.0.", block.parameters())) {}
    static TransformerBlock make(const std::string& form) {
        Rng rng(1);
        return TransformerBlock(small(form), rng);
    }
    AttentionOutput operator()(const Tensor& x, const Padding& real = std::nullopt) const {
        return block(x, self_attention_mask(kind, x.size(1), real));
    }
    Function on(const Padding& mask) const {
        return [this, mask](const Tensor& x) { return block(x, mask).output; };
    }
};

TEST(self_attention_mask, of_an_encoder_equals_a_layer_of_pytorchs_encoder) {
    for (const std::string& form : forms) {
        const MaskedBlock block(StackKind::encoder, form);
        const Tensor x = leaf("source");
        const Padding real = padding("source_padding");
        const AttentionOutput result = block(x, real);
        const auto under = [&](const Padding& mask) { return [&, mask] { return block.on(mask)(x); }; };
        expect_golden(
            form + ".encoder_block.", block.part, result.output, layers("encoder_weights", {result.weights}),
            {{"source", x}}, 1e-5,
            {{"the padding is not passed on: every position sees the padded ones", under(std::nullopt)},
             {causal_encoder, under(*real & causal_mask(5))},
             {"an encoder has no causal mask, and the padding is lost", under(causal_mask(5))}});
    }
}

TEST(self_attention_mask, of_an_encoder_hides_nothing_but_padding) {
    EXPECT_FALSE(self_attention_mask(StackKind::encoder, 5).has_value()) << likely_if(true, causal_encoder);
    const MaskedBlock block(StackKind::encoder, "pre");
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return block(x, p).output; });
}

TEST(self_attention_mask, of_a_decoder_equals_a_causal_layer_of_pytorchs_encoder) {
    for (const std::string& form : forms) {
        const MaskedBlock block(StackKind::decoder, form);
        const Tensor x = leaf("source");
        const Padding real = padding("source_padding");
        const AttentionOutput result = block(x, real);
        const auto under = [&](const Padding& mask) { return [&, mask] { return block.on(mask)(x); }; };
        Array strict = Array::from_shape({1, 1, 5, 5});
        for (std::size_t i = 0; i < strict.size(); ++i) strict.data()[i] = i % 5 < i / 5 ? 1.0f : 0.0f;
        const Mask back_alone(xt::xarray<bool>(xt::cast<bool>(strict)));
        expect_golden(
            form + ".decoder_block.", block.part, result.output, layers("encoder_weights", {result.weights}),
            {{"source", x}}, 1e-5,
            {{"the padding replaces the causal mask (or the kind is not asked); both must hold: causal & "
              "padding",
              under(real)},
             {"the padding is lost: the causal mask alone", under(causal_mask(5))},
             {"a position does not see itself: the causal mask allows j <= i", under(*real & back_alone)},
             {"no mask at all", under(std::nullopt)}});
    }
}

TEST(self_attention_mask, of_a_decoder_hides_what_comes_later) {
    const MaskedBlock block(StackKind::decoder, "post");
    for (const std::size_t seq : {1u, 2u, 6u})
        expect_causal([&](const Tensor& x) { return block(x).output; }, seq);
    expect_causal(
        [&](const Tensor& x) {
            return block(x, Mask::from({1, 1, 1, 4}, {1, 1, 1, 1})).output;
        },
        4);
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return block(x, p).output; });
}

TEST(self_attention_mask, of_a_sequence_that_begins_later_alone_is_that_of_one_that_begins_at_0) {
    const auto mask = self_attention_mask(StackKind::decoder, 3, std::nullopt, Pass(nullptr, 2));
    ASSERT_TRUE(mask.has_value());
    EXPECT_TRUE(mask->array() == causal_mask(3).array()) << fmt::format("got {}", *mask);
}

// Two queries behind three positions whose keys are known: the last two rows of the mask for all five.
TEST(self_attention_mask, of_queries_that_begin_later_than_the_keys) {
    Kept kept;
    (void)kept.next(3);
    const Pass late = kept.next(2);
    ASSERT_EQ(late.keys(2), 5u);
    const Padding real = Mask::from({1, 1, 1, 5}, {1, 0, 1, 1, 1});
    for (const Padding& p : {Padding(), real}) {
        const auto mask = self_attention_mask(StackKind::decoder, 2, p, late);
        ASSERT_TRUE(mask.has_value()) << "a decoder always has a mask";
        const Mask causal = causal_mask(2, 5, 3), expected = p ? causal & *p : causal;
        EXPECT_TRUE(mask->array() == expected.array())
            << fmt::format("got {}\nexpected {}", *mask, expected)
            << likely_if(mask->shape() == Shape({1, 1, 2, 2}) || mask->shape().back() == 2,
                         "the mask has as many keys as queries: there are pass.keys(seq) of them")
            << likely_if(mask->array() == causal_mask(2, 5, 0).array(),
                         "the queries are taken for the first positions: they are the last ones of the keys");
    }
    const auto of_encoder = self_attention_mask(StackKind::encoder, 2, real, late);
    EXPECT_TRUE(of_encoder && of_encoder->array() == real->array());
}

}  // namespace
}  // namespace tfs::test
