// chapters/08_encoder_decoder/given/parts.hpp · what the constructors of chapter 08 are made with, given
#pragma once

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

// The same config without rotary positions, for cross-attention.
[[nodiscard]] BlockConfig without_rotary(const BlockConfig& config);

// The norm at the end of a stack, where its config wants one.
[[nodiscard]] std::optional<Norm> make_final_norm(const StackConfig& config);

}  // namespace tfs
