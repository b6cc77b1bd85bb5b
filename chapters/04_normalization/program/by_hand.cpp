// chapters/04_normalization/program/by_hand.cpp · the row of the lesson that fits on paper
#include <fmt/format.h>

#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

Report show_by_hand(const Request&) {
    const Tensor x = Tensor::from({4}, {-1.0f, 5.0f, 5.0f, 7.0f});
    Table table{.columns = {{""}}};
    for (std::size_t i = 1; i <= x.size(); ++i)
        table.columns.push_back({fmt::format("feature {}", i), fixed(2)});
    const auto add = [&](const char* name, const Tensor& row) {
        std::vector<Cell> cells{name};
        cells.insert(cells.end(), row.values().begin(), row.values().end());
        table.add(cells);
    };
    add("x", x);
    add("LayerNorm", LayerNorm(4)(x));
    add("RMSNorm", RMSNorm(4)(x));
    Report report;
    report.note(fmt::format("x has mean {:.0f}, standard deviation {:.0f}, root mean square {:.0f}",
                            mean(x, -1).item(), sqrt(variance(x, -1)).item(), sqrt(mean(x * x, -1)).item()));
    report.add(table);
    return report;
}

}  // namespace

Section one_row_by_hand() { return {.id = "by-hand", .title = "By hand: one row", .run = show_by_hand}; }

}  // namespace tfs
