// chapters/05_feed_forward/given/pointwise.hpp · y = f(x) and its gradient, one pass each: for the fast solutions
#pragma once

#include "common/base/parallel.hpp"
#include "common/tensor.hpp"

namespace tfs {

// y = value(x), and dx = dy * slope(x), entry by entry. Both functions are inlined into a loop that the compiler turns
// into vector code, so they must be free of branches and library calls. The slope is computed from x anew: nothing but x
// is kept for it.
template <class Value, class Slope>
Tensor pointwise(const Tensor& x, Value value, Slope slope) {
    Array y = Array::from_shape(x.shape());
    const float* in = x.values().data();
    float* out = y.data();
    parallel_pieces(y.size(), [=](std::size_t begin, std::size_t end) {
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) out[i] = value(in[i]);
    });
    return record(std::move(y), {x}, [x, slope](const Array& result, const Array& grad) {
        Array dx = Array::from_shape(result.shape());
        const float *inputs = x.values().data(), *dy = grad.data();
        float* to = dx.data();
        parallel_pieces(dx.size(), [=](std::size_t begin, std::size_t end) {
#pragma omp simd
            for (std::size_t i = begin; i < end; ++i) to[i] = dy[i] * slope(inputs[i]);
        });
        add_to_grad(x, std::move(dx));
    });
}

}  // namespace tfs
