// chapters/00_tensors/program/tour.cpp · the sections of the program of chapter 00 that compute the same on every
// machine
#include "chapters/00_tensors/program/tour.hpp"

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "chapters/00_tensors/program/measurements.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/show/measure.hpp"

namespace tfs {

namespace {

// The values 0, 1, 2 …: each is its own offset in the buffer.
Array offsets(const Shape& shape) {
    Array result = Array::from_shape(shape);
    for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] = static_cast<float>(i);
    return result;
}

// Prints what `body` refuses to do.
template <class Body>
void show_refusal(Trace& trace, const Body& body) {
    try {
        body();
        trace.note("!!! this should have been refused");
    } catch (const NotImplemented&) {
        throw;
    } catch (const Error& error) {
        trace.note(std::string("refused: ") + error.what());
    }
}

}  // namespace

void show_memory(std::ostream& out, Trace& trace) {
    trace.step("x", Tensor(offsets({4, 6})), {"seq", "d_model"}, "0, 1, 2 ... 23");
    fmt::print(out, "\n  x.data(), row after row:\n\n");
    const Array x = offsets({4, 6});
    for (std::size_t row = 0; row < x.shape(0); ++row) {
        fmt::print(out, "    seq {} ", row);
        for (std::size_t column = 0; column < x.shape(1); ++column) fmt::print(out, "{:>4}", x(row, column));
        fmt::print(out, "\n");
    }
    fmt::print(out, "\n  steps (6, 1): one position further is 6 floats, one feature further is 1\n");
    fmt::print(out, "  x(2, 3) lies at 2 * 6 + 3 * 1 = {}\n", x(2, 3));
    const Tensor turned = transpose(Tensor(x), 0, 1);
    trace.step("transpose(x, 0, 1)", turned, {"d_model", "seq"}, "moved, not a view");
    trace.step("reshape(x, {2,12})", reshape(Tensor(x), {2, 12}), {"row", "column"}, "same order");
    fmt::print(out, "  the first row of the transpose: {} {} {} {}\n", turned.at({0, 0}), turned.at({0, 1}),
               turned.at({0, 2}), turned.at({0, 3}));
}

void show_broadcasting(std::ostream& out, Trace& trace) {
    const Tensor x(offsets({2, 3, 4})), bias = Tensor::from({4}, {0.1f, 0.2f, 0.3f, 0.4f});
    trace.step("x", x, {"batch", "seq", "d_model"}, "steps (12, 4, 1)");
    trace.step("bias", bias, {"d_model"}, "steps (0, 0, 1)");
    const Array y = add_bias(x.array(), bias.array());
    trace.step("add_bias(x, bias)", Tensor(y), {"batch", "seq", "d_model"}, "step 0.1");
    fmt::print(out, "  check  add_bias and x + bias agree: {}\n",
               largest_difference(y, (x + bias).array()) == 0.0);

    fmt::print(out,
               "\n  shapes are aligned at the last axis; a size of 1, or a missing axis, is repeated\n\n");
    const std::vector<std::pair<Shape, Shape>> pairs = {
        {{2, 3, 4}, {4}}, {{2, 3, 4}, {3, 1}}, {{2, 3, 4}, {2, 1, 1}}, {{3, 1}, {3}}};
    for (const auto& [a, b] : pairs) {
        fmt::print(out, "    {:<10} + {:<10} -> {}\n", to_string(a), to_string(b),
                   to_string(broadcast_shapes(a, b, "+")));
    }
    fmt::print(out, "\n  the last one is the trap: a column and a row make a matrix, silently\n");
    show_refusal(trace, [] { return Tensor::zeros({2, 3}) + Tensor::zeros({2}); });
}

void show_products(std::ostream& out, Trace& trace, std::uint64_t seed) {
    Rng rng(seed);
    const Array a = rng.normal_array({2, 3, 4}), b = rng.normal_array({2, 4, 5});
    trace.step("a", Tensor(a), {"batch", "m", "k"});
    trace.step("b", Tensor(b), {"batch", "k", "n"});
    const Array by_loops = matmul_loops(a, b);
    trace.step("matmul_loops(a, b)", Tensor(by_loops), {"batch", "m", "n"}, "step 0.2");
    const Array by_blas = matmul_blas(a, b);
    trace.step("matmul_blas(a, b)", Tensor(by_blas), {"batch", "m", "n"}, "step 0.3");
    const Array by_rows = matmul_reordered(a, b);
    fmt::print(out, "  check  loops, BLAS, and loops in another order agree to 1e-5: {}\n",
               std::max(largest_difference(by_loops, by_blas), largest_difference(by_rows, by_blas)) < 1e-5);

    const Tensor keys(rng.normal_array({2, 5, 4}));
    const Tensor scores = matmul(Tensor(a), keys, Transpose::b);
    fmt::print(out, "\n  the layer's matmul takes any leading axes, and transposes while it multiplies:\n");
    trace.step("keys", keys, {"batch", "key", "k"});
    trace.step("a keys^T", scores, {"batch", "m", "key"}, "Transpose::b");
    show_refusal(trace, [&] { return matmul(Tensor(a), keys); });
}

