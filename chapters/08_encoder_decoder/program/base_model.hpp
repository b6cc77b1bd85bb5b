// chapters/08_encoder_decoder/program/base_model.hpp · the config of the base model of 2017
#pragma once

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"

namespace tfs {

// A stack of the base model of Vaswani et al. 2017, with the biases that torch.nn.Transformer gives to attention.
inline StackConfig base_stack() {
    StackConfig config{original_block(), 6, true};
    config.block.attention_bias = AttentionBias::all;
    return config;
}

}  // namespace tfs
