// chapters/00_tensors/program/reductions.cpp · means and variances over an axis, and a formula that loses all digits
#include <fmt/format.h>

#include "chapters/00_tensors/tensors.hpp"
#include "common/program.hpp"
#include "common/tensor.hpp"

namespace tfs {

namespace {

Report show_reductions(const Request&) {
    const Tensor x = Tensor::from({2, 4}, {1, 2, 3, 4, -2, 0, 0, 10});
    Report report;
    report.step("x", x, {"row", "column"});
    report.step("mean(x, 0)", mean(x, 0), {"column"}, "axis 0 is gone");
    report.step("mean(x, -1)", mean(x, -1), {"row"}, "axis 1 is gone");
    report.step("mean(x, -1, keep)", mean(x, -1, KeepDims::yes), {"row", "column"}, "fits against x");

    Array rows = x.array();
    const RowStatistics before = standardize_rows(rows);
    report.step("standardized rows", Tensor(rows), {"row", "column"}, "step standardize_rows");
    report.note(fmt::format("means {:g}, {:g} and variances {:g}, {:g} before\n", before.mean(0),
                            before.mean(1), before.variance(0), before.variance(1)));

    Table table{
        .title = "the same row, moved away from 0; its variance is 1.25 wherever it lies",
        .columns = {
            {"moved by", whole()}, {"two passes", significant(6)}, {"E[x^2] - E[x]^2", significant(6)}}};
    for (const float shift : {0.0f, 1024.0f, 4096.0f, 16384.0f, 16450.0f}) {
        const Tensor row = slice(x, 0, 0, 1) + shift;
        const Tensor one_pass = mean(row * row, -1) - mean(row, -1) * mean(row, -1);
        table.add({shift, variance(row, -1).item(), one_pass.item()});
    }
    report.add(table);
    return report;
}

}  // namespace

Sections reductions_sections() {
    return {{"reductions", "Reductions over an axis", show_reductions, {}, Level::deeper}};
}

}  // namespace tfs
