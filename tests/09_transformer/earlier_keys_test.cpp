// tests/09_transformer/earlier_keys_test.cpp · a model that reads a text in parts: keys and values kept in place, offsets by row
#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "tests/09_transformer/checklist.hpp"
#include "tests/support/earlier.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t length = 7;

// Prompts of 5, 2 and 4 tokens in one batch, then two tokens more for each.
TEST(earlier_keys, prompts_of_different_lengths_go_on_together) {
    const NoGrad no_grad;
    const std::vector<std::size_t> prompts = {5, 2, 4};
    for (const Transformer& m : decoders()) {
        KeptRows store(12);
        Ids padded = part_of(three_rows, 0, 5);
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t t = prompts[row]; t < 5; ++t) padded(row, t) = 1;  // no later one is seen
        (void)m(padded, {.earlier = &store});
        store.drop({0, 3, 1});
        std::vector<std::size_t> at = prompts;
        for (std::size_t more = 0; more < 2; ++more) {
            Ids next = Ids::from_shape({3, 1});
            for (std::size_t row = 0; row < 3; ++row) next(row, 0) = three_rows(row, at[row]);
            const Tensor together = m(next, {.offset = at, .earlier = &store}).logits;
            for (std::size_t row = 0; row < 3; ++row) {
                const Ids alone = part_of_row(three_rows, row, 0, at[row] + 1);
                EXPECT_TRUE(close(slice(together, 0, row, row + 1),
                                  slice(m(alone).logits, 1, at[row], at[row] + 1), whole_model))
                    << row << ' ' << at[row];
            }
            for (std::size_t& position : at) ++position;
        }
        EXPECT_EQ(store.lengths(1), Offset({7, 4, 6}));
    }
}

TEST(earlier_keys, may_be_dropped_and_picked) {
    const NoGrad no_grad;
    for (const Transformer& m : decoders()) {
        const Tensor whole = m(three_rows).logits;
        KeptRows store(12);
        (void)m(part_of(three_rows, 0, 4), {.earlier = &store});
        Ids draft = part_of(three_rows, 4, 6);  // guesses that turn out wrong
        for (std::int64_t& id : draft) id = 2;
        (void)m(draft, {.offset = 4, .earlier = &store});
        store.drop({2, 2, 2});
        store.pick({2, 0, 2});
        Ids next = Ids::from_shape({3, 3});
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t t = 0; t < 3; ++t) next(i, t) = three_rows(i == 1 ? 0 : 2, 4 + t);
        const Tensor picked = m(next, {.offset = 4, .earlier = &store}).logits;
        const Tensor last = slice(whole, 1, 4, 7);
        const Tensor expected = concat({slice(last, 0, 2, 3), slice(last, 0, 0, 1), slice(last, 0, 2, 3)}, 0);
        EXPECT_TRUE(close(picked, expected, whole_model));
    }
}

// A store of the newest 3 positions is a window of 4 in every layer.
TEST(earlier_keys, a_store_that_keeps_a_window_is_a_mask_of_a_window) {
    const NoGrad no_grad;
    for (const Transformer& m : decoders()) {
        const Stack& stack = std::get<Stack>(m.stack);
        Tensor x = m.embed(three_rows);
        for (const TransformerBlock& block : stack.blocks)
            x = block(x, sliding_window_mask(length, 4)).output;
        const Tensor whole = m.logits((*stack.final_norm)(x));
        KeptRows store(5);
        for (std::size_t t = 0; t < length; ++t) {
            const Tensor next = m(part_of(three_rows, t, t + 1), {.offset = t, .earlier = &store}).logits;
            EXPECT_TRUE(close(next, slice(whole, 1, t, t + 1), whole_model)) << t;
            store.keep_newest(3);
        }
    }
}

TEST(earlier_keys, offsets_by_row_are_those_of_each_row_alone) {
    const NoGrad no_grad;
    const std::vector<std::size_t> offsets = {0, 4, 2};
    for (const Transformer& m : decoders()) {
        const Tensor together = m(three_rows, Pass{.offset = offsets}).logits;
        for (std::size_t row = 0; row < 3; ++row) {
            const Ids alone = part_of_row(three_rows, row, 0, length);
            EXPECT_TRUE(close(slice(together, 0, row, row + 1), m(alone, Pass{.offset = offsets[row]}).logits,
                              whole_model));
        }
    }
    const Transformer m = made(small_config());
    const auto passes = [&](const Pass& pass) { return [&m, pass] { m(three_rows, pass); }; };
    EXPECT_TRUE(refuses<ValueError>(passes({.offset = Offset({1, 2})}), {"2 numbers for a batch of 3"}));
    EXPECT_TRUE(refuses<ValueError>(passes({.offset = Offset({0, 6, 1})}),
                                    {"7 tokens behind 6 others", "max_len = 12"}));
}

TEST(earlier_keys, have_no_tape) {
    const Transformer m = made(small_config());
    KeptRows store(12);
    EXPECT_TRUE(refuses<ValueError>([&] { m(three_rows, {.earlier = &store}); }, {"NoGrad"}));
}

}  // namespace
}  // namespace tfs::test
