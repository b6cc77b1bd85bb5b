// common/tensor/reductions.cpp · sum, mean, max, variance over an axis, and their gradients
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "common/base/parallel.hpp"
#include "common/kernels/lane_sums.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

namespace {

struct Reduction {
    std::size_t axis;
    AxisSplit split;
    Shape result_shape;
};

Reduction plan_reduction(const Tensor& x, int axis, KeepDims keep, const char* name, bool needs_entries) {
    Reduction r{normalize_axis(axis, x.rank(), name), {}, x.shape()};
    r.split = split_at_axis(r.result_shape, r.axis);
    if (needs_entries && r.split.size == 0) {
        throw ShapeError(fmt::format("{}: axis {} of shape {} is empty, so it has no {}", name, axis,
                                     to_string(x.shape()), name));
    }
    if (keep == KeepDims::yes)
        r.result_shape[r.axis] = 1;
    else
        r.result_shape.erase(r.result_shape.begin() + static_cast<std::ptrdiff_t>(r.axis));
    return r;
}

// result[o, n] = scale * sum over i of term(o, i, n), added up as Numbers. `term` is given the offset in x and the offset in
// the result.
template <class Number, class Term>
void reduce(Number* result, const AxisSplit& split, Number scale, const Term& term) {
    const auto [outer, size, inner] = split;
    parallel_rows(outer, size * inner, [&, size = size, inner = inner](std::size_t o) {
        Number* out = result + o * inner;
        const std::size_t start = o * size * inner;
        if (inner == 1) {
            // Through a reference, the loop would not be vectorised: ten times slower.
            const Term local = term;
            *out = scale * kernels::lane_sum(size, [=](std::size_t i) { return local(start + i, o); });
            return;
        }
        std::fill_n(out, inner, Number(0));
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t n = 0; n < inner; ++n) out[n] += term(start + i * inner + n, o * inner + n);
        }
        for (std::size_t n = 0; n < inner; ++n) out[n] *= scale;
    });
}

// The gradient of x: slope(offset in x, offset in the result), for each element.
template <class Slope>
Array spread(const Tensor& x, const Reduction& r, const Slope& slope) {
    const auto [outer, size, inner] = r.split;
    Array result = Array::from_shape(x.shape());
    parallel_rows(outer, size * inner, [&, size = size, inner = inner](std::size_t o) {
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t n = 0; n < inner; ++n) {
                const std::size_t offset = (o * size + i) * inner + n;
                result.data()[offset] = slope(offset, o * inner + n);
            }
        }
    });
    return result;
}

Array scaled_sum(const Tensor& x, const Reduction& r, float scale) {
    Array result = make_array(r.result_shape);
    const float* values = x.values().data();
    reduce(result.data(), r.split, scale, [values](std::size_t i, std::size_t) { return values[i]; });
    return result;
}

Tensor recorded_sum(const Tensor& x, const Reduction& r, float scale) {
    return record(scaled_sum(x, r, scale), {x}, [x, r, scale](const Array&, const Array& grad) {
        add_to_grad(x, spread(x, r, [&](std::size_t, std::size_t out) { return scale * grad.data()[out]; }));
    });
}

