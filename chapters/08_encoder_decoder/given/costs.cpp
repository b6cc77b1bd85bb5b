// chapters/08_encoder_decoder/given/costs.cpp · what a stack costs: the lines of a summary, given
#include "chapters/08_encoder_decoder/cost.hpp"
#include "chapters/08_encoder_decoder/given/stack_parts.hpp"

namespace tfs {

namespace {

// The parts of one block stand for those of all. Then the final norm.
std::vector<PartCost> stacked(const StackConfig& config, const std::string& prefix, std::size_t batch,
                              std::size_t seq, std::vector<PartCost> block) {
    for (PartCost& part : block) part.repeated = config.num_layers;
    if (config.final_norm)
        block.push_back(norm_cost(config.block, join_path(prefix, "final_norm"), batch, seq));
    return block;
}

}  // namespace

std::vector<PartCost> stack_costs(const StackConfig& config, const std::string& prefix, std::size_t batch,
                                  std::size_t seq) {
    require_valid("stack_costs", config);
    return stacked(config, prefix, batch, seq,
                   block_costs(config.block, join_path(prefix, "blocks"), batch, seq));
}

std::vector<PartCost> cross_stack_costs(const StackConfig& config, const std::string& prefix,
                                        std::size_t batch, std::size_t source, std::size_t target) {
    require_valid("cross_stack_costs", config);
    const std::string blocks = join_path(prefix, "blocks");
    std::vector<PartCost> parts =
        attention_costs(config.block, join_path(blocks, "self_attention"), batch, target, target);
    append(parts, attention_costs(without_positions(config.block), join_path(blocks, "cross"), batch, target,
                                  source));
    append(parts, feed_forward_costs(config.block, join_path(blocks, "feed_forward"), batch, target));
    return stacked(config, prefix, batch, target, parts);
}

std::vector<PartCost> encoder_decoder_costs(const StackConfig& config, std::size_t batch, std::size_t source,
                                            std::size_t target) {
    std::vector<PartCost> parts = stack_costs(config, "encoder", batch, source);
    append(parts, cross_stack_costs(config, "decoder", batch, source, target));
    return parts;
}

}  // namespace tfs
