// tests/02_masks/mask_rules_test.cpp · step mask_rules, the causal mask, `&` and the mask of padding: PyTorch's values, properties, diagnosis
#include "tests/02_masks/checklist.hpp"

#include <fmt/format.h>

#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Without an offset, the mask is right.
bool right_without_offset() {
    const Tensor expected = by_rule({1, 1, 3, 3}, [](auto, auto i, auto j) { return j <= i; });
    return close(numbers(causal_mask(3, 3, 0)), expected, {0, 0});
}

// Behind cached keys, the mask of one query is right.
bool right_for_one_query() {
    return close(numbers(causal_mask(1, 4, 2)), Tensor::from({1, 1, 1, 4}, {1, 1, 1, 0}), {0, 0});
}

std::vector<Suspect> causal_suspects(const Shape& shape, std::int64_t offset) {
    const bool right_at_0 = right_without_offset();
    const std::int64_t guessed = static_cast<std::int64_t>(shape[3]) - static_cast<std::int64_t>(shape[2]);
    std::vector<Suspect> suspects{
        suspect("`offset` is guessed as keys - queries; there may be more keys than offset + queries", shape,
                [=](auto, auto i, auto j) { return j <= i + guessed; }),
        suspect("only the future is allowed: an additive mask (0 / -inf) was read as a boolean one, or the "
                "comparison is the wrong way round",
                shape, [=](auto, auto i, auto j) { return j > i + offset; }),
        suspect("upper triangle instead of lower: query i sees itself and the keys after it", shape,
                [=](auto, auto i, auto j) { return j >= i + offset; }),
        suspect(right_at_0 ? "behind a cache a query is one key too early: `offset` is the number of cached "
                             "keys, not the index of the last"
                           : "the diagonal is masked too: a query sees itself, j <= i + offset",
                shape, [=](auto, auto i, auto j) { return j < i + offset; }),
        suspect("a query sees the cached keys, but not itself: query i is at position i + offset of the "
                "keys, so j <= i + offset",
                shape, [=](auto, auto i, auto j) { return j < offset || j <= i; }),
        suspect("one key of the future is allowed: j <= i + offset, not j <= i + offset + 1", shape,
                [=](auto, auto i, auto j) { return j <= i + offset + 1; }),
        suspect(right_for_one_query()
                    ? "the offset is used for a single query only; each query i of several is at i + "
                      "offset too"
                    : "the offset is ignored: query i is at position i + offset of the keys",
                shape, [=](auto, auto i, auto j) { return j <= i; }),
        suspect(
            "everything is allowed: i + offset - j of std::size_t is never below 0; compare j <= i + offset",
            shape, [](auto, auto, auto) { return true; }),
        suspect("the keys before the query are hidden, by j >= i or by j - i, which wraps around below 0; "
                "compare j <= i + offset alone",
                shape, [=](auto, auto i, auto j) { return j >= i && j <= i + offset; }),
        suspect("the cached keys are hidden, by j >= offset or by j - offset, which wraps around below 0; "
                "compare j <= i + offset alone",
                shape, [=](auto, auto i, auto j) { return j >= offset && j <= i + offset; })};
    if (right_at_0)
        suspects.push_back(
            suspect("the offset has the wrong sign: the cached keys come first, so j <= i + offset", shape,
                    [=](auto, auto i, auto j) { return j + offset <= i; }));
    return suspects;
}

TEST(mask_rules, causal_mask_equals_pytorch) {
    EXPECT_TRUE(mask_close(causal_mask(6), golden()["mask.causal"], causal_suspects({1, 1, 6, 6}, 0)));
}

TEST(mask_rules, cached_keys_of_a_causal_mask_come_before_the_queries) {
    EXPECT_TRUE(
        mask_close(causal_mask(3, 8, 5), golden()["mask.causal_cached"], causal_suspects({1, 1, 3, 8}, 5)));
    // One query at a time, as a decoder asks, gives the rows of the whole mask. Such small masks tell no mistake from
    // another, so no cause is looked for.
    const Tensor whole = golden()["mask.causal"];
    for (std::size_t i = 0; i < 6; ++i) {
        const Tensor row = slice(slice(whole, 2, i, i + 1), 3, 0, i + 1);
        EXPECT_TRUE(close_named(fmt::format("causal_mask(1, {}, {})", i + 1, i),
                                numbers(causal_mask(1, i + 1, i)), row, {0, 0}));
    }
}

