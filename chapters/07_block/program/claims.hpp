// chapters/07_block/program/claims.hpp · what the lesson claims, measured: what a block costs, and what a stack of them does
#pragma once

#include <array>

#include "chapters/07_block/cost.hpp"
#include "chapters/07_block/program/sentence.hpp"

namespace tfs {

// The table of the pre-norm block.
void show_summary(std::ostream& out, const Example& example);

// block_parameters, attention_flops and block_activations against counting and against the lines of the table, in all
// configurations of a small block.
void compare_counts(std::ostream& out);

// BERT-base, GPT-2, LLaMA-7B and Qwen-7B: the formula of the notes, each thing that it leaves out, the published total.
void count_published(std::ostream& out);

// The notes' blocks at (768, 12): sizes, parameters, FLOPs, bytes.
void compare_blocks_of_notes(std::ostream& out);

// The shares of FLOPs and kept bytes against the length, for a block of GPT-2; the figure has parameters and FLOPs by part.
BarFigure measure_cost_by_length(std::ostream& out);

// block_activations against tape_bytes of real blocks; what differs is named.
void compare_with_tape(std::ostream& out, const Example& example);

// attention(norm(x), norm(x), norm(x)) as the notes write it: what it computes, keeps and costs.
void measure_three_norms(std::ostream& out, const Example& example);

// What the blocks of one stack do, typical of some seeds.
struct Layers {
    std::vector<double> gradients;  // the norm of the gradient of each block's parameters
    std::vector<double> sizes;      // root mean square of x before the first block and after each
    std::vector<double> changes;    // that of what each block changed, divided by that of its input
};

struct StackClaims {
    LineFigure gradients;
    std::array<Layers, 3> deepest;  // 48 blocks: post-norm, pre-norm, LLaMA's kind
};

// Gradients in stacks of 2 … 48 blocks: at the first layer against depth, and at each layer of the deepest.
StackClaims measure_gradients(std::ostream& out, std::uint64_t seed);

// The size of x after each block of the deepest stacks, and the share of it that the block changed.
LineFigure show_stream(std::ostream& out, const std::array<Layers, 3>& deepest);

}  // namespace tfs
