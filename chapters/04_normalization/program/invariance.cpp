// chapters/04_normalization/program/invariance.cpp · what a shift and a stretch of a row do to LayerNorm and RMSNorm
#include "chapters/04_normalization/program/options.hpp"

namespace tfs {

namespace {

Cell moved(const Tensor& a, const Tensor& b) {
    const double most = largest_difference(a.array(), b.array());
    return most < 1e-3 ? Cell("unchanged") : Cell(most);
}

Report show_invariance(const Request& request) {
    Rng rng(request[options::seed]);
    const Tensor x(rng.normal_array({64, 768}, 0.5));
    const LayerNorm layer(768);
    const RMSNorm root(768);
    const Tensor centred = x - mean(x, -1, KeepDims::yes);
    Table table{.title = "How much the results change, at most",
                .columns = {{""}, {"LayerNorm", fixed(2)}, {"RMSNorm", fixed(2)}}};
    table.add({"3 x in place of x", moved(layer(x * 3.0f), layer(x)), moved(root(x * 3.0f), root(x))});
    table.add({"x + 5", moved(layer(x + 5.0f), layer(x)), moved(root(x + 5.0f), root(x))});
    Report report;
    report.add(table);
    report.note("RMSNorm of x - mean(x) against LayerNorm of x: " +
                text_of(moved(root(centred), layer(x)), table.columns[2]));
    return report;
}

}  // namespace

Sections invariance_sections() {
    return {
        {"invariance", "A shift and a stretch of a row", show_invariance, {options::seed}, Level::deeper}};
}

}  // namespace tfs
