// tests/02_masks/mask_rules_test.cpp · step mask_rules, the causal mask, `&` and the mask of padding: PyTorch's values, properties
#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/02_masks/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(mask_rules, causal_mask_equals_pytorch) {
    EXPECT_TRUE(mask_close(causal_mask(6), golden()["mask.causal"]));
}

TEST(mask_rules, cached_keys_of_a_causal_mask_come_before_the_queries) {
    EXPECT_TRUE(mask_close(causal_mask(3, 8, 5), golden()["mask.causal_cached"], "causal_mask(3, 8, 5)"));
    // One query at a time, as a decoder asks, gives the rows of the whole mask.
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_TRUE(mask_close(causal_mask(1, i + 1, i), Tensor::ones({1, 1, 1, i + 1}),
                               fmt::format("causal_mask(1, {}, {})", i + 1, i)));
}

TEST(mask_rules, keys_beyond_the_last_query_of_a_causal_mask_are_hidden) {
    EXPECT_TRUE(mask_close(causal_mask(4, 8, 2),
                           by_rule({1, 1, 4, 8}, [](auto, auto i, auto j) { return j <= i + 2; }),
                           "causal_mask(4, 8, 2)"));
    EXPECT_TRUE(mask_close(causal_mask(1, 7, 3), Tensor::from({1, 1, 1, 7}, {1, 1, 1, 1, 0, 0, 0}),
                           "causal_mask(1, 7, 3)"));
}

TEST(mask_rules, under_a_causal_mask_what_comes_later_changes_not_one_bit_of_an_earlier_output) {
    const Mask mask = causal_mask(5);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 5, 5}));
    Rng rng(3);
    const MultiHeadAttention attention(8, 2, rng);
    const Tensor x = normal({1, 5, 8}, 4), before = attention(x, x, x, mask).output;
    for (std::size_t j = 1; j < 5; ++j) {
        const Tensor other = concat({slice(x, 1, 0, j), slice(x, 1, j, 5) + 100.0f}, 1);
        EXPECT_TRUE(close_named(fmt::format("outputs before position {}, after changing it", j),
                                slice(attention(other, other, other, mask).output, 1, 0, j),
                                slice(before, 1, 0, j), {0, 0}));
    }
}

TEST(mask_rules, causal_mask_refuses_too_few_keys) {
    constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
    EXPECT_TRUE(has_shape(numbers(causal_mask(2, 4, 1)), {1, 1, 2, 4}));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)causal_mask(3, 4, 5); }, {"3", "4", "5"}, "causal_mask(3, 4, 5)"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)causal_mask(0); }, {}, "causal_mask(0)"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)causal_mask(1, 4, huge); }, {}, "an offset that is huge"));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)causal_mask(1ull << 32); }, {"4294967296"}, "causal_mask(1 << 32)"));
}

// --- two masks

TEST(mask_rules, padding_and_causal_equals_pytorch) {
    const Mask padding = golden_mask("mask.padding"), causal = golden_mask("mask.causal");
    const Tensor expected = golden()["mask.padding_and_causal"];
    EXPECT_TRUE(mask_close(padding & causal, expected, "padding & causal"));
    EXPECT_TRUE(mask_close(causal & padding, expected, "causal & padding"));
}

TEST(mask_rules, and_joins_masks_of_one_shape_and_of_fewer_axes) {
    const Mask left = Mask::from({2, 4}, {1, 1, 0, 0, 0, 0, 1, 1}),
               right = Mask::from({2, 4}, {0, 1, 1, 0, 1, 0, 1, 0});
    EXPECT_TRUE(mask_close(left & right, Tensor::from({2, 4}, {0, 1, 0, 0, 0, 0, 1, 0}), "(2, 4) & (2, 4)"));
    EXPECT_TRUE(mask_close(golden_mask("mask.document") & golden_mask("mask.causal"),
                           golden()["mask.document_and_causal"], "document & causal"));
    const Mask keys = Mask::from({3}, {1, 0, 1}), map = Mask::from({2, 3}, {1, 1, 0, 0, 1, 1});
    EXPECT_TRUE(mask_close(keys & map, Tensor::from({2, 3}, {1, 0, 0, 0, 0, 1}), "(3) & (2, 3)"));
}

// A mask that allows everything changes no entry, but it has a shape.
TEST(mask_rules, and_with_a_mask_that_allows_everything_has_the_shape_of_both) {
    const Mask everything = Mask::from({2, 1}, {1, 1}), keys = Mask::from({3}, {1, 0, 1});
    const Tensor expected = Tensor::from({2, 3}, {1, 0, 1, 1, 0, 1});
    EXPECT_TRUE(mask_close(everything & keys, expected, "(2, 1) & (3)"));
    EXPECT_TRUE(mask_close(keys & everything, expected, "(3) & (2, 1)"));
}

TEST(mask_rules, and_refuses_shapes_that_do_not_broadcast) {
    const Mask five = Mask::from({5}, {1, 1, 1, 1, 1});
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)(five & golden_mask("mask.causal")); },
                                    {"(5)", "(1, 1, 6, 6)"}, "5 keys & 6 keys"));
}

// --- the mask of padding

// The mask is as expected; that no sentence is refused is a part of it.
testing::AssertionResult padding_gives(const Ids& tokens, std::int64_t pad_id, const Tensor& expected) {
    const std::string what = fmt::format("pad_id {}", pad_id);
    try {
        return mask_close(padding_mask(tokens, pad_id), expected, what);
    } catch (const ValueError& error) {
        return testing::AssertionFailure() << what << ": \"" << error.what() << '"'
                                           << came(Array::from_shape({0}), {});  // in whichever words
    }
}

