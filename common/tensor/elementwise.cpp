// common/tensor/elementwise.cpp · exp, log, sqrt, tanh, sigmoid, erf and their gradients
#include <cmath>
#include <numbers>

#include "common/base/parallel.hpp"
#include "common/kernels/row_kernels.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

namespace {

template <class Function>
Array apply(const Array& x, Function function) {
    Array result = Array::from_shape(x.shape());
    const float* in = x.data();
    float* out = result.data();
    parallel_pieces(x.size(), [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) out[i] = function(in[i]);
    });
    return result;
}

// y = f(x) on the tape; `slope(x, y)` is dy/dx.
template <class Slope>
Tensor with_slope(const Tensor& x, Array values, Slope slope) {
    return record(std::move(values), {x}, [x, slope](const Array& y, const Array& grad) {
        Array result = Array::from_shape(y.shape());
        const float *inputs = x.values().data(), *outputs = y.data(), *grads = grad.data();
        float* out = result.data();
        parallel_pieces(y.size(), [=](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) out[i] = grads[i] * slope(inputs[i], outputs[i]);
        });
        add_to_grad(x, std::move(result));
    });
}

}  // namespace

Tensor exp(const Tensor& x) {
    Array y = Array::from_shape(x.shape());
    kernels::exp(x.values(), {y.data(), y.size()});
    return with_slope(x, std::move(y), [](float, float value) { return value; });
}

Tensor sigmoid(const Tensor& x) {
    Array y = Array::from_shape(x.shape());
    kernels::sigmoid(x.values(), {y.data(), y.size()});
    return with_slope(x, std::move(y), [](float, float value) { return value * (1.0f - value); });
}

Tensor log(const Tensor& x) {
    return with_slope(x, apply(x.array(), [](float value) { return std::log(value); }),
                      [](float input, float) { return 1.0f / input; });
}

Tensor sqrt(const Tensor& x) {
    return with_slope(x, apply(x.array(), [](float value) { return std::sqrt(value); }),
                      [](float, float root) { return 0.5f / root; });
}

Tensor tanh(const Tensor& x) {
    return with_slope(x, apply(x.array(), [](float value) { return std::tanh(value); }),
                      [](float, float value) { return 1.0f - value * value; });
}

Tensor erf(const Tensor& x) {
    constexpr float factor = 2.0f * std::numbers::inv_sqrtpi_v<float>;
    return with_slope(x, apply(x.array(), [](float value) { return std::erf(value); }),
                      [](float input, float) { return factor * std::exp(-input * input); });
}

Tensor maximum(const Tensor& x, float floor) {
    return with_slope(x, apply(x.array(), [floor](float value) { return value < floor ? floor : value; }),
                      [floor](float input, float) { return input < floor ? 0.0f : 1.0f; });
}

}  // namespace tfs