TEST(mask_rules, keys_beyond_the_last_query_of_a_causal_mask_are_hidden) {
    const Shape shape{1, 1, 4, 8};
    ASSERT_TRUE(mask_close(causal_mask(4, 8, 2),
                           by_rule(shape, [](auto, auto i, auto j) { return j <= i + 2; }),
                           causal_suspects(shape, 2)));
    EXPECT_TRUE(
        mask_close(causal_mask(1, 7, 3), Tensor::from({1, 1, 1, 7}, {1, 1, 1, 1, 0, 0, 0}),
                   {suspect("a single query sees every key; it is at `offset`, and keys may come after it",
                            {1, 1, 1, 7}, [](auto, auto, auto) { return true; })},
                   "causal_mask(1, 7, 3)"));
}

TEST(mask_rules, attention_under_a_causal_mask_equals_pytorch) {
    const Mask mask = causal_mask(6);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 6, 6}));
    EXPECT_TRUE(attention_equals_pytorch("causal", mask));
}

TEST(mask_rules, under_a_causal_mask_what_comes_later_changes_not_one_bit_of_an_earlier_output) {
    const Mask mask = causal_mask(5);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 5, 5}));
    Rng rng(3);
    const MultiHeadAttention attention(8, 2, rng);
    const Tensor x = normal({1, 5, 8}, 4);
    const Tensor before = attention(x, x, x, mask).output;
    for (std::size_t j = 1; j < 5; ++j) {
        Array changed = x.array();
        for (std::size_t c = 0; c < 8; ++c) changed(0, j, c) += 100.0f;
        const Tensor other(changed), after = attention(other, other, other, mask).output;
        EXPECT_TRUE(close_named(fmt::format("outputs before position {}, after changing it", j),
                                slice(after, 1, 0, j), slice(before, 1, 0, j), {0, 0}))
            << likely_if(true, "a query sees the future" + never_written);
    }
}

TEST(mask_rules, under_a_causal_mask_no_gradient_reaches_a_later_input) {
    const Mask mask = causal_mask(5);
    ASSERT_TRUE(has_shape(numbers(mask), {1, 1, 5, 5}));
    Rng rng(5);
    const MultiHeadAttention attention(8, 2, rng);
    for (std::size_t i = 0; i < 5; ++i) {
        const Tensor x = normal({1, 5, 8}, 6).set_requires_grad(true);
        sum(slice(attention(x, x, x, mask).output, 1, i, i + 1)).backward();
        const Tensor grad(x.grad());
        EXPECT_TRUE(close_named(fmt::format("gradient of output {} for the inputs after it", i),
                                slice(grad, 1, i + 1, 5), Tensor::zeros({1, 4 - i, 8}), {0, 0}))
            << likely_if(true, "a query sees the future" + never_written);
    }
}

TEST(mask_rules, causal_mask_refuses_too_few_keys) {
    EXPECT_TRUE(has_shape(numbers(causal_mask(2, 4, 1)), {1, 1, 2, 4}));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)causal_mask(3, 4, 5); }, {"3", "4", "5"}, "causal_mask(3, 4, 5)"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)causal_mask(0); }, {}, "causal_mask(0)"));
    EXPECT_TRUE(refuses<ShapeError>([] { (void)causal_mask(1, 4, std::numeric_limits<std::size_t>::max()); },
                                    {}, "an offset that is huge"));
    EXPECT_TRUE(
        refuses<ShapeError>([] { (void)causal_mask(1ull << 32); }, {"4294967296"}, "causal_mask(1 << 32)"));
}

bool refused(const Mask& a, const Mask& b) {
    try {
        (void)(a & b);
    } catch (const ShapeError&) {
        return true;
    }
    return false;
}

// a & b is as expected. Where the two are refused, the failure says how their common shape is found.
testing::AssertionResult combines(const std::string& what, const Mask& a, const Mask& b,
                                  const Tensor& expected, const std::vector<Suspect>& suspects = {}) {
    try {
        return close_named(what, numbers(a & b), expected, {0, 0}, suspects);
    } catch (const ShapeError& error) {
        const bool one_of_both = refused(Mask::from({2, 1}, {1, 1}), Mask::from({1, 2}, {1, 1}));
        return testing::AssertionFailure()
               << what << ": \"" << error.what() << '"'
               << likely_if(one_of_both,
                            "neither mask needs the shape of the result: (3, 1, 1, 6) & (1, 1, 6, 6) is (3, "
                            "1, 6, 6); ask broadcast_shapes for it and expand both")
               << likely_if(
                      !one_of_both && a.shape().size() != b.shape().size(),
                      "the axes are counted from the first; masks are aligned at the last axis, so that "
                      "(3) & (2, 3) is (2, 3): ask broadcast_shapes");
    }
}

