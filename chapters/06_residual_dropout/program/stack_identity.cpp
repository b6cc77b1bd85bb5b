// chapters/06_residual_dropout/program/stack_identity.cpp · how much of its input an untrained stack passes on
#include <fmt/format.h>

#include <cmath>

#include "chapters/06_residual_dropout/models/layer_stack.hpp"
#include "chapters/06_residual_dropout/program/options.hpp"

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
    const char* column;
    const char* curve;  // null: not drawn
    stack::Wiring wiring;
    double (*scale)(double layers);  // of the last matrices
};
const Start starts[] = {
    {"s(x), as initialised", nullptr, stack::Wiring::plain, [](double) { return 1.0; }},
    {"post-norm, as initialised", nullptr, stack::Wiring::post_norm, [](double) { return 1.0; }},
    {"pre-norm, as initialised", "as initialised", stack::Wiring::pre_norm, [](double) { return 1.0; }},
    {"1/sqrt(2 layers)", "last matrix times 1/sqrt(2 layers)", stack::Wiring::pre_norm,
     [](double n) { return 1.0 / std::sqrt(2.0 * n); }},
    {"times 0", "last matrix times 0", stack::Wiring::pre_norm, [](double) { return 0.0; }}};

// The mean over some seeds.
double typical_cosine(std::size_t depth, const Start& start, std::uint64_t seed) {
    double mean = 0.0;
    for (std::size_t k = 0; k < stack::seeds; ++k)
        mean += cosine_through(depth, start.scale(static_cast<double>(depth)), start.wiring, seed + k) /
                stack::seeds;
    return mean;
}

Table cosines(const Request& request) {
    Table table{.columns = {{"layers", whole()}}};
    for (const Start& start : starts) table.columns.push_back({start.column, fixed(3)});
    for (std::size_t depth = 1; depth <= stack::deepest; depth *= 2) {
        request.tell(
            {"progress", fmt::format("layers: {}", depth), {{"layers", static_cast<double>(depth)}}});
        std::vector<Cell> row{depth};
        for (const Start& start : starts)
            row.emplace_back(typical_cosine(depth, start, request[options::seed]));
        table.add(row);
    }
    return table;
}

Report show_identity(const Request& request) {
    const Table table = cosines(request);
    LinePanel panel{.title = "untrained pre-norm stacks",
                    .x_axis = "layers",
                    .y_axis = "cosine of input and output",
                    .log_x = true,
                    .from_zero = true};
    for (const Start& start : starts)
        if (start.curve) panel.series.push_back(series(table, "layers", start.column, start.curve));
    Report report;
    report.note(
        "The last two: pre-norm, the last matrix of each sublayer multiplied by 1/sqrt(2 layers), and by 0.");
    report.add(table);
    report.add(LineFigure{
        .name = "identity",
        .title = "If the last matrix of each sublayer is small, a deep stack begins almost as the "
                 "identity",
        .panels = {panel},
        .caption = "Pre-norm stacks. The last matrix of each sublayer is as initialised, multiplied by "
                   "1/sqrt(2 layers), or 0. At cosine 1 the output points where the input points."});
    return report;
}

}  // namespace

Sections stack_identity_sections() {
    return {{"identity",
             "A residual stack can begin as the identity",
             show_identity,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