void show_reductions(std::ostream& out, Trace& trace) {
    const Tensor x = Tensor::from({2, 4}, {1, 2, 3, 4, -2, 0, 0, 10});
    trace.step("x", x, {"row", "column"});
    trace.step("mean(x, 0)", mean(x, 0), {"column"}, "axis 0 is gone");
    trace.step("mean(x, -1)", mean(x, -1), {"row"}, "axis 1 is gone");
    trace.step("mean(x, -1, keep)", mean(x, -1, KeepDims::yes), {"row", "column"}, "fits against x");
    const RowStatistics rows = row_statistics(x.array());
    fmt::print(out, "  step 0.4: means {:g}, {:g}; variances {:g}, {:g}\n", rows.mean(0), rows.mean(1),
               rows.variance(0), rows.variance(1));

    fmt::print(out, "\n  the same row, moved away from 0; its variance is 1.25 wherever it lies\n\n");
    fmt::print(out, "    {:>9}  {:>12}  {:>18}\n", "moved by", "two passes", "E[x^2] - E[x]^2");
    for (const float shift : {0.0f, 1024.0f, 4096.0f, 16384.0f, 16450.0f}) {
        const Tensor row = slice(x, 0, 0, 1) + shift;
        const Tensor one_pass = mean(row * row, -1) - mean(row, -1) * mean(row, -1);
        fmt::print(out, "    {:>9g}  {:>12g}  {:>18g}\n", shift, row_statistics(row.array()).variance(0),
                   one_pass.item());
    }
}

void show_tape(std::ostream& out, Trace& trace) {
    const Tensor x = Tensor::from({2, 3}, {1, 0, -1, 0.5f, 2, 1});
    const Tensor weight(Tensor::from({3, 2}, {0.1f, -0.2f, 0.4f, 0.3f, -0.5f, 0.2f}).array(), true);
    const Tensor bias(Tensor::from({2}, {0.1f, -0.1f}).array(), true);
    const Tensor product = matmul(x, weight), sum_with_bias = product + bias, h = tanh(sum_with_bias);
    const Tensor loss = mean(h * h);
    trace.step("product", product, {"seq", "d_out"}, "x weight");
    trace.step("s", sum_with_bias, {"seq", "d_out"}, "product + bias");
    trace.step("h", h, {"seq", "d_out"}, "tanh(s)");
    trace.step("loss", loss, {}, "mean(h * h)");
    loss.backward();
    fmt::print(out, "\n  after loss.backward():\n");
    trace.step("weight.grad()", Tensor(weight.grad()), {"d_in", "d_out"}, "x^T (d loss / d s)");
    trace.step("bias.grad()", Tensor(bias.grad()), {"d_out"}, "summed over seq");

    const auto loss_of = [&x](const Tensor& w, const Tensor& b) -> double {
        const Tensor y = tanh(matmul(x, w) + b);
        return mean(y * y).item();
    };
    const Array for_weight = finite_difference_gradient(
        [&](const Array& values) { return loss_of(Tensor(values), bias.detach()); }, weight.array());
    const Array for_bias = finite_difference_gradient(
        [&](const Array& values) { return loss_of(weight.detach(), Tensor(values)); }, bias.array());
    fmt::print(out, "\n  {:<14} {:>10}  {:>18}\n", "", "backward()", "finite differences");
    for (std::size_t i = 0; i < 6; ++i) {
        fmt::print(out, "  {:<14} {:>10.3f}  {:>18.3f}\n", fmt::format("weight({}, {})", i / 2, i % 2),
                   weight.grad().data()[i], for_weight.data()[i]);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        fmt::print(out, "  {:<14} {:>10.3f}  {:>18.3f}\n", fmt::format("bias({})", i), bias.grad().data()[i],
                   for_bias.data()[i]);
    }

    const Tensor a(Tensor::from({}, {3}).array(), true);
    (a * a + a).backward();
    fmt::print(out, "\n  used three times, a collects three parts: d(a a + a)/da = 2a + 1 = {:g} at a = 3\n",
               a.grad().data()[0]);
    show_refusal(trace, [&] { loss.backward(); });
    show_refusal(trace, [&] { h.backward(); });
}

}  // namespace tfs