TEST(mask_rules, padding_and_causal_equals_pytorch) {
    const Mask padding = golden_mask("mask.padding"), causal = golden_mask("mask.causal");
    const Tensor p = golden()["mask.padding"], c = golden()["mask.causal"];
    const Tensor all = Tensor::ones({3, 1, 6, 6});
    const auto until = [=](const std::string& which, std::size_t end) {
        return Suspect{"the loop ends after as many entries as the " + which +
                           " mask has before it is written out; it must run over all of the result",
                       [=] {
                           Array partly = (p * all).array();
                           const Tensor other = c * all;
                           for (std::size_t i = 0; i < end; ++i) partly.data()[i] *= other.values()[i];
                           return Tensor(std::move(partly));
                       }};
    };
    const auto by_memory = [=] {
        Array product = all.array();
        for (std::size_t i = 0; i < product.size(); ++i)
            product.data()[i] = p.values()[i % p.size()] * c.values()[i % c.size()];
        return Tensor(std::move(product));
    };
    const Suspect paired{"entries are paired in memory order; write both out with `expanded` first",
                         by_memory};
    const std::vector<Suspect> suspects{
        {"`or` instead of `and`: a key is seen only where both masks allow it",
         [=] { return p + c - p * c; }},
        {"only the first mask has an effect", [=] { return p * all; }},
        {"only the second mask has an effect", [=] { return c * all; }},
        {"only the first mask is returned; the result has the shape of both", [=] { return p; }},
        {"only the second mask is returned; the result has the shape of both", [=] { return c; }},
        paired,
        until("first", p.size()),
        until("second", c.size()),
        {"allowed where the masks agree, also where both forbid", [=] { return 1.0f - (p - c) * (p - c); }},
        {"allowed where exactly one of the masks allows; both must", [=] { return (p - c) * (p - c); }},
        {"allowed where the first mask allows and the second forbids; both must allow",
         [=] { return p * (1.0f - c); }},
        {"allowed where the second mask allows and the first forbids; both must allow",
         [=] { return c * (1.0f - p); }},
        {"inverted: forbidden where both allow", [=] { return 1.0f - p * c; }}};
    const Tensor expected = golden()["mask.padding_and_causal"];
    EXPECT_TRUE(combines("padding & causal", padding, causal, expected, suspects));
    EXPECT_TRUE(combines("causal & padding", causal, padding, expected, {paired}));
}

TEST(mask_rules, and_joins_masks_of_one_shape_and_of_fewer_axes) {
    const Mask left = Mask::from({2, 2}, {1, 1, 0, 0}), right = Mask::from({2, 2}, {1, 0, 1, 0});
    const std::string one_only = "only one of the masks has an effect where both have the same shape";
    EXPECT_TRUE(
        combines("(2, 2) & (2, 2)", left, right, Tensor::from({2, 2}, {1, 0, 0, 0}),
                 {{one_only, [&] { return numbers(left); }}, {one_only, [&] { return numbers(right); }}}));
    EXPECT_TRUE(combines("document & causal", golden_mask("mask.document"), golden_mask("mask.causal"),
                         golden()["mask.document_and_causal"]));
    const Mask keys = Mask::from({3}, {1, 0, 1}), map = Mask::from({2, 3}, {1, 1, 0, 0, 1, 1});
    const Tensor both = Tensor::from({2, 3}, {1, 0, 0, 0, 0, 1});
    EXPECT_TRUE(combines(
        "(3) & (2, 3)", keys, map, both,
        {{"axes of size 1 are added in front; the result has as many axes as the mask that has more", [=] {
              return reshape(both, {1, 1, 2, 3});
          }}}));
}

