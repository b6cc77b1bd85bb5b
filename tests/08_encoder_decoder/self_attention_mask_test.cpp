// tests/08_encoder_decoder/self_attention_mask_test.cpp · step self_attention_mask: PyTorch's values, properties, diagnosis
#include "tests/08_encoder_decoder/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "common/tensor/print.hpp"
#include "tests/08_encoder_decoder/pass_in_parts.hpp"

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
        return block(x, self_attention_mask(kind, x.size(1), real), with_weights);
    }
    Function on(const Padding& mask) const {
        return [this, mask](const Tensor& x) { return block(x, mask).output; };
    }
};

// Two sequences, with padding in the middle of the one and at the end of the other.
const Mask two_padded = Mask::from({2, 1, 1, 5}, {1, 0, 1, 1, 1, 1, 1, 1, 1, 0});

// Of `batch` sequences of `seq` queries and keys, else of two_padded's: true where allowed(sequence, query, key).
Mask mask_where(const std::function<bool(std::size_t, std::size_t, std::size_t)>& allowed,
                std::size_t batch = 2, std::size_t seq = 5) {
    std::vector<int> entries;
    for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t i = 0; i < seq; ++i)
            for (std::size_t j = 0; j < seq; ++j) entries.push_back(allowed(b, i, j));
    return Mask::from({batch, 1, seq, seq}, entries);
}

bool hides_nothing(const Padding& mask) {
    return !mask || std::ranges::all_of(mask->array(), [](bool allowed) { return allowed; });
}

// Whether the mask of a decoder under two_padded is this one; a size of 1 stands for all.
bool gives(const Padding& got, const Mask& wrong) {
    const Mask all = mask_where([](std::size_t, std::size_t, std::size_t) { return true; });
    if (!got || got->shape().size() != 4) return false;
    const Shape shape = got->shape();
    if (shape[0] > 2 || shape[1] != 1 || (shape[2] != 1 && shape[2] != 5) || shape[3] != 5) return false;
    return (*got & all).array() == (wrong & all).array();
}

const std::string padding_inverted = "the padding is inverted: true = a real token";

// What the mask of a decoder hides in place of the right positions; without a known cause, a sentence that is true of any.
std::string cause_of_decoder_mask() {
    const Padding got = self_attention_mask(StackKind::decoder, 5, two_padded),
                  bare = self_attention_mask(StackKind::decoder, 5),
                  encoders = self_attention_mask(StackKind::encoder, 5);
    const auto real = [](std::size_t batch, std::size_t key) {
        return two_padded.array().data()[5 * batch + key];
    };
    if (hides_nothing(bare))
        return hides_nothing(encoders)
                   ? "a decoder has no causal mask here, only the padding: a position sees later ones"
                   : "the kinds are exchanged: the decoder has the causal mask, the encoder none";
    if (gives(got, two_padded))
        return "the padding replaces the causal mask; both must hold: causal & padding";
    if (gives(got, causal_mask(5))) return "the padding is lost: only the causal mask is left";
    if (gives(got, mask_where([&](auto b, auto i, auto j) { return j < i && real(b, j); })))
        return "a position does not see itself: the causal mask allows j <= i";
    if (gives(got, mask_where([&](auto b, auto i, auto j) { return j >= i && real(b, j); })))
        return "the triangle is the wrong one: a position sees what comes later, and not what came before";
    if (gives(got, mask_where([&](auto b, auto i, auto j) { return j <= i || real(b, j); })))
        return "one of the two masks is enough here; both must hold: causal & padding";
    if (gives(got, mask_where([&](auto b, auto i, auto j) { return j <= i && real(b, i); })))
        return "the padding hides queries (rows); it hides keys, the last axis";
    if (gives(got, mask_where([&](auto b, auto i, auto j) { return j <= i && real(b, j) && real(b, i); })))
        return "the padding hides queries (rows) as well; it hides keys, the last axis";
    if (gives(got, mask_where([&](auto b, auto i, auto j) { return j <= i && !real(b, j); })))
        return padding_inverted;
    if (gives(got, mask_where([&](auto, auto i, auto j) { return j <= i && real(0, j); })))
        return "the padding of the first sequence is used for all: each sequence has its own";
    if (gives(got, mask_where([&](auto b, auto i, auto j) { return j > i || !real(b, j); })))
        return "the mask is inverted: true = may attend";
    if (gives(got, mask_where([&](auto b, auto i, auto j) { return j <= i + 1 && real(b, j); })))
        return "the causal mask is shifted: a position sees the next one";
    if (gives(got, mask_where([&](auto b, auto i, auto j) { return i == j || (j < i && real(b, j)); })))
        return "each position may see itself, even padding: a padded key is hidden from all";
    return "the mask is not causal & padding: j <= i, and j a real token";
}

TEST(self_attention_mask, of_an_encoder_equals_a_layer_of_pytorchs_encoder) {
    for (const std::string& form : forms) {
        const MaskedBlock block(StackKind::encoder, form);
        const Tensor x = leaf("source");
        const Padding real = padding("source_padding");
        const AttentionOutput result = block(x, real);
        const auto is_real = [&](std::size_t batch, std::size_t key) {
            return real->array().data()[7 * batch + key];
        };
        const Mask both_ways =
            mask_where([&](auto b, auto i, auto j) { return is_real(b, i) && is_real(b, j); }, 5, 7);
        const auto under = [&](const Padding& mask) { return [&, mask] { return block.on(mask)(x); }; };
        expect_golden(
            form + ".encoder_block.", block.part, result.output, layers("encoder_weights", {result.weights}),
            {{"source", x}}, 1e-5,
            {{"the padding is not passed on: every position sees the padded ones", under(std::nullopt)},
             {"the padding hides queries (rows) as well; it hides keys, the last axis", under(both_ways)},
             {padding_inverted, under(inverted(real))},
             {causal_encoder, under(*real & causal_mask(7))},
             {"an encoder has no causal mask, and the padding is lost", under(causal_mask(7))}});
    }
}

