// tests/02_masks/padding_mask_test.cpp · step padding_mask: PyTorch's values, properties, diagnosis
#include "tests/02_masks/checklist.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

TEST(padding_mask, equals_pytorch) {
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
         suspect(
             "the mask is written out for every query; an axis of size 1 does, also for another number of "
             "queries",
             {3, 1, 6, 6}, [=](auto b, auto, auto j) { return real(b, j); }),
         suspect("padding is hidden among the queries as well: a padded query then sees nothing, and a mask "
                 "of this "
                 "shape does not fit another number of queries",
                 {3, 1, 6, 6}, [=](auto b, auto i, auto j) { return real(b, i) && real(b, j); }),
         {"the axes of heads and queries are missing: (batch, key) can't be told from (query, key)", [] {
              return reshape(golden()["mask.padding"], {3, 6});
          }}}));
}

TEST(padding_mask, asks_for_the_id_that_it_is_given) {
    const auto row = [](const std::string& message, const std::vector<float>& values) {
        return Suspect{message, [=] { return Tensor::from({1, 1, 1, 5}, values); }};
    };
    const std::string by_order = "ids are compared by order; an id is only a name, use !=";
    EXPECT_TRUE(
        mask_close(padding_mask(ids({1, 5}, {0, 9, 7, 3, 7}), 7), Tensor::from({1, 1, 1, 5}, {1, 1, 0, 1, 0}),
                   {row("pad_id is ignored: tokens are compared with 0", {0, 1, 1, 1, 1}),
                    row("hidden from the first padding on; each token is judged by itself", {1, 1, 0, 0, 0}),
                    row(by_order, {0, 1, 0, 0, 0}), row(by_order, {1, 0, 0, 1, 0})}));
}

TEST(padding_mask, attention_under_it_equals_pytorch) {
    const Mask mask = padding_mask(golden_ids("tokens"), 0);
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 1, 6}));
    EXPECT_TRUE(attention_equals_pytorch("padding", mask));
}

TEST(padding_mask, hides_the_padded_source_from_another_number_of_target_queries) {
    const Mask mask = padding_mask(golden_ids("tokens"), 0);
    ASSERT_TRUE(has_shape(numbers(mask), {3, 1, 1, 6}));
    EXPECT_TRUE(attention_equals_pytorch("cross", mask, "target.q"));
}

TEST(padding_mask, a_padded_batch_gives_what_each_sentence_gives_alone) {
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

TEST(padding_mask, refuses_a_sentence_of_nothing_but_padding) {
    const Ids tokens = ids({3, 2}, {4, 0, 0, 0, 5, 6}), at_first = ids({2, 2}, {0, 0, 5, 6});
    bool first_refused = false;
    try {
        (void)padding_mask(at_first, 0);
    } catch (const ValueError&) {
        first_refused = true;
    }
    const std::string what = "padding_mask of a sentence that is only padding";
    const std::string sentence = refusal_of<ValueError>(
        [&] { (void)padding_mask(tokens, 0); }, what,
        first_refused ? "is `any` reset for each sentence? Only the first of a batch is refused" : "");
    EXPECT_TRUE(sentence.empty() || names(sentence, "2 of 3"))
        << "it says \"" << sentence << "\""
        << likely_if(true, "the sentence must say which one it is, counted from 1: \"sentence 2 of 3\"");
}

TEST(padding_mask, refuses_what_is_not_a_batch_of_sentences) {
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
