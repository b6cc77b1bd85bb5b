// chapters/00_tensors/program/broadcasting.cpp · which shapes broadcast, which do not, and a loss that is wrong because two shapes fit
#include <fmt/format.h>

#include "chapters/00_tensors/program/refusal.hpp"
#include "common/program.hpp"
#include "common/tensor.hpp"

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
    Report report;
    report.add(shapes_that_fit());
    report.note(refusal([] { return Tensor::zeros({2, 3}) + Tensor::zeros({2}); }) + '\n');
    report.add(column_minus_row());
    return report;
}

}  // namespace

Sections broadcasting_sections() {
    return {{"broadcasting", "Broadcasting", show_broadcasting, {}, Level::deeper}};
}

}  // namespace tfs
