// chapters/04_normalization/given/normalised_rows.cpp · the forward pass of LayerNorm on arrays, and what its gradient needs of it; given
#include <fmt/format.h>

#include <cmath>

#include "chapters/04_normalization/given/norm_checks.hpp"
#include "chapters/04_normalization/normalization.hpp"
#include "common/base/shape.hpp"

namespace tfs {

NormalisedRows normalised_rows(const Array& x, float eps) {
    if (x.dimension() != 2 || x.shape()[1] == 0) {
        throw ShapeError(
            fmt::format("normalised_rows: x must be (tokens, d_model), not {}", to_string(shape_of(x))));
    }
    const std::size_t tokens = x.shape()[0], d_model = x.shape()[1];
    NormalisedRows rows{Array::from_shape(x.shape()), Array::from_shape({tokens})};
    for (std::size_t t = 0; t < tokens; ++t) {
        double mean = 0.0, variance = 0.0;
        for (std::size_t i = 0; i < d_model; ++i) mean += x(t, i) / static_cast<double>(d_model);
        for (std::size_t i = 0; i < d_model; ++i)
            variance += (x(t, i) - mean) * (x(t, i) - mean) / static_cast<double>(d_model);
        const double rstd = 1.0 / std::sqrt(variance + eps);
        rows.rstd(t) = static_cast<float>(rstd);
        for (std::size_t i = 0; i < d_model; ++i)
            rows.x_hat(t, i) = static_cast<float>((x(t, i) - mean) * rstd);
    }
    return rows;
}

void require_backward(const NormalisedRows& forward, const Array& gamma, const Array& dy) {
    const Shape x_hat = shape_of(forward.x_hat), rstd = shape_of(forward.rstd);
    if (x_hat.size() == 2 && x_hat[1] > 0 && rstd == Shape{x_hat[0]} && shape_of(gamma) == Shape{x_hat[1]} &&
        shape_of(dy) == x_hat)
        return;
    throw ShapeError(
        fmt::format("layer_norm_backward: x_hat {}, rstd {}, gamma {} and dy {} don't fit; they are (tokens, "
                    "d_model), (tokens), (d_model) and (tokens, d_model)",
                    to_string(x_hat), to_string(rstd), to_string(shape_of(gamma)), to_string(shape_of(dy))));
}

}  // namespace tfs
