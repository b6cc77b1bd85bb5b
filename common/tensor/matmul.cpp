// common/tensor/matmul.cpp · batched products, the linear layer's product, and their gradients
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "common/kernels/gemm.hpp"
#include "common/kernels/row_kernels.hpp"
#include "common/tensor/named_axes.hpp"
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

// BLAS counts in int.
void require_blas_sizes(const kernels::Gemm& g, const char* operation) {
    const std::size_t largest = std::max({g.m, g.n, g.k, g.lda, g.ldb});
    constexpr int most = std::numeric_limits<int>::max();
    if (largest > static_cast<std::size_t>(most)) {
        throw ShapeError(fmt::format("{}: a matrix with a side of {} is too large; {} is the most", operation,
                                     largest, most));
    }
}

// The product of one matrix of each stack.
kernels::Gemm product_of(const Stack& a, bool ta, const Stack& b, bool tb) {
    const std::size_t n = tb ? b.rows : b.columns;
    return {.m = ta ? a.columns : a.rows,
            .n = n,
            .k = ta ? a.rows : a.columns,
            .transpose_a = ta,
            .transpose_b = tb,
            .lda = a.columns,
            .ldb = b.columns,
            .ldc = n};
}

// C = op(A) op(B) for stacks of matrices; leading axes broadcast.
Array product(const Array& a, bool ta, const Array& b, bool tb) {
    const Stack sa(shape_of(a)), sb(shape_of(b));
    const Shape leading = broadcast_shapes(sa.leading, sb.leading, "matmul");
    kernels::Gemm g = product_of(sa, ta, sb, tb);
    Shape shape = leading;
    shape.insert(shape.end(), {g.m, g.n});
    std::size_t count = element_count(leading);
    if (element_count(sb.leading) == 1 && !ta) {  // one matrix for all rows of a: a single, larger product
        g.m *= count;
        count = 1;
    }
    require_blas_sizes(g, "matmul");
    Array result = make_array(shape);
    if (count == 1) {
        kernels::gemm(g, a.data(), b.data(), result.data());
        return result;
    }
    const std::vector<std::size_t> steps_a = broadcast_strides(sa.leading, leading);
    const std::vector<std::size_t> steps_b = broadcast_strides(sb.leading, leading);
    kernels::parallel_products(count, g.m * g.n * g.k, [&](std::size_t i) {
        const std::size_t matrix_a = broadcast_offset(i, leading, steps_a);
        const std::size_t matrix_b = broadcast_offset(i, leading, steps_b);
        kernels::gemm(g, a.data() + matrix_a * sa.rows * sa.columns,
                      b.data() + matrix_b * sb.rows * sb.columns, result.data() + i * g.m * g.n);
    });
    return result;
}

// Sums the leading axes that were broadcast, so that the gradient has the operand's shape again.
Array sum_leading(Array grad, const Shape& shape) {
    if (shape_of(grad) == shape) return grad;
    const Stack from(shape_of(grad)), to(shape);
    const std::size_t matrix = to.rows * to.columns;
    const std::vector<std::size_t> steps = broadcast_strides(to.leading, from.leading);
    Array result = make_array(shape);
    std::fill_n(result.data(), result.size(), 0.0f);
    for (std::size_t i = 0; i < element_count(from.leading); ++i) {
        float* out = result.data() + broadcast_offset(i, from.leading, steps) * matrix;
        const float* in = grad.data() + i * matrix;
        for (std::size_t j = 0; j < matrix; ++j) out[j] += in[j];
    }
    return result;
}

// The rows of (..., n) seen as one matrix. Not size / n: n may be 0.
std::size_t rows_of(const Array& x) { return element_count(Shape(x.shape().begin(), x.shape().end() - 1)); }

// Aᵀ B (m, n) of A (..., m) and B (..., n), whose leading axes are rows of one tall matrix: the sum over the batch is in
// the product.
Array product_over_rows(const Array& a, const Array& b) {
    const std::size_t m = a.shape().back(), n = b.shape().back();
    Array result = make_array({m, n});
    kernels::gemm({.m = m, .n = n, .k = rows_of(a), .transpose_a = true, .lda = m, .ldb = n, .ldc = n},
                  a.data(), b.data(), result.data());
    return result;
}

// C = A B: dA = dC Bᵀ, dB = Aᵀ dC. For a transposed operand the gradient is transposed as well.
void matmul_backward(const Tensor& a, bool ta, const Tensor& b, bool tb, const Array& grad) {
    if (a.requires_grad()) {
        add_to_grad(
            a, sum_leading(ta ? product(b.array(), tb, grad, true) : product(grad, false, b.array(), !tb),
                           a.shape()));
    }
    if (!b.requires_grad()) return;
    if (b.rank() == 2 && !ta) {
        add_to_grad(b, tb ? product_over_rows(grad, a.array()) : product_over_rows(a.array(), grad));
    } else {
        add_to_grad(
            b, sum_leading(tb ? product(grad, true, a.array(), ta) : product(a.array(), !ta, grad, false),
                           b.shape()));
    }
}

// y = x Wᵀ + bias: dx = dy W, dW = dyᵀ x, and d bias is the sum of the rows of dy. inputs: x, weight and perhaps bias.
void linear_backward(const std::vector<Tensor>& inputs, const Array& grad) {
    const Tensor &x = inputs[0], &weight = inputs[1];
    const std::size_t in = weight.size(1), out = weight.size(0);
    if (x.requires_grad()) {
        Array dx = Array::from_shape(x.shape());
        kernels::gemm({.m = rows_of(grad), .n = in, .k = out, .lda = out, .ldb = in, .ldc = in}, grad.data(),
                      weight.values().data(), dx.data());
        add_to_grad(x, std::move(dx));
    }
    if (weight.requires_grad()) add_to_grad(weight, product_over_rows(grad, x.array()));
    if (inputs.size() == 3 && inputs[2].requires_grad()) {
        Array sums = Array::from_shape(inputs[2].shape());
        kernels::sum_over_rows({grad.data(), grad.size()}, {sums.data(), sums.size()});
        add_to_grad(inputs[2], std::move(sums));
    }
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
    return record(product(a.array(), ta, b.array(), tb), {a, b},
                  [a, b, ta, tb](const Array&, const Array& grad) { matmul_backward(a, ta, b, tb, grad); });
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor* bias) {
    if (bias)
        require_shapes("linear", {{"x", x, "... in"}, {"weight", weight, "out in"}, {"bias", *bias, "out"}});
    else
        require_shapes("linear", {{"x", x, "... in"}, {"weight", weight, "out in"}});
    const std::size_t in = weight.size(1), out = weight.size(0);
    Shape shape = x.shape();
    shape.pop_back();
    // The product is added to rows of the bias. Where it is added to nothing, BLAS first sets C to 0, which is as much work.
    const kernels::Gemm g{.m = element_count(shape),
                          .n = out,
                          .k = in,
                          .transpose_b = true,
                          .lda = in,
                          .ldb = in,
                          .ldc = out,
                          .beta = bias ? 1.0f : 0.0f};
    require_blas_sizes(g, "linear");
    shape.push_back(out);
    Array y = make_array(shape);
    if (bias) kernels::fill_rows({y.data(), y.size()}, bias->values());
    kernels::gemm(g, x.values().data(), weight.values().data(), y.data());

    std::vector<Tensor> inputs{x, weight};
    if (bias) inputs.push_back(*bias);
    return record(std::move(y), inputs,
                  [inputs](const Array&, const Array& grad) { linear_backward(inputs, grad); });
}

}  // namespace tfs
