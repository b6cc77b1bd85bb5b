// chapters/00_tensors/program/product_speed.cpp · the same product by loops, by loops in another order, and by BLAS: how fast each is
#include "chapters/00_tensors/program/sections.hpp"

#include <fmt/ostream.h>

#include <string>

#include "chapters/00_tensors/program/timed/matmul_reordered.hpp"
#include "chapters/00_tensors/tensors.hpp"

namespace tfs {

namespace {

// One volatile write, so that no result counts as unused.
void use(const Array& result) {
    [[maybe_unused]] static volatile float sink;
    sink = result.data()[0];
}

// 2 multiply_adds operations, in GFLOP/s.
Quartiles gflops(std::size_t multiply_adds, const Seconds& seconds) {
    return rate(2e-9 * static_cast<double>(multiply_adds), seconds);
}

// On one core.
struct ProductSpeed {
    Quartiles loops, reordered, blas;  // GFLOP/s
    Quartiles swapped, blas_factor;    // how many times as long matmul_loops takes
};

ProductSpeed product_speed(std::size_t size, Rng& rng) {
    const Array a = rng.normal_array({1, size, size}), b = rng.normal_array({1, size, size});
    const Rounds rounds =
        measure_in_turns({[&] { use(matmul_loops(a, b)); }, [&] { use(matmul_reordered(a, b)); },
                          [&] { use(matmul_blas(a, b)); }},
                         usual_turns({.rounds = 7}));
    const std::size_t work = size * size * size;
    return {gflops(work, rounds[0]), gflops(work, rounds[1]), gflops(work, rounds[2]),
            ratio(rounds[0], rounds[1]), ratio(rounds[0], rounds[2])};
}

// Many small products: one after another by matmul_blas, and by the layer's matmul, which runs them in parallel.
void compare_batched(Show& show) {
    constexpr std::size_t count = 32, m = 256, k = 64, n = 256;
    Rng rng(show.options.seed);
    const Array a = rng.normal_array({count, m, k}), b = rng.normal_array({count, k, n});
    const Tensor tensor_a(a), tensor_b(b);
    const Rounds rounds =
        measure_in_turns({[&] { use(matmul_blas(a, b)); }, [&] { use(matmul(tensor_a, tensor_b).array()); }},
                         usual_turns({.one_core = false}));
    const auto speed = [](const Seconds& seconds) { return median_text(gflops(count * m * k * n, seconds)); };
    fmt::print(show.out, "\n  32 products (256, 64) x (64, 256) on all cores\n");
    fmt::print(show.out, "  one after another {}, the layer's matmul {}; against each other: {}\n",
               speed(rounds[0]), speed(rounds[1]), ratio_text(ratio(rounds[0], rounds[1])));
}

}  // namespace

LineFigure measure_product_speed(Show& show, std::size_t largest) {
    Rng rng(show.options.seed);
    Series loops{"loops i, j, p"}, reordered{"loops i, p, j"}, blas{"BLAS"};
    fmt::print(show.out, "  one (n, n) x (n, n) product on one core, in GFLOP/s (2 n^3 operations)\n\n");
    fmt::print(show.out, "  {:>5}  {:>13}  {:>13}  {:>6}\n", "n", "loops i, j, p", "loops i, p, j", "BLAS");
    std::string factors;
    for (std::size_t size = 16; size <= largest; size *= 2) {
        const ProductSpeed p = product_speed(size, rng);
        fmt::print(show.out, "  {:>5}  {:>13}  {:>13}  {:>6}\n", size, median_text(p.loops),
                   median_text(p.reordered), median_text(p.blas));
        factors = fmt::format(
            "  at n = {}, how many times as fast as the loops i, j, p (in brackets: the middle half of 7 "
            "rounds)\n"
            "  loops i, p, j: {}; BLAS: {}\n",
            size, ratio_text(p.swapped), ratio_text(p.blas_factor));
        const double n = static_cast<double>(size);
        loops.add(n, p.loops.median);
        reordered.add(n, p.reordered.median);
        blas.add(n, p.blas.median);
    }
    fmt::print(show.out, "\n{}", factors);
    if (show.options.deeper) compare_batched(show);
    return {
        .name = "product_speed",
        .title = "The same product, three ways, on one core",
        .panels = {{"(n, n) x (n, n), float32", "size n", "GFLOP/s", true, true, {blas, reordered, loops}}},
        .panels_per_row = 1,
        .caption =
            "The order of the loops decides the speed, though both orders do the same multiplications. The "
            "plain loops (i, j, p) get slower once the matrices are large. For large matrices BLAS is the "
            "fastest. Higher is faster; both axes are logarithmic."};
}

}  // namespace tfs