TEST(mask_rules, padding_equals_pytorch) {
    EXPECT_TRUE(padding_gives(golden_ids("tokens"), 0, golden()["mask.padding"]));
}

TEST(mask_rules, padding_asks_for_the_id_that_it_is_given) {
    EXPECT_TRUE(padding_gives(ids({2, 5}, {0, 9, 7, 3, 7, 7, 1, 9, 7, 4}), 7,
                              Tensor::from({2, 1, 1, 5}, {1, 1, 0, 1, 0, 0, 1, 1, 0, 1})));
}

TEST(mask_rules, padding_any_number_may_be_the_id_of_padding) {
    const std::int64_t large = 1ll << 53, wide = 1ll << 32;
    EXPECT_TRUE(padding_gives(ids({1, 4}, {0, 7, 9, 3}), 7, Tensor::from({1, 1, 1, 4}, {1, 0, 1, 1})));
    EXPECT_TRUE(padding_gives(ids({1, 6}, {-1, 0, -2, 1, wide - 1, -1}), -1,
                              Tensor::from({1, 1, 1, 6}, {0, 1, 1, 1, 1, 0})));
    EXPECT_TRUE(padding_gives(ids({1, 6}, {0, large, large + 1, 7, 8, 9}), large + 1,
                              Tensor::from({1, 1, 1, 6}, {1, 1, 0, 1, 1, 1})));
}

TEST(mask_rules, padding_a_padded_batch_gives_what_each_sentence_gives_alone) {
    const Mask mask = padding_mask(golden_ids("tokens"), 0);
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 1, 6}));
    Rng rng(1);
    const MultiHeadAttention attention(8, 2, rng);
    const Tensor x = normal({3, 6, 8}, 2), together = attention(x, x, x, mask).output;
    const std::size_t lengths[] = {6, 3, 4};
    for (std::size_t b = 0; b < 3; ++b) {
        const auto sentence = [&](const Tensor& t) { return slice(slice(t, 0, b, b + 1), 1, 0, lengths[b]); };
        const Tensor alone = sentence(x);
        EXPECT_TRUE(close_named(fmt::format("sentence {}", b + 1), sentence(together),
                                attention(alone, alone, alone).output, {1e-5, 1e-6}));
    }
}

// A ValueError that says the place, in whichever words; else what it says in its stead.
testing::AssertionResult padding_refuses(const Ids& tokens, const std::string& place,
                                         const std::string& counted_from_0) {
    const auto call = [&] { (void)padding_mask(tokens, 0); };
    testing::AssertionResult result =
        refuses<ValueError>(call, {place}, "padding_mask where sentence " + place + " is only padding");
    if (result) return result;
    const Thrown thrown = thrown_by(call);
    if (thrown.type == "ValueError" && !names(thrown.sentence, place))
        result << came(names(thrown.sentence, counted_from_0) ? "counted from 0" : "no place");
    return result;
}

TEST(mask_rules, padding_refuses_a_sentence_of_nothing_but_padding) {
    EXPECT_TRUE(padding_refuses(ids({3, 2}, {4, 0, 0, 0, 5, 6}), "2 of 3", "1 of 3"));
    EXPECT_TRUE(padding_refuses(ids({2, 2}, {5, 6, 0, 0}), "2 of 2", "1 of 2"));
    EXPECT_TRUE(padding_refuses(ids({2, 2}, {0, 0, 5, 6}), "1 of 2", "0 of 2"));
    EXPECT_TRUE(refuses<ValueError>(
        [] {
            (void)padding_mask(ids({1, 2}, {0, 0}), 0);
        },
        {}, "padding_mask of a single sentence that is only padding"));
}

TEST(mask_rules, padding_refuses_what_is_not_a_batch_of_sentences) {
    EXPECT_TRUE(has_shape(numbers(padding_mask(ids({2, 1}, {1, 1}), 0)), {2, 1, 1, 1}));
    for (const Ids& tokens : {ids({3}, {1, 2, 3}), ids({0, 3}, {}), ids({3, 0}, {})}) {
        const std::string shape = to_string(Shape(tokens.shape().begin(), tokens.shape().end()));
        EXPECT_TRUE(refuses<ShapeError>([&] { (void)padding_mask(tokens, 0); }, {shape},
                                        "ids of the shape " + shape));
    }
}

// --- in attention

TEST(mask_rules, attention_under_these_masks_equals_pytorch) {
    const Mask causal = causal_mask(6), padding = padding_mask(golden_ids("tokens"), 0);
    ASSERT_TRUE(has_shape(numbers(causal), {1, 1, 6, 6}));
    ASSERT_TRUE(has_shape(numbers(padding), {3, 1, 1, 6}));
    EXPECT_TRUE(attention_equals_pytorch("causal", causal));
    EXPECT_TRUE(attention_equals_pytorch("padding", padding));
    EXPECT_TRUE(attention_equals_pytorch("cross", padding, "target.q"));
    EXPECT_TRUE(attention_equals_pytorch("padding_and_causal", padding & causal));
    EXPECT_TRUE(attention_equals_pytorch("document_and_causal", golden_mask("mask.document") & causal));
}

TEST(mask_rules, a_query_that_and_leaves_with_nothing_gets_zeros) {
    const Mask mask = golden_mask("mask.causal") & Mask::from({6, 1}, {1, 1, 0, 1, 1, 1});
    ASSERT_TRUE(mask_close(mask, golden()["mask.nothing_for_query_2"]));
    EXPECT_TRUE(attention_equals_pytorch("nothing_for_query_2", mask));
}

}  // namespace
}  // namespace tfs::test
