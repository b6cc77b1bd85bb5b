// chapters/07_block/program/parameter_counts.cpp · parameters of a block: by formula, by counting, by the lines of the table
#include "chapters/07_block/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/07_block/cost.hpp"

namespace tfs {

namespace {

// Every combination of what decides about costs.
std::vector<BlockConfig> all_configs() {
    const std::pair<bool, std::size_t> positions[] = {{false, 3}, {true, 3}, {true, 1}};
    std::vector<BlockConfig> all;
    for (const NormPosition position : {NormPosition::pre, NormPosition::post})
        for (const AttentionBias bias : {AttentionBias::none, AttentionBias::qkv, AttentionBias::all})
            for (const NormKind norm : {NormKind::layer_norm, NormKind::rms_norm})
                for (const FeedForwardKind kind : {FeedForwardKind::feed_forward, FeedForwardKind::swiglu})
                    for (const Bias of_network : {Bias::no, Bias::yes})
                        for (const auto& [rotary, kv_heads] : positions)
                            all.push_back({.d_model = 12,
                                           .num_heads = 3,
                                           .num_kv_heads = kv_heads,
                                           .d_ff = 20,
                                           .norm_position = position,
                                           .norm = norm,
                                           .feed_forward = kind,
                                           .attention_bias = bias,
                                           .feed_forward_bias = of_network,
                                           .positions = rotary ? PositionChoice(Rotary{}) : NoPositions{}});
    return all;
}

}  // namespace

void compare_counts(Show& show) {
    std::size_t equal = 0;
    const std::vector<BlockConfig> configs = all_configs();
    for (const BlockConfig& config : configs) {
        Rng none = Rng::zeros();
        const std::size_t counted = count_parameters(TransformerBlock(config, none).parameters());
        const std::size_t lines = total(block_costs(config, "", 2, 5)).parameters;
        const std::size_t formula = block_parameters(config).total();
        equal += formula == counted && formula == lines;
    }
    fmt::print(
        show.out,
        "  {} configurations (place and kind of the norm, network, biases, positions, heads of keys)\n",
        configs.size());
    fmt::print(show.out, "  parameters: formula = counting = lines of the table in {}\n", equal);
}

}  // namespace tfs
