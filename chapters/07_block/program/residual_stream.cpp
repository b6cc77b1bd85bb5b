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
    report.add(LineFigure{
        .name = "stream",
        .title = "The residual stream of pre-norm grows from block to block",
        .panels = {{.title = fmt::format("size of x in a stack of {} untrained blocks", stacks.depth),
                    .x_axis = "blocks passed",
                    .y_axis = "root mean square",
                    .series = along_stack(stacks, &StackLayers::sizes, 0),
                    .from_zero = true}},
        .caption =
            "Each pre-norm block adds to x. A post-norm block ends with a norm, so its output keeps the "
            "size 1."});
    return report;
}

}  // namespace tfs
