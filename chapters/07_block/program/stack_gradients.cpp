// chapters/07_block/program/stack_gradients.cpp · the gradients that arrive at the blocks of deep stacks
#include "chapters/07_block/program/sections.hpp"

#include <fmt/ostream.h>

#include <algorithm>

namespace tfs {

namespace {

// One curve for each kind of block.
LineFigure gradient_figure(const std::vector<StacksOfDepth>& stacks) {
    const StacksOfDepth& deepest = stacks.back();
    LineFigure figure{
        .name = "gradients",
        .title = stack_title("Gradients in stacks"),
        .panels_per_row = 3,
        .caption =
            "Left: the first pre-norm block gets about the same gradient at every depth; in LLaMA's kind, "
            "also pre-norm, it rises. Middle: in deeper stacks the last block gets less with pre-norm, but "
            "not with post-norm. Right: along a pre-norm stack the gradient falls from the first block to "
            "the last."};
    figure.panels = {
        {"at the first block", "blocks in the stack", "norm of the gradient", true},
        {"at the last block", "blocks in the stack", "norm of the gradient", true},
        {fmt::format("in a stack of {} blocks", deepest.depth), "block", "norm of the gradient"}};
    for (LinePanel& panel : figure.panels) panel.from_zero = true;
    for (std::size_t k = 0; k < stack_kinds.size(); ++k) {
        Series first{stack_kinds[k]}, last{stack_kinds[k]};
        for (const auto& [depth, kinds] : stacks) {
            first.add(static_cast<double>(depth), kinds[k].gradients.front());
            last.add(static_cast<double>(depth), kinds[k].gradients.back());
        }
        figure.panels[0].series.push_back(first);
        figure.panels[1].series.push_back(last);
        figure.panels[2].series.push_back(series_along_stack(stack_kinds[k], deepest.kinds[k].gradients, 1));
    }
    return figure;
}

}  // namespace

LineFigure show_gradients(Show& show, const std::vector<StacksOfDepth>& stacks) {
    fmt::print(show.out,
               "  {} positions of width {}; norm of the gradient of a block's parameters; geometric mean of "
               "{} seeds\n",
               stack_seq, stack_width, stack_seeds);
    fmt::print(show.out, "  {:>6}{:>18}{:>18}{:>18}{:>18}\n", "blocks", "post-norm: first", "last block",
               "pre-norm: first", "last block");
    for (const auto& [depth, kinds] : stacks) {
        const StackLayers &post = kinds[0], &pre = kinds[1];
        fmt::print(show.out, "  {:>6}{:>18.3f}{:>18.3f}{:>18.3f}{:>18.3f}\n", depth, post.gradients.front(),
                   post.gradients.back(), pre.gradients.front(), pre.gradients.back());
    }
    return gradient_figure(stacks);
}

void show_gradient_spread(Show& show, const std::vector<StacksOfDepth>& stacks) {
    fmt::print(show.out, "  {:>6}{:>18}{:>18}{:>18}{:>18}\n", "blocks", "post-norm: lowest", "highest",
               "pre-norm: lowest", "highest");
    for (const auto& [depth, kinds] : stacks) {
        fmt::print(show.out, "  {:>6}", depth);
        for (const std::size_t kind : {0U, 1U}) {
            const auto [low, high] =
                std::minmax_element(kinds[kind].of_first.begin(), kinds[kind].of_first.end());
            fmt::print(show.out, "{:>18.3f}{:>18.3f}", *low, *high);
        }
        show.out << '\n';
    }
}

void show_gradient_profile(Show& show, const StacksOfDepth& deepest) {
    constexpr std::size_t shown[] = {1, 8, 16, 24, 32, 40, 48};
    fmt::print(show.out, "  {:>27}", "block");
    for (const std::size_t block : shown) fmt::print(show.out, "{:>8}", block);
    for (std::size_t k = 0; k < stack_kinds.size(); ++k) {
        fmt::print(show.out, "\n  {:>27}", stack_kinds[k]);
        for (const std::size_t block : shown)
            fmt::print(show.out, "{:>8.3f}", deepest.kinds[k].gradients[block - 1]);
    }
    show.out << '\n';
}

}  // namespace tfs
