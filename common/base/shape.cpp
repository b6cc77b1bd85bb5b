// common/base/shape.cpp · shapes as text, axes from the end, NumPy's broadcasting rule
#include "common/base/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "common/base/count.hpp"

namespace tfs {

std::string to_string(const Shape& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

std::size_t element_count(const Shape& shape) {
    const std::size_t count = count_of_steps(shape);
    return std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end() ? 0 : count;
}

std::size_t count_of_steps(const Shape& shape) {
    const std::optional<std::size_t> count = product_of_nonzero(shape);
    if (!count)
        throw ShapeError(fmt::format(
            "an array of shape {} is too large: it has more values than can be counted", to_string(shape)));
    return *count;
}

std::size_t normalize_axis(int axis, std::size_t rank, std::string_view operation) {
    const int signed_rank = static_cast<int>(rank);
    if (axis < -signed_rank || axis >= signed_rank) {
        if (rank == 0) throw ShapeError(fmt::format("{}: a scalar has no axis {}", operation, axis));
        throw ShapeError(fmt::format("{}: axis {} is out of range; a tensor of {} {} has {} to {}", operation,
                                     axis, rank, rank == 1 ? "axis" : "axes", -signed_rank, signed_rank - 1));
    }
    return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

AxisSplit split_at_axis(const Shape& shape, std::size_t axis) {
    AxisSplit split;
    for (std::size_t i = 0; i < axis; ++i) split.outer *= shape[i];
    split.size = shape[axis];
    for (std::size_t i = axis + 1; i < shape.size(); ++i) split.inner *= shape[i];
    return split;
}

Shape broadcast_shapes(const Shape& a, const Shape& b, std::string_view operation) {
    const std::size_t rank = std::max(a.size(), b.size());
    Shape result(rank, 1);
    for (std::size_t from_end = 1; from_end <= rank; ++from_end) {
        const std::size_t size_a = from_end <= a.size() ? a[a.size() - from_end] : 1;
        const std::size_t size_b = from_end <= b.size() ? b[b.size() - from_end] : 1;
        if (size_a != size_b && size_a != 1 && size_b != 1) {
            throw ShapeError(fmt::format(
                "{}: {} and {} don't broadcast: sizes {} and {} disagree at axis -{} (axes are aligned at "
                "the last one; a size of 1 is repeated; is KeepDims::yes, a reshape or a transpose missing?)",
                operation, to_string(a), to_string(b), size_a, size_b, from_end));
        }
        result[rank - from_end] = size_a == 1 ? size_b : size_a;
    }
    return result;
}

std::vector<std::size_t> broadcast_strides(const Shape& shape, const Shape& target) {
    std::vector<std::size_t> strides(target.size(), 0);
    std::size_t stride = 1;
    for (std::size_t from_end = 1; from_end <= shape.size(); ++from_end) {
        const std::size_t size = shape[shape.size() - from_end];
        if (size != 1) strides[target.size() - from_end] = stride;
        stride *= size;
    }
    return strides;
}

std::size_t broadcast_offset(std::size_t index, const Shape& shape, const std::vector<std::size_t>& steps) {
    std::size_t offset = 0;
    for (std::size_t axis = shape.size(); axis-- > 0; index /= shape[axis])
        offset += index % shape[axis] * steps[axis];
    return offset;
}

}  // namespace tfs