TEST(mask_rules, attention_under_two_masks_joined_by_and_equals_pytorch) {
    for (const std::string other : {"padding", "document"}) {
        const Mask one = golden_mask("mask." + other), causal = golden_mask("mask.causal");
        ASSERT_TRUE(combines(other, one, causal, golden()["mask." + other + "_and_causal"]));
        EXPECT_TRUE(attention_equals_pytorch(other + "_and_causal", one & causal));
    }
}

TEST(mask_rules, a_query_that_and_leaves_with_nothing_gets_zeros) {
    const Mask not_for_2 = Mask::from({6, 1}, {1, 1, 0, 1, 1, 1});
    ASSERT_TRUE(combines("causal & one of two axes", golden_mask("mask.causal"), not_for_2,
                         golden()["mask.nothing_for_query_2"]));
    const Mask mask = golden_mask("mask.causal") & not_for_2;
    EXPECT_TRUE(attention_equals_pytorch("nothing_for_query_2", mask));
    const Tensor q = leaf("q"), k = leaf("k"), v = leaf("v");
    const AttentionOutput none =
        scaled_dot_product_attention(q, k, v, mask & Mask::from({6}, {0, 0, 0, 0, 0, 0}));
    EXPECT_TRUE(close(none.output, Tensor::zeros({3, 2, 6, 5}), {0, 0}));
    sum(none.output).backward();
    for (const Tensor& input : {q, k, v}) EXPECT_TRUE(close(Tensor(input.grad()), input * 0.0f, {0, 0}));
}

TEST(mask_rules, and_refuses_shapes_that_do_not_broadcast) {
    const Mask five = Mask::from({5}, {1, 1, 1, 1, 1});
    const Mask six = Mask::from({6}, {1, 1, 1, 1, 1, 1});
    ASSERT_TRUE(combines("6 keys & 6 keys", six, golden_mask("mask.causal"), golden()["mask.causal"]));
    EXPECT_TRUE(refuses<ShapeError>([&] { (void)(five & golden_mask("mask.causal")); },
                                    {"(5)", "(1, 1, 6, 6)"}, "5 keys & 6 keys",
                                    "ask broadcast_shapes, which throws it and names both shapes"));
}

// --- the mask of padding

// Whether padding_mask(tokens, 0) throws, whatever it is.
bool refused(const Ids& tokens) {
    try {
        (void)padding_mask(tokens, 0);
    } catch (const NotImplemented&) {
        throw;
    } catch (const std::exception&) {
        return true;
    }
    return false;
}

// Sentences that have a token are taken; what follows would only repeat the exception.
testing::AssertionResult takes_sentences() {
    const bool full = refused(ids({1, 2}, {5, 6})), mixed = refused(ids({1, 2}, {5, 0})),
               leading = refused(ids({1, 2}, {0, 5}));
    if (!full && !mixed && !leading) return testing::AssertionSuccess();
    const bool wrong_way = full && mixed && !refused(ids({1, 2}, {0, 0}));
    return testing::AssertionFailure()
           << "a sentence that has a token is refused"
           << likely_if(wrong_way,
                        "the sentences that have a token are refused, in place of those that have none")
           << likely_if(
                  full && mixed && !wrong_way,
                  "every sentence is refused: `any` must become true at the first token that is not padding")
           << likely_if(full && !mixed,
                        "inverted: it asks for padding, and refuses a sentence that has none; tokens(b, j) "
                        "!= pad_id "
                        "is what may be seen")
           << likely_if(
                  !mixed && leading,
                  "a sentence that begins with padding is refused: the tokens after a padding are hidden, or "
                  "not asked for; look at each token by itself")
           << likely_if(
                  !full && mixed && !leading,
                  "a sentence that ends with padding is refused: `any` must stay true after the first token "
                  "that is not padding")
           << likely_if(!full && mixed && leading,
                        "a sentence is refused because of one padding; refuse it only if all its tokens are "
                        "padding");
}

