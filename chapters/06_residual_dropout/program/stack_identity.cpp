// chapters/06_residual_dropout/program/stack_identity.cpp · how much of its input an untrained stack passes on
#include "chapters/06_residual_dropout/program/sections.hpp"

#include <fmt/ostream.h>

#include <cmath>

#include "chapters/06_residual_dropout/models/layer_stack.hpp"

namespace tfs {

namespace {

// The cosine between input and output of a stack whose sublayers' last matrices are multiplied by `scale`.
double cosine_through(std::size_t depth, double scale, stack::Wiring wiring, std::uint64_t seed) {
    const NoGrad no_grad;
    std::vector<stack::Layer> layers = stack::make_layers(depth, seed);
    const Tensor input = stack::make_input(seed + 100);
    Tensor x = input;
    for (stack::Layer& layer : layers) {
        for (Tensor* last : {&layer.attention.w_o.weight, &layer.feed_forward.down.weight})
            *last = *last * static_cast<float>(scale);
        x = layer(x, wiring);
    }
    return cosine(input.values(), x.values());
}

struct Start {
    const char* name;
    stack::Wiring wiring;
    double (*scale)(double layers);  // of the last matrices
};
const Start starts[] = {
    {"s(x), as drawn", stack::Wiring::plain, [](double) { return 1.0; }},
    {"post-norm, as drawn", stack::Wiring::post_norm, [](double) { return 1.0; }},
    {"pre-norm, as drawn", stack::Wiring::pre_norm, [](double) { return 1.0; }},
    {"1/sqrt(2 layers)", stack::Wiring::pre_norm, [](double n) { return 1.0 / std::sqrt(2.0 * n); }},
    {"times 0", stack::Wiring::pre_norm, [](double) { return 0.0; }}};

}  // namespace

LineFigure measure_identity(Show& show) {
    LinePanel panel{"cosine between input and output", "layers", "cosine", true};
    show.out
        << "  The last two: pre-norm, the last matrix of each sublayer multiplied by 1/sqrt(2 layers), and "
           "by 0.\n";
    fmt::print(show.out, "{:>6} |", "layers");
    for (const Start& start : starts) {
        fmt::print(show.out, " {:>19}", start.name);
        panel.series.push_back({start.wiring == stack::Wiring::pre_norm && start.scale(4.0) != 1.0
                                    ? std::string("pre-norm, ") + start.name
                                    : start.name});
    }
    show.out << '\n';
    for (std::size_t depth = 1; depth <= stack::deepest; depth *= 2) {
        const double n = static_cast<double>(depth);
        std::string row = fmt::format("{:>6} |", depth);  // printed when it is whole
        for (std::size_t i = 0; i < std::size(starts); ++i) {
            double mean = 0.0;
            for (std::size_t k = 0; k < stack::seeds; ++k)
                mean += cosine_through(depth, starts[i].scale(n), starts[i].wiring, show.options.seed + k) /
                        stack::seeds;
            panel.series[i].add(n, mean);
            row += fmt::format(" {:>19.3f}", mean);
        }
        show.out << row << '\n';
    }
    return {
        .name = "identity",
        .title = "How much of its input an untrained stack passes on",
        .panels = {panel},
        .caption =
            "With zeros in the last matrices the stack passes on its input unchanged (cosine 1). With "
            "the factor 1/sqrt(2 layers) the output stays close to the input at every depth. With ordinary "
            "random weights (as drawn) pre-norm loses it slowly, post-norm faster, and s(x) at once."};
}

}  // namespace tfs
