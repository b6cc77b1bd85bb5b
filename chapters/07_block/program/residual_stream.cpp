// chapters/07_block/program/residual_stream.cpp · how the residual stream grows through a deep stack
#include "chapters/07_block/program/sections.hpp"

#include <fmt/ostream.h>

namespace tfs {

namespace {

LineFigure stream_figure(const StacksOfDepth& stacks) {
    LineFigure figure{.name = "stream",
                      .title = stack_title(fmt::format("The residual stream of {} blocks", stacks.depth)),
                      .panels_per_row = 2,
                      .caption =
                          "Left: the residual stream of pre-norm grows from block to block; a post-norm "
                          "block ends with a norm, so its output keeps the size 1. Right: later pre-norm "
                          "blocks therefore change their input by a smaller share."};
    figure.panels = {{"size of x after each block", "blocks passed", "root mean square"},
                     {"what a block changes", "block", "rms of the change / rms of its input"}};
    for (std::size_t k = 0; k < stack_kinds.size(); ++k) {
        figure.panels[0].series.push_back(series_along_stack(stack_kinds[k], stacks.kinds[k].sizes, 0));
        figure.panels[1].series.push_back(series_along_stack(stack_kinds[k], stacks.kinds[k].shares, 1));
    }
    return figure;
}

}  // namespace

LineFigure show_stream(Show& show, const StacksOfDepth& stacks) {
    fmt::print(show.out, "  {:>6}{:>20}{:>20}{:>20}{:>20}\n", "block", "pre-norm: size of x",
               "size of its change", "share of x", "post-norm: share");
    const StackLayers &post = stacks.kinds[0], &pre = stacks.kinds[1];
    constexpr std::size_t shown[] = {1, 2, 4, 8, 16, 32, 48};
    for (const std::size_t depth : shown)
        fmt::print(show.out, "  {:>6}{:>20.2f}{:>20.2f}{:>20.2f}{:>20.2f}\n", depth, pre.sizes[depth],
                   pre.changes[depth - 1], pre.shares[depth - 1], post.shares[depth - 1]);
    return stream_figure(stacks);
}

}  // namespace tfs
