// chapters/08_encoder_decoder/given/costs.cpp · what a stack costs: the lines of a summary, given
#include <algorithm>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "chapters/08_encoder_decoder/given/checks.hpp"

namespace tfs {

namespace {

std::string path(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : prefix + "." + name;
}

void add(std::vector<PartCost>& all, const std::vector<PartCost>& parts) {
    all.insert(all.end(), parts.begin(), parts.end());
}

// The parts of one block stand for those of all. Then the final norm, which costs what any other norm does.
std::vector<PartCost> stacked(const StackConfig& config, const std::string& prefix, std::size_t batch,
                              std::size_t seq, std::vector<PartCost> block) {
    for (PartCost& part : block) part.repeated = config.num_layers;
    if (!config.final_norm) return block;
    const std::vector<PartCost> half = feed_forward_costs(config.block, "", batch, seq);
    PartCost norm =
        *std::find_if(half.begin(), half.end(), [](const PartCost& p) { return p.part == "norm"; });
    norm.part = path(prefix, "final_norm");
    block.push_back(norm);
    return block;
}

}  // namespace

std::vector<PartCost> stack_costs(const StackConfig& config, const std::string& prefix, std::size_t batch,
                                  std::size_t seq) {
    require_valid("stack_costs", config);
    return stacked(config, prefix, batch, seq, block_costs(config.block, path(prefix, "blocks"), batch, seq));
}

std::vector<PartCost> cross_stack_costs(const StackConfig& config, const std::string& prefix,
                                        std::size_t batch, std::size_t source, std::size_t target) {
    require_valid("cross_stack_costs", config);
    const std::string blocks = path(prefix, "blocks");
    std::vector<PartCost> parts =
        attention_costs(config.block, path(blocks, "self_attention"), batch, target, target);
    add(parts, attention_costs(without_rotary(config.block), path(blocks, "cross"), batch, target, source));
    add(parts, feed_forward_costs(config.block, path(blocks, "feed_forward"), batch, target));
    return stacked(config, prefix, batch, target, parts);
}

std::vector<PartCost> encoder_decoder_costs(const StackConfig& config, std::size_t batch, std::size_t source,
                                            std::size_t target) {
    std::vector<PartCost> parts = stack_costs(config, "encoder", batch, source);
    add(parts, cross_stack_costs(config, "decoder", batch, source, target));
    return parts;
}

}  // namespace tfs
