// chapters/04_normalization/given/normalization.cpp · checks, rows of mean 0 and variance 1, the nearest bfloat16
#include "chapters/04_normalization/given/norm_checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "chapters/04_normalization/normalization.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

namespace {

void require_eps(std::string_view operation, float eps) {
    if (!std::isfinite(eps) || eps < 0.0f) {
        throw ValueError(
            fmt::format("{}: eps = {} must be finite and not negative; 1e-5 is usual", operation, eps));
    }
}

}  // namespace

void require_layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps) {
    require_shapes("layer_norm",
                   {{"x", x, "... d_model+"}, {"gamma", gamma, "d_model"}, {"beta", beta, "d_model"}});
    if (x.size(-1) == 1) {
        throw ValueError(
            fmt::format("layer_norm: x {} has width 1, and the variance of one value is 0: the result would "
                        "be beta, whatever x is",
                        to_string(x.shape())));
    }
    require_eps("layer_norm", eps);
}

void require_rms_norm(const Tensor& x, const Tensor& gamma, float eps) {
    require_shapes("rms_norm", {{"x", x, "... d_model+"}, {"gamma", gamma, "d_model"}});
    require_eps("rms_norm", eps);
}

void require_norm_sizes(std::string_view layer, std::size_t width, std::size_t smallest, float eps) {
    if (width < smallest) {
        throw ValueError(fmt::format(
            "{}: a width of {} is too small; {}", layer, width,
            smallest == 2 ? "a variance needs at least 2 features" : "there must be at least 1 feature"));
    }
    require_eps(layer, eps);
}

void require_batch(std::string_view operation, const Tensor& x, std::size_t values) {
    require_shapes(operation,
                   {{"x", x, "... seq features+", "it is (batch, features) or (batch, seq, features)"}});
    std::size_t found = 1;
    for (std::size_t axis = 0; axis + 1 < x.rank(); ++axis) found *= x.shape()[axis];
    if (found >= values) return;
    throw ValueError(fmt::format("{}: x {} has {} for each feature; {}", operation, to_string(x.shape()),
                                 found == 0 ? "no value" : "one value",
                                 found == 0 ? "the batch is empty"
                                            : "its variance is 0 and every output would be beta, so training "
                                              "needs at least 2 values"));
}

void require_features(const Tensor& x, std::size_t features) {
    require_shapes("BatchNorm", {{"x", x, "... features"}}, {{"features", features, "this layer"}});
}

void require_backward(const NormalisedRows& forward, const Array& gamma, const Array& dy) {
    require_shapes("layer_norm_backward", {{"x_hat", forward.x_hat, "tokens d_model+"},
                                           {"rstd", forward.rstd, "tokens"},
                                           {"gamma", gamma, "d_model"},
                                           {"dy", dy, "tokens d_model"}});
}

void require_momentum(float momentum) {
    if (!(momentum >= 0.0f && momentum <= 1.0f)) {
        throw ValueError(fmt::format(
            "BatchNorm: momentum = {} must be between 0 and 1; it is the share of the new batch", momentum));
    }
}

NormalisedRows normalised_rows(const Array& x, float eps) {
    require_shapes("normalised_rows", {{"x", x, "tokens d_model+"}});
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

}  // namespace tfs
