// tests/04_normalization/checklist.hpp · what several checks of chapter 04 share
#pragma once

#include "chapters/04_normalization/normalization.hpp"

namespace tfs::test {

// From the tested operations of the tensor layer, so that no check of one step needs another: each row less its mean, divided by the
// root of its variance plus eps.
inline Tensor normalised(const Tensor& x, float eps = 1e-5f) {
    return (x - mean(x, -1, KeepDims::yes)) / sqrt(variance(x, -1, KeepDims::yes) + eps);
}

}  // namespace tfs::test
