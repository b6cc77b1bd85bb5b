// chapters/07_block/program/residual_stream.cpp · how the residual stream grows through a deep stack
#include <fmt/format.h>

#include "chapters/07_block/program/deep_stacks.hpp"

namespace tfs {

Report residual_stream(const StacksOfDepth& stacks) {
    const std::string title = fmt::format("The residual stream of {} blocks", stacks.depth);
    const StackLayers &post = stacks.kinds[0], &pre = stacks.kinds[1];
    Table table{.title = title,
                .columns = {{"block", whole()},
                            {"pre-norm: size of x", fixed(2)},
                            {"size of its change", fixed(2)},
                            {"share of x", fixed(2)},
                            {"post-norm: share", fixed(2)}}};
    for (const std::size_t block : {1u, 2u, 4u, 8u, 16u, 32u, 48u})
        table.add(
            {block, pre.sizes[block], pre.changes[block - 1], pre.shares[block - 1], post.shares[block - 1]});
    Report report;
    report.add(table);
    report.add(LineFigure{.name = "stream",
                          .title = stack_title(title),
                          .panels = {{.title = "size of x after each block",
                                      .x_axis = "blocks passed",
                                      .y_axis = "root mean square",
                                      .series = along_stack(stacks, &StackLayers::sizes, 0)},
                                     {.title = "what a block changes",
                                      .x_axis = "block",
                                      .y_axis = "rms of the change / rms of its input",
                                      .series = along_stack(stacks, &StackLayers::shares, 1)}},
                          .panels_per_row = 2,
                          .caption =
                              "Left: the residual stream of pre-norm grows from block to block; a post-norm "
                              "block ends with a norm, so its output keeps the size 1. Right: later pre-norm "
                              "blocks therefore change their input by a smaller share."});
    return report;
}

}  // namespace tfs
