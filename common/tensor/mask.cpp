// common/tensor/mask.cpp · broadcasting a mask, and filling what it forbids
#include "common/tensor/mask.hpp"

#include <fmt/format.h>

#include "common/base/parallel.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

Mask Mask::from(const Shape& shape, const std::vector<int>& allowed) {
    if (allowed.size() != element_count(shape)) {
        throw ShapeError(
            fmt::format("Mask::from: {} entries don't fill the shape {}", allowed.size(), to_string(shape)));
    }
    xt::xarray<bool> array = make_array<bool>(shape);
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        if (allowed[i] != 0 && allowed[i] != 1) {
            throw ValueError(fmt::format(
                "Mask::from: entry {} is {}; a mask holds 1 (may attend) and 0 (may not)", i, allowed[i]));
        }
        array.data()[i] = allowed[i] == 1;
    }
    return Mask(std::move(array));
}

const xt::xarray<bool>& Mask::array() const& {
    require_values("this mask", allowed_);
    return allowed_;
}

xt::xarray<bool> Mask::array() && {
    require_values("this mask", allowed_);
    return std::move(allowed_);
}

xt::xarray<bool> Mask::expanded(const Shape& shape) const {
    if (broadcast_shapes(this->shape(), shape, "mask") != shape) {
        throw ShapeError(
            fmt::format("mask: {} has more entries than the scores {}; it must broadcast to them",
                        to_string(this->shape()), to_string(shape)));
    }
    const std::vector<std::size_t> steps = broadcast_strides(this->shape(), shape);
    xt::xarray<bool> result = make_array<bool>(shape);
    if (result.size() == 0) return result;
    const std::size_t row_size = shape.empty() ? 1 : shape.back(), step = shape.empty() ? 0 : steps.back();
    parallel_rows(result.size() / row_size, row_size, [&](std::size_t row) {
        const bool* in = allowed_.data() + broadcast_offset(row * row_size, shape, steps);
        bool* out = result.data() + row * row_size;
        for (std::size_t i = 0; i < row_size; ++i) out[i] = in[i * step];
    });
    return result;
}

namespace {

// x where allowed, `value` elsewhere.
Array filled(const Array& x, const xt::xarray<bool>& allowed, float value) {
    Array result = Array::from_shape(x.shape());
    const float* in = x.data();
    const bool* keep = allowed.data();
    float* out = result.data();
    parallel_pieces(x.size(), [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) out[i] = keep[i] ? in[i] : value;
    });
    return result;
}

}  // namespace

Tensor masked_fill(const Tensor& x, const Mask& mask, float value) {
    xt::xarray<bool> allowed = mask.expanded(x.shape());
    Array result = filled(x.array(), allowed, value);
    return record(std::move(result), {x}, [x, allowed = std::move(allowed)](const Array&, const Array& grad) {
        add_to_grad(x, filled(grad, allowed, 0.0f));
    });
}

}  // namespace tfs
