// chapters/07_block/program/deep_stacks.hpp · stacks of untrained blocks: the gradient of each block, and the residual stream between them
#pragma once

#include <array>

#include "chapters/07_block/program/options.hpp"

namespace tfs {

inline constexpr std::size_t stack_seq = 16, stack_width = 32, stack_seeds = 10;

// What the blocks of one stack do: geometric means over the seeds.
struct StackLayers {
    std::vector<double> gradients;      // the norm of the gradient of each block's parameters
    std::vector<double> sizes;          // root mean square of x before the first block and after each
    std::vector<double> changes;        // root mean square of what each block changed
    std::vector<double> shares;         // that, divided by the root mean square of its input
    std::vector<double> of_first = {};  // the gradient of the first block, for each seed
};

// The kinds of block that are stacked, all of the same width.
inline constexpr std::array<const char*, 3> stack_kinds{"post-norm", "pre-norm", "LLaMA's kind"};

// One stack of each kind.
struct StacksOfDepth {
    std::size_t depth;
    std::array<StackLayers, stack_kinds.size()> kinds;
};

// Stacks of 2, 4, 8, 16, 32 and 48 blocks, with a last norm where the blocks are pre-norm, and a random gradient from above.
// Reads --seed, and tells of each depth.
[[nodiscard]] std::vector<StacksOfDepth> run_stacks(const Request& request);

// A curve for post-norm and one for pre-norm along the stacks: the first value of the list belongs to the block or position `first`.
[[nodiscard]] std::vector<Series> along_stack(const StacksOfDepth& stacks,
                                              std::vector<double> StackLayers::*list, std::size_t first);

// residual_stream.cpp · the size of x after each block of the stacks, and the share of it that the block changed
[[nodiscard]] Report residual_stream(const StacksOfDepth& stacks);

}  // namespace tfs
