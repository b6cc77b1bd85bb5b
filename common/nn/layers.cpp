// common/nn/layers.cpp · initial values and forward passes of Linear and Embedding
#include "common/nn/layers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tfs {

namespace {

void require_sizes(const char* layer, std::size_t a, std::size_t b) {
    if (a == 0 || b == 0)
        throw ValueError(fmt::format("{}({}, {}): both sizes must be at least 1", layer, a, b));
}

}  // namespace

Linear::Linear(std::size_t in, std::size_t out, Rng& rng, Bias with_bias) {
    require_sizes("Linear", in, out);
    const double bound = std::sqrt(6.0 / static_cast<double>(in + out));
    weight = Tensor(rng.uniform_array({out, in}, -bound, bound), true);
    if (with_bias == Bias::yes) bias = Tensor::zeros({out}).set_requires_grad(true);
}

Tensor Linear::operator()(const Tensor& x) const { return linear(x, weight, bias ? &*bias : nullptr); }

Parameters Linear::parameters() const {
    Parameters all{{"weight", weight}};
    if (bias) all.push_back({"bias", *bias});
    return all;
}

Embedding::Embedding(std::size_t count, std::size_t size, Rng& rng) {
    require_sizes("Embedding", count, size);
    weight = Tensor(rng.normal_array({count, size}), true);
}

Tensor Embedding::operator()(const Ids& ids) const { return embedding(weight, ids); }

Parameters Embedding::parameters() const { return {{"weight", weight}}; }

}  // namespace tfs
