// chapters/04_normalization/program/normalise.hpp · a norm as a function of x, so that several can be measured in the same way
#pragma once

#include <functional>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

using Normalise = std::function<Tensor(const Tensor&)>;

// BatchNorm in one of its modes; it keeps its running statistics from call to call.
inline Normalise batch_norm(std::size_t features, NormMode mode) {
    return [norm = BatchNorm(features), mode](const Tensor& x) mutable { return norm(x, mode); };
}

}  // namespace tfs
