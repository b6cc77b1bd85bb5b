// chapters/00_tensors/program/reductions.cpp · means and variances over an axis, and a formula that loses all digits
#include "chapters/00_tensors/program/sections.hpp"

#include <fmt/ostream.h>

#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

void show_reductions(Show& show) {
    const Tensor x = Tensor::from({2, 4}, {1, 2, 3, 4, -2, 0, 0, 10});
    show.trace.step("x", x, {"row", "column"});
    show.trace.step("mean(x, 0)", mean(x, 0), {"column"}, "axis 0 is gone");
    show.trace.step("mean(x, -1)", mean(x, -1), {"row"}, "axis 1 is gone");
    show.trace.step("mean(x, -1, keep)", mean(x, -1, KeepDims::yes), {"row", "column"}, "fits against x");
    const RowStatistics rows = row_statistics(x.array());
    fmt::print(show.out, "  row_statistics: means {:g}, {:g}; variances {:g}, {:g}\n", rows.mean(0),
               rows.mean(1), rows.variance(0), rows.variance(1));

    fmt::print(show.out, "\n  the same row, moved away from 0; its variance is 1.25 wherever it lies\n\n");
    fmt::print(show.out, "    {:>9}  {:>12}  {:>18}\n", "moved by", "two passes", "E[x^2] - E[x]^2");
    for (const float shift : {0.0f, 1024.0f, 4096.0f, 16384.0f, 16450.0f}) {
        const Tensor row = slice(x, 0, 0, 1) + shift;
        const Tensor one_pass = mean(row * row, -1) - mean(row, -1) * mean(row, -1);
        fmt::print(show.out, "    {:>9g}  {:>12g}  {:>18g}\n", shift, row_statistics(row.array()).variance(0),
                   one_pass.item());
    }
}

}  // namespace tfs
