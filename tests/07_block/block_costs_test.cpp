// tests/07_block/block_costs_test.cpp · what is given: FLOPs and activations against products, results and the tape
#include <fmt/format.h>

#include <tuple>

#include "chapters/07_block/cost.hpp"
#include "tests/07_block/checklist.hpp"
#include "tests/support/close.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/refusal.hpp"

namespace tfs::test {
namespace {

// GPT-2's block at many positions: counts beyond 2^32.
constexpr std::size_t many_sequences = 8, many_positions = 65536;

TEST(block_costs, flops_of_attention_are_the_sum_over_its_products) {
    Counts counts;
    const BlockConfig wide = gpt2_block(), narrow{.d_model = 20, .num_heads = 4, .d_ff = 28};
    for (const auto& [c, batch, q, k] :
         {std::tuple<BlockConfig, std::size_t, std::size_t, std::size_t>{narrow, 3, 6, 6},
          {narrow, 3, 6, 7},
          {tinyllama_block(), 3, 6, 7},
          {wide, many_sequences, many_positions, many_positions}}) {
        const AttentionFlops flops = attention_flops(c, batch, q, k);
        const std::size_t d = c.d_model, heads = c.num_heads;
        const std::size_t by_head = 2 * q * (d / heads) * k;  // (query, d_k) x (d_k, key)
        const std::size_t d_kv = d / heads * c.kv_heads();
        const std::string sizes = fmt::format("{} queries, {} keys: ", q, k);
        counts.add(sizes + "projections", flops.projections, 2 * batch * d * (2 * q * d + 2 * k * d_kv));
        counts.add(sizes + "scores", flops.scores, batch * heads * by_head);
        counts.add(sizes + "weighted sum", flops.weighted_sum, batch * heads * by_head);
    }
    EXPECT_TRUE(counts.right());
}

TEST(block_costs, counts_beyond_64_bits_say_so) {
    const BlockConfig c = gpt2_block();
    const std::size_t many = 1ull << 31;
    const std::vector<std::string> named{"2147483648", "768", "too large to be counted"};
    EXPECT_TRUE(refuses<ValueError>([&] { (void)attention_flops(c, 1, many, many); }, named));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)feed_forward_flops(c, many, many); }, named));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)block_activations(c, many, many); }, named));
    EXPECT_TRUE(refuses<ValueError>([&] { (void)feed_forward_costs(c, "", 1ull << 20, 1ull << 26); },
                                    {"3072", "too large to be counted"}));
    const PartCost part{.part = "a", .flops = 1ull << 63};
    EXPECT_TRUE(refuses<ValueError>([&] { (void)total({part, part}); }, {"9223372036854775808"}));
}

TEST(block_costs, flops_of_the_network_count_every_matrix) {
    Counts counts;
    for (const auto& [c, batch, seq] : {std::tuple<BlockConfig, std::size_t, std::size_t>{small(), 3, 5},
                                        {small_llama(), 3, 5},
                                        {gpt2_block(), many_sequences, many_positions}})
        counts.add(gated(c) ? "SwiGLU" : "FeedForward", feed_forward_flops(c, batch, seq),
                   (gated(c) ? 3 : 2) * 2 * batch * seq * c.d_model * c.d_ff);
    EXPECT_TRUE(counts.right());
}

TEST(block_costs, activations_are_the_results_of_the_operations) {
    Counts counts;
    const auto add = [&](const BlockConfig& c, std::size_t batch, std::size_t seq) {
        const BlockActivations count = block_activations(c, batch, seq);
        const std::size_t tokens = batch * seq, one = tokens * c.d_model, narrow = tokens * c.d_kv();
        const std::size_t turned = c.rotary() ? one + narrow : 0, repeated = c.grouped() ? 2 * one : 0;
        // norm, q, k v, all three by head, [turned q k], [repeated k v], heads, merged, projected, sum
        counts.add(described(c) + ": attention", count.attention,
                   one * (1 + 1 + 1) + narrow * (2 + 2) + turned + repeated + one * (1 + 1 + 1 + 1));
        counts.add(described(c) + ": weights", count.weights, batch * seq * seq * c.num_heads);
        counts.add(described(c) + ": network", count.feed_forward,  // norm, hidden layers, output, sum
                   3 * one + (gated(c) ? 3 : 2) * tokens * c.d_ff);
    };
    for (const BlockConfig& c : all_configs()) add(c, 5, 7);
    add(gpt2_block(), many_sequences, many_positions);
    EXPECT_TRUE(counts.right());
}

TEST(block_costs, activations_are_the_tape_of_a_block_but_for_copies) {
    const Tensor x = leaf("x");
    Counts counts;
    for (const BlockConfig& c : {small(), small(NormPosition::post), small_llama()})
        counts.add(described(c) + ": bytes",
                   sizeof(float) * block_activations(c, 3, 5).total() + copies_of_reshape(c, 3, 5, 5),
                   tape_bytes(made<TransformerBlock>(c)(x).output));
    BlockConfig grouped = llama_block(24, 6, 10, 16);
    grouped.num_kv_heads = 2;
    Rng rng(3);
    const Tensor wide(rng.normal_array({5, 7, 24}), true);
    counts.add("grouped: bytes",
               sizeof(float) * block_activations(grouped, 5, 7).total() + copies_of_reshape(grouped, 5, 7, 7),
               tape_bytes(TransformerBlock(grouped, rng)(wide).output));
    EXPECT_TRUE(counts.right());
}

TEST(block_costs, the_lines_of_the_summary_add_up) {
    Counts counts;
    for (const BlockConfig& c : all_configs()) {
        const TotalCost lines = total(block_costs(c, "", 5, 7));
        counts.add(described(c) + ": FLOPs",
                   attention_flops(c, 5, 7, 7).total() + feed_forward_flops(c, 5, 7), lines.flops);
        counts.add(described(c) + ": bytes", sizeof(float) * block_activations(c, 5, 7).total(), lines.bytes);
        counts.add(described(c) + ": parameters", block_parameters(c).total(), lines.parameters);
    }
    counts.add("3 queries, 7 keys", attention_flops(small(), 5, 3, 7).total(),
               total(attention_costs(small(), "cross", 5, 3, 7)).flops);
    EXPECT_TRUE(counts.right());
}

}  // namespace
}  // namespace tfs::test
