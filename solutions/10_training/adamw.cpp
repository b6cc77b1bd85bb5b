// Step 10.2 · adamw · ●●○ · 20 min
// solutions/10_training/adamw.cpp
#include <cmath>
#include <string>

#include "chapters/10_training/given/training_checks.hpp"
#include "chapters/10_training/training.hpp"
#include "common/nn/parameters.hpp"

namespace tfs {

bool decays(const NamedTensor& parameter) {
    // begin: Which parameters have two axes or more, and are no table of positions?
    return parameter.tensor.rank() >= 2 && parameter.name.find("positions") == std::string::npos;
    // end
}

void AdamW::step(double rate) {
    require_step(*this, rate);
    // begin: Count the step; then the four lines of the contract for each parameter that has a gradient. `m[i]` and `v[i]`
    // belong to `parameters[i]`. Compute in double.
    ++steps;
    const double t = static_cast<double>(steps);
    const double correction1 = 1.0 - std::pow(options.beta1, t),
                 correction2 = 1.0 - std::pow(options.beta2, t);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        Tensor& tensor = parameters[i].tensor;
        if (!tensor.has_grad()) continue;
        const double kept = decays(parameters[i]) ? 1.0 - rate * options.weight_decay : 1.0;
        const float* g = tensor.grad().data();
        float* p = tensor.mutable_array().data();
        for (std::size_t j = 0; j < tensor.size(); ++j) {
            const double gradient = g[j];
            const double mean = options.beta1 * m[i].data()[j] + (1.0 - options.beta1) * gradient;
            const double square =
                options.beta2 * v[i].data()[j] + (1.0 - options.beta2) * gradient * gradient;
            const double direction = mean / correction1 / (std::sqrt(square / correction2) + options.epsilon);
            p[j] = static_cast<float>(kept * p[j] - rate * direction);
            m[i].data()[j] = static_cast<float>(mean);
            v[i].data()[j] = static_cast<float>(square);
        }
    }
    // end
}

}  // namespace tfs
