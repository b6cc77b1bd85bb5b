// chapters/08_encoder_decoder/given/checks.hpp · the checks of chapter 08, given: errors with the likely
// cause
#pragma once

#include <string_view>

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

// ShapeError where x (batch, target, d_model) and memory (batch, source, d_model) are not as many sequences.
// A product alone would broadcast a batch of 1.
void require_same_batch(std::string_view operation, const Tensor& x, const Tensor& memory);

// The same config without rotary positions, for cross-attention.
[[nodiscard]] BlockConfig without_rotary(const BlockConfig& config);

// The norm at the end of a stack, where its config wants one.
[[nodiscard]] std::optional<Norm> make_final_norm(const StackConfig& config);

}  // namespace tfs
