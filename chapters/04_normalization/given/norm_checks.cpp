// chapters/04_normalization/given/norm_checks.cpp · the checks of chapter 04, given
#include "chapters/04_normalization/given/norm_checks.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tfs {

namespace {

void require_eps(std::string_view operation, float eps) {
    if (!std::isfinite(eps) || eps < 0.0f) {
        throw ValueError(
            fmt::format("{}: eps = {} must be finite and not negative; 1e-5 is usual", operation, eps));
    }
}

// x has a last axis, and `parameter` has its shape.
void require_row_parameter(std::string_view operation, const Tensor& x, std::string_view name,
                           const Tensor& parameter) {
    if (x.rank() == 0 || x.size(-1) == 0) {
        throw ShapeError(fmt::format("{}: x {} has no features to normalise; its last axis must not be empty",
                                     operation, to_string(x.shape())));
    }
    if (parameter.shape() != Shape{x.size(-1)}) {
        throw ShapeError(
            fmt::format("{}: {} {} doesn't fit x {}; it needs one number for each of the {} features",
                        operation, name, to_string(parameter.shape()), to_string(x.shape()), x.size(-1)));
    }
}

}  // namespace

void require_layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps) {
    require_row_parameter("layer_norm", x, "gamma", gamma);
    require_row_parameter("layer_norm", x, "beta", beta);
    if (x.size(-1) == 1) {
        throw ValueError(
            fmt::format("layer_norm: x {} has width 1, and the variance of one value is 0: the result would "
                        "be beta, whatever "
                        "x is",
                        to_string(x.shape())));
    }
    require_eps("layer_norm", eps);
}

void require_rms_norm(const Tensor& x, const Tensor& gamma, float eps) {
    require_row_parameter("rms_norm", x, "gamma", gamma);
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
    if (x.rank() < 2) {
        throw ShapeError(fmt::format("{}: x must be (batch, features) or (batch, seq, features), not {}",
                                     operation, to_string(x.shape())));
    }
    if (x.size(-1) == 0) {
        throw ShapeError(
            fmt::format("{}: x {} has no features to normalise", operation, to_string(x.shape())));
    }
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
    if (x.size(-1) != features) {
        throw ShapeError(fmt::format("BatchNorm: x {} has {} features, but this layer was made for {}",
                                     to_string(x.shape()), x.size(-1), features));
    }
}

void require_momentum(float momentum) {
    if (!(momentum >= 0.0f && momentum <= 1.0f)) {
        throw ValueError(fmt::format(
            "BatchNorm: momentum = {} must be between 0 and 1; it is the share of the new batch", momentum));
    }
}

}  // namespace tfs
