// chapters/08_encoder_decoder/program/costs.cpp · parameters, FLOPs and bytes of the kinds; one encoding for many tokens
#include "chapters/08_encoder_decoder/program/costs.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <string_view>

namespace tfs {

namespace {

using Costs = std::vector<PartCost>;

// The base model of Vaswani et al. 2017, with the biases that torch.nn.Transformer gives to attention.
StackConfig base_stack() {
    StackConfig config{original_block(), 6, true};
    config.block.attention_bias = AttentionBias::all;
    return config;
}

StackConfig with_layers(StackConfig config, std::size_t layers) {
    config.num_layers = layers;
    return config;
}

bool contains(const std::string& path, std::string_view part) { return path.find(part) != std::string::npos; }

// Parameters and FLOPs of: self-attention, cross-attention, feed-forward networks, norms.
const std::vector<std::string> part_names{"self-attention", "cross-attention", "feed-forward",
                                          "norms (too few to be seen)"};
std::size_t kind_of(const std::string& path) {
    if (contains(path, "norm")) return 3;
    if (contains(path, "feed_forward")) return 2;
    return contains(path, "cross") ? 1 : 0;
}

Bar bar_of(const std::string& label, const Costs& costs, std::size_t PartCost::*quantity) {
    Bar bar{label, std::vector<double>(part_names.size(), 0.0)};
    for (const PartCost& part : costs)
        bar.values[kind_of(part.part)] += static_cast<double>(part.repeated * part.*quantity);
    return bar;
}

double flops(const Costs& costs) { return static_cast<double>(total(costs).flops); }

// The FLOPs of the keys and values of cross-attention: they are made of the memory alone.
double memory_flops(const Costs& decoder) {
    double sum = 0.0;
    for (const PartCost& part : decoder)
        if (contains(part.part, "cross.w_k") || contains(part.part, "cross.w_v"))
            sum += static_cast<double>(part.repeated * part.flops);
    return sum;
}

// What the copies by head leave on the tape beside the parts above (chapter 07), in all three attentions of a layer.
std::size_t copied_bytes(const StackConfig& config, std::size_t source, std::size_t target) {
    const auto copies = [&](std::size_t query, std::size_t key) {
        return copies_of_reshape(config.block, 1, query, key);
    };
    return config.num_layers * (copies(source, source) + copies(target, target) + copies(target, source));
}

void compare_with_tape(std::ostream& out, const EncoderDecoder& model, const StackConfig& config,
                       const Tensor& source, const Tensor& target) {
    const TotalCost sum = total(encoder_decoder_costs(config, 1, source.size(1), target.size(1)));
    fmt::print(out,
               "  the model above, by formula: {:>8} parameters, {:>8} bytes kept + {} of copies by head\n",
               with_separators(sum.parameters), with_separators(sum.bytes),
               with_separators(copied_bytes(config, source.size(1), target.size(1))));
    fmt::print(out, "  counted, and on the tape:    {:>8} parameters, {:>8} bytes\n\n",
               with_separators(count_parameters(model.parameters())),
               with_separators(tape_bytes(model(source.detach(), target.detach()).output)));
}

// The largest difference that it makes to encode anew for each target, from the first token of `target` to all of them.
double difference_of_encoding_anew(const EncoderDecoder& model, const Tensor& source, const Tensor& target) {
    const Memory memory = model.encode(source);
    double largest = 0.0;
    for (std::size_t n = 1; n <= target.size(1); ++n) {
        const Tensor begun = slice(target, 1, 0, n);
        largest = std::max(largest, largest_difference(model(source, begun).output.array(),
                                                       model.decode(begun, memory).output.array()));
    }
    return largest;
}

// FLOPs of writing the first n tokens, each step over the whole target so far.
struct WritingFlops {
    double anew = 0.0;  // the encoder for each token
    double once = 0.0;  // the encoder once
    double kept = 0.0;  // … and the keys and values of the memory once
};

std::vector<WritingFlops> writing_flops(const StackConfig& config, std::size_t source, std::size_t tokens) {
    const double encoder = flops(stack_costs(config, "", 1, source));
    double decoders = 0.0, again = 0.0;  // again: keys and values of the memory after the first token
    std::vector<WritingFlops> all;
    for (std::size_t n = 1; n <= tokens; ++n) {
        const Costs step = cross_stack_costs(config, "", 1, source, n);
        decoders += flops(step);
        if (n > 1) again += memory_flops(step);
        all.push_back(
            {static_cast<double>(n) * encoder + decoders, encoder + decoders, encoder + decoders - again});
    }
    return all;
}

}  // namespace

BarFigure compare_costs(std::ostream& out, const EncoderDecoder& model, const StackConfig& config,
                        const Tensor& x, const Tensor& y) {
    constexpr std::size_t source = 128, target = 128;
    compare_with_tape(out, model, config, x, y);
    const StackConfig base = base_stack();
    struct Row {
        std::string name;
        Costs costs;
    };
    const std::vector<Row> rows{
        {"encoder, 6 layers", stack_costs(base, "", 1, source)},
        {"decoder, 6 layers", stack_costs(base, "", 1, source)},
        {"encoder-decoder, 6 + 6", encoder_decoder_costs(base, 1, source, target)},
        {"decoder on source + target, 6", stack_costs(base, "", 1, source + target)},
        {"decoder on source + target, 12", stack_costs(with_layers(base, 12), "", 1, source + target)}};
    fmt::print(out, "  d_model {}, {} heads, d_ff {}; source and target of {} tokens; without embeddings:\n",
               base.block.d_model, base.block.num_heads, base.block.d_ff, source);
    fmt::print(out, "  {:<32} {:>12} {:>10} {:>12}\n", "kind", "parameters", "FLOPs", "kept bytes");
    BarFigure figure{
        .name = "costs",
        .title = "The three kinds at equal width (d_model 512, source and target of 128 tokens)"};
    figure.panels = {{"parameters", "parameters", part_names},
                     {"FLOPs of one forward pass", "FLOPs", part_names}};
    for (const Row& row : rows) {
        const TotalCost sum = total(row.costs);
        fmt::print(out, "  {:<32} {:>12} {:>10} {:>12}\n", row.name, with_separators(sum.parameters),
                   in_flops(static_cast<double>(sum.flops)), in_bytes(static_cast<double>(sum.bytes)));
        figure.panels[0].bars.push_back(bar_of(row.name, row.costs, &PartCost::parameters));
        figure.panels[1].bars.push_back(bar_of(row.name, row.costs, &PartCost::flops));
    }
    return figure;
}

LineFigure measure_reuse(std::ostream& out, const EncoderDecoder& model, const Tensor& source,
                         const Tensor& target) {
    const NoGrad no_grad;
    constexpr std::size_t source_length = 128;
    fmt::print(
        out,
        "  {} targets, each one token longer; encoded anew against encoded once: largest difference {}\n"
        "  FLOPs of writing n tokens to a source of {}, base sizes, each step over the whole target so far\n",
        target.size(1), difference_of_encoding_anew(model, source, target), source_length);
    fmt::print(out, "  {:>6} {:>18} {:>14} {:>8} {:>26}\n", "n", "encoded n times", "once", "saved",
               "and its keys, values once");
    Series anew{"encoder for every token"}, once{"encoder once"},
        kept{"... and keys and values of the memory once"};
    std::size_t n = 0;
    for (const WritingFlops& cost : writing_flops(base_stack(), source_length, 128)) {
        ++n;
        anew.add(static_cast<double>(n), cost.anew);
        once.add(static_cast<double>(n), cost.once);
        kept.add(static_cast<double>(n), cost.kept);
        if ((n & (n - 1)) != 0) continue;  // powers of 2
        fmt::print(out, "  {:>6} {:>18} {:>14} {:>7.0f}% {:>26}\n", n, in_flops(cost.anew),
                   in_flops(cost.once), 100.0 * (1.0 - cost.once / cost.anew), in_flops(cost.kept));
    }
    return {.name = "reuse",
            .title = "Writing n tokens to a source of 128 (base sizes)",
            .panels = {{"FLOPs in all", "tokens written", "FLOPs", true, true, {anew, once, kept}}},
            .panels_per_row = 1};
}

}  // namespace tfs
