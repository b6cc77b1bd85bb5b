// Step 10.3 · adamw, fast
// solutions/10_training/adamw.fast.cpp · one vectorised pass over parameter, gradient and both means, on all cores
#include <cmath>

#include "chapters/10_training/given/training_checks.hpp"
#include "chapters/10_training/training.hpp"
#include "common/base/parallel.hpp"

namespace tfs {

namespace {

// What one step does to every entry, in float: m, v and p are kept as float anyway.
struct Update {
    float beta1, rest1;  // beta1 and 1 - beta1, which float could not subtract exactly
    float beta2, rest2;
    float kept = 1.0f;  // 1 - rate weight_decay where a parameter decays
    float rate;         // rate / (1 - beta1^t)
    float root;         // 1 / sqrt(1 - beta2^t)
    float epsilon;

    void operator()(std::size_t begin, std::size_t end, const float* g, float* m, float* v, float* p) const {
        const Update u = *this;  // a copy: nothing that is written below can change it
#pragma omp simd
        for (std::size_t i = begin; i < end; ++i) {
            const float mean = u.beta1 * m[i] + u.rest1 * g[i];
            const float square = u.beta2 * v[i] + u.rest2 * g[i] * g[i];
            p[i] = u.kept * p[i] - u.rate * mean / (std::sqrt(square) * u.root + u.epsilon);
            m[i] = mean;
            v[i] = square;
        }
    }
};

Update update_of(const AdamWOptions& options, std::size_t steps, double rate) {
    const double t = static_cast<double>(steps);
    return {.beta1 = static_cast<float>(options.beta1),
            .rest1 = static_cast<float>(1.0 - options.beta1),
            .beta2 = static_cast<float>(options.beta2),
            .rest2 = static_cast<float>(1.0 - options.beta2),
            .rate = static_cast<float>(rate / (1.0 - std::pow(options.beta1, t))),
            .root = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(options.beta2, t))),
            .epsilon = static_cast<float>(options.epsilon)};
}

}  // namespace

void AdamW::step(double rate) {
    require_step(*this, rate);
    ++steps;
    Update update = update_of(options, steps, rate);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        Tensor& tensor = parameters[i].tensor;
        if (!tensor.has_grad()) continue;
        update.kept = static_cast<float>(decays(parameters[i]) ? 1.0 - rate * options.weight_decay : 1.0);
        const float* g = tensor.grad().data();
        float *mean = m[i].data(), *square = v[i].data(), *p = tensor.mutable_array().data();
        parallel_pieces(tensor.size(),
                        [=](std::size_t begin, std::size_t end) { update(begin, end, g, mean, square, p); });
    }
}

}  // namespace tfs
