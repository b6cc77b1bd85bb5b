// chapters/04_normalization/program/options.hpp · what several sections of chapter 04 share: options, a sentence, norms as functions
#pragma once

#include <functional>

#include "chapters/04_normalization/normalization.hpp"
#include "common/program.hpp"

namespace tfs {

namespace options {

inline const TextOption text = sentence();
inline const CountOption d_model = model_width(2);

}  // namespace options

// token_statistics.cpp · Embeddings of the sentence (1, seq, d_model). We give each token its own size and offset, as later
// layers see them. Reads --text, --d-model, --seed.
[[nodiscard]] Tensor uneven_embeddings(const Request& request);

// A norm as a function of x, so that several can be measured in the same way.
using Normalise = std::function<Tensor(const Tensor&)>;

// BatchNorm in one of its modes; it keeps its running statistics from call to call.
inline Normalise batch_norm(std::size_t features, NormMode mode) {
    return [norm = BatchNorm(features), mode](const Tensor& x) mutable { return norm(x, mode); };
}

// LayerNorm without learned parameters.
inline Tensor plain_layer_norm(const Tensor& x, float eps = 1e-5f) {
    return layer_norm(x, Tensor::ones({x.size(-1)}), Tensor::zeros({x.size(-1)}), eps);
}

}  // namespace tfs
