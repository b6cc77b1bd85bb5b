// chapters/08_encoder_decoder/program/final_norm.cpp · what the norm at the end of a stack is for, measured
#include <fmt/format.h>

#include <algorithm>

#include "chapters/08_encoder_decoder/program/options.hpp"

namespace tfs {

namespace {

constexpr std::size_t width = 32, heads = 4, positions = 16;
constexpr std::uint64_t seeds = 8;

StackConfig stack_of(NormPosition position, std::size_t layers, bool final_norm) {
    BlockConfig block = pre_norm_block(width, heads, 4 * width);
    block.norm_position = position;
    return {block, layers, final_norm};
}

// What leaves an encoder of so many layers. One seed: with and without its last norm the weights are equal.
Tensor encoded(const Tensor& x, NormPosition position, std::size_t layers, bool final_norm,
               std::uint64_t seed) {
    Rng rng(seed);
    return Stack(StackKind::encoder, stack_of(position, layers, final_norm), rng)(x).output;
}

// The entropy of cross-attention of an untrained decoder block to this memory.
double cross_entropy_of(const Tensor& memory, const Tensor& target, std::uint64_t seed) {
    Rng rng(seed);
    const AttentionSublayer cross(stack_of(NormPosition::pre, 1, true).block, rng);
    return mean_entropy(cross_attention(cross, target, cross.keys_values(memory), {}, with_weights).weights);
}

// The cosine of the angle between the vectors of two positions, over all pairs: 1 where all are alike.
double likeness(const Tensor& memory) {
    double sum = 0.0;
    for (std::size_t i = 0; i < positions; ++i)
        for (std::size_t j = 0; j < i; ++j)
            sum +=
                cosine(memory.values().subspan(i * width, width), memory.values().subspan(j * width, width));
    return sum / (positions * (positions - 1) / 2.0);
}

// What one depth gives: the sizes of outputs, the entropies of cross-attention to them, how alike the vectors are.
struct Depth {
    double pre_bare = 0.0, pre_normed = 0.0, post_bare = 0.0, post_moved = 0.0;
    double entropy_bare = 0.0, entropy_normed = 0.0, likeness = 0.0;
};

// The means over `seeds` inputs, each with weights of its own; the largest for post_moved.
Depth measure_depth(std::size_t layers, std::uint64_t first_seed) {
    Depth d;
    for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
        Rng rng(seed);
        const Tensor x(rng.normal_array({1, positions, width}));
        const Tensor target(rng.normal_array({1, positions, width}));
        const Tensor bare = encoded(x, NormPosition::pre, layers, false, seed);
        const Tensor normed = encoded(x, NormPosition::pre, layers, true, seed);
        const Tensor post = encoded(x, NormPosition::post, layers, false, seed);
        const Tensor post_normed = encoded(x, NormPosition::post, layers, true, seed);
        d.pre_bare += root_mean_square(bare.values()) / seeds;
        d.pre_normed += root_mean_square(normed.values()) / seeds;
        d.post_bare += root_mean_square(post.values()) / seeds;
        d.post_moved = std::max(d.post_moved, largest_difference(post.array(), post_normed.array()));
        d.entropy_bare += cross_entropy_of(bare, target, seed) / seeds;
        d.entropy_normed += cross_entropy_of(normed, target, seed) / seeds;
        d.likeness += likeness(normed) / seeds;
    }
    return d;
}

LineFigure figure_of(const Table& table) {
    const auto curve = [&](const std::string& column, const std::string& name, Hue hue) {
        Series one = series(table, "layers", column, name);
        one.hue = hue;
        return one;
    };
    return {.name = "final_norm",
            .title = "Without a final norm the output of a pre-norm stack grows with depth",
            .panels = {{.title = fmt::format("size of the output (untrained, d_model {})", width),
                        .x_axis = "layers",
                        .y_axis = "root mean square",
                        .series = {curve("size, no norm", "no final norm", Hue::without),
                                   curve("size, final norm", "final norm", Hue::with)},
                        .from_zero = true}},
            .caption = "With the final norm the size of the output is 1 at every depth."};
}

Report show_final_norm(const Request& request) {
    const NoGrad no_grad;
    Table table{.columns = {{"layers", whole()},
                            {"size, no norm", fixed(2)},
                            {"size, final norm", fixed(2)},
                            {"entropy, no norm", fixed(2)},
                            {"entropy, final norm", fixed(2)}}};
    std::vector<Depth> depths;
    for (const std::size_t layers : {1u, 2u, 4u, 8u, 16u, 32u}) {
        request.tell({"progress",
                      fmt::format("stacks of {} layers", layers),
                      {{"layers", static_cast<double>(layers)}}});
        const Depth& d = depths.emplace_back(measure_depth(layers, request[options::seed]));
        table.add({layers, d.pre_bare, d.pre_normed, d.entropy_bare, d.entropy_normed});
    }
    const Depth &first = depths.front(), &last = depths.back();
    Report report;
    report.note(fmt::format(
        "means of {} seeds; entropy (nats) of a cross-attention that looks at the stack's output", seeds));
    report.add(table);
    report.note(fmt::format("(equal attention to all {} positions has the entropy {:.2f})", positions,
                            mean_entropy(Tensor::full({1, positions}, 1.0f / positions))));
    report.note(fmt::format(
        "vectors of the output are more and more alike: mean cosine {:.2f} at 1 layer, {:.2f} at 32",
        first.likeness, last.likeness));
    report.note(fmt::format("post-norm: size {:.2f} at 32 layers; a final norm changes the output by {}",
                            last.post_bare, format(last.post_moved, magnitude())));
    report.add(figure_of(table));
    return report;
}

}  // namespace

Sections final_norm_sections() {
    return {{"final-norm",
             "A pre-norm stack needs a norm at its end, a post-norm stack does not",
             show_final_norm,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
