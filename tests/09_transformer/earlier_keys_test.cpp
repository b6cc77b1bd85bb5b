// tests/09_transformer/earlier_keys_test.cpp · a model that reads a text in parts: keys and values kept in place, offsets by row
#include "tests/09_transformer/checklist.hpp"

#include <vector>

#include "tests/support/kept_rows.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

constexpr std::size_t length = 7;

// A decoder with each choice of positions, and LLaMA's kind with 2 heads of keys for 4 of queries.
std::vector<Transformer> decoders() {
    std::vector<Transformer> all;
    for (const PositionChoice& positions :
         std::vector<PositionChoice>{NoPositions{}, Sinusoids{}, LearnedPositions{}, Rotary{}, Alibi{}}) {
        TransformerConfig c = small_config();
        c.block.positions = positions;
        all.push_back(made(c));
    }
    TransformerConfig grouped = small_config();
    grouped.block = llama_block(16, 4, 24, 12);
    grouped.block.num_kv_heads = 2;
    all.push_back(made(grouped));
    return all;
}

// The columns begin … end - 1 of the ids.
Ids columns(const Ids& ids, std::size_t begin, std::size_t end) { return part_of(ids, begin, end); }

Tensor positions_of(const Tensor& logits, std::size_t begin, std::size_t end) {
    return slice(logits, 1, begin, end);
}

TEST(earlier_keys, kept_in_place_give_the_logits_of_the_whole_text) {
    const NoGrad no_grad;
    for (const Transformer& m : decoders()) {
        const Tensor whole = m(three_rows).logits;
        KeptRows store(12);
        const Tensor prompt = m(columns(three_rows, 0, 3), {.earlier = &store}).logits;
        EXPECT_TRUE(close(prompt, positions_of(whole, 0, 3), whole_model));
        for (std::size_t t = 3; t < length; ++t) {
            const TransformerOutput next = m(columns(three_rows, t, t + 1),
                                             {.offset = t, .keep_weights = Weights::keep, .earlier = &store});
            EXPECT_TRUE(close(next.logits, positions_of(whole, t, t + 1), whole_model)) << t;
            EXPECT_EQ(next.self_weights[1].shape(), (Shape{3, m.config.block.num_heads, 1, t + 1}));
        }
        EXPECT_EQ(store.lengths(1), Offset({length, length, length}));
    }
}

// Prompts of 5, 2 and 4 tokens in one batch, then three tokens more for each.
TEST(earlier_keys, prompts_of_different_lengths_go_on_together) {
    const NoGrad no_grad;
    const std::vector<std::size_t> prompts = {5, 2, 4};
    for (const Transformer& m : decoders()) {
        KeptRows store(12);
        Ids padded = columns(three_rows, 0, 5);
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
                Ids alone = Ids::from_shape({1, at[row] + 1});
                for (std::size_t t = 0; t <= at[row]; ++t) alone(0, t) = three_rows(row, t);
                EXPECT_TRUE(close(slice(together, 0, row, row + 1),
                                  positions_of(m(alone).logits, at[row], at[row] + 1), whole_model))
                    << row << ' ' << at[row];
            }
            for (std::size_t& position : at) ++position;
        }
    }
}

TEST(earlier_keys, may_be_dropped_and_picked) {
    const NoGrad no_grad;
    for (const Transformer& m : decoders()) {
        const Tensor whole = m(three_rows).logits;
        KeptRows store(12);
        (void)m(columns(three_rows, 0, 4), {.earlier = &store});
        Ids draft = columns(three_rows, 4, 6);  // guesses that turn out wrong
        for (std::int64_t& id : draft) id = 2;
        (void)m(draft, {.offset = 4, .earlier = &store});
        store.drop({2, 2, 2});
        store.pick({2, 0, 2});
        Ids next = Ids::from_shape({3, 3});
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t t = 0; t < 3; ++t) next(i, t) = three_rows(i == 1 ? 0 : 2, 4 + t);
        const Tensor picked = m(next, {.offset = 4, .earlier = &store}).logits;
        const Tensor last = positions_of(whole, 4, 7);
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
            const Tensor next = m(columns(three_rows, t, t + 1), {.offset = t, .earlier = &store}).logits;
            EXPECT_TRUE(close(next, positions_of(whole, t, t + 1), whole_model)) << t;
            store.keep_newest(3);
        }
    }
}

// A store that keeps a window of 3 positions and 2 more forgets a draft of 2 tokens, as if there had been none.
TEST(earlier_keys, a_window_with_some_rows_more_can_forget_as_many) {
    const NoGrad no_grad;
    constexpr std::size_t window = 3, drafted = 2, prompt = 5;
    for (const Transformer& m : decoders()) {
        KeptRows store(prompt + 1), without(prompt + 1);
        for (KeptRows* const kept : {&store, &without})
            (void)m(columns(three_rows, 0, prompt), {.earlier = kept});
        without.keep_newest(window);
        Ids draft = columns(three_rows, 0, 1);  // guesses that turn out wrong
        for (std::int64_t& id : draft) id = 2;
        for (std::size_t i = 0; i < drafted; ++i) {
            (void)m(draft, {.offset = prompt + i, .earlier = &store});
            store.keep_newest(window + drafted);
        }
        store.drop({drafted, drafted, drafted});
        EXPECT_EQ(store.lengths(1), Offset({window, window, window}));
        const Ids next = columns(three_rows, prompt, prompt + 1);
        EXPECT_TRUE(close(m(next, {.offset = prompt, .earlier = &store}).logits,
                          m(next, {.offset = prompt, .earlier = &without}).logits, whole_model));
    }
}

TEST(earlier_keys, a_target_is_written_position_by_position) {
    const NoGrad no_grad;
    const Transformer m = golden_model("original");
    const Memory memory = m.encode(source_rows);
    const Tensor whole = m.decode(target_rows, memory).logits;
    KeptRows store(12);
    for (std::size_t t = 0; t < target_rows.shape()[1]; ++t) {
        Pass pass{.offset = t, .earlier = &store};
        pass.padding = padding_of(m.config, part_of(target_rows, 0, t + 1));
        EXPECT_TRUE(close(m.decode(part_of(target_rows, t, t + 1), memory, pass).logits,
                          positions_of(whole, t, t + 1), whole_model))
            << t;
    }
}

TEST(earlier_keys, offsets_by_row_are_those_of_each_row_alone) {
    const NoGrad no_grad;
    const std::vector<std::size_t> offsets = {0, 4, 2};
    for (const Transformer& m : decoders()) {
        const Tensor together = m(three_rows, Pass{.offset = offsets}).logits;
        for (std::size_t row = 0; row < 3; ++row) {
            Ids alone = Ids::from_shape({1, length});
            for (std::size_t t = 0; t < length; ++t) alone(0, t) = three_rows(row, t);
            EXPECT_TRUE(close(slice(together, 0, row, row + 1), m(alone, Pass{.offset = offsets[row]}).logits,
                              whole_model));
        }
    }
    const Transformer m = made(small_config());
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            m(three_rows, {.offset = Offset({1, 2})});
        },
        {"2 numbers for a batch of 3"}));
    EXPECT_TRUE(refuses<ValueError>(
        [&] {
            m(three_rows, {.offset = Offset({0, 6, 1})});
        },
        {"7 tokens behind 6 others", "max_len = 12"}));
}

TEST(earlier_keys, have_no_tape) {
    const Transformer m = made(small_config());
    KeptRows store(12);
    EXPECT_TRUE(refuses<ValueError>([&] { m(three_rows, {.earlier = &store}); }, {"NoGrad"}));
}

}  // namespace
}  // namespace tfs::test
