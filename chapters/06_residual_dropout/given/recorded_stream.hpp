// chapters/06_residual_dropout/given/recorded_stream.hpp · the stream of a trained decoder, in its parts, recorded: what the step logit_shares reads
#pragma once

#include <string>
#include <vector>

#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

// One position of the decoder of characters (common/program/recording.hpp says how it is recorded).
struct RecordedStream {
    std::string text;  // what the decoder read: the last 30 characters
    std::vector<std::string>
        names;     // of the parts: "embedding", "block 1, attention", …, and at the end "beta"
    Tensor parts;  // (parts, d_model): their sum is the stream that leaves the last block
    FinalNorm norm;
    Tensor table;                        // (vocab, d_model): its rows times the normed stream are the logits
    std::string characters;              // of the vocabulary: the i-th one has the id i
    std::vector<std::size_t> likeliest;  // the ids of the five likeliest next characters
};

inline constexpr std::size_t recorded_streams = 50;

// ValueError if there is no such position.
[[nodiscard]] RecordedStream recorded_stream(std::size_t position);

}  // namespace tfs
