// chapters/09_transformer/cost.hpp · what a whole model costs: its parameters, and all of it part by part
#pragma once

#include "chapters/08_encoder_decoder/cost.hpp"
#include "chapters/09_transformer/transformer.hpp"

namespace tfs {

// Step transformer_parameters · The parameters of a model by part, from the config alone: nothing is allocated.
// ValueError where the config doesn't fit.
struct TransformerParameters {
    std::size_t embedding = 0;  // vocab x d_model
    std::size_t positions = 0;  // max_len x d_model where they are learned
    std::size_t segments = 0;
    std::size_t norms = 0;         // of the embedding, and the final ones; those of blocks are block_norms
    std::size_t attention = 0;     // all layers, self- and cross-attention
    std::size_t feed_forward = 0;  // all layers
    std::size_t block_norms = 0;   // all layers
    std::size_t pooler = 0;
    std::size_t output = 0;  // 0 where it is tied

    std::size_t total() const {
        return embedding + positions + segments + norms + attention + feed_forward + block_norms + pooler +
               output;
    }
};
[[nodiscard]] TransformerParameters transformer_parameters(const TransformerConfig& config);

// Given (given/presets.cpp) · The parts of the whole model in the order of the data flow, for cost_table().
// In an encoder-decoder `seq` is the source's length and `target` the target's, else target is not looked at.
// ValueError if the config doesn't fit, or a length is 0 or more than max_len.
[[nodiscard]] std::vector<PartCost> transformer_costs(const TransformerConfig& config, std::size_t batch,
                                                      std::size_t seq, std::size_t target = 0);

}  // namespace tfs
