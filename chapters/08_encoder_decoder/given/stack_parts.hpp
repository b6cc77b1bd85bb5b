// chapters/08_encoder_decoder/given/stack_parts.hpp · what the constructors of chapter 08 are made with, given
#pragma once

#include <string>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

// The same config without positions, for cross-attention: those of source and target can't be compared.
[[nodiscard]] BlockConfig without_positions(const BlockConfig& config);

// The norm at the end of a stack, where its config wants one.
[[nodiscard]] std::optional<Norm> make_final_norm(const StackConfig& config);

// The parameters of a stack: "blocks.0.…", …, "final_norm.…". The blocks of the three stacks are of three types.
template <class Block>
Parameters stack_parameters(const std::vector<Block>& blocks, const std::optional<Norm>& final_norm) {
    Parameters all;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        append(all, "blocks." + std::to_string(i), blocks[i].parameters());
    if (final_norm) append(all, "final_norm", final_norm->parameters());
    return all;
}

}  // namespace tfs