TEST(mask_rules, padding_equals_pytorch) {
    ASSERT_TRUE(takes_sentences());
    const Ids tokens = golden_ids("tokens");
    const auto real = [&](std::int64_t b, std::int64_t j) { return tokens(b, j) != 0; };
    const std::string queries =
        "the padding is hidden among the queries; it must be hidden among the keys: (batch, "
        "1, 1, key)";
    EXPECT_TRUE(mask_close(
        padding_mask(tokens, 0), golden()["mask.padding"],
        {suspect(
             "inverted: true where there is padding, as PyTorch's key_padding_mask; here true = may attend",
             {3, 1, 1, 6}, [=](auto b, auto, auto j) { return !real(b, j); }),
         suspect(queries, {3, 1, 6, 1}, [=](auto b, auto i, auto) { return real(b, i); }),
         suspect(queries, {3, 1, 6, 6}, [=](auto b, auto i, auto) { return real(b, i); }),
         suspect("the mask is written out for every query; an axis of size 1 is enough, for any number of "
                 "queries",
                 {3, 1, 6, 6}, [=](auto b, auto, auto j) { return real(b, j); }),
         suspect("padding is hidden among the queries as well: a padded query then sees nothing, and a mask "
                 "of this shape does not fit another number of queries",
                 {3, 1, 6, 6}, [=](auto b, auto i, auto j) { return real(b, i) && real(b, j); }),
         {"the keys are along the axis of the queries; they are the last axis: (batch, 1, 1, key)",
          [] {
              return reshape(golden()["mask.padding"], {3, 1, 6, 1});
          }},
         {"the axes of heads and queries are missing: (batch, key) can't be told from (query, key)", [] {
              return reshape(golden()["mask.padding"], {3, 6});
          }}}));
}

TEST(mask_rules, padding_asks_for_the_id_that_it_is_given) {
    ASSERT_TRUE(takes_sentences());
    const Ids tokens = ids({2, 5}, {0, 9, 7, 3, 7, 7, 1, 9, 7, 4});
    using Seen = std::function<bool(std::int64_t token)>;
    const auto seen = [&](const Seen& rule) {
        return by_rule({2, 1, 1, 5}, [=](auto b, auto, auto j) { return rule(tokens(b, j)); });
    };
    const auto by_token = [&](const std::string& message, const Seen& rule) {
        return Suspect{message, [=] { return seen(rule); }};
    };
    const auto by_place = [&](const std::string& message, const std::vector<float>& values) {
        return Suspect{message, [=] { return Tensor::from({2, 1, 1, 5}, values); }};
    };
    const std::string by_order = "ids are compared by size; an id is only a name, use !=",
                      by_itself = "; look at each token by itself";
    EXPECT_TRUE(mask_close(
        padding_mask(tokens, 7), seen([](auto token) { return token != 7; }),
        {by_token("pad_id is ignored: tokens are compared with 0", [](auto token) { return token != 0; }),
         by_token("0 is hidden, too; only pad_id is padding",
                  [](auto token) { return token != 0 && token != 7; }),
         by_token(by_order, [](auto token) { return token < 7; }),
         by_token(by_order, [](auto token) { return token > 7; }),
         by_place("hidden from the first padding on" + by_itself, {1, 1, 0, 0, 0, 0, 0, 0, 0, 0}),
         by_place("only the padding at the end is hidden" + by_itself, {1, 1, 1, 1, 0, 1, 1, 1, 1, 1}),
         by_place("only the padding at the beginning is hidden" + by_itself, {1, 1, 1, 1, 1, 0, 1, 1, 1, 1}),
         by_place("the real tokens are counted, and as many keys allowed from the left" + by_itself,
                  {1, 1, 1, 0, 0, 1, 1, 1, 0, 0}),
         by_place("the first sentence decides for the whole batch", {1, 1, 0, 1, 0, 1, 1, 0, 1, 0})}));
}

TEST(mask_rules, padding_any_number_may_be_the_id_of_padding) {
    ASSERT_TRUE(takes_sentences());
    ASSERT_TRUE(close_named("pad_id 7", numbers(padding_mask(ids({1, 4}, {0, 7, 9, 3}), 7)),
                            Tensor::from({1, 1, 1, 4}, {1, 0, 1, 1}), {0, 0}));
    const auto row = [](const std::string& message, const std::vector<float>& values) {
        return Suspect{message, [=] { return Tensor::from({1, 1, 1, 6}, values); }};
    };
    const std::int64_t large = 1ll << 53, wide = 1ll << 32;
    EXPECT_TRUE(mask_close(
        padding_mask(ids({1, 6}, {-1, 0, -2, 1, wide - 1, -1}), -1),
        Tensor::from({1, 1, 1, 6}, {0, 1, 1, 1, 1, 0}),
        {row("with a negative pad_id nothing is hidden; any number may be the id of padding",
             {1, 1, 1, 1, 1, 1}),
         row("negative ids are hidden, too; only pad_id is padding", {0, 1, 0, 1, 1, 0}),
         row("ids are compared without their sign; any number may be the id of padding", {0, 1, 1, 0, 1, 0}),
         row("ids are cut to 32 bits: 2^32 - 1 is not -1; they are std::int64_t", {0, 1, 1, 1, 0, 0})},
        "pad_id -1"));
    EXPECT_TRUE(mask_close(
        padding_mask(ids({1, 6}, {0, large, large + 1, 7, 8, 9}), large + 1),
        Tensor::from({1, 1, 1, 6}, {1, 1, 0, 1, 1, 1}),
        {row("ids are compared as floating point, which can't tell 2^53 from 2^53 + 1; compare the integers",
             {1, 0, 0, 1, 1, 1})},
        "pad_id 2^53 + 1"));
}

