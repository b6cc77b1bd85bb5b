// chapters/04_normalization/given/norm_checks.hpp · the checks of chapter 04, given: errors with the numbers and the likely cause
#pragma once

#include <string_view>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

// x (..., d_model) with a d_model of at least 2, gamma and beta (d_model), eps finite and not negative.
void require_layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, float eps);

// x (..., d_model), gamma (d_model), eps finite and not negative.
void require_rms_norm(const Tensor& x, const Tensor& gamma, float eps);

// For constructors: `width` features, at least `smallest` of them; eps finite and not negative.
void require_norm_sizes(std::string_view layer, std::size_t width, std::size_t smallest, float eps);

// x_hat (tokens, d_model), rstd (tokens), gamma (d_model), dy as x_hat.
void require_backward(const NormalisedRows& forward, const Array& gamma, const Array& dy);

// x (..., features) with two axes or more, and at least `values` values for each feature.
void require_batch(std::string_view operation, const Tensor& x, std::size_t values);

// The last axis of x is `features`; `momentum` lies in [0, 1].
void require_features(const Tensor& x, std::size_t features);
void require_momentum(float momentum);

}  // namespace tfs
