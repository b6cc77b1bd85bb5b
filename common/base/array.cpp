// common/base/array.cpp · counts that say where they don't fit, NumPy's broadcasting rule, and memory that is not there
#include "common/base/array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <optional>

namespace tfs {

namespace {

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

[[noreturn]] void throw_too_large(std::initializer_list<std::size_t> numbers, const char* sign) {
    throw ValueError(fmt::format("{} is too large to be counted", fmt::join(numbers, sign)));
}

// The product of those that are not 0; nothing where it is more than std::size_t holds.
std::optional<std::size_t> product_of_nonzero(std::span<const std::size_t> numbers) {
    std::size_t product = 1;
    for (const std::size_t number : numbers) {
        if (number == 0) continue;
        if (number > most / product) return std::nullopt;
        product *= number;
    }
    return product;
}

// The product of the sizes that are not 0, which bounds all strides.
std::size_t count_of_steps(const Shape& shape) {
    const std::optional<std::size_t> count = product_of_nonzero(shape);
    if (!count)
        throw ShapeError(fmt::format(
            "an array of shape {} is too large: it has more values than can be counted", to_string(shape)));
    return *count;
}

}  // namespace

std::size_t checked_product(std::initializer_list<std::size_t> factors) {
    if (std::find(factors.begin(), factors.end(), std::size_t{0}) != factors.end()) return 0;
    const std::optional<std::size_t> product = product_of_nonzero({factors.begin(), factors.size()});
    if (!product) throw_too_large(factors, " x ");
    return *product;
}

std::size_t checked_sum(std::initializer_list<std::size_t> terms) {
    std::size_t sum = 0;
    for (const std::size_t term : terms) {
        if (term > most - sum) throw_too_large(terms, " + ");
        sum += term;
    }
    return sum;
}

std::string to_string(const Shape& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

std::size_t element_count(const Shape& shape) {
    const std::size_t count = count_of_steps(shape);
    return std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end() ? 0 : count;
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

void require_addressable(const Shape& shape, std::size_t bytes_per_value) {
    constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max();
    if (count_of_steps(shape) > most_bytes / bytes_per_value)
        throw ShapeError(fmt::format("an array of shape {} is too large for any memory", to_string(shape)));
}

void throw_moved_from(const char* what) {
    throw ValueError(fmt::format("{} was moved from, so it has no values; use what it was moved to", what));
}

template <class Value>
xt::xarray<Value> make_array(const Shape& shape) {
    require_addressable(shape, sizeof(Value));
    try {
        return xt::xarray<Value>::from_shape(shape);
    } catch (const std::bad_alloc&) {
        throw ShapeError(
            fmt::format("an array of shape {} takes {:.3g} GB, and there is not so much memory left",
                        to_string(shape), static_cast<double>(element_count(shape) * sizeof(Value)) * 1e-9));
    }
}

template xt::xarray<float> make_array<float>(const Shape&);
template xt::xarray<bool> make_array<bool>(const Shape&);
template xt::xarray<std::int64_t> make_array<std::int64_t>(const Shape&);

std::vector<std::size_t> largest_of(std::span<const float> row, std::size_t count) {
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
    order.resize(std::min(count, order.size()));
    return order;
}

}  // namespace tfs
