// chapters/07_block/program/stack_gradients.cpp · the gradients that arrive at the blocks of deep stacks
#include "chapters/07_block/program/sections.hpp"

#include <fmt/ostream.h>

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
            "not with post-norm. Right: inside a pre-norm stack the gradient falls."};
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
    fmt::print(show.out, "  {:>6} |{:>11}{:>11} |{:>11}{:>11} |{:>13}{:>11}\n", "blocks", "post first",
               "last", "pre first", "last", "LLaMA first", "last");
    for (const auto& [depth, kinds] : stacks) {
        const auto& [post, pre, llama] = kinds;
        fmt::print(show.out, "  {:>6} |{:>11.3f}{:>11.3f} |{:>11.3f}{:>11.3f} |{:>13.3f}{:>11.3f}\n", depth,
                   post.gradients.front(), post.gradients.back(), pre.gradients.front(), pre.gradients.back(),
                   llama.gradients.front(), llama.gradients.back());
    }
    return gradient_figure(stacks);
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
