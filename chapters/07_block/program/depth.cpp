// chapters/07_block/program/depth.cpp · stacks of untrained blocks: the gradient at every layer, and the residual stream
#include <fmt/ostream.h>

#include <array>
#include <cmath>
#include <ostream>

#include "chapters/07_block/program/claims.hpp"

namespace tfs {

namespace {

constexpr std::size_t seq = 16, width = 32, heads = 4, seeds = 10, deepest = 48;
constexpr std::array<std::size_t, 6> depths{2, 4, 8, 16, 32, 48};

struct Kind {
    const char* name;
    BlockConfig config;
};

// Post-norm, pre-norm, and LLaMA's kind: all of the same width.
std::array<Kind, 3> kinds() {
    BlockConfig pre{.d_model = width, .num_heads = heads, .d_ff = 4 * width}, post = pre;
    post.norm_position = NormPosition::post;
    return {{{"post-norm", post},
             {"pre-norm", pre},
             {"LLaMA's kind", llama_block(width, heads, swiglu_hidden_size(4 * width, 8), seq)}}};
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

// One stack, with a last norm where its blocks are pre-norm, and a random gradient from above.
Layers run_stack(const BlockConfig& config, std::size_t depth, std::uint64_t seed) {
    Rng rng(seed);
    std::vector<TransformerBlock> blocks;
    for (std::size_t i = 0; i < depth; ++i) blocks.emplace_back(config, rng);
    const Norm last(config);
    Tensor x(rng.normal_array({1, seq, width}));
    const Tensor upstream(rng.normal_array({1, seq, width}));
    Layers layers;
    layers.sizes.push_back(root_mean_square(x.values()));
    for (const TransformerBlock& block : blocks) {
        const Tensor y = block(x).output;
        layers.changes.push_back(root_mean_square((y - x).values()) / layers.sizes.back());
        layers.sizes.push_back(root_mean_square(y.values()));
        x = y;
    }
    if (config.norm_position == NormPosition::pre) x = last(x);
    mean(x * upstream).backward();
    for (const TransformerBlock& block : blocks)
        layers.gradients.push_back(norm_of_gradients(block.parameters()));
    return layers;
}

void add_logarithms(std::vector<double>& sums, const std::vector<double>& values) {
    sums.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) sums[i] += std::log(values[i]) / seeds;
}

// The geometric means over some seeds.
Layers typical(const BlockConfig& config, std::size_t depth, std::uint64_t seed) {
    Layers means;
    for (std::size_t i = 0; i < seeds; ++i) {
        const Layers one = run_stack(config, depth, seed + i);
        add_logarithms(means.gradients, one.gradients);
        add_logarithms(means.sizes, one.sizes);
        add_logarithms(means.changes, one.changes);
    }
    for (std::vector<double>* values : {&means.gradients, &means.sizes, &means.changes})
        for (double& value : *values) value = std::exp(value);
    return means;
}

Series series_of(const std::string& name, const std::vector<double>& values, std::size_t first) {
    Series series{name};
    for (std::size_t i = 0; i < values.size(); ++i) series.add(static_cast<double>(first + i), values[i]);
    return series;
}

// The gradient at some blocks of the deepest stacks.
void print_profile(std::ostream& out, const std::array<Layers, 3>& of_kinds) {
    constexpr std::size_t shown[] = {1, 8, 16, 24, 32, 40, 48};
    fmt::print(out, "  in a stack of {}, at block", deepest);
    for (const std::size_t block : shown) fmt::print(out, "{:>8}", block);
    for (std::size_t k = 0; k < 3; ++k) {
        fmt::print(out, "\n  {:>27}", kinds()[k].name);
        for (const std::size_t block : shown) fmt::print(out, "{:>8.3f}", of_kinds[k].gradients[block - 1]);
    }
    out << '\n';
}

std::string title_of(const char* what) {
    return fmt::format("{} (untrained blocks, d_model {}, geometric mean of {} seeds)", what, width, seeds);
}

}  // namespace

StackClaims measure_gradients(std::ostream& out, std::uint64_t seed) {
    LineFigure figure{.name = "gradients", .title = title_of("Gradients in stacks"), .panels_per_row = 2};
    figure.panels = {
        {"at the first block, against depth", "blocks in the stack", "norm of the gradient", true},
        {"at the last block, against depth", "blocks in the stack", "norm of the gradient", true},
        {"at every block of a stack of 48", "block", "norm of the gradient"}};
    fmt::print(out,
               "  {} positions of width {}; norm of the gradient of a block's parameters; geometric mean of "
               "{} seeds\n",
               seq, width, seeds);
    fmt::print(out, "  {:>6} |{:>11}{:>11} |{:>11}{:>11} |{:>13}{:>11}\n", "blocks", "post first", "last",
               "pre first", "last", "LLaMA first", "last");
    std::array<std::array<Series, 3>, 2> against_depth;
    std::array<Layers, 3> in_deepest;
    for (const std::size_t depth : depths) {
        fmt::print(out, "  {:>6}", depth);
        for (std::size_t k = 0; k < 3; ++k) {
            const Kind kind = kinds()[k];
            const Layers layers = typical(kind.config, depth, seed);
            const std::array<double, 2> ends{layers.gradients.front(), layers.gradients.back()};
            fmt::print(out, " |{:>{}.3f}{:>11.3f}", ends[0], k == 2 ? 13 : 11, ends[1]);
            for (std::size_t end = 0; end < 2; ++end) {
                against_depth[end][k].name = kind.name;
                against_depth[end][k].add(static_cast<double>(depth), ends[end]);
            }
            if (depth == deepest) in_deepest[k] = layers;
        }
        out << '\n';
    }
    for (std::size_t end = 0; end < 2; ++end)
        figure.panels[end].series.assign(against_depth[end].begin(), against_depth[end].end());
    print_profile(out, in_deepest);
    for (std::size_t k = 0; k < 3; ++k)
        figure.panels[2].series.push_back(series_of(kinds()[k].name, in_deepest[k].gradients, 1));
    return {figure, in_deepest};
}

LineFigure show_stream(std::ostream& out, const std::array<Layers, 3>& stacks) {
    LineFigure figure{
        .name = "stream", .title = title_of("The residual stream of 48 blocks"), .panels_per_row = 2};
    figure.panels = {{"size of x after each block", "blocks passed", "root mean square"},
                     {"what a block changes", "block", "rms of the change / rms of its input"}};
    fmt::print(
        out, "  root mean square of x after so many blocks | share that the last of them changed\n  {:>6} |",
        "blocks");
    const std::array<Kind, 3> all = kinds();
    for (int table = 0; table < 2; ++table) {
        for (const Kind& kind : all) fmt::print(out, "{:>14}", kind.name);
        out << (table == 0 ? " |" : "\n");
    }
    for (std::size_t k = 0; k < 3; ++k) {
        figure.panels[0].series.push_back(series_of(all[k].name, stacks[k].sizes, 0));
        figure.panels[1].series.push_back(series_of(all[k].name, stacks[k].changes, 1));
    }
    constexpr std::size_t shown[] = {1, 2, 4, 8, 16, 32, 48};
    for (const std::size_t depth : shown) {
        fmt::print(out, "  {:>6} |", depth);
        for (const Layers& stack : stacks) fmt::print(out, "{:>14.2f}", stack.sizes[depth]);
        out << " |";
        for (const Layers& stack : stacks) fmt::print(out, "{:>14.2f}", stack.changes[depth - 1]);
        out << '\n';
    }
    return figure;
}

}  // namespace tfs
