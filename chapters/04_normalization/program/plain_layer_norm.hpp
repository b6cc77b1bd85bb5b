// chapters/04_normalization/program/plain_layer_norm.hpp · LayerNorm without learned parameters
#pragma once

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

inline Tensor plain_layer_norm(const Tensor& x, float eps) {
    return layer_norm(x, Tensor::ones({x.size(-1)}), Tensor::zeros({x.size(-1)}), eps);
}

}  // namespace tfs
