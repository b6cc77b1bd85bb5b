// common/tensor/arithmetic.cpp · + - * / with broadcasting, and their gradients
#include <algorithm>

#include "common/base/parallel.hpp"
#include "common/kernels/lane_sums.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

namespace {

// Walks a shape row by row (its last axis) and gives, for each row, where it starts in two broadcast operands.
struct BroadcastPlan {
    Shape leading;  // all axes but the last
    std::vector<std::size_t> strides_a, strides_b;
    std::size_t rows = 1, row_size = 1;
    std::size_t step_a = 0, step_b = 0;  // along the row: 1, or 0 where the operand repeats

    BroadcastPlan(const Shape& a, const Shape& b, const Shape& target)
        : leading(target), strides_a(broadcast_strides(a, target)), strides_b(broadcast_strides(b, target)) {
        if (target.empty()) return;
        row_size = target.back();
        rows = row_size == 0 ? 0 : element_count(target) / row_size;
        step_a = strides_a.back();
        step_b = strides_b.back();
        leading.pop_back();
    }

    std::size_t start_a(std::size_t row) const { return broadcast_offset(row, leading, strides_a); }
    std::size_t start_b(std::size_t row) const { return broadcast_offset(row, leading, strides_b); }
};

// result = op(a, b), each row by one of four loops that the compiler vectorises.
template <class Op>
Array broadcast_apply(const Array& a, const Array& b, const Shape& target, Op op) {
    const BroadcastPlan plan(shape_of(a), shape_of(b), target);
    Array result = make_array(target);
    const std::size_t n = plan.row_size;
    parallel_rows(plan.rows, n, [&](std::size_t row) {
        const float* pa = a.data() + plan.start_a(row);
        const float* pb = b.data() + plan.start_b(row);
        float* out = result.data() + row * n;
        if (plan.step_a == 1 && plan.step_b == 1) {
            for (std::size_t i = 0; i < n; ++i) out[i] = op(pa[i], pb[i]);
        } else if (plan.step_a == 1) {
            for (std::size_t i = 0; i < n; ++i) out[i] = op(pa[i], *pb);
        } else if (plan.step_b == 1) {
            for (std::size_t i = 0; i < n; ++i) out[i] = op(*pa, pb[i]);
        } else {
            std::fill_n(out, n, op(*pa, *pb));
        }
    });
    return result;
}

// The gradient of a broadcast: what was repeated is summed, so that the result has `shape` again.
Array sum_to_shape(Array grad, const Shape& shape) {
    const Shape from = shape_of(grad);
    if (from == shape) return grad;
    const BroadcastPlan plan(shape, from, from);
    Array result = make_array(shape);
    std::fill_n(result.data(), result.size(), 0.0f);
    for (std::size_t row = 0; row < plan.rows; ++row) {  // rows meet in the same sums: one thread, in order
        float* out = result.data() + plan.start_a(row);
        const float* in = grad.data() + row * plan.row_size;
        if (plan.step_a == 1) {
            for (std::size_t i = 0; i < plan.row_size; ++i) out[i] += in[i];
        } else {
            *out += kernels::lane_sum(plan.row_size, [=](std::size_t i) { return in[i]; });
        }
    }
    return result;
}

Array multiplied(const Array& a, const Array& b) {
    return broadcast_apply(a, b, broadcast_shapes(shape_of(a), shape_of(b), "multiply"),
                           [](float x, float y) { return x * y; });
}

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) {
    const Shape shape = broadcast_shapes(a.shape(), b.shape(), "add");
    return record(broadcast_apply(a.array(), b.array(), shape, [](float x, float y) { return x + y; }),
                  {a, b}, [a, b](const Array&, Array grad) {
                      if (a.requires_grad()) add_to_grad(a, sum_to_shape(grad, a.shape()));
                      if (b.requires_grad()) add_to_grad(b, sum_to_shape(std::move(grad), b.shape()));
                  });
}

Tensor operator-(const Tensor& a, const Tensor& b) {
    const Shape shape = broadcast_shapes(a.shape(), b.shape(), "subtract");
    return record(broadcast_apply(a.array(), b.array(), shape, [](float x, float y) { return x - y; }),
                  {a, b}, [a, b](const Array&, const Array& grad) {
                      if (a.requires_grad()) add_to_grad(a, sum_to_shape(grad, a.shape()));
                      if (b.requires_grad())
                          add_to_grad(b, sum_to_shape(multiplied(grad, Array(-1.0f)), b.shape()));
                  });
}

Tensor operator*(const Tensor& a, const Tensor& b) {
    const Shape shape = broadcast_shapes(a.shape(), b.shape(), "multiply");
    return record(broadcast_apply(a.array(), b.array(), shape, [](float x, float y) { return x * y; }),
                  {a, b}, [a, b](const Array&, const Array& grad) {  // d(ab) = b da + a db
                      if (a.requires_grad())
                          add_to_grad(a, sum_to_shape(multiplied(grad, b.array()), a.shape()));
                      if (b.requires_grad())
                          add_to_grad(b, sum_to_shape(multiplied(grad, a.array()), b.shape()));
                  });
}

Tensor operator/(const Tensor& a, const Tensor& b) {
    const Shape shape = broadcast_shapes(a.shape(), b.shape(), "divide");
    const auto quotient = [](float x, float y) { return x / y; };
    return record(
        broadcast_apply(a.array(), b.array(), shape, quotient), {a, b},
        [a, b, quotient](const Array& result, const Array& grad) {  // d(a/b) = da / b - (a/b) db / b
            const Array share = broadcast_apply(grad, b.array(), shape_of(grad), quotient);
            if (a.requires_grad()) add_to_grad(a, sum_to_shape(share, a.shape()));
            if (b.requires_grad()) {
                add_to_grad(b, sum_to_shape(multiplied(multiplied(share, result), Array(-1.0f)), b.shape()));
            }
        });
}

Tensor operator+(const Tensor& a, float b) { return a + Tensor(Array(b)); }
Tensor operator-(const Tensor& a, float b) { return a - Tensor(Array(b)); }
Tensor operator*(const Tensor& a, float b) { return a * Tensor(Array(b)); }
Tensor operator/(const Tensor& a, float b) { return a / Tensor(Array(b)); }
Tensor operator+(float a, const Tensor& b) { return Tensor(Array(a)) + b; }
Tensor operator-(float a, const Tensor& b) { return Tensor(Array(a)) - b; }
Tensor operator*(float a, const Tensor& b) { return Tensor(Array(a)) * b; }
Tensor operator/(float a, const Tensor& b) { return Tensor(Array(a)) / b; }
Tensor operator-(const Tensor& x) { return x * -1.0f; }

}  // namespace tfs
