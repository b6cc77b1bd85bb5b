// chapters/07_block/cost.hpp · what a block costs: parameters, floating-point operations, memory for the backward pass
//
// All is counted from a config alone: no weight is allocated to know their number. ValueError if the config doesn't fit,
// or a number is too large to be counted.
#pragma once

#include "chapters/07_block/block.hpp"
#include "common/nn/cost.hpp"

namespace tfs {

// Step block_parameters · The parameters of a block by formula, without making one. Equal to
// count_parameters(block.parameters()).
struct BlockParameters {
    std::size_t attention = 0;     // of w_q, w_k, w_v and w_o, with the biases that the config has
    std::size_t feed_forward = 0;  // of the network, likewise
    std::size_t norm = 0;          // of ONE norm

    std::size_t total() const { return attention + feed_forward + 2 * norm; }
};
[[nodiscard]] BlockParameters block_parameters(const BlockConfig& config);

// Given (given/block.cpp) · The floating-point operations of one forward pass, an addition and a multiplication being two; only products
// of matrices count, all of them in full, also where a mask hides half of the scores.
struct AttentionFlops {
    std::size_t projections = 0;   // q, o: for each query; k, v: for each key
    std::size_t scores = 0;        // q kᵀ of all heads
    std::size_t weighted_sum = 0;  // weights v of all heads

    std::size_t total() const { return projections + scores + weighted_sum; }
};
[[nodiscard]] AttentionFlops attention_flops(const BlockConfig& config, std::size_t batch, std::size_t query,
                                             std::size_t key);
[[nodiscard]] std::size_t feed_forward_flops(const BlockConfig& config, std::size_t batch, std::size_t seq);

// Given (given/block.cpp) · The floats that a forward pass keeps for the backward pass: the results of the operations, each once, without
// dropout, where a norm, attention and an activation are one operation each (as in the fast solutions). Only the weights
// grow with seq^2. All the others have batch * seq rows; those of
//   attention, d_model wide each: norm · q, k, v · q, k, v by head · with rotary positions the turned q and k ·
//              the heads' sums · merged · projected · added: 11, or 13 with rotary positions. With fewer heads of keys and
//              values all of k and v are narrower, and repeated k and v, d_model wide, are kept, too
//   network:   norm, output, sum, d_model wide each · hidden layer before and after the activation (SwiGLU: gate, up and
//              their product), d_ff wide each
struct BlockActivations {
    std::size_t attention = 0;
    std::size_t weights = 0;  // batch * heads * seq * seq
    std::size_t feed_forward = 0;

    std::size_t total() const { return attention + weights + feed_forward; }
};
[[nodiscard]] BlockActivations block_activations(const BlockConfig& config, std::size_t batch,
                                                 std::size_t seq);

// Given (models/costs.cpp) · The parts of a block in the order of the data flow, for cost_table(): each with the shape of
// its result, its parameters, its FLOPs and the bytes it keeps (those of block_activations).
// An attention sublayer (cross-attention has other keys than queries) and a feed-forward sublayer, whose parts are named
// "PREFIX.norm", "PREFIX.w_q" …, and both, "PREFIX.attention.norm" … An empty prefix leaves out its dot.
[[nodiscard]] std::vector<PartCost> attention_costs(const BlockConfig& config, const std::string& prefix,
                                                    std::size_t batch, std::size_t query, std::size_t key);
[[nodiscard]] std::vector<PartCost> feed_forward_costs(const BlockConfig& config, const std::string& prefix,
                                                       std::size_t batch, std::size_t seq);
[[nodiscard]] std::vector<PartCost> block_costs(const BlockConfig& config, const std::string& prefix,
                                                std::size_t batch, std::size_t seq);
// One norm of the config's kind by itself, under the name PATH: the last one of a stack, or that of an embedding.
[[nodiscard]] PartCost norm_cost(const BlockConfig& config, const std::string& path, std::size_t batch,
                                 std::size_t seq);
// The bytes that the tape keeps of one attention beyond block_activations: where splitting, merging or repeating heads takes
// several operations, it has several results in place of one. Measured on such tensors.
[[nodiscard]] std::size_t copies_of_reshape(const BlockConfig& config, std::size_t batch, std::size_t query,
                                            std::size_t key);

}  // namespace tfs
