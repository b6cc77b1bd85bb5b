// chapters/08_encoder_decoder/given/stack_checks.hpp · the checks of chapter 08, given: errors with the likely cause
#pragma once

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

// ShapeError if two shapes, called so, do not begin with as many sequences.
void require_as_many(std::string_view who, std::string_view source_name, const Shape& source,
                     std::string_view target_name, const Shape& target);

// The same of what an encoder-decoder gets; other ranks are for its blocks to refuse.
void require_same_batch(std::string_view who, const Tensor& source, const Tensor& target);

}  // namespace tfs
