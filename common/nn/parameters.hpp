// common/nn/parameters.hpp · named parameters: the one list that optimizer, counter and weight files use; their gradients
#pragma once

#include <string>

#include "common/tensor/tensor.hpp"

namespace tfs {

// A parameter and its dotted name, as in "attention.w_q.weight". The Tensor is a handle: changing its values changes
// the module. So a function that takes Parameters by value may change the module; one that takes const Parameters& only
// reads.
struct NamedTensor {
    std::string name;
    Tensor tensor;
};
using Parameters = std::vector<NamedTensor>;

// The values of x as a new parameter: no tape, a gradient of its own, and no memory in common with x.
[[nodiscard]] Tensor parameter(const Tensor& x);

// "prefix.name"; an empty prefix leaves out its dot.
[[nodiscard]] std::string join_path(const std::string& prefix, const std::string& name);

// Adds the parameters of a part under "prefix."; with an empty prefix as they are.
void append(Parameters& all, const std::string& prefix, const Parameters& part);

// The number of values in all parameters.
std::size_t count_parameters(const Parameters& parameters);

// Forgets all gradients, before the next backward() adds to them.
void clear_grads(Parameters parameters);

// The sum of the squares of all entries, in double. It does not depend on the number of threads.
[[nodiscard]] double sum_of_squares(const Array& gradient);

// gradient = factor * gradient
void scale_by(Array& gradient, float factor);

// One step of plain gradient descent: forgets all gradients, sends that of the loss back, then p -= rate * gradient for each
// parameter. One that the loss does not depend on stays as it is. ValueError if the rate is not finite.
void gradient_step(const Tensor& loss, Parameters parameters, float rate);

}  // namespace tfs