TEST(self_attention_mask, of_an_encoder_hides_nothing_but_padding) {
    const Padding bare = self_attention_mask(StackKind::encoder, 5);
    EXPECT_FALSE(bare.has_value()) << likely_if(
        bare.has_value(), hides_nothing(bare)
                              ? "an encoder without padding has no mask: return `padding` as it is"
                              : causal_encoder);
    const MaskedBlock block(StackKind::encoder, "pre");
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return block(x, p).output; });
}

TEST(self_attention_mask, of_a_decoder_equals_a_causal_layer_of_pytorchs_encoder) {
    for (const std::string& form : forms) {
        const MaskedBlock block(StackKind::decoder, form);
        const Tensor x = leaf("source");
        const Padding real = padding("source_padding");
        const AttentionOutput result = block(x, real);
        expect_golden(form + ".decoder_block.", block.part, result.output,
                      layers("encoder_weights", {result.weights}), {{"source", x}}, 1e-5,
                      {{cause_of_decoder_mask(), [&] { return result.output; }}});
    }
}

TEST(self_attention_mask, of_a_decoder_hides_what_comes_later) {
    const MaskedBlock block(StackKind::decoder, "post");
    for (const std::size_t seq : {1u, 2u, 6u})
        expect_causal([&](const Tensor& x) { return block(x).output; }, seq);
    expect_causal(
        [&](const Tensor& x) {
            return block(x, Mask::from({1, 1, 1, 5}, {1, 1, 1, 1, 1})).output;
        },
        5);
    expect_padding_without_effect([&](const Tensor& x, const Padding& p) { return block(x, p).output; });
}

TEST(self_attention_mask, of_a_sequence_that_begins_later_alone_is_that_of_one_that_begins_at_0) {
    Padding mask;
    try {
        mask = self_attention_mask(StackKind::decoder, 3, std::nullopt, Pass{.offset = 2});
    } catch (const Error& error) {
        const bool shifted = std::string(error.what()).find("after an offset of 2") != std::string::npos;
        FAIL() << error.what()
               << likely_if(shifted,
                            "the mask is shifted by pass.offset; shift it by keys - seq, the number of keys "
                            "before the "
                            "queries: here 0");
    }
    ASSERT_TRUE(mask.has_value());
    EXPECT_TRUE(mask->array() == causal_mask(3).array())
        << fmt::format("got {}", *mask)
        << likely_if(mask->shape().back() == 5,
                     "the keys are counted by pass.offset, where none "
                     "came before: pass.keys(seq) counts them");
}

// Three queries behind two positions whose keys are known: the last three rows of the mask for all five.
TEST(self_attention_mask, of_queries_that_begin_later_than_the_keys) {
    const Tensor two_positions = Tensor::zeros({1, 1, 2, 1});
    SameEarlier earlier(KeysValues{two_positions, two_positions});
    const Pass late{.offset = 2, .earlier = &earlier};
    ASSERT_EQ(late.keys(3), 5u);
    const Padding real = Mask::from({1, 1, 1, 5}, {1, 0, 1, 1, 1});
    const Padding of_two = Mask::from({2, 1, 1, 5}, {1, 0, 1, 1, 1, 1, 1, 0, 1, 1});
    for (const Padding& p : {Padding(), real, of_two}) {
        const auto mask = self_attention_mask(StackKind::decoder, 3, p, late);
        const bool uncausal = !mask || (p && mask->array() == p->array());
        ASSERT_FALSE(uncausal) << "a decoder's mask without a causal one"
                               << likely_if(
                                      true,
                                      "where keys came before, the causal mask is lost: no position may see "
                                      "a later one");
        const Mask causal = causal_mask(3, 5, 2), expected = p ? causal & *p : causal;
        EXPECT_TRUE(mask->array() == expected.array())
            << fmt::format("got {}\nexpected {}", *mask, expected)
            << likely_if(mask->shape() == Shape({1, 1, 3, 3}) || mask->shape().back() == 3,
                         "the mask has as many keys as queries: there are pass.keys(seq) of them")
            << likely_if(mask->shape().size() == 4 && mask->shape()[2] == 5,
                         "the mask has a query for each key: there are seq queries, fewer than keys")
            << likely_if(mask->array() == causal_mask(3, 5, 0).array(),
                         "the queries are taken for the first positions: they are the last ones of the keys")
            << likely_if(p && mask->array() == causal.array(), "the padding is lost where keys came before");
        if (HasFailure()) return;
    }
    const auto of_encoder = self_attention_mask(StackKind::encoder, 3, real, late);
    const bool right = of_encoder && of_encoder->array() == real->array() &&
                       !self_attention_mask(StackKind::encoder, 3, std::nullopt, late);
    EXPECT_TRUE(right) << "an encoder's mask where keys came before"
                       << likely_if(!right,
                                    "an encoder hides padding only, whatever the pass says: return "
                                    "`padding` as it is");
}

}  // namespace
}  // namespace tfs::test
