// chapters/07_block/program/costs.cpp · parameters, FLOPs and bytes of a block: formulas against counting, and their shares
#include <fmt/ostream.h>

#include <ostream>

#include "chapters/07_block/program/claims.hpp"

namespace tfs {

namespace {

// "32.4 %"; of nothing, or of less than itself, it is no share.
std::string share(std::size_t part, std::size_t whole) {
    if (whole == 0 || part > whole) return "-";
    return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// Every combination of what decides about costs.
std::vector<BlockConfig> all_configs() {
    std::vector<BlockConfig> all;
    for (const NormPosition position : {NormPosition::pre, NormPosition::post})
        for (const AttentionBias bias : {AttentionBias::none, AttentionBias::qkv, AttentionBias::all})
            for (const NormKind norm : {NormKind::layer_norm, NormKind::rms_norm})
                for (const FeedForwardKind kind : {FeedForwardKind::feed_forward, FeedForwardKind::swiglu})
                    for (const Bias of_network : {Bias::no, Bias::yes})
                        for (const bool rotary : {false, true})
                            all.push_back({.d_model = 12,
                                           .num_heads = 3,
                                           .d_ff = 20,
                                           .norm_position = position,
                                           .norm = norm,
                                           .feed_forward = kind,
                                           .attention_bias = bias,
                                           .feed_forward_bias = of_network,
                                           .rotary = rotary ? std::optional<RotaryConfig>(RotaryConfig{})
                                                            : std::nullopt});
    return all;
}

Bar parameters_by_part(const std::string& name, const BlockConfig& config) {
    const BlockParameters count = block_parameters(config);
    return {name, {static_cast<double>(count.attention), 0.0, static_cast<double>(count.feed_forward)}};
}

Bar flops_by_part(const std::string& name, const BlockConfig& config, std::size_t seq) {
    const AttentionFlops flops = attention_flops(config, 1, seq, seq);
    return {name,
            {static_cast<double>(flops.projections), static_cast<double>(flops.scores + flops.weighted_sum),
             static_cast<double>(feed_forward_flops(config, 1, seq))}};
}

}  // namespace

void show_summary(std::ostream& out, const Example& example) {
    print_summary(out, block_costs(example.pre, "", 1, example.tokens.size()));
}

void compare_counts(std::ostream& out) {
    std::size_t parameters = 0, flops = 0, bytes = 0;
    const std::vector<BlockConfig> configs = all_configs();
    for (const BlockConfig& config : configs) {
        Rng rng(1);
        const std::size_t counted = count_parameters(TransformerBlock(config, rng).parameters());
        const TotalCost lines = total(block_costs(config, "", 2, 5));
        const std::size_t formula = block_parameters(config).total();
        parameters += formula == counted && formula == lines.parameters;
        flops += attention_flops(config, 2, 5, 5).total() + feed_forward_flops(config, 2, 5) == lines.flops;
        bytes += sizeof(float) * block_activations(config, 2, 5).total() == lines.bytes;
    }
    fmt::print(out,
               "  {} configurations (place and kind of the norm, kind of network, biases, rotary or not)\n",
               configs.size());
    fmt::print(out, "  parameters: formula = counting = lines of the table in {}\n", parameters);
    fmt::print(out, "  FLOPs:      formula = lines of the table in {}\n", flops);
    fmt::print(out, "  bytes:      formula = lines of the table in {}\n", bytes);
}

void compare_blocks_of_notes(std::ostream& out) {
    constexpr std::size_t seq = 128;
    const std::pair<const char*, BlockConfig> blocks[] = {
        {"PreLNBlock", pre_norm_block(768, 12, 3072)},
        {"PostLNBlock", post_norm_block(768, 12, 3072)},
        {"TransformerBlock, use_swiglu", rms_swiglu_block(768, 12)},
        {"TransformerBlock, without", rms_swiglu_block(768, 12, false)},
        {"TransformerEncoderBlock", post_norm_gelu_block(768, 12)},
        {"a layer of BERT-base", bert_block()}};
    fmt::print(out, "  {:<30}{:>6}{:>13}{:>14}{:>14}{:>12}\n", "d_model 768, 12 heads, seq 128", "d_ff",
               "parameters", "FLOPs", "kept bytes", "norm eps");
    for (const auto& [name, config] : blocks) {
        const TotalCost cost = total(block_costs(config, "", 1, seq));
        fmt::print(out, "  {:<30}{:>6}{:>13}{:>14}{:>14}{:>12g}\n", name, config.d_ff,
                   with_separators(cost.parameters), in_flops(static_cast<double>(cost.flops)),
                   in_bytes(static_cast<double>(cost.bytes)), config.norm_eps);
    }
    fmt::print(out, "  two thirds of 4 d_model: {} of 4 * 768, and {} of 4 * 4096, where LLaMA has {}\n",
               swiglu_hidden_size(4 * 768), swiglu_hidden_size(4 * 4096), llama_block().d_ff);
    BlockConfig shrunk = llama_block();
    shrunk.d_ff = swiglu_hidden_size(shrunk.d_ff);
    fmt::print(out,
               "  d_ff = 11008 handed to 2.3.7 becomes {}: a block of {} parameters, where LLaMA's has {}\n",
               shrunk.d_ff, with_separators(block_parameters(shrunk).total()),
               with_separators(block_parameters(llama_block()).total()));
}

namespace {

// Parameters and FLOPs of the published blocks; the third panel is filled by length.
BarFigure figure_of_parts() {
    BarFigure figure{
        .name = "parts", .title = "What the parts of a block hold and cost", .panels_per_row = 1};
    const std::vector<std::string> parts{"attention: projections", "attention: scores and sum",
                                         "feed-forward network"};
    figure.panels = {{"parameters of one block (without its norms: below 0.1 %)",
                      "share of the parameters, %",
                      parts,
                      {},
                      true},
                     {"FLOPs of one block, 1,024 positions (BERT's own limit is 512)",
                      "share of the FLOPs, %",
                      parts,
                      {},
                      true},
                     {"FLOPs of a block of GPT-2 by length", "share of the FLOPs, %", parts, {}, true}};
    for (const auto& [name, config] : {std::pair{"Vaswani et al.", original_block()},
                                       {"BERT-base", bert_block()},
                                       {"GPT-2", gpt2_block()},
                                       {"LLaMA-7B", llama_block()},
                                       {"Qwen-7B", qwen_block()}}) {
        figure.panels[0].bars.push_back(parameters_by_part(name, config));
        figure.panels[1].bars.push_back(flops_by_part(name, config, 1024));
    }
    return figure;
}

}  // namespace

BarFigure measure_cost_by_length(std::ostream& out) {
    const BlockConfig gpt2 = gpt2_block();
    BarFigure figure = figure_of_parts();
    fmt::print(out,
               "  a block of GPT-2, one sequence; shares of the FLOPs, and of the bytes kept for backward\n");
    fmt::print(out, "  {:>8} |{:>10}{:>14}{:>15}{:>10} |{:>12}{:>10}\n", "length", "FLOPs", "projections",
               "scores + sum", "network", "bytes", "weights");
    constexpr std::size_t lengths[] = {128, 512, 1024, 2048, 4608, 16384, 65536};
    for (const std::size_t seq : lengths) {
        const AttentionFlops attention = attention_flops(gpt2, 1, seq, seq);
        const std::size_t network = feed_forward_flops(gpt2, 1, seq), all = attention.total() + network;
        const BlockActivations kept = block_activations(gpt2, 1, seq);
        fmt::print(out, "  {:>8} |{:>10}{:>14}{:>15}{:>10} |{:>12}{:>10}\n", seq,
                   in_flops(static_cast<double>(all)), share(attention.projections, all),
                   share(attention.scores + attention.weighted_sum, all), share(network, all),
                   in_bytes(4.0 * static_cast<double>(kept.total())), share(kept.weights, kept.total()));
        if (seq != 512 && seq != 2048)  // as many bars as in the other panels
            figure.panels[2].bars.push_back(flops_by_part(with_separators(seq), gpt2, seq));
    }
    return figure;
}

}  // namespace tfs