TEST(mask_rules, padding_attention_under_it_equals_pytorch) {
    ASSERT_TRUE(takes_sentences());
    const Mask mask = padding_mask(golden_ids("tokens"), 0);
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 1, 6}));
    EXPECT_TRUE(attention_equals_pytorch("padding", mask));
}

TEST(mask_rules, padding_hides_the_padded_source_from_another_number_of_target_queries) {
    ASSERT_TRUE(takes_sentences());
    const Mask mask = padding_mask(golden_ids("tokens"), 0);
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 1, 6}));
    EXPECT_TRUE(attention_equals_pytorch("cross", mask, "target.q"));
}

TEST(mask_rules, padding_a_padded_batch_gives_what_each_sentence_gives_alone) {
    ASSERT_TRUE(takes_sentences());
    const Mask mask = padding_mask(golden_ids("tokens"), 0);
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 1, 6}));
    Rng rng(1);
    const MultiHeadAttention attention(8, 2, rng);
    const Tensor x = normal({3, 6, 8}, 2);
    const Tensor together = attention(x, x, x, mask).output;
    const std::size_t lengths[] = {6, 3, 4};
    for (std::size_t b = 0; b < 3; ++b) {
        const auto sentence = [&](const Tensor& t) { return slice(slice(t, 0, b, b + 1), 1, 0, lengths[b]); };
        const Tensor alone = sentence(x);
        EXPECT_TRUE(close_named(fmt::format("sentence {}", b + 1), sentence(together),
                                attention(alone, alone, alone).output, {1e-5, 1e-6}));
    }
}

TEST(mask_rules, padding_refuses_a_sentence_of_nothing_but_padding) {
    ASSERT_TRUE(takes_sentences());
    const Ids tokens = ids({3, 2}, {4, 0, 0, 0, 5, 6});
    const bool first_only = refused(ids({1, 2}, {0, 0})) && !refused(tokens);
    const std::string sentence = refusal_of<ValueError>(
        [&] { (void)padding_mask(tokens, 0); }, "padding_mask of a sentence that is only padding",
        first_only ? "a sentence of nothing but padding is refused only as the first of its batch: ask each "
                     "sentence "
                     "for its own tokens, and reset `any`"
                   : "");
    if (sentence.empty()) return;  // what follows would only repeat it
    ASSERT_TRUE(names(sentence, "2 of 3"))
        << "it says \"" << sentence << "\""
        << likely_if(true, "the message must say which sentence, counted from 1: \"sentence 2 of 3\"");
    EXPECT_TRUE(refuses<ValueError>(
        [] {
            (void)padding_mask(ids({2, 2}, {5, 6, 0, 0}), 0);
        },
        {"2 of 2"}, "padding_mask of a last sentence that is only padding"));
}

TEST(mask_rules, padding_refuses_what_is_not_a_batch_of_sentences) {
    ASSERT_TRUE(takes_sentences());
    EXPECT_TRUE(has_shape(numbers(padding_mask(ids({2, 1}, {1, 1}), 0)), {2, 1, 1, 1}));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)padding_mask(ids({3}, {1, 2, 3}), 0);
        },
        {"(3)"}, "ids of the shape (3)"));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)padding_mask(ids({0, 3}, {}), 0);
        },
        {"(0, 3)"}, "ids of the shape (0, 3)"));
    EXPECT_TRUE(refuses<ShapeError>(
        [] {
            (void)padding_mask(ids({3, 0}, {}), 0);
        },
        {"(3, 0)"}, "ids of the shape (3, 0)"));
}

}  // namespace
}  // namespace tfs::test
