// chapters/08_encoder_decoder/given/stacks.hpp · what the steps of chapter 08 are given: checks, with the likely cause, and parts of stacks
#pragma once

#include <string>
#include <string_view>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

// What enters a block, for which `attention` is the first sublayer: x (batch, seq, d_model), and a padding called `name`
// of the keys that the pass has, (batch, 1, 1, key) or, the same for all sequences, (1, 1, 1, key). ShapeError.
// A mask (batch, seq) would pass for one of (query, key) where both are equal; a causal mask is no padding.
void require_padded_input(std::string_view who, const AttentionSublayer& attention, const Tensor& x,
                          std::string_view name, const std::optional<Mask>& padding, const Pass& pass);

// What cross-attention takes: x (batch, target, d_model), keys and values of as many sequences, and source_padding for
// their positions. ShapeError: attention would throw as well, but knows no memory.
void require_cross_input(std::string_view who, const AttentionSublayer& cross, const Tensor& x,
                         const KeysValues& keys_values, const std::optional<Mask>& source_padding);

// What a decoder takes: a memory with keys and values for each of its blocks. ValueError.
void require_layers(std::string_view who, const Memory& memory, std::size_t blocks);

// As many sequences in the source of an encoder-decoder as in its target. ShapeError.
void require_same_batch(std::string_view who, const Tensor& source, const Tensor& target);

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
