// chapters/07_block/program/stack_gradients.cpp · the gradients that arrive at the blocks of deep stacks
#include <fmt/format.h>

#include <algorithm>

#include "chapters/07_block/program/deep_stacks.hpp"

namespace tfs {

namespace {

Table first_and_last(const std::vector<StacksOfDepth>& stacks) {
    Table table{.columns = {{"blocks", whole()},
                            {"post-norm: first", fixed(3)},
                            {"post-norm: last", fixed(3)},
                            {"pre-norm: first", fixed(3)},
                            {"pre-norm: last", fixed(3)}}};
    for (const auto& [depth, kinds] : stacks) {
        const std::vector<double>&post = kinds[0].gradients, &pre = kinds[1].gradients;
        table.add({depth, post.front(), post.back(), pre.front(), pre.back()});
    }
    return table;
}

Table spread_of_first(const std::vector<StacksOfDepth>& stacks) {
    Table table{.title = "The first block, lowest and highest of the seeds",
                .columns = {{"blocks", whole()},
                            {"post-norm: lowest", fixed(3)},
                            {"post-norm: highest", fixed(3)},
                            {"pre-norm: lowest", fixed(3)},
                            {"pre-norm: highest", fixed(3)}}};
    for (const auto& [depth, kinds] : stacks) {
        std::vector<Cell> row{depth};
        for (const std::size_t kind : {0U, 1U}) {
            const auto [low, high] =
                std::minmax_element(kinds[kind].of_first.begin(), kinds[kind].of_first.end());
            row.insert(row.end(), {*low, *high});
        }
        table.add(row);
    }
    return table;
}

// Some blocks of the stacks, a column for each.
Table profile(const StacksOfDepth& stacks) {
    constexpr std::size_t shown[] = {1, 8, 16, 24, 32, 40, 48};
    Table table{.title = fmt::format("The gradient inside a stack of {}", stacks.depth),
                .columns = {{"block"}}};
    for (const std::size_t block : shown) table.columns.push_back({std::to_string(block), fixed(3)});
    for (std::size_t k = 0; k < stack_kinds.size(); ++k) {
        std::vector<Cell> row{stack_kinds[k]};
        for (const std::size_t block : shown) row.emplace_back(stacks.kinds[k].gradients[block - 1]);
        table.add(row);
    }
    return table;
}

LineFigure gradient_figure(const StacksOfDepth& stacks) {
    return {.name = "gradients",
            .title =
                "In pre-norm the first blocks get the largest gradient, in post-norm the "
                "later ones",
            .panels = {{.title = fmt::format("in a stack of {} untrained blocks", stacks.depth),
                        .x_axis = "block",
                        .y_axis = "gradient of the block's parameters",
                        .series = along_stack(stacks, &StackLayers::gradients, 1),
                        .from_zero = true}},
            .caption =
                fmt::format("The norm of the gradient that arrives at the parameters of each block, before "
                            "any training; geometric mean of {} seeds. LLaMA's kind is not drawn.",
                            stack_seeds)};
}

Report show_stacks(const Request& request) {
    const std::vector<StacksOfDepth> stacks = run_stacks(request);
    Report report;
    report.note(fmt::format(
        "{} positions of width {}; norm of the gradient of a block's parameters; geometric mean of {} seeds",
        stack_seq, stack_width, stack_seeds));
    report.add(first_and_last(stacks));
    report.add(spread_of_first(stacks));
    report.add(profile(stacks.back()));
    report.add(gradient_figure(stacks.back()));
    report.add(residual_stream(stacks.back()));
    return report;
}

}  // namespace

Sections stack_gradients_sections() {
    return {{"stacks",
             "Stacks of untrained blocks: which gradient arrives?",
             show_stacks,
             {options::seed},
             Level::deeper}};
}

}  // namespace tfs
