// tests/07_block/kept_rows_test.cpp · a block whose caller keeps keys and values in memory of its own, readable and fast
#include "tests/07_block/checklist.hpp"

#include "tests/support/inputs.hpp"
#include "tests/support/kept_rows.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// Rotary positions and grouped queries, and ALiBi; with the weights of attention.
TEST(kept_rows, a_sequence_in_parts_gives_what_it_gives_in_one) {
    const NoGrad no_grad;
    BlockConfig grouped = llama_block(24, 6, 40, 14);
    grouped.num_kv_heads = 2;
    BlockConfig alibi = small();
    alibi.d_model = 24;
    alibi.num_heads = 6;
    alibi.positions = Alibi{};
    const Tensor x = normal({2, 11, 24}, 3);
    for (const BlockConfig& config : {grouped, alibi}) {
        Rng rng(4);
        const TransformerBlock block(config, rng);
        const AttentionOutput whole = block(x, causal_mask(11), with_weights);
        KeptRows store(16);
        const auto part = [&](std::size_t begin, std::size_t end) {
            return block(slice(x, 1, begin, end), causal_mask(end - begin, end, begin),
                         {.offset = begin, .keep_weights = Weights::keep, .earlier = &store, .layer = 0});
        };
        for (const auto& [begin, end] : {std::pair(0, 4), std::pair(4, 5), std::pair(5, 11)}) {
            const auto first = static_cast<std::size_t>(begin), last = static_cast<std::size_t>(end);
            const AttentionOutput result = part(first, last);
            EXPECT_TRUE(close(result.output, slice(whole.output, 1, first, last), {1e-4, 1e-5}));
            EXPECT_TRUE(
                close(result.weights, slice(slice(whole.weights, 2, first, last), 3, 0, last), {1e-4, 1e-6}));
        }
    }
}

// Without NoGrad its keys need a gradient that the store can't send back: also where dropout is on.
TEST(kept_rows, have_no_tape) {
    BlockConfig config = small();
    config.dropout = 0.25;
    Rng rng(4);
    const TransformerBlock block(config, rng);
    for (Rng* const training : {static_cast<Rng*>(nullptr), &rng}) {
        KeptRows store(16);
        EXPECT_TRUE(refuses<ValueError>(
            [&] {
                (void)block(normal({2, 5, 8}, 3), causal_mask(5), {.rng = training, .earlier = &store});
            },
            {"without a tape", "NoGrad"}));
    }
}

}  // namespace
}  // namespace tfs::test
