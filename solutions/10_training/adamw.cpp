// Step 10.3 · adamw · ●●○ · 15 min
// solutions/10_training/adamw.cpp
#include <cmath>

#include "chapters/10_training/given/training_checks.hpp"
#include "chapters/10_training/training.hpp"

namespace tfs {

void AdamW::step(double rate) {
    require_step(*this, rate);
    ++steps;
    const double t = static_cast<double>(steps);
    const double correction1 = 1.0 - std::pow(options.beta1, t),
                 correction2 = 1.0 - std::pow(options.beta2, t);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        Tensor& tensor = parameters[i].tensor;
        if (!tensor.has_grad()) continue;
        const double decay = decays(parameters[i]) ? options.weight_decay : 0.0;
        const float* g = tensor.grad().data();
        float* p = tensor.mutable_array().data();
        // begin: The lines above are right. This loop runs, models learn with it, and it has two faults: compare it with the
        // contract. ./tutorial run 10 --mine -- --section by-hand shows how far it moves a value.
        for (std::size_t j = 0; j < tensor.size(); ++j) {
            const double gradient = g[j];
            const double mean = options.beta1 * m[i].data()[j] + (1.0 - options.beta1) * gradient;
            const double square =
                options.beta2 * v[i].data()[j] + (1.0 - options.beta2) * gradient * gradient;
            const double direction = mean / correction1 / (std::sqrt(square / correction2) + options.epsilon);
            p[j] = static_cast<float>(p[j] - rate * decay * p[j] - rate * direction);
            m[i].data()[j] = static_cast<float>(mean);
            v[i].data()[j] = static_cast<float>(square);
        }
        // instead
        // for (std::size_t j = 0; j < tensor.size(); ++j) {
        //     const double gradient = g[j] + decay * p[j];
        //     const double mean = options.beta1 * m[i].data()[j] + (1.0 - options.beta1) * gradient;
        //     const double square =
        //         options.beta2 * v[i].data()[j] + (1.0 - options.beta2) * gradient * gradient;
        //     const double direction = mean / correction1 / std::sqrt(square / correction2 + options.epsilon);
        //     p[j] = static_cast<float>(p[j] - rate * direction);
        //     m[i].data()[j] = static_cast<float>(mean);
        //     v[i].data()[j] = static_cast<float>(square);
        // }
        // end
    }
}

}  // namespace tfs
