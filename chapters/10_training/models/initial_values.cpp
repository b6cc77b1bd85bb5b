// chapters/10_training/models/initial_values.cpp · the values with which GPT-2 begins its training
#include "chapters/10_training/models/initial_values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/base/errors.hpp"

namespace tfs {

void draw_initial_values(Parameters parameters, std::size_t layers, Rng& rng) {
    if (layers == 0) throw ValueError("draw_initial_values: a stack needs at least one layer");
    for (NamedTensor& parameter : parameters) {
        const std::string& name = parameter.name;
        Array& values = parameter.tensor.mutable_array();
        const Shape shape = parameter.tensor.shape();
        if (name.ends_with("gamma")) {
            values = Tensor::ones(shape).array();
        } else if (name.ends_with("beta") || name.ends_with("bias")) {
            values = Tensor::zeros(shape).array();
        } else if (name.ends_with("weight")) {
            const bool joins_the_stream = name.ends_with("w_o.weight") || name.ends_with("down.weight");
            const double additions = joins_the_stream ? 2.0 * static_cast<double>(layers) : 1.0;
            values = rng.normal_array(shape, 0.0, 0.02 / std::sqrt(additions));
        } else {
            throw ValueError(fmt::format("draw_initial_values: {} is no weight, bias, gamma or beta", name));
        }
    }
}

}  // namespace tfs
