// common/nn/parameters.cpp · collecting, counting and clearing parameters
#include "common/nn/parameters.hpp"

namespace tfs {

void append(Parameters& all, const std::string& prefix, const Parameters& part) {
    for (const NamedTensor& parameter : part)
        all.push_back({prefix + "." + parameter.name, parameter.tensor});
}

std::size_t count_parameters(const Parameters& parameters) {
    std::size_t count = 0;
    for (const NamedTensor& parameter : parameters) count += parameter.tensor.size();
    return count;
}

void clear_grads(const Parameters& parameters) {
    for (const NamedTensor& parameter : parameters) Tensor(parameter.tensor).clear_grad();
}

}  // namespace tfs