// The sum of all entries: first of pieces, which all cores share. In double, so that a long sum keeps its digits.
double total(std::span<const float> x) {
    constexpr std::size_t piece = 8192;
    std::vector<double> sums((x.size() + piece - 1) / piece);
    parallel_rows(sums.size(), piece, [&](std::size_t i) {
        const std::size_t begin = i * piece, end = std::min(begin + piece, x.size());
        const float* values = x.data() + begin;
        sums[i] =
            kernels::lane_sum(end - begin, [=](std::size_t j) { return static_cast<double>(values[j]); });
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// scale * the sum of all entries. Every entry has the same gradient.
Tensor recorded_total(const Tensor& x, float scale) {
    return record(Array(static_cast<float>(scale * total(x.values()))), {x},
                  [x, scale](const Array&, const Array& grad) {
                      Array dx = Array::from_shape(x.shape());
                      parallel_pieces(
                          dx.size(), [&, value = scale * grad.data()[0]](std::size_t begin, std::size_t end) {
                              std::fill(dx.data() + begin, dx.data() + end, value);
                          });
                      add_to_grad(x, std::move(dx));
                  });
}

// The position of the first largest of `size` floats. NaN counts as the largest, so that it is not lost.
std::size_t first_largest(const float* row, std::size_t size) {
    float largest = row[0];
    int has_nan = 0;
#pragma omp simd reduction(max : largest) reduction(| : has_nan)
    for (std::size_t i = 0; i < size; ++i) {
        largest = row[i] > largest ? row[i] : largest;
        has_nan |= row[i] != row[i] ? 1 : 0;
    }
    const float* found = has_nan ? std::find_if(row, row + size, [](float value) { return value != value; })
                                 : std::find(row, row + size, largest);
    // A reduction may start at the lowest finite number: then nothing is found in a row of -inf.
    return found == row + size ? 0 : static_cast<std::size_t>(found - row);
}

// The same for each column of a (size, inner) block: where[n] is the offset in the block.
void first_largest(const float* block, std::size_t size, std::size_t inner, std::size_t* where) {
    if (inner == 1) {
        *where = first_largest(block, size);
        return;
    }
    for (std::size_t n = 0; n < inner; ++n) where[n] = n;
    for (std::size_t offset = inner; offset < size * inner; offset += inner) {
        for (std::size_t n = 0; n < inner; ++n) {
            const float value = block[offset + n], best = block[where[n]];
            if (!(value <= best) && best == best) where[n] = offset + n;
        }
    }
}

}  // namespace

Tensor sum(const Tensor& x, int axis, KeepDims keep) {
    return recorded_sum(x, plan_reduction(x, axis, keep, "sum", false), 1.0f);
}

Tensor mean(const Tensor& x, int axis, KeepDims keep) {
    const Reduction r = plan_reduction(x, axis, keep, "mean", true);
    return recorded_sum(x, r, 1.0f / static_cast<float>(r.split.size));
}

Tensor variance(const Tensor& x, int axis, KeepDims keep) {
    const Reduction r = plan_reduction(x, axis, keep, "variance", true);
    const float* values = x.values().data();
    // Two passes: E[x^2] - E[x]^2 in one pass would cancel where the mean is large. The means are doubles: rounded to a float,
    // one of 1000 is off by as much as 3e-5, and so is each x - mean, of which the gradient is made.
    std::vector<double> means(r.split.outer * r.split.inner);
    reduce(means.data(), r.split, 1.0 / static_cast<double>(r.split.size),
           [values](std::size_t i, std::size_t) { return static_cast<double>(values[i]); });
    const float scale = 1.0f / static_cast<float>(r.split.size);
    Array result = make_array(r.result_shape);
    reduce(result.data(), r.split, scale, [values, mean = means.data()](std::size_t i, std::size_t out) {
        const float difference = static_cast<float>(values[i] - mean[out]);
        return difference * difference;
    });
    // The slope is 2 (x - mean) / n.
    return record(
        std::move(result), {x}, [x, r, scale, means = std::move(means)](const Array&, const Array& grad) {
            const float *entries = x.values().data(), *d = grad.data();
            const double* mean = means.data();
            add_to_grad(x, spread(x, r, [=](std::size_t i, std::size_t out) {
                            return 2.0f * scale * static_cast<float>(entries[i] - mean[out]) * d[out];
                        }));
        });
}

Tensor max(const Tensor& x, int axis, KeepDims keep) {
    const Reduction r = plan_reduction(x, axis, keep, "max", true);
    const std::size_t inner = r.split.inner, block = r.split.size * inner;
    std::vector<std::size_t> where(r.split.outer * inner);  // the offset of the first largest entry
    Array result = make_array(r.result_shape);
    const float* values = x.values().data();
    parallel_rows(r.split.outer, block, [&](std::size_t o) {
        first_largest(values + o * block, r.split.size, inner, where.data() + o * inner);
        for (std::size_t n = o * inner; n < (o + 1) * inner; ++n) {
            where[n] += o * block;
            result.data()[n] = values[where[n]];
        }
    });
    return record(std::move(result), {x}, [x, where = std::move(where)](const Array&, const Array& grad) {
        Array result_grad = Array::from_shape(x.shape());
        std::fill_n(result_grad.data(), result_grad.size(), 0.0f);
        for (std::size_t out = 0; out < where.size(); ++out)
            result_grad.data()[where[out]] = grad.data()[out];
        add_to_grad(x, std::move(result_grad));
    });
}

Tensor sum(const Tensor& x) { return recorded_total(x, 1.0f); }

Tensor mean(const Tensor& x) {
    if (x.size() == 0) {
        throw ShapeError(
            fmt::format("mean: a tensor of shape {} is empty, so it has no mean", to_string(x.shape())));
    }
    return recorded_total(x, 1.0f / static_cast<float>(x.size()));
}

}  // namespace tfs
