// chapters/00_tensors/program/tape.cpp · a small computation, its gradients, and the same by finite differences
#include <fmt/format.h>

#include "chapters/00_tensors/program/refusal.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

// The gradients at weight and bias beside those by finite differences.
Table compare_with_differences(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const auto loss_of = [&x](const Tensor& w, const Tensor& b) -> double {
        const Tensor y = tanh(matmul(x, w) + b);
        return mean(y * y).item();
    };
    const Array for_weight = finite_difference_gradient(
        [&](const Array& values) { return loss_of(Tensor(values), bias.detach()); }, weight.array());
    const Array for_bias = finite_difference_gradient(
        [&](const Array& values) { return loss_of(weight.detach(), Tensor(values)); }, bias.array());
    Table table{.columns = {{""}, {"backward()", fixed(3)}, {"finite differences", fixed(3)}}};
    for (std::size_t i = 0; i < 6; ++i)
        table.add(
            {fmt::format("weight({}, {})", i / 2, i % 2), weight.grad().data()[i], for_weight.data()[i]});
    for (std::size_t i = 0; i < 2; ++i)
        table.add({fmt::format("bias({})", i), bias.grad().data()[i], for_bias.data()[i]});
    return table;
}

Report show_tape(const Request&) {
    const Tensor x = Tensor::from({2, 3}, {1, 0, -1, 0.5f, 2, 1});
    const Tensor weight(Tensor::from({3, 2}, {0.1f, -0.2f, 0.4f, 0.3f, -0.5f, 0.2f}).array(), true);
    const Tensor bias(Tensor::from({2}, {0.1f, -0.1f}).array(), true);
    const Tensor product = matmul(x, weight), sum_with_bias = product + bias, h = tanh(sum_with_bias);
    const Tensor loss = mean(h * h);
    Report report;
    report.step("product", product, {"seq", "d_out"}, "x weight");
    report.step("s", sum_with_bias, {"seq", "d_out"}, "product + bias");
    report.step("h", h, {"seq", "d_out"}, "tanh(s)");
    report.step("loss", loss, {}, "mean(h * h)");
    loss.backward();
    report.note("after loss.backward():");
    report.step("weight.grad()", Tensor(weight.grad()), {"d_in", "d_out"}, "x^T (d loss / d s)");
    report.step("bias.grad()", Tensor(bias.grad()), {"d_out"}, "summed over seq");
    report.add(compare_with_differences(x, weight, bias));

    const Tensor a(Tensor::from({}, {3}).array(), true);
    (a * a + a).backward();
    report.note(
        fmt::format("used three times, a collects three parts: d(a a + a)/da = 2a + 1 = {:g} at a = 3",
                    a.grad().data()[0]));
    report.note(refusal([&] { loss.backward(); }));
    report.note(refusal([&] { h.backward(); }));
    return report;
}

}  // namespace

Sections tape_sections() {
    return {{"tape", "A tape of matrices, and its gradients checked", show_tape, {}, Level::deeper}};
}

}  // namespace tfs
