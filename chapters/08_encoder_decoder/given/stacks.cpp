// chapters/08_encoder_decoder/given/stacks.cpp
#include "chapters/08_encoder_decoder/given/stacks.hpp"

#include <fmt/format.h>

#include "chapters/02_masks/masks.hpp"
#include "chapters/07_block/given/block_checks.hpp"
#include "chapters/08_encoder_decoder/cost.hpp"
#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

namespace {

std::size_t width_of(const AttentionSublayer& sublayer) { return sublayer.attention.w_q.weight.size(1); }

void require_padding(std::string_view who, std::string_view name, const std::optional<Mask>& padding,
                     std::size_t batch, std::size_t keys) {
    if (!padding) return;
    const Shape expected{batch, 1, 1, keys}, one_for_all{1, 1, 1, keys};
    if (padding->shape() == expected || padding->shape() == one_for_all) return;
    const bool by_query = padding->shape().size() == 4 && padding->shape()[2] > 1;
    throw ShapeError(
        fmt::format("{}: {} must be {}, as padding_mask gives it, not {}{}", who, name, to_string(expected),
                    to_string(padding->shape()),
                    by_query ? "; padding is the same for all queries, a causal mask is not" : ""));
}

}  // namespace

std::vector<std::string> problems(const StackConfig& config) {
    std::vector<std::string> found = problems(config.block);
    if (config.num_layers == 0) found.push_back("num_layers is 0, but a stack needs at least one block");
    return found;
}

const StackConfig& require_valid(const std::string& who, const StackConfig& config) {
    throw_problems(who, problems(config));
    return config;
}

void require_padded_input(std::string_view who, const AttentionSublayer& attention, const Tensor& x,
                          std::string_view name, const std::optional<Mask>& padding, const Pass& pass) {
    require_block_input(who, x, width_of(attention));
    require_padding(who, name, padding, x.size(0), pass.keys(x.size(1)));
}

void require_cross_input(std::string_view who, const AttentionSublayer& cross, const Tensor& x,
                         const KeysValues& keys_values, const std::optional<Mask>& source_padding) {
    const Shape keys = keys_values.keys.shape();
    require_shapes(
        who,
        {{"x", x, "batch target d_model"},
         {"the memory's keys", keys, "batch heads source d_k", "keys_values makes them, for each x its own"}},
        {{"d_model", width_of(cross), "the layer"}, {"heads", cross.attention.num_heads, "the layer"}});
    require_padding(who, "source_padding", source_padding, keys[0], keys[2]);
}

void require_layers(std::string_view who, const Memory& memory, std::size_t blocks) {
    if (memory.layers.size() == blocks) return;
    throw ValueError(fmt::format(
        "{}: the memory has keys and values for {} blocks, and there are {}; encode and memory_of make them",
        who, memory.layers.size(), blocks));
}

void require_same_batch(std::string_view who, const Tensor& source, const Tensor& target) {
    require_shapes(who, {{"source", source, "batch source d_model"},
                         {"target", target, "batch target d_model", "each target needs its own source"}});
}

BlockConfig without_positions(const BlockConfig& config) {
    BlockConfig result = config;
    result.positions = NoPositions{};
    return result;
}

std::optional<Norm> make_final_norm(const StackConfig& config) {
    if (!config.final_norm) return std::nullopt;
    return Norm(config.block);
}

std::optional<Mask> self_attention_mask(StackKind kind, std::size_t seq, const std::optional<Mask>& padding,
                                        const Pass& pass) {
    if (kind == StackKind::encoder) return padding;
    const std::size_t keys = pass.keys(seq);                 // the queries are the last of them
    const Mask causal = causal_mask(seq, keys, keys - seq);  // (1, 1, query, key)
    return padding ? causal & *padding : causal;             // both: (batch, 1, query, key)
}

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
