// chapters/06_residual_dropout/given/residual_dropout.hpp · what the steps are given: checks, and the recorded stream of a trained decoder
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chapters/06_residual_dropout/residual_dropout.hpp"
#include "common/tensor.hpp"

namespace tfs {

// ValueError if p is not in [0, 1). NaN is not.
void require_rate(std::string_view operation, double p);

// ShapeError if a sublayer made something of another shape than x. `+` alone would broadcast where it can.
void require_same_shape(std::string_view operation, const Tensor& x, const Tensor& from_sublayer);

// ShapeError if parts (parts, d_model), the norm (d_model) and table (vocab, d_model) don't fit.
void require_stream(const Tensor& parts, const FinalNorm& norm, const Tensor& table);

// ShapeError if shares have not two axes, ValueError if there are fewer than two characters or no part.
void require_shares(const Tensor& shares);

// One position of the decoder of characters (common/io/weights.hpp says how it is recorded).
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
