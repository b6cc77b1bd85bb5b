// tests/07_block/block_activations_test.cpp · step block_activations: the results of the operations, the tape, diagnosis
#include "tests/07_block/checklist.hpp"

#include "tests/support/counts.hpp"
#include "tests/support/golden.hpp"

namespace tfs::test {
namespace {

// The floats that a block keeps, and what they would be by the classic mistakes.
struct ActivationCounts {
    Counts attention, weights, network, lines;

    void add(const BlockConfig& c, std::size_t batch, std::size_t seq);
};
void ActivationCounts::add(const BlockConfig& c, std::size_t batch, std::size_t seq) {
    const BlockActivations count = block_activations(c, batch, seq);
    const std::size_t tokens = batch * seq, one = tokens * c.d_model, hidden = tokens * c.d_ff;
    const std::size_t turned = c.rotary ? one : 0, squares = batch * seq * seq;
    // norm, q k v, by head, [turned q k], heads, merged, projected, sum
    const std::size_t in_attention = one * (1 + 3 + 3 + 1 + 1 + 1 + 1) + 2 * turned;
    const std::size_t of_weights = squares * c.num_heads;
    const std::size_t in_network = 3 * one + (gated(c) ? 3 : 2) * hidden;  // norm, hidden layers, output, sum
    const std::string bytes = "bytes, where floats are asked for", sizes = described(c) + ": ";
    attention.add(sizes + "attention", count.attention, in_attention,
                  {{"the turned queries and keys are forgotten", in_attention - 2 * turned},
                   {"queries and keys are turned only with rotary positions", 13 * one},
                   {"the values are not turned", in_attention + turned},
                   {"q, k and v are kept before and after the split into heads", in_attention - 3 * one},
                   {"all heads together are d_model wide", in_attention + 3 * one * (c.num_heads - 1)},
                   {"the residual sum is forgotten", in_attention - one},
                   {bytes, 4 * in_attention},
                   {no_batch, in_attention / batch},
                   {"the weights belong to `weights`", in_attention + of_weights}});
    weights.add(sizes + "weights", count.weights, of_weights,
                {{"seq^2 is forgotten: one weight for each query and key", of_weights / seq},
                 {"the heads are forgotten: each has weights of its own", squares},
                 {"heads * seq^2, not d_model * seq^2", squares * c.d_model},
                 {"the scores are not kept: attention is one operation here", 2 * of_weights},
                 {"each sequence looks at itself alone: batch, not its square", of_weights * batch},
                 {no_batch, of_weights / batch},
                 {bytes, 4 * of_weights}});
    network.add(sizes + "feed_forward", count.feed_forward, in_network,
                {{"SwiGLU keeps three hidden layers: gate, up and their product", 3 * one + 2 * hidden},
                 {"SwiGLU keeps three hidden layers: SiLU(gate) * up is one operation",
                  in_network + (gated(c) ? hidden : 0)},
                 {"the hidden layer is kept before and after the activation", in_network - hidden},
                 {"the norm or the residual sum is forgotten", in_network - one},
                 {own_d_ff, 3 * one + (gated(c) ? 12 : 8) * one},
                 {bytes, 4 * in_network},
                 {no_batch, in_network / batch}});
    lines.add(sizes + "bytes of the summary", sizeof(float) * count.total(),
              total(block_costs(c, "", batch, seq)).bytes);
}

TEST(block_activations, equals_the_results_of_the_operations) {
    ActivationCounts counts;
    for (const BlockConfig& c : all_configs()) counts.add(c, 3, 5);
    counts.add(gpt2_block(), many_sequences, many_positions);
    for (const Counts* part : {&counts.attention, &counts.weights, &counts.network})
        EXPECT_TRUE(part->right());
}

TEST(block_activations, the_lines_of_the_summary_add_up_to_it) {
    ActivationCounts counts;
    for (const BlockConfig& c : all_configs()) counts.add(c, 2, 3);
    EXPECT_TRUE(counts.lines.right());
}

TEST(block_activations, equals_the_tape_of_a_block_but_for_copies) {
    const Tensor x = leaf("x");
    Counts counts;
    for (const BlockConfig& c : {small(), small(NormPosition::post), small_llama()})
        counts.add(described(c) + ": bytes",
                   sizeof(float) * block_activations(c, 2, 5).total() + copies_of_reshape(c, 2, 5, 5),
                   tape_bytes(golden_block(c)(x).output));
    EXPECT_TRUE(counts.right());
}

}  // namespace
}  // namespace tfs::test
