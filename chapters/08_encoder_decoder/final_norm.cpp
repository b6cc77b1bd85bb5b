// chapters/08_encoder_decoder/final_norm.cpp · what the norm at the end of a stack is for, measured
#include <fmt/ostream.h>

#include "chapters/08_encoder_decoder/costs.hpp"

namespace tfs {

namespace {

constexpr std::size_t width = 32, heads = 4, positions = 16;

StackConfig stack_of(NormPosition position, std::size_t layers, bool final_norm) {
    BlockConfig block = pre_norm_block(width, heads, 4 * width);
    block.norm_position = position;
    return {block, layers, final_norm};
}

// What leaves an encoder of so many layers. One seed: with and without its last norm the weights are equal.
Tensor encoded(const Tensor& x, NormPosition position, std::size_t layers, bool final_norm,
               std::uint64_t seed) {
    Rng rng(seed);
    return Encoder(stack_of(position, layers, final_norm), rng)(x).output;
}

// The entropy of cross-attention of an untrained decoder block to this memory.
double cross_entropy_of(const Tensor& memory, const Tensor& target, std::uint64_t seed) {
    Rng rng(seed);
    const AttentionSublayer cross(stack_of(NormPosition::pre, 1, true).block, rng);
    return mean_entropy(cross_attention(cross, target, memory).weights);
}

}  // namespace

LineFigure measure_final_norm(std::ostream& out, std::uint64_t seed) {
    const NoGrad no_grad;
    Rng rng(seed);
    const Tensor x(rng.normal_array({1, positions, width})), target(rng.normal_array({1, positions, width}));
    fmt::print(out, "  {:>6} | {:>10} {:>10} | {:>10} {:>10} | {:>12} {:>10}\n", "", "pre-norm", "pre-norm",
               "post-norm", "norm moves", "entropy of", "cross");
    fmt::print(out, "  {:>6} | {:>10} {:>10} | {:>10} {:>10} | {:>12} {:>10}\n", "layers", "rms", "+ norm",
               "rms", "it by", "memory bare", "+ norm");
    Series bare{"pre-norm, no final norm"}, normed{"pre-norm and a final norm, or post-norm"};
    Series entropy_bare{"memory without final norm"}, entropy_normed{"memory with final norm"};
    for (const std::size_t layers : {1u, 2u, 4u, 8u, 16u, 32u}) {
        const Tensor without = encoded(x, NormPosition::pre, layers, false, seed);
        const Tensor with = encoded(x, NormPosition::pre, layers, true, seed);
        const Tensor last = encoded(x, NormPosition::post, layers, false, seed);
        const double moved =
            largest_difference(last.array(), encoded(x, NormPosition::post, layers, true, seed).array());
        const auto depth = static_cast<double>(layers);
        const auto add = [&](Series& series, double value) { return series.add(depth, value), value; };
        fmt::print(out, "  {:>6} | {:>10.2f} {:>10.2f} | {:>10.2f} {:>10} | {:>12.2f} {:>10.2f}\n", layers,
                   add(bare, root_mean_square(without.values())),
                   add(normed, root_mean_square(with.values())), root_mean_square(last.values()),
                   moved < 1e-5 ? "below 1e-5" : fmt::format("{:.1e}", moved),
                   add(entropy_bare, cross_entropy_of(without, target, seed)),
                   add(entropy_normed, cross_entropy_of(with, target, seed)));
    }
    fmt::print(out, "  (equal attention to all {} positions has the entropy {:.2f})\n", positions,
               mean_entropy(Tensor::full({1, positions}, 1.0f / positions)));
    return {
        .name = "final_norm",
        .title = "What the norm at the end of a stack is for (untrained, d_model 32)",
        .panels = {{"size of the stack's output", "layers", "root mean square", true, false, {bare, normed}},
                   {"how sharply a decoder looks at it",
                    "layers",
                    "entropy of cross-attention, nats",
                    true,
                    false,
                    {entropy_bare, entropy_normed}}}};
}

}  // namespace tfs
