// chapters/08_encoder_decoder/program/options.hpp · what several sections of chapter 08 share: options, three models
#pragma once

#include "chapters/08_encoder_decoder/encoder_decoder.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence(32);  // a sheet of larger maps can't be read
inline const TextOption target{"--target", "<s> Le chat dort car il est las",
                               "the target sentence, at most 32 tokens", 32};
inline const CountOption heads = number_of_heads(),
                         d_model = model_width(4, 128);  // a norm of two numbers leaves -1 and 1
inline const CountOption layers{"--layers", 4, 1, 6, "blocks on each side, at most 6"};

// Those that the three models are made with.
inline const std::vector<Option> of_models{text, heads, d_model, target, layers, seed};

}  // namespace options

// An encoder, a decoder and an encoder-decoder of one size, untrained, and what enters them: token embeddings plus positions.
struct ThreeModels {
    StackConfig config;
    Stack encoder, decoder;  // of equal parameters: only the mask differs
    EncoderDecoder both;
    Tokens source_words, target_words;
    Tensor source, target;  // (1, source, d_model), (1, target, d_model)
};
[[nodiscard]] ThreeModels three_models(const Request& request);

}  // namespace tfs
