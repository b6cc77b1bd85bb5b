// common/tensor/matmul.cpp · batched products, the linear layer's product, and their gradients
#include <fmt/format.h>

#include <algorithm>

#include "common/kernels/gemm.hpp"
#include "common/kernels/row_kernels.hpp"
#include "common/tensor/ops.hpp"

namespace tfs {

namespace {

// A stored matrix stack: leading axes and the two of the matrix.
struct Stack {
    Shape leading;
    std::size_t rows, columns;

    explicit Stack(const Shape& shape)
        : leading(shape.begin(), shape.end() - 2), rows(shape[shape.size() - 2]), columns(shape.back()) {}
};

[[noreturn]] void throw_inner_sizes(const Tensor& a, const Tensor& b, bool ta, bool tb, std::size_t k_a,
                                    std::size_t k_b) {
    const std::size_t b_columns = tb ? b.size(-2) : b.size(-1);
    const auto written = [](const Tensor& x, bool transposed) {
        return to_string(x.shape()) + (transposed ? "ᵀ" : "");
    };
    std::string hint;
    if (k_a == b_columns)
        hint = tb ? "; is b transposed once too often?" : "; transpose b (the keys, in attention)?";
    throw ShapeError(fmt::format("matmul: {} x {}: {} columns meet {} rows{}", written(a, ta), written(b, tb),
                                 k_a, k_b, hint));
}

// C = op(A) op(B) for stacks of matrices; leading axes broadcast.
Array product(const Array& a, bool ta, const Array& b, bool tb) {
    const Stack sa(shape_of(a)), sb(shape_of(b));
    kernels::Gemm g;
    g.m = ta ? sa.columns : sa.rows;
    g.k = ta ? sa.rows : sa.columns;
    g.n = tb ? sb.rows : sb.columns;
    g.transpose_a = ta;
    g.transpose_b = tb;
    g.lda = sa.columns;
    g.ldb = sb.columns;
    g.ldc = g.n;

    Shape leading = broadcast_shapes(sa.leading, sb.leading, "matmul");
    const std::size_t count = element_count(leading);
    const std::vector<std::size_t> steps_a = broadcast_strides(sa.leading, leading);
    const std::vector<std::size_t> steps_b = broadcast_strides(sb.leading, leading);
    const Shape batch = leading;
    Shape shape = std::move(leading);
    shape.insert(shape.end(), {g.m, g.n});
    Array result = Array::from_shape(shape);
    if (element_count(sb.leading) == 1 && !ta) {  // one matrix for all rows of a: a single, larger product
        g.m *= count;
        kernels::gemm(g, a.data(), b.data(), result.data());
        return result;
    }
    if (count == 1) {
        kernels::gemm(g, a.data(), b.data(), result.data());
        return result;
    }
    kernels::parallel_products(count, g.m * g.n * g.k, [&](std::size_t i) {
        std::size_t matrix_a = 0, matrix_b = 0, rest = i;
        for (std::size_t axis = batch.size(); axis-- > 0; rest /= batch[axis]) {
            matrix_a += rest % batch[axis] * steps_a[axis];
            matrix_b += rest % batch[axis] * steps_b[axis];
        }
        kernels::gemm(g, a.data() + matrix_a * sa.rows * sa.columns,
                      b.data() + matrix_b * sb.rows * sb.columns, result.data() + i * g.m * g.n);
    });
    return result;
}

// Sums the leading axes that were broadcast, so that the gradient has the operand's shape again.
Array sum_leading(Array grad, const Shape& shape) {
    if (shape_of(grad) == shape) return grad;
    const Shape from = shape_of(grad);
    const std::size_t matrix = shape[shape.size() - 2] * shape.back();
    const Shape leading(from.begin(), from.end() - 2);
    const std::vector<std::size_t> steps = broadcast_strides(Shape(shape.begin(), shape.end() - 2), leading);
    Array result = Array::from_shape(shape);
    std::fill_n(result.data(), result.size(), 0.0f);
    for (std::size_t i = 0; i < element_count(leading); ++i) {
        std::size_t target = 0, rest = i;
        for (std::size_t axis = leading.size(); axis-- > 0; rest /= leading[axis])
            target += rest % leading[axis] * steps[axis];
        float* out = result.data() + target * matrix;
        const float* in = grad.data() + i * matrix;
        for (std::size_t j = 0; j < matrix; ++j) out[j] += in[j];
    }
    return result;
}

// (..., n) seen as one matrix (rows, n).
Array as_matrix(const Array& x) {
    Array matrix = x;
    const std::size_t columns = x.shape().back();
    std::size_t rows = 1;  // not size / columns: there may be no columns
    for (std::size_t axis = 0; axis + 1 < x.dimension(); ++axis) rows *= x.shape()[axis];
    matrix.reshape(Shape{rows, columns});
    return matrix;
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, Transpose transposed) {
    if (a.rank() < 2 || b.rank() < 2) {
        throw ShapeError(
            fmt::format("matmul: {} x {}: both need at least two axes; reshape a vector to (1, n) or (n, 1)",
                        to_string(a.shape()), to_string(b.shape())));
    }
    const bool ta = transposed == Transpose::a || transposed == Transpose::both;
    const bool tb = transposed == Transpose::b || transposed == Transpose::both;
    const std::size_t k_a = a.size(ta ? -2 : -1), k_b = b.size(tb ? -1 : -2);
    if (k_a != k_b) throw_inner_sizes(a, b, ta, tb, k_a, k_b);
    return record(
        product(a.array(), ta, b.array(), tb), {a, b}, [a, b, ta, tb](const Array&, const Array& grad) {
            // C = A B: dA = dC Bᵀ, dB = Aᵀ dC. For a transposed operand the gradient is transposed as well.
            if (a.requires_grad()) {
                add_to_grad(a, sum_leading(ta ? product(b.array(), tb, grad, true)
                                              : product(grad, false, b.array(), !tb),
                                           a.shape()));
            }
            if (b.requires_grad()) {
                if (b.rank() == 2 &&
                    !ta) {  // one b for all rows: fold them, and the sum over the batch is in the product
                    const Array rows = as_matrix(a.array()), grads = as_matrix(grad);
                    add_to_grad(b,
                                tb ? product(grads, true, rows, false) : product(rows, true, grads, false));
                } else {
                    add_to_grad(b, sum_leading(tb ? product(grad, true, a.array(), ta)
                                                  : product(a.array(), !ta, grad, false),
                                               b.shape()));
                }
            }
        });
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor* bias) {
    if (weight.rank() != 2 || x.rank() < 1 || x.size(-1) != weight.size(1)) {
        throw ShapeError(fmt::format(
            "linear: x {} doesn't fit the weight {}, which is (out, in); the last axis of x must be `in`",
            to_string(x.shape()), to_string(weight.shape())));
    }
    const std::size_t out = weight.size(0);
    if (bias && bias->shape() != Shape{out}) {
        throw ShapeError(fmt::format("linear: the bias {} must have one entry for each of the {} outputs",
                                     to_string(bias->shape()), out));
    }
    Shape shape = x.shape();
    shape.back() = out;
    Array y = Array::from_shape(shape);
    const std::size_t in = weight.size(1);
    const kernels::Gemm g{.m = element_count(shape) / std::max<std::size_t>(out, 1),
                          .n = out,
                          .k = in,
                          .transpose_b = true,
                          .lda = in,
                          .ldb = in,
                          .ldc = out};
    kernels::gemm(g, x.values().data(), weight.values().data(), y.data());
    if (bias) kernels::add_row({y.data(), y.size()}, bias->values());

    std::vector<Tensor> inputs{x, weight};
    if (bias) inputs.push_back(*bias);
    return record(std::move(y), inputs, [inputs](const Array&, const Array& grad) {
        const Tensor& input = inputs[0];
        const Tensor& w = inputs[1];
        const Array grads = as_matrix(grad);
        if (input.requires_grad()) {
            Array dx = product(grads, false, w.array(), false);
            dx.reshape(input.shape());
            add_to_grad(input, std::move(dx));
        }
        if (w.requires_grad()) add_to_grad(w, product(grads, true, as_matrix(input.array()), false));
        if (inputs.size() == 3 && inputs[2].requires_grad()) {
            Array sums = Array::from_shape(inputs[2].shape());
            kernels::sum_over_rows({grad.data(), grad.size()}, {sums.data(), sums.size()});
            add_to_grad(inputs[2], std::move(sums));
        }
    });
}

}  // namespace tfs
