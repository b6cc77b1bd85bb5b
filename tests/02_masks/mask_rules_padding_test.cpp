// tests/02_masks/mask_rules_padding_test.cpp · step mask_rules, the mask of padding: PyTorch's values, properties, diagnosis
#include "tests/02_masks/checklist.hpp"

#include <fmt/format.h>

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

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
