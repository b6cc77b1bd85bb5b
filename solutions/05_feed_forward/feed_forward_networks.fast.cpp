// Step 5.2 · feed_forward_networks, fast
// solutions/05_feed_forward/feed_forward_networks.fast.cpp · SwiGLU: gate and product in one pass, and one for both gradients
#include <fmt/format.h>

#include "chapters/05_feed_forward/feed_forward.hpp"
#include "common/base/parallel.hpp"
#include "common/kernels/exp.hpp"

namespace tfs {

namespace {

// With s = sigmoid(g) and y = g s u:  du = dy g s,  dg = dy u (s + g s (1 - s)).
void gated_product_backward(const Tensor& gate, const Tensor& up, const Array& grad) {
    Array d_gate = Array::from_shape(grad.shape()), d_up = Array::from_shape(grad.shape());
    const float *g = gate.values().data(), *u = up.values().data(), *dy = grad.data();
    float *dg = d_gate.data(), *du = d_up.data();
    parallel_pieces(grad.size(), [=](std::size_t begin, std::size_t end) {
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) {
            const float s = kernels::sigmoid(g[i]), silu = g[i] * s;
            du[i] = dy[i] * silu;
            dg[i] = dy[i] * u[i] * (s + silu * (1.0f - s));
        }
    });
    add_to_grad(gate, std::move(d_gate));
    add_to_grad(up, std::move(d_up));
}

// y = silu(gate) * up
Tensor gated_product(const Tensor& gate, const Tensor& up) {
    Array y = Array::from_shape(gate.shape());
    const float *g = gate.values().data(), *u = up.values().data();
    float* out = y.data();
    parallel_pieces(y.size(), [=](std::size_t begin, std::size_t end) {
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) out[i] = g[i] * kernels::sigmoid(g[i]) * u[i];
    });
    return record(std::move(y), {gate, up},
                  [gate, up](const Array&, const Array& grad) { gated_product_backward(gate, up, grad); });
}

}  // namespace

Tensor FeedForward::hidden(const Tensor& x) const { return activate(activation, up(x)); }

Tensor SwiGLU::hidden(const Tensor& x) const { return gated_product(gate(x), up(x)); }

std::size_t swiglu_hidden_size(std::size_t d_ff, std::size_t multiple_of) {
    if (d_ff < 2 || multiple_of == 0) {
        throw ValueError(fmt::format(
            "swiglu_hidden_size: d_ff {}, multiple_of {}: d_ff must be at least 2 and multiple_of at least 1",
            d_ff, multiple_of));
    }
    const std::size_t two_thirds = 2 * d_ff / 3;
    return (two_thirds + multiple_of - 1) / multiple_of * multiple_of;
}

}  // namespace tfs
