// common/nn/no_weights.hpp · a guard: nobody will read the weights of attention
#pragma once

#include "common/base/scoped_flag.hpp"
#include "common/tensor/tensor.hpp"

namespace tfs {

// While one of these lives, attention in this thread need not return its weights, and may save the memory for them, which
// grows with the square of the length. Instead it returns weights_not_kept().
//     {
//         const NoWeights no_weights;
//         output = attention(q, k, v).output;
//     }
struct NoWeights : ScopedFlag {
    NoWeights();
};

// Whether attention must return its weights: no NoWeights lives in this thread.
[[nodiscard]] bool weights_are_kept();

// What attention returns in place of its weights: a tensor without values, of size() 0. Reading it is a ValueError that names
// the guard.
[[nodiscard]] Tensor weights_not_kept();

}  // namespace tfs
