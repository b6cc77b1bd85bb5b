// common/tensor/shaping.cpp · reshape, transpose, concat, slice, embedding, and their gradients
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "common/base/parallel.hpp"
#include "common/tensor/named_axes.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

namespace {

// Swaps the axes a < b: x is seen as (outer, size_a, middle, size_b, inner), the result is
// (outer, size_b, middle, size_a, inner).
Array swapped(const Array& x, std::size_t a, std::size_t b) {
    Shape shape = shape_of(x);
    const AxisSplit around_a = split_at_axis(shape, a), around_b = split_at_axis(shape, b);
    const std::size_t size_a = around_a.size, size_b = around_b.size, inner = around_b.inner;
    std::swap(shape[a], shape[b]);
    Array result = make_array(shape);
    if (x.size() == 0) return result;
    const std::size_t middle = around_a.inner / (size_b * inner);
    // One call copies one (outer, j, m): for each i a run of `inner` floats.
    parallel_rows(around_a.outer * size_b * middle, size_a * inner, [&](std::size_t row) {
        const std::size_t m = row % middle, j = row / middle % size_b, o = row / middle / size_b;
        float* out = result.data() + row * size_a * inner;
        const float* in = x.data() + ((o * size_a * middle + m) * size_b + j) * inner;
        const std::size_t step = middle * size_b * inner;
        if (inner == 1) {
            for (std::size_t i = 0; i < size_a; ++i) out[i] = in[i * step];
        } else {
            for (std::size_t i = 0; i < size_a; ++i)
                std::memcpy(out + i * inner, in + i * step, inner * sizeof(float));
        }
    });
    return result;
}

// Copies `count` entries of an axis from position `from` in x to position `to` in the result.
void copy_along_axis(const Array& x, const AxisSplit& in, std::size_t from, Array& result,
                     const AxisSplit& out, std::size_t to, std::size_t count) {
    if (x.size() == 0 || result.size() == 0) return;
    parallel_rows(in.outer, count * in.inner, [&](std::size_t o) {
        std::memcpy(result.data() + (o * out.size + to) * out.inner,
                    x.data() + (o * in.size + from) * in.inner, count * in.inner * sizeof(float));
    });
}

// The same values as another shape.
Array reshaped(const Array& x, const Shape& shape) {
    Array result = make_array(shape);
    const float* in = x.data();
    float* out = result.data();
    parallel_pieces(x.size(), [=](std::size_t begin, std::size_t end) {
        std::memcpy(out + begin, in + begin, (end - begin) * sizeof(float));
    });
    return result;
}

Array sliced(const Array& x, std::size_t axis, std::size_t begin, std::size_t end) {
    Shape shape = shape_of(x);
    const AxisSplit in = split_at_axis(shape, axis);
    shape[axis] = end - begin;
    Array result = make_array(shape);
    copy_along_axis(x, in, begin, result, split_at_axis(shape, axis), 0, end - begin);
    return result;
}

}  // namespace

Tensor reshape(const Tensor& x, const Shape& shape) {
    if (element_count(shape) != x.size()) {
        throw ShapeError(
            fmt::format("reshape: {} has {} elements, {} would have {}; the number must stay the same",
                        to_string(x.shape()), x.size(), to_string(shape), element_count(shape)));
    }
    return record(reshaped(x.array(), shape), {x}, [x](const Array&, Array grad) {
        grad.reshape(x.shape());
        add_to_grad(x, std::move(grad));
    });
}

Tensor transpose(const Tensor& x, int axis_a, int axis_b) {
    std::size_t a = normalize_axis(axis_a, x.rank(), "transpose");
    std::size_t b = normalize_axis(axis_b, x.rank(), "transpose");
    if (a == b) return reshape(x, x.shape());
    if (a > b) std::swap(a, b);
    return record(swapped(x.array(), a, b), {x},
                  [x, a, b](const Array&, const Array& grad) { add_to_grad(x, swapped(grad, a, b)); });
}

