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
    const char *column, *curve;
    stack::Wiring wiring;
    double (*scale)(double layers);  // of the last matrices
};
const Start starts[] = {
    {"s(x), as drawn", "s(x), as drawn", stack::Wiring::plain, [](double) { return 1.0; }},
    {"post-norm, as drawn", "post-norm, as drawn", stack::Wiring::post_norm, [](double) { return 1.0; }},
    {"pre-norm, as drawn", "pre-norm, as drawn", stack::Wiring::pre_norm, [](double) { return 1.0; }},
    {"1/sqrt(2 layers)", "pre-norm, 1/sqrt(2 layers)", stack::Wiring::pre_norm,
     [](double n) { return 1.0 / std::sqrt(2.0 * n); }},
    {"times 0", "pre-norm, times 0", stack::Wiring::pre_norm, [](double) { return 0.0; }}};

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
    LinePanel panel{"cosine between input and output", "layers", "cosine", true};
    for (const Start& start : starts)
        panel.series.push_back(series(table, "layers", start.column, start.curve));
    Report report;
    report.note(
        "The last two: pre-norm, the last matrix of each sublayer multiplied by 1/sqrt(2 layers), and by 0.");
    report.add(table);
    report.add(LineFigure{
        .name = "identity",
        .title = "How much of its input an untrained stack passes on",
        .panels = {panel},
        .caption =
            "With zeros in the last matrices the stack passes on its input unchanged (cosine 1). With "
            "the factor 1/sqrt(2 layers) the output stays close to the input at every depth. With ordinary "
            "random weights (as drawn) pre-norm loses it slowly, post-norm faster, and s(x) at once."});
    return report;
}

}  // namespace

Section stack_identity() {
    return {.id = "identity",
            .title = "A residual stack can begin as the identity",
            .level = Level::deeper,
            .options = {options::seed},
            .run = show_identity};
}

}  // namespace tfs
