// chapters/04_normalization/models/read_length.cpp · a length, its row, LayerNorm, and what is read of it
#include <fmt/format.h>

#include "chapters/04_normalization/normalization.hpp"

namespace tfs {

float read_length(const LengthReader& reader, float length) {
    const std::size_t d_model = reader.weight.size();
    for (const Tensor* part : {&reader.weight, &reader.bias, &reader.readout}) {
        if (part->shape() == Shape{d_model} && d_model >= 2 && d_model <= 16) continue;
        throw ShapeError(fmt::format(
            "length reader: weight {}, bias {} and readout {} must have the same 2 to 16 features",
            to_string(reader.weight.shape()), to_string(reader.bias.shape()),
            to_string(reader.readout.shape())));
    }
    const NoGrad no_grad;
    const Tensor row = reader.weight * length + reader.bias;  // (d_model)
    const Tensor y = layer_norm(row, Tensor::ones({d_model}), Tensor::zeros({d_model}));
    return sum(reader.readout * y).item();
}

}  // namespace tfs
