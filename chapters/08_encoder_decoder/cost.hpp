// chapters/08_encoder_decoder/cost.hpp · what a stack costs, part by part
#pragma once

#include "chapters/07_block/cost.hpp"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

// Given (given/stacks.cpp) · The parts of a stack in the order of the data flow, for cost_table(): one
// block, repeated num_layers times, and the final norm. Names are paths that begin with `prefix`: "encoder"
// gives "encoder.blocks.attention.norm". An encoder and a decoder cost the same: the mask is the difference.
[[nodiscard]] std::vector<PartCost> stack_costs(const StackConfig& config, const std::string& prefix,
                                                std::size_t batch, std::size_t seq);
// The decoder of an encoder-decoder alone: `target` positions, and a memory of `source`.
[[nodiscard]] std::vector<PartCost> cross_stack_costs(const StackConfig& config, const std::string& prefix,
                                                      std::size_t batch, std::size_t source,
                                                      std::size_t target);
// Both: "encoder.…", "decoder.…".
[[nodiscard]] std::vector<PartCost> encoder_decoder_costs(const StackConfig& config, std::size_t batch,
                                                          std::size_t source, std::size_t target);

}  // namespace tfs
