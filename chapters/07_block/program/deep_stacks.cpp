// chapters/07_block/program/deep_stacks.cpp · stacks of untrained blocks: the gradient of each block, and the residual stream between them
#include "chapters/07_block/program/deep_stacks.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tfs {

namespace {

// In the order of stack_kinds.
std::array<BlockConfig, stack_kinds.size()> stack_configs() {
    constexpr std::size_t heads = 4;
    const BlockConfig pre{.d_model = stack_width, .num_heads = heads, .d_ff = 4 * stack_width};
    BlockConfig post = pre;
    post.norm_position = NormPosition::post;
    return {post, pre, llama_block(stack_width, heads, swiglu_hidden_size(4 * stack_width, 8), stack_seq)};
}

// A parameter that no gradient has reached (in a block that does not use it) adds nothing.
double norm_of_gradients(const Parameters& parameters) {
    double squares = 0.0;
    for (const NamedTensor& p : parameters) {
        if (!p.tensor.has_grad()) continue;
        const Array& grad = p.tensor.grad();
        squares += dot({grad.data(), grad.size()}, {grad.data(), grad.size()});
    }
    return std::sqrt(squares);
}

StackLayers run_stack(const BlockConfig& config, std::size_t depth, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<TransformerBlock> blocks;
    for (std::size_t i = 0; i < depth; ++i) blocks.emplace_back(config, rng);
    const Norm last(config);
    Tensor x(rng.normal_array({1, stack_seq, stack_width}));
    const Tensor upstream(rng.normal_array({1, stack_seq, stack_width}));
    StackLayers layers;
    layers.sizes.push_back(root_mean_square(x.values()));
    for (const TransformerBlock& block : blocks) {
        const Tensor y = block(x).output;
        layers.changes.push_back(root_mean_square((y - x).values()));
        layers.shares.push_back(layers.changes.back() / layers.sizes.back());
        layers.sizes.push_back(root_mean_square(y.values()));
        x = y;
    }
    if (config.norm_position == NormPosition::pre) x = last(x);
    mean(x * upstream).backward();
    for (const TransformerBlock& block : blocks)
        layers.gradients.push_back(norm_of_gradients(block.parameters()));
    return layers;
}

// The geometric mean, over the seeds, of one list that each run has.
std::vector<double> geometric_mean(const std::vector<StackLayers>& runs,
                                   std::vector<double> StackLayers::*list) {
    std::vector<double> means((runs.front().*list).size());
    for (std::size_t i = 0; i < means.size(); ++i) {
        double logarithms = 0.0;
        for (const StackLayers& run : runs) logarithms += std::log((run.*list)[i]);
        means[i] = std::exp(logarithms / static_cast<double>(runs.size()));
    }
    return means;
}

StackLayers run_seeds(const BlockConfig& config, std::size_t depth, std::uint64_t seed) {
    std::vector<StackLayers> runs;
    for (std::size_t i = 0; i < stack_seeds; ++i) runs.push_back(run_stack(config, depth, seed + i));
    StackLayers means{geometric_mean(runs, &StackLayers::gradients),
                      geometric_mean(runs, &StackLayers::sizes), geometric_mean(runs, &StackLayers::changes),
                      geometric_mean(runs, &StackLayers::shares)};
    for (const StackLayers& run : runs) means.of_first.push_back(run.gradients.front());
    return means;
}

}  // namespace

std::vector<StacksOfDepth> run_stacks(const Request& request) {
    const std::array<BlockConfig, stack_kinds.size()> configs = stack_configs();
    std::vector<StacksOfDepth> stacks;
    for (const std::size_t depth : {2u, 4u, 8u, 16u, 32u, 48u}) {
        request.tell({"progress",
                      fmt::format("stacks of {} blocks", depth),
                      {{"blocks", static_cast<double>(depth)}}});
        StacksOfDepth& stack = stacks.emplace_back(StacksOfDepth{depth, {}});
        for (std::size_t k = 0; k < configs.size(); ++k)
            stack.kinds[k] = run_seeds(configs[k], depth, request[options::seed]);
    }
    return stacks;
}

std::vector<Series> along_stack(const StacksOfDepth& stacks, std::vector<double> StackLayers::*list,
                                std::size_t first) {
    std::vector<Series> curves;
    for (const auto& [kind, hue] : {std::pair{0U, Hue::post_norm}, {1U, Hue::pre_norm}}) {
        Series& curve = curves.emplace_back(Series{.name = stack_kinds[kind], .hue = hue});
        for (const double value : stacks.kinds[kind].*list)
            curve.add(static_cast<double>(first + curve.x.size()), value);
    }
    return curves;
}

}  // namespace tfs
