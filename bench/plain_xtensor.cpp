// bench/plain_xtensor.cpp · the hot operations in xtensor expressions and xt::linalg::dot
#include "bench/plain_xtensor.hpp"

#include <cmath>

#include "common/base/xtensor_math.hpp"

#include <xtensor-blas/xlinalg.hpp>

namespace tfs::bench {

Array xtensor_softmax(const Array& x) {
    // The reductions are evaluated first: inside a larger expression a lazy one with keep_dims gives wrong numbers.
    const std::size_t last = x.dimension() - 1;
    const Array largest = xt::amax(x, {last}, xt::keep_dims);
    const Array exponentials = xt::exp(x - largest);
    const Array total = xt::sum(exponentials, {last}, xt::keep_dims);
    return exponentials / total;
}

Array xtensor_attention(const Array& q, const Array& k, const Array& v) {
    const std::size_t batch = q.shape()[0], heads = q.shape()[1], queries = q.shape()[2], keys = k.shape()[2];
    const float scale = 1.0f / std::sqrt(static_cast<float>(q.shape()[3]));
    // dot is fast for two matrices only, and ignores where a view begins: each head is copied out and back.
    Array scores = Array::from_shape({batch, heads, queries, keys});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t h = 0; h < heads; ++h) {
            const Array q_head = xt::view(q, b, h), k_head = xt::view(k, b, h);
            xt::view(scores, b, h) = scale * xt::linalg::dot(q_head, xt::transpose(k_head));
        }
    }
    const Array weights = xtensor_softmax(scores);
    Array output = Array::from_shape({batch, heads, queries, v.shape()[3]});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t h = 0; h < heads; ++h) {
            const Array w_head = xt::view(weights, b, h), v_head = xt::view(v, b, h);
            xt::view(output, b, h) = xt::linalg::dot(w_head, v_head);
        }
    }
    return output;
}

Array xtensor_layer_norm(const Array& x, const Array& gamma, const Array& beta, float eps) {
    const std::size_t last = x.dimension() - 1;
    const Array mean = xt::mean(x, {last}, xt::keep_dims);
    const Array centred = x - mean;
    const Array variance = xt::mean(centred * centred, {last}, xt::keep_dims);
    return gamma * (centred / xt::sqrt(variance + eps)) + beta;
}

Array xtensor_rms_norm(const Array& x, const Array& gamma, float eps) {
    const std::size_t last = x.dimension() - 1;
    const Array mean_square = xt::mean(x * x, {last}, xt::keep_dims);
    return gamma * (x / xt::sqrt(mean_square + eps));
}

Array xtensor_gelu(const Array& x) { return 0.5f * x * (1.0f + xt::erf(x / std::sqrt(2.0f))); }

Array xtensor_gelu_tanh(const Array& x) {
    return 0.5f * x * (1.0f + xt::tanh(0.79788456f * (x + 0.044715f * x * x * x)));
}

Array xtensor_silu(const Array& x) { return x / (1.0f + xt::exp(-x)); }

}  // namespace tfs::bench
