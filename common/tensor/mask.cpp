// common/tensor/mask.cpp · broadcasting a mask, and filling what it forbids
#include "common/tensor/mask.hpp"

#include <fmt/format.h>

#include "common/tensor/ops.hpp"

namespace tfs {

Mask Mask::from(const Shape& shape, const std::vector<int>& allowed) {
    if (allowed.size() != element_count(shape)) {
        throw ShapeError(
            fmt::format("Mask::from: {} entries don't fill the shape {}", allowed.size(), to_string(shape)));
    }
    xt::xarray<bool> array = xt::xarray<bool>::from_shape(shape);
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        if (allowed[i] != 0 && allowed[i] != 1) {
            throw ValueError(fmt::format(
                "Mask::from: entry {} is {}; a mask holds 1 (may attend) and 0 (may not)", i, allowed[i]));
        }
        array.data()[i] = allowed[i] == 1;
    }
    return Mask(std::move(array));
}

xt::xarray<bool> Mask::expanded(const Shape& shape) const {
    if (broadcast_shapes(this->shape(), shape, "mask") != shape) {
        throw ShapeError(
            fmt::format("mask: {} has more entries than the scores {}; it must broadcast to them",
                        to_string(this->shape()), to_string(shape)));
    }
    const std::vector<std::size_t> steps = broadcast_strides(this->shape(), shape);
    xt::xarray<bool> result = xt::xarray<bool>::from_shape(shape);
    const std::size_t row_size = shape.empty() ? 1 : shape.back(), step = shape.empty() ? 0 : steps.back();
    for (std::size_t row = 0; row * row_size < result.size(); ++row) {
        std::size_t start = 0, rest = row;
        for (std::size_t axis = shape.size(); axis-- > 1; rest /= shape[axis - 1]) {
            start += rest % shape[axis - 1] * steps[axis - 1];
        }
        bool* out = result.data() + row * row_size;
        for (std::size_t i = 0; i < row_size; ++i) out[i] = allowed_.data()[start + i * step];
    }
    return result;
}

Tensor masked_fill(const Tensor& x, const Mask& mask, float value) {
    xt::xarray<bool> allowed = mask.expanded(x.shape());
    Array result = x.array();
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (!allowed.data()[i]) result.data()[i] = value;
    }
    return record(std::move(result), {x}, [x, allowed = std::move(allowed)](const Array&, const Array& grad) {
        Array kept = grad;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            if (!allowed.data()[i]) kept.data()[i] = 0.0f;
        }
        add_to_grad(x, std::move(kept));
    });
}

}  // namespace tfs
