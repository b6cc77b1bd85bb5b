// chapters/00_tensors/given/tensors.cpp · checks of shapes, a product by BLAS, numbers with slopes, views inside their buffers
#include "chapters/00_tensors/given/tensor_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "chapters/00_tensors/given/view_of.hpp"
#include "chapters/00_tensors/scalars.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/base/array.hpp"
#include "common/base/errors.hpp"
#include "common/kernels/gemm.hpp"
#include "common/tensor/named_axes.hpp"

namespace tfs {

void require_product(std::string_view operation, const Array& a, const Array& b) {
    require_shapes(operation, {{"a", a, "batch m k"}, {"b", b, "batch k n"}});
}

void require_rows(const Array& x) { require_shapes("standardize_rows", {{"x", x, "... n+"}}); }

void require_axes(std::string_view operation, const Shape& x, std::size_t a, std::size_t b) {
    if (std::max(a, b) < x.size()) return;
    throw ShapeError(fmt::format("{}: x {} has no axis {}; its axes are counted from 0", operation,
                                 to_string(x), std::max(a, b)));
}

void require_broadcast(const Shape& x, const Shape& shape) {
    if (broadcast_shapes(x, shape, "broadcast_view") == shape) return;
    throw ShapeError(fmt::format("broadcast_view: {} is larger than {}; only x is repeated", to_string(x),
                                 to_string(shape)));
}

void require_matrix(std::string_view operation, const Shape& x) {
    require_shapes(operation, {{"x", x, "rows columns"}});
}

void require_windows(const Shape& x, std::size_t length) {
    if (x.size() == 1 && length > 0 && length <= x[0]) return;
    throw ShapeError(fmt::format(
        "window_view: x {} has no windows of {}: it needs one axis, and a length from 1 on that fits in it",
        to_string(x), length));
}

void require_wide_matrix(const Shape& x) {
    require_matrix("diagonals_view", x);
    if (x[1] >= x[0]) return;
    throw ShapeError(
        fmt::format("diagonals_view: x {} has fewer columns than rows, so no diagonal reaches the last row",
                    to_string(x)));
}

void require_distances(const Shape& x) {
    if (x.size() == 1 && x[0] % 2 == 1) return;
    throw ShapeError(
        fmt::format("toeplitz_view: x {} does not have one axis of an odd length, one value for each "
                    "distance from 1 - n to n - 1",
                    to_string(x)));
}

Array matmul_blas(const Array& a, const Array& b) {
    require_product("matmul_blas", a, b);
    Array c(Array::shape_type{a.shape(0), a.shape(1), b.shape(2)}, 0.0f);  // (batch, m, n), all 0
    const std::size_t batch = a.shape(0), m = a.shape(1), k = a.shape(2), n = b.shape(2);
    kernels::Gemm product;
    product.m = m, product.n = n, product.k = k;
    product.lda = k, product.ldb = n, product.ldc = n;  // the length of a row of each
    for (std::size_t s = 0; s < batch; ++s) {
        kernels::gemm(product, a.data() + s * m * k, b.data() + s * k * n, c.data() + s * m * n);
    }
    return c;
}

Scalar& Scalars::number(double value) { return all_.emplace_back(Scalar{value}); }

Scalar& Scalars::sum(Scalar& a, Scalar& b) {
    return all_.emplace_back(Scalar{a.value + b.value, 0.0, {&a, &b}, {1.0, 1.0}});
}

Scalar& Scalars::difference(Scalar& a, Scalar& b) {
    return all_.emplace_back(Scalar{a.value - b.value, 0.0, {&a, &b}, {1.0, -1.0}});
}

Scalar& Scalars::product(Scalar& a, Scalar& b) {
    return all_.emplace_back(Scalar{a.value * b.value, 0.0, {&a, &b}, {b.value, a.value}});
}

Scalar& Scalars::tanh(Scalar& a) {
    const double value = std::tanh(a.value);
    return all_.emplace_back(Scalar{value, 0.0, {&a}, {1.0 - value * value}});
}

Strided row_major(const Shape& shape) {
    Strided view{shape, std::vector<std::ptrdiff_t>(shape.size())};
    require_addressable(shape);
    std::size_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        view.strides[axis] = static_cast<std::ptrdiff_t>(stride);
        stride *= shape[axis];
    }
    return view;
}

void require_inside(const Strided& view, std::size_t floats) {
    if (view.strides.size() != view.shape.size())
        throw ShapeError(fmt::format("the view {} has {} axes, but {} strides; it needs one for each axis",
                                     to_string(view.shape), view.shape.size(), view.strides.size()));
    require_addressable(view.shape);  // a length that went below 0 is too large, too
    Shape lowest(view.shape.size()),
        highest(view.shape.size());  // the entries that lie first and last in memory
    std::ptrdiff_t first = view.offset, last = view.offset;
    for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
        const std::size_t end = std::max<std::size_t>(view.shape[axis], 1) - 1;
        std::ptrdiff_t way = 0;
        std::ptrdiff_t& reached = view.strides[axis] < 0 ? first : last;
        if (__builtin_mul_overflow(static_cast<std::ptrdiff_t>(end), view.strides[axis], &way) ||
            __builtin_add_overflow(reached, way, &reached))
            throw ShapeError(
                fmt::format("axis {} of the view, {} entries with the stride {}, goes beyond any memory",
                            axis, view.shape[axis], view.strides[axis]));
        (way < 0 ? lowest : highest)[axis] = end;
    }
    if (element_count(view.shape) == 0) return;  // no entries, wherever they would be
    const bool before = first < 0;
    if (!before && last < static_cast<std::ptrdiff_t>(floats)) return;
    throw ShapeError(
        fmt::format("entry {} of the view would be float {}, but the buffer has {} floats, from 0 on",
                    to_string(before ? lowest : highest), before ? first : last, floats));
}

}  // namespace tfs