Tensor concat(const std::vector<Tensor>& parts, int axis) {
    if (parts.empty()) throw ShapeError("concat: there is no tensor to join");
    Shape shape = parts.front().shape();
    const std::size_t along = normalize_axis(axis, shape.size(), "concat");
    shape[along] = 0;
    for (const Tensor& part : parts) {
        Shape other = part.shape();
        const std::size_t size = other.size() == shape.size() ? std::exchange(other[along], shape[along]) : 0;
        if (other != shape) {
            throw ShapeError(
                fmt::format("concat: {} and {} can't be joined at axis {}; all other axes must agree",
                            to_string(parts.front().shape()), to_string(part.shape()), axis));
        }
        if (size > std::numeric_limits<std::size_t>::max() - shape[along]) {
            throw ShapeError(
                fmt::format("concat: {} parts like {} are together too long at axis {} to be counted",
                            parts.size(), to_string(part.shape()), axis));
        }
        shape[along] += size;
    }
    Array result = make_array(shape);
    const AxisSplit whole = split_at_axis(shape, along);
    std::size_t position = 0;
    for (const Tensor& part : parts) {
        const AxisSplit piece = split_at_axis(part.shape(), along);
        copy_along_axis(part.array(), piece, 0, result, whole, position, piece.size);
        position += piece.size;
    }
    return record(std::move(result), parts, [parts, along](const Array&, const Array& grad) {
        std::size_t begin = 0;
        for (const Tensor& part : parts) {
            const std::size_t end = begin + part.shape()[along];
            if (part.requires_grad()) add_to_grad(part, sliced(grad, along, begin, end));
            begin = end;
        }
    });
}

Tensor slice(const Tensor& x, int axis, std::size_t begin, std::size_t end) {
    const std::size_t along = normalize_axis(axis, x.rank(), "slice");
    if (begin > end || end > x.shape()[along]) {
        throw ShapeError(fmt::format("slice: {} … {} lies outside of axis {} of shape {}", begin, end, axis,
                                     to_string(x.shape())));
    }
    return record(sliced(x.array(), along, begin, end), {x},
                  [x, along, begin, end](const Array&, const Array& grad) {
                      Array result = Array::from_shape(x.shape());
                      std::fill_n(result.data(), result.size(), 0.0f);
                      copy_along_axis(grad, split_at_axis(shape_of(grad), along), 0, result,
                                      split_at_axis(x.shape(), along), begin, end - begin);
                      add_to_grad(x, std::move(result));
                  });
}

Tensor embedding(const Tensor& table, const Ids& ids) {
    require_shapes("embedding", {{"the table", table, "count size"}});
    const std::size_t count = table.shape()[0], size = table.shape()[1];
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::int64_t id = ids.data()[i];
        if (id < 0 || static_cast<std::size_t>(id) >= count) {
            throw ValueError(
                fmt::format("embedding: id {} at position {} is not in the table of {} rows (0 to {})", id, i,
                            count, static_cast<std::int64_t>(count) - 1));
        }
    }
    Shape shape = shape_of(ids);
    shape.push_back(size);
    Array result = make_array(shape);
    const auto row = [size](std::int64_t id) { return static_cast<std::size_t>(id) * size; };
    for (std::size_t i = 0; i < ids.size(); ++i) {
        std::copy_n(table.values().data() + row(ids.data()[i]), size, result.data() + i * size);
    }
    return record(std::move(result), {table}, [table, ids, row, size](const Array&, const Array& grad) {
        Array sums = Array::from_shape(table.shape());  // a row used twice gets both gradients
        std::fill_n(sums.data(), sums.size(), 0.0f);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            float* out = sums.data() + row(ids.data()[i]);
            for (std::size_t j = 0; j < size; ++j) out[j] += grad.data()[i * size + j];
        }
        add_to_grad(table, std::move(sums));
    });
}

}  // namespace tfs
