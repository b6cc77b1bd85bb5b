// bench/06_residual_dropout_bench.cpp · dropout: fast and readable, beside a copy of the same bytes
#include <algorithm>

#include "bench/copy.hpp"
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

    const double bytes = bytes_read_and_written(x);
    const std::string copy = add_copy_line(table, x);
    table.add({"dropout, readable", bytes, Work::bytes, copy},
              [x, rng]() mutable { keep(readable_dropout(x, 0.1, &rng).values().data()); });
    table.add({"dropout, fast", bytes, Work::bytes, "dropout, readable", 0.0, {{copy}}},
              [x, rng]() mutable { keep(dropout(x, 0.1, &rng).values().data()); });
    const Tensor leaf(x.array(), true);
    table.add({"dropout with gradient, readable", 2.0 * bytes, Work::bytes},
              [leaf, rng]() mutable { forward_and_back(readable_dropout, leaf, rng); });
    table.add({"dropout with gradient, fast", 2.0 * bytes, Work::bytes, "dropout with gradient, readable"},
              [leaf, rng]() mutable { forward_and_back(dropout, leaf, rng); });
}

}  // namespace tfs::bench
