// common/nn/gradient_step.cpp · plain gradient descent
#include "common/nn/gradient_step.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/base/errors.hpp"

namespace tfs {

void gradient_step(const Tensor& loss, Parameters parameters, float rate) {
    if (!std::isfinite(rate))
        throw ValueError(fmt::format("gradient_step: the rate {} must be finite", rate));
    clear_grads(parameters);
    loss.backward();
    for (NamedTensor& parameter : parameters) {
        if (!parameter.tensor.has_grad()) continue;
        float* values = parameter.tensor.mutable_array().data();
        const float* grad = parameter.tensor.grad().data();
        for (std::size_t i = 0; i < parameter.tensor.size(); ++i) values[i] -= rate * grad[i];
    }
}

}  // namespace tfs
