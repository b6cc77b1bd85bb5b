// chapters/08_encoder_decoder/program/three_models.hpp · an encoder, a decoder and an encoder-decoder of one size, on one input
#pragma once

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "common/program.hpp"

namespace tfs {

// Untrained models, and what enters them: token embeddings plus positions.
struct ThreeModels {
    StackConfig config;
    Stack encoder, decoder;  // of equal parameters: only the mask differs
    EncoderDecoder both;
    Tokens source_words, target_words;
    Tensor source, target;  // (1, source, d_model), (1, target, d_model)
};
ThreeModels make_three_models(const StackConfig& config, const Tokens& source, const Tokens& target,
                              std::uint64_t seed);

// What one run of all three gives.
struct ThreeOutputs {
    StackOutput encoder, decoder;
    Memory memory;
    CrossStackOutput both;
};

// Runs all three and traces the shapes.
ThreeOutputs trace_three_models(Show& show, const ThreeModels& models);

}  // namespace tfs
