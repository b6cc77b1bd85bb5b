// bench/plain_xtensor.hpp · the hot operations as one writes them with xtensor alone: what the fast ones are compared with
#pragma once

#include "common/base/xtensor.hpp"

namespace tfs::bench {

// Along the last axis.
Array xtensor_softmax(const Array& x);

// q (batch, heads, query, d_k), k (batch, heads, key, d_k), v (batch, heads, key, d_v) -> (batch, heads, query, d_v)
Array xtensor_attention(const Array& q, const Array& k, const Array& v);

// Along the last axis.
Array xtensor_layer_norm(const Array& x, const Array& gamma, const Array& beta, float eps);
Array xtensor_rms_norm(const Array& x, const Array& gamma, float eps);

// Element by element, each in one expression.
Array xtensor_gelu(const Array& x);
Array xtensor_gelu_tanh(const Array& x);
Array xtensor_silu(const Array& x);

}  // namespace tfs::bench
