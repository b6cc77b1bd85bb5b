// Step 10.4 · clip_by_global_norm · ●○○ · 10 min
// solutions/10_training/clip_by_global_norm.cpp
#include <cmath>

#include "chapters/10_training/given/checks.hpp"
#include "chapters/10_training/training.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

double clip_by_global_norm(Parameters parameters, double largest) {
    // begin: One length for all gradients together, in double. Check it (`require_norm(parameters, largest, norm)`), and where
    // it is too long, shorten all gradients by the same factor.
    double squares = 0.0;
    for (const NamedTensor& parameter : parameters) {
        if (!parameter.tensor.has_grad()) continue;
        for (const float value : parameter.tensor.grad()) squares += static_cast<double>(value) * value;
    }
    const double norm = std::sqrt(squares);
    require_norm(parameters, largest, norm);
    if (norm > largest) {
        for (NamedTensor& parameter : parameters)
            if (parameter.tensor.has_grad())
                parameter.tensor.mutable_grad() *= static_cast<float>(largest / norm);
    }
    return norm;
    // end
}

}  // namespace tfs
