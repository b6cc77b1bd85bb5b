// chapters/00_tensors/program/broadcasting.cpp · what broadcasting reads, what it refuses, and a loss that is wrong because two shapes fit
#include <fmt/format.h>

#include <numeric>

#include "chapters/00_tensors/program/refusal.hpp"
#include "chapters/00_tensors/tensors.hpp"
#include "common/program.hpp"

namespace tfs {

namespace {

Table shapes_that_fit() {
    Table table{.columns = {{"a"}, {"b"}, {"a + b"}}};
    const std::vector<std::pair<Shape, Shape>> pairs = {{{2, 3, 4}, {4}}, {{2, 3, 4}, {3, 1}}, {{3, 1}, {3}}};
    for (const auto& [a, b] : pairs)
        table.add({to_string(a), to_string(b), to_string(broadcast_shapes(a, b, "+"))});
    return table;
}

// A row minus a column is a matrix.
Table column_minus_row() {
    const Tensor targets = Tensor::from({3}, {1, 2, 3}), guesses = reshape(targets, {3, 1});
    Table table{.title = "guesses (3, 1) = targets (3) = 1, 2, 3: all are right",
                .columns = {{"error"}, {"shape"}, {"mean squared error", fixed(3)}}};
    const auto add = [&](const std::string& name, const Tensor& error) {
        table.add({name, to_string(error.shape()), mean(error * error).item()});
    };
    add("guesses - targets", guesses - targets);
    add("guesses - reshape(targets, {3, 1})", guesses - reshape(targets, {3, 1}));
    return table;
}

Report show_broadcasting(const Request&) {
    Array numbers = Array::from_shape({2, 3, 4});
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    const Tensor x(numbers), bias = Tensor::from({4}, {0.1f, 0.2f, 0.3f, 0.4f});
    Report report;
    report.step("x", x, {"batch", "seq", "d_model"}, "strides (12, 4, 1)");
    report.step("bias", bias, {"d_model"}, "strides (0, 0, 1)");
    const Array y = add_bias(x.array(), bias.array());
    report.step("add_bias(x, bias)", Tensor(y), {"batch", "seq", "d_model"}, "step add_bias");
    report.note(fmt::format("add_bias(x, bias) and x + bias agree: {}\n",
                            largest_difference(y, (x + bias).array()) == 0.0 ? "yes" : "NO"));
    report.add(shapes_that_fit());
    report.note(refusal([] { return Tensor::zeros({2, 3}) + Tensor::zeros({2}); }) + '\n');
    report.add(column_minus_row());
    return report;
}

}  // namespace

Section broadcasting() { return {.id = "broadcasting", .title = "Broadcasting", .run = show_broadcasting}; }

}  // namespace tfs
