// bench/06_residual_dropout_bench.cpp · dropout: fast and readable, beside a copy of the same bytes
#include <algorithm>

#include "bench/table.hpp"
#include "chapters/06_residual_dropout/residual_dropout.hpp"

namespace tfs {

// The readable solution, compiled once more under this name (bench/CMakeLists.txt).
Tensor readable_dropout(const Tensor& x, double p, Rng* rng);

}  // namespace tfs

namespace tfs::bench {

namespace {

using Dropout = Tensor (*)(const Tensor&, double, Rng*);

// Forward and gradient: a sum stands for the loss.
void forward_and_back(Dropout dropout, Tensor x, Rng& rng) {
    x.clear_grad();
    sum(dropout(x, 0.1, &rng)).backward();
    keep(x.grad().data());
}

}  // namespace

void add_dropout_lines(Table& table) {
    Rng rng(6);
    const Tensor x(rng.normal_array({8, 256, 768}));
    Rng one(7), two(7);
    const Tensor fast = dropout(x, 0.1, &one), readable = readable_dropout(x, 0.1, &two);
    if (!std::equal(fast.values().begin(), fast.values().end(), readable.values().begin()))
        throw ValueError("dropout: the fast one and the readable one give different results");

    const double bytes =
        2.0 * sizeof(float) * static_cast<double>(x.size());  // each entry read and written once
    const auto line = [&](const char* name, double passes, const char* baseline = "") {
        return Line{.name = name, .amount = passes * bytes, .work = Work::bytes, .baseline = baseline};
    };
    table.add(line("copy of 8 x 256 x 768", 1.0), [x] {
        const Array copy = x.array();
        keep(copy.data());
    });
    table.add(line("dropout, readable", 1.0),
              [x, rng]() mutable { keep(readable_dropout(x, 0.1, &rng).values().data()); });
    table.add(line("dropout, fast", 1.0, "dropout, readable"),
              [x, rng]() mutable { keep(dropout(x, 0.1, &rng).values().data()); });
    const Tensor leaf(x.array(), true);
    table.add(line("dropout with gradient, readable", 2.0),
              [leaf, rng]() mutable { forward_and_back(readable_dropout, leaf, rng); });
    table.add(line("dropout with gradient, fast", 2.0, "dropout with gradient, readable"),
              [leaf, rng]() mutable { forward_and_back(dropout, leaf, rng); });
}

}  // namespace tfs::bench
