// common/nn/parameters.cpp · collecting and counting parameters, forgetting their gradients
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

void clear_grads(Parameters parameters) {
    for (NamedTensor& parameter : parameters) parameter.tensor.clear_grad();
}

}  // namespace tfs
