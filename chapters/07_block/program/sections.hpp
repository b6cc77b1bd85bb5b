// chapters/07_block/program/sections.hpp · what the program of chapter 07 shows: a function for each section, by the file it lies in
#pragma once

#include "chapters/07_block/models/published_models.hpp"
#include "chapters/07_block/program/deep_stacks.hpp"
#include "chapters/07_block/program/sentence_blocks.hpp"

namespace tfs {

// by_hand.cpp · the lesson's example for pencil and paper: two tokens through a block

// Every step of a pre-norm block, and what both kinds of block give.
void show_block_by_hand(Show& show);

// block_steps.cpp · a sentence through untrained blocks, step by step

// Every step of a block on x (1, seq, d_model) with its shape; in the end the block itself, which must give the same.
void show_pre_norm(Show& show, const Tensor& x);
void show_post_norm(Show& show, const Tensor& x);

// data_flow.cpp · the data flow through a block with its shapes, drawn from its config

// A pre-norm block beside a post-norm block of the same sizes; and a block of LLaMA's kind.
FlowFigure flow_figure(const Show& show);
FlowFigure llama_flow_figure(const Show& show);

// attention_maps.cpp · the attention of trained blocks, or of untrained ones on the sentence

// Two blocks that chapter 10 trained. Prints what "it" looks at. None where they can't do what is asked: then a note says why.
std::optional<HeatMapFigure> show_trained_attention(Show& show);
// The weights of head 1 of untrained blocks. Prints those of the first block.
HeatMapFigure show_untrained_attention(Show& show, const Sentence& sentence);

// kept_bytes.cpp · what the tape of a real block keeps, and what three calls of one norm add to it

// block_activations against tape_bytes of pre-norm, post-norm and LLaMA's block on x (1, seq, d_model); what differs is
// named.
void compare_with_tape(Show& show, const Tensor& x);

// attention(norm(x), norm(x), norm(x)), as some code has it, on embedded tokens (1, seq, d_model): what it computes, keeps
// and costs. The times are measured in turns, on one core.
void measure_three_norms(Show& show, const Tensor& embedded);

// parameter_counts.cpp · parameters of a block: by formula, by counting, by the lines of the table

// In all configurations of a small block. Prints in how many the three agree.
void compare_counts(Show& show);

// parameter_items.cpp · published models counted item by item, from a short formula that leaves much out

// The short formula, each thing that it leaves out, the sum and the published total.
void count_published_models(Show& show);

// two_blocks.cpp · the puzzle: what "it" looks at in two blocks with weights by hand

// For two last words. Prints the weights that matter, and draws all.
void show_two_blocks(Show& show);

// calculator.cpp · what a published model computes and keeps for a sequence of any length

// Parameters, FLOPs and bytes of its parts, its blocks and the whole model. Prints the table.
void show_costs_of(Show& show, const PublishedModel& model, std::size_t seq);

// The sizes of all published models beside each other.
void compare_sizes(Show& show);

// cost_shares.cpp · which part of a block holds, computes and keeps how much

// The shares of FLOPs and kept bytes against the length, for a block of GPT-2. Prints the table; the figure has parameters
// and FLOPs by part, also of other published blocks.
BarFigure show_cost_shares(Show& show);

// stack_gradients.cpp · the gradients that arrive at the blocks of deep stacks

// At the first and the last block against depth. Prints the table; the figure also has LLaMA's kind, and every block of the
// deepest stacks.
LineFigure show_gradients(Show& show, const std::vector<StacksOfDepth>& stacks);

// At the first block against depth: the lowest and the highest of all seeds.
void show_gradient_spread(Show& show, const std::vector<StacksOfDepth>& stacks);

// At some blocks of the deepest stacks.
void show_gradient_profile(Show& show, const StacksOfDepth& deepest);

// residual_stream.cpp · how the residual stream grows through a deep stack

// The size of x after each block of the stacks, and the share of it that the block changed. Prints some of them; the figure
// has all.
LineFigure show_stream(Show& show, const StacksOfDepth& stacks);

}  // namespace tfs
