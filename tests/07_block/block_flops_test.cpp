// tests/07_block/block_flops_test.cpp · step block_flops: sums over the products, diagnosis
#include "tests/07_block/checklist.hpp"

#include <fmt/format.h>

#include <tuple>

#include "tests/support/counts.hpp"

namespace tfs::test {
namespace {

const std::string factor_two =
    "the factor 2 is forgotten: a multiplication and an addition are two operations";

TEST(block_flops, of_attention_equals_the_sum_over_its_products) {
    Counts in_projections, in_scores, in_sum;
    const BlockConfig wide = gpt2_block(), narrow{.d_model = 20, .num_heads = 4, .d_ff = 28};
    for (const auto& [c, batch, q, k] :
         {std::tuple<BlockConfig, std::size_t, std::size_t, std::size_t>{narrow, 3, 5, 5},
          {narrow, 3, 5, 7},
          {wide, many_sequences, many_positions, many_positions}}) {
        const AttentionFlops flops = attention_flops(c, batch, q, k);
        const std::size_t d = c.d_model, heads = c.num_heads, one = 2 * batch * d * d;
        const std::size_t projections = one * (2 * q + 2 * k);
        const std::size_t scores =
            batch * heads * 2 * q * (d / heads) * k;  // (query, d_k) x (d_k, key) by head
        const std::string sizes = fmt::format("{} queries, {} keys: ", q, k),
                          four = "w_o is one projection more";
        in_projections.add(
            sizes + "projections", flops.projections, projections,
            {{factor_two, projections / 2},
             {"heads multiplied into the projections: all heads share one matrix", projections * heads},
             {four, one * 3 * q},
             {four, one * (q + 2 * k)},
             {no_batch, projections / batch},
             {"w_k and w_v see the keys, not the queries", one * 4 * q},
             {"w_q and w_o see the queries, not the keys", one * 4 * k},
             {"w_q and w_o see the queries, not the keys", one * (q + 3 * k)}});
        const std::string square = "seq^2 is forgotten: every query meets every key",
                          cross = "query * key, not the square of one of them: every query meets every key";
        for (auto& [counts, name, counted] :
             {std::tuple{&in_scores, "scores", flops.scores}, {&in_sum, "weighted sum", flops.weighted_sum}})
            counts->add(sizes + name, counted, scores,
                        {{factor_two, scores / 2},
                         {square, scores / k},
                         {square, scores / q},
                         {cross, scores / k * q},
                         {cross, scores / q * k},
                         {"heads multiplied in again: d_model is heads * d_k already", scores * heads},
                         {"one head only: there are heads * d_k = d_model columns in all", scores / heads},
                         {no_batch, scores / batch},
                         {"the scores are counted once: the weighted sum is a product of the same size", 0},
                         {"the weighted sum is counted in `scores` as well", 2 * scores}});
    }
    for (const Counts* counts : {&in_projections, &in_scores, &in_sum}) EXPECT_TRUE(counts->right());
}

TEST(block_flops, of_the_network_counts_every_matrix) {
    Counts counts;
    for (const auto& [c, batch, seq] : {std::tuple<BlockConfig, std::size_t, std::size_t>{small(), 3, 5},
                                        {small_llama(), 3, 5},
                                        {gpt2_block(), many_sequences, many_positions}}) {
        const std::size_t one = 2 * batch * seq * c.d_model * c.d_ff, expected = (gated(c) ? 3 : 2) * one;
        counts.add(gated(c) ? "SwiGLU" : "FeedForward", feed_forward_flops(c, batch, seq), expected,
                   {{"SwiGLU has three matrices: gate, up and down", 2 * one},
                    {factor_two, expected / 2},
                    {"only one of the matrices is counted", one},
                    {own_d_ff, expected / c.d_ff * 4 * c.d_model},
                    {no_batch, expected / batch},
                    {"positions don't meet in this network: no seq^2", expected * seq}});
    }
    EXPECT_TRUE(counts.right());
}

TEST(block_flops, the_lines_of_the_summary_add_up_to_it) {
    Counts counts;
    for (const BlockConfig& c : all_configs())
        counts.add(described(c), attention_flops(c, 2, 3, 3).total() + feed_forward_flops(c, 2, 3),
                   total(block_costs(c, "", 2, 3)).flops);
    counts.add("3 queries, 7 keys", attention_flops(small(), 2, 3, 7).total(),
               total(attention_costs(small(), "cross", 2, 3, 7)).flops);
    EXPECT_TRUE(counts.right());
}

}  // namespace
}  // namespace tfs::test
