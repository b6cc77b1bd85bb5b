// common/nn/parameters.cpp · collecting, counting and changing parameters
#include "common/nn/parameters.hpp"

namespace tfs {

Tensor parameter(const Tensor& x) { return Tensor(x.array(), true); }

std::string join_path(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : prefix + "." + name;
}

void append(Parameters& all, const std::string& prefix, const Parameters& part) {
    for (const NamedTensor& parameter : part)
        all.push_back({join_path(prefix, parameter.name), parameter.tensor});
}

std::size_t count_parameters(const Parameters& parameters) {
    std::size_t count = 0;
    for (const NamedTensor& parameter : parameters) count += parameter.tensor.size();
    return count;
}

void clear_grads(const Parameters& parameters) {
    for (const NamedTensor& parameter : parameters) Tensor(parameter.tensor).clear_grad();
}

void gradient_step(const Tensor& loss, const Parameters& parameters, float rate) {
    clear_grads(parameters);
    loss.backward();
    for (NamedTensor parameter : parameters) {
        if (!parameter.tensor.has_grad()) continue;
        float* values = parameter.tensor.mutable_array().data();
        const float* grad = parameter.tensor.grad().data();
        for (std::size_t i = 0; i < parameter.tensor.size(); ++i) values[i] -= rate * grad[i];
    }
}

}  // namespace tfs
